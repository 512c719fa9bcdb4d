//! Natives of a snowflake generator.

use crate::errors::{Failure, call, quick};
use crate::{NOT_YET, array, handle, options, pending, stats, text, waiting};
use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JObject, JObjectArray, JString};
use jni::sys::{JNIEnv, jboolean, jclass, jdouble, jint, jlong};
use leafmint::SnowflakeGenerator;
use leafmint::binding::{SNOWFLAKE_STATS, SnowflakeWait};

/// `SnowflakeStats.java` reads this many figures: give it a new one together with its place there.
const _: () = assert!(SNOWFLAKE_STATS.len() == 8);

pub(crate) fn generator<'a>(handle: jlong) -> &'a SnowflakeGenerator {
    // SAFETY: the handle is a generator's, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Opens a generator without waiting. `options` holds names and values in turn, `worker_map` the option of that name or `null`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeOpen<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    url: JString<'local>,
    options: JObjectArray<'local, JString<'local>>,
    worker_map: JObjectArray<'local, JString<'local>>,
) -> jlong {
    call(env, |env| {
        let url = url.try_to_string(env)?;
        let given = options::read(env, &options, "worker_map", &worker_map)?;
        Ok(handle::give(SnowflakeGenerator::open_unready(&url, given)?))
    })
}

/// Begins what the option `eager` asks for.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeMakeReady(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok(pending::give(generator(handle).make_ready()?, |()| true)))
}

/// Returns the next id, or [`NOT_YET`] where the caller has to wait.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeNextId(env: *mut JNIEnv, _class: jclass, handle: jlong) -> jlong {
    quick(env, || Ok(generator(handle).try_next_id()?.unwrap_or(NOT_YET)))
}

/// Begins a call, with the gene only where one is given.
///
/// Returns the ids where they are in hand; else [`NOT_YET`], which is no id, and the handle of a wait to poll and to end.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeTake<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    wanted: jint,
    count: jlong,
    gene_given: jboolean,
    gene: jlong,
    timeout_seconds: jdouble,
) -> JLongArray<'local> {
    call(env, |env| {
        let (want, timeout) = (waiting::want(wanted, count), waiting::timeout(timeout_seconds)?);
        let mut wait = generator(handle).begin(want, gene_given.then_some(gene), timeout)?;
        match wait.poll()? {
            Some(ids) => array::write(env, &ids),
            None => array::write(env, &[NOT_YET, handle::give(wait)]),
        }
    })
}

/// Returns the ids once the call has them, `null` before.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeWaitPoll<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    wait: jlong,
) -> JLongArray<'local> {
    call(env, |env| {
        // SAFETY: Java polls and ends a call on the thread that began it, in this order.
        let wait = unsafe { handle::borrow_mut::<SnowflakeWait>(wait) };
        match wait.poll()? {
            Some(ids) => array::write(env, &ids),
            None => Ok(JLongArray::default()),
        }
    })
}

/// Returns in how many nanoseconds the tick comes that the call waits for; [`NOT_YET`] where it waits for something else.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeNextTick(env: *mut JNIEnv, _class: jclass, wait: jlong) -> jlong {
    quick(env, || {
        // SAFETY: as above.
        let wait = unsafe { handle::borrow_mut::<SnowflakeWait>(wait) };
        Ok(wait.next_tick_in().map_or(NOT_YET, |left| jlong::try_from(left.as_nanos()).unwrap_or(jlong::MAX)))
    })
}

/// Ends a call, given up or not.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeWaitEnd(env: EnvUnowned<'_>, _class: JClass<'_>, wait: jlong) {
    call(env, |_| {
        // SAFETY: Java ends each call once, and does not use it afterwards.
        unsafe { handle::take_back::<SnowflakeWait>(wait) };
        Ok::<(), Failure>(())
    })
}

/// Returns the handle of a layout: the generator's.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeLayout(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok::<_, Failure>(handle::give(*generator(handle).layout())))
}

/// Returns the present worker id, or [`NOT_YET`].
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeWorkerId(env: *mut JNIEnv, _class: jclass, handle: jlong) -> jlong {
    quick(env, || Ok(generator(handle).worker_id().unwrap_or(NOT_YET)))
}

/// Ends all minting and begins the close.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeClose(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok(pending::give(generator(handle).begin_close()?, |()| true)))
}

/// Returns the holder's name and who shares its worker ids.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeScope<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JString<'local> {
    call(env, |env| Ok(env.new_string(generator(handle).scope())?))
}

/// Returns the figures, as texts.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeStats<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JObject<'local> {
    call(env, |env| text::write_all(env, &generator(handle).stats().fields().map(stats::figure)))
}

/// Takes the generator back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeFree(env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, when the Java object cannot be reached any more.
        unsafe { handle::take_back::<SnowflakeGenerator>(handle) };
        Ok::<(), Failure>(())
    })
}
