//! Natives of a segment generator.

use crate::errors::{Failure, call};
use crate::{handle, options, pending, stats};
use jni::EnvUnowned;
use jni::objects::{JClass, JObjectArray, JString};
use jni::sys::{jboolean, jlong};
use leafmint::SegmentGenerator;
use leafmint::binding::TAG_STATS;
use leafmint::segment::Order;

/// `TagStats.java` reads this many figures: give it a new one together with its place there.
const _: () = assert!(TAG_STATS.len() == 11);

pub(crate) fn generator<'a>(handle: jlong) -> &'a SegmentGenerator {
    // SAFETY: the handle is a generator's, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Opens a generator without waiting. `options` holds names and values in turn, `tags` the option of that name or `null`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_open<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    url: JString<'local>,
    options: JObjectArray<'local, JString<'local>>,
    tags: JObjectArray<'local, JString<'local>>,
) -> jlong {
    call(env, |env| {
        let url = url.try_to_string(env)?;
        let given = options::read(env, &options, "tags", &tags)?;
        Ok(handle::give(SegmentGenerator::open_unready(&url, given)?))
    })
}

/// Begins what the option `eager` asks for.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_makeReady(env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong) -> jlong {
    call(env, |_| Ok(pending::give(generator(handle).make_ready()?, |()| true)))
}

/// Returns the handle of a tag.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_bizTag<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    name: JString<'local>,
    gene_bits: jlong,
    relaxed: jboolean,
) -> jlong {
    call(env, |env| {
        let name = name.try_to_string(env)?;
        let order = if relaxed { Order::Relaxed } else { Order::Strict };
        Ok(handle::give(generator(handle).biz_tag_with(&name, gene_bits, order)?))
    })
}

/// Begins to create a tag.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_createTag<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    tag: JString<'local>,
    step: jlong,
    start: jlong,
    description: JString<'local>,
    gene_bits: jlong,
) -> jlong {
    call(env, |env| {
        let (tag, description) = (tag.try_to_string(env)?, description.try_to_string(env)?);
        let created = generator(handle).create_tag_with_genes(&tag, gene_bits, step, start, &description)?;
        Ok(pending::give(created, |created| created))
    })
}

/// Begins to create the tables.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_initSchema(env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong) -> jlong {
    call(env, |_| Ok(pending::give(generator(handle).init_schema()?, |()| true)))
}

/// Ends all minting and begins the close.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_close(env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong) -> jlong {
    call(env, |_| Ok(pending::give(generator(handle).begin_close()?, |()| true)))
}

/// Returns the store's name and who shares its ids.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_scope<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JString<'local> {
    call(env, |env| Ok(env.new_string(generator(handle).scope())?))
}

/// Returns the figures of all tags, as [`stats::write`] does.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_stats<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JObjectArray<'local> {
    call(env, |env| stats::write(env, generator(handle).stats()))
}

/// Closes the generator and takes it back: its tags may be freed later.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_generatorFree(env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong) {
    call(env, |_| {
        // It goes on in the background, and reports a failure by itself.
        let _closing = generator(handle).begin_close();
        // SAFETY: the Reaper calls this once, when the Java object cannot be reached any more.
        unsafe { handle::take_back::<SegmentGenerator>(handle) };
        Ok::<(), Failure>(())
    })
}
