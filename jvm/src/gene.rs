//! Natives of genes.

use crate::errors::{call, quick};
use jni::EnvUnowned;
use jni::objects::{JClass, JString};
use jni::sys::{JNIEnv, jclass, jlong};
use leafmint::id;

/// Returns the gene of an integer key.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_geneOfInt(
    env: *mut JNIEnv,
    _class: jclass,
    key: jlong,
    bits: jlong,
) -> jlong {
    quick(env, || id::gene_of_int(key, bits))
}

/// Returns the gene of a text key.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_geneOfText<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    key: JString<'local>,
    bits: jlong,
) -> jlong {
    call(env, |env| Ok(id::gene_of_text(&key.try_to_string(env)?, bits)?))
}

/// Appends a gene to a number.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_geneCompose(
    env: *mut JNIEnv,
    _class: jclass,
    number: jlong,
    gene: jlong,
    bits: jlong,
) -> jlong {
    quick(env, || id::with_gene(number, gene, bits))
}

/// Returns the gene of an id.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_geneShardOf(
    env: *mut JNIEnv,
    _class: jclass,
    id: jlong,
    bits: jlong,
) -> jlong {
    quick(env, || id::shard_of(id, bits))
}
