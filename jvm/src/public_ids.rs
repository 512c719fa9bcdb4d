//! Natives of public ids.

use crate::errors::{Failure, call, quick};
use crate::{array, handle, public_keys};
use jni::EnvUnowned;
use jni::objects::{JClass, JString};
use jni::sys::{JNIEnv, jbyteArray, jclass, jlong, jlongArray};
use leafmint::PublicIds;
use leafmint::binding::room;

fn ids<'a>(handle: jlong) -> &'a PublicIds {
    // SAFETY: the handle is that of public ids, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Makes the public ids of a name, with a prefix.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicIdsOf<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    name: JString<'local>,
    keys: jlong,
    prefix: JString<'local>,
) -> jlong {
    call(env, |env| {
        let (name, prefix) = (name.try_to_string(env)?, prefix.try_to_string(env)?);
        Ok(handle::give(PublicIds::with_prefix(&name, public_keys::keys(keys), &prefix)?))
    })
}

/// Returns the number of bytes of each text.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicIdsLength(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
) -> jlong {
    quick(env, || Ok(ids(handle).length() as jlong))
}

/// Returns the regular expression of the texts.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicIdsPattern<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JString<'local> {
    call(env, |env| Ok(env.new_string(ids(handle).pattern())?))
}

/// Writes an id into an array that has room for it, and returns the number of bytes. A `String` made here would be
/// converted twice.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicIdsEncode(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    id: jlong,
    text: jbyteArray,
) -> jlong {
    quick(env, || {
        let written = ids(handle).encode(id)?;
        // SAFETY: these are the environment and an argument of this native.
        unsafe { array::write_bytes(env, text, written.as_bytes()) };
        Ok(written.len() as jlong)
    })
}

/// Reads an id from a text in UTF-8.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicIdsDecode(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    text: jbyteArray,
) -> jlong {
    quick(env, || {
        // SAFETY: these are the environment and an argument of this native.
        unsafe { array::with_text(env, text, |text| ids(handle).decode(text)) }
    })
}

/// Writes ids into a column, one text after another, and returns the number of bytes.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicIdsEncodeAll(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    numbers: jlongArray,
    column: jbyteArray,
) -> jlong {
    quick(env, || {
        let public_ids = ids(handle);
        // SAFETY: these are the environment and an argument of this native.
        let numbers = unsafe { array::read_longs(env, numbers) }?;
        let mut texts = room::zeros(numbers.len() * public_ids.length())?;
        public_ids.encode_column(&numbers, &mut texts)?;
        // SAFETY: as above.
        unsafe { array::write_bytes(env, column, &texts) };
        Ok(texts.len() as jlong)
    })
}

/// Reads the ids of a column, and returns how many they are.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicIdsDecodeAll(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    column: jbyteArray,
    numbers: jlongArray,
) -> jlong {
    quick(env, || {
        let public_ids = ids(handle);
        // SAFETY: these are the environment and an argument of this native.
        let column = unsafe { array::read_bytes(env, column) }?;
        let mut read = room::zeros(column.len() / public_ids.length())?;
        public_ids.decode_column(&column, &mut read)?;
        // SAFETY: as above.
        unsafe { array::write_longs(env, numbers, &read) };
        Ok(read.len() as jlong)
    })
}

/// Takes the public ids back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_publicIdsFree(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<PublicIds>(handle) };
        Ok::<(), Failure>(())
    })
}
