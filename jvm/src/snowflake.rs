//! Natives of a snowflake generator.

use crate::errors::{Failure, call, quick};
use crate::{NOT_YET, array, credentials, handle, options, pending, records, stats, text, waiting};
use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JObject, JObjectArray, JString};
use jni::sys::{JNIEnv, jboolean, jclass, jdouble, jint, jlong};
use leafmint::SnowflakeGenerator;
use leafmint::binding::room;
use leafmint::snowflake::SNOWFLAKE_STATS;

/// `SnowflakeStats.java` reads this number of stats. Add a new one there too.
const _: () = assert!(SNOWFLAKE_STATS.len() == 8);

fn generator<'a>(handle: jlong) -> &'a SnowflakeGenerator {
    // SAFETY: the handle is a generator's, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Opens a generator without waiting, with what `OptionValues.java` has written. `questions` is 0 without a supplier of
/// credentials.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeOpen<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    url: JString<'local>,
    texts: JObjectArray<'local, JString<'local>>,
    numbers: JLongArray<'local>,
    questions: jlong,
) -> jlong {
    call(env, |env| {
        let url = url.try_to_string(env)?;
        let mut params = options::read(env, &texts, &numbers)?;
        params.extend(credentials::option(questions));
        Ok(handle::give(SnowflakeGenerator::open_unready(&url, params)?))
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

/// Returns the option `close_at_exit`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeClosesAtExit(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jboolean {
    call(env, |_| Ok::<_, Failure>(generator(handle).closes_at_exit()))
}

/// Returns the next id, or [`NOT_YET`] if the caller has to wait.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeNextId(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
) -> jlong {
    quick(env, || Ok(generator(handle).try_next_id()?.unwrap_or(NOT_YET)))
}

/// Begins a call for ids. Returns the ids, or [`NOT_YET`] and the handle of a wait. `gene` counts only if `has_gene`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeTake<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    wanted: jint,
    count: jlong,
    has_gene: jboolean,
    gene: jlong,
    timeout_seconds: jdouble,
) -> JLongArray<'local> {
    call(env, |env| {
        let (want, timeout) = (waiting::want(wanted, count), waiting::timeout(timeout_seconds)?);
        let wait = generator(handle).begin(want, has_gene.then_some(gene), timeout)?;
        array::check_room(env, count as usize)?;
        waiting::begin(env, wait)
    })
}

/// Begins a call for ids of past moments. Returns as `snowflakeTake` does.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeBackfill<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    moments: JLongArray<'local>,
    has_gene: jboolean,
    gene: jlong,
    timeout_seconds: jdouble,
) -> JLongArray<'local> {
    call(env, |env| {
        let timeout = waiting::timeout(timeout_seconds)?;
        array::check_room(env, moments.len(env)?)?;
        let mut copied = room::zeros(moments.len(env)?)?;
        moments.get_region(env, 0, &mut copied)?;
        waiting::begin(env, generator(handle).begin_backfill(&copied, has_gene.then_some(gene), timeout)?)
    })
}

/// Returns the handle of the generator's layout.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeLayout(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok::<_, Failure>(handle::give(*generator(handle).layout())))
}

/// Returns the current worker id, or [`NOT_YET`].
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeWorkerId(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
) -> jlong {
    quick(env, || Ok(generator(handle).worker_id().unwrap_or(NOT_YET)))
}

/// Returns the holder and which processes share its worker ids.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeScope<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JString<'local> {
    call(env, |env| Ok(env.new_string(generator(handle).scope())?))
}

/// Returns the stats as texts.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeStats<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JObject<'local> {
    call(env, |env| Ok(text::write_all(env, &generator(handle).stats().fields().map(stats::figure))?))
}

/// Begins to list the worker ids.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeListWorkers(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok(pending::give_texts(generator(handle).list_workers()?, records::workers)))
}

/// Begins to free a worker id.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeReleaseWorker(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    worker_id: jlong,
    force: jboolean,
) -> jlong {
    call(env, |_| Ok(pending::give(generator(handle).release_worker(worker_id, force)?, |freed| freed)))
}

/// Begins to check the holder.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeCheck(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok(pending::give_texts(generator(handle).check()?, records::snowflake_check)))
}

/// Ends all minting and begins the close.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeBeginClose(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok(pending::give(generator(handle).begin_close()?, |()| true)))
}

/// Closes the generator and takes it back. `questions` is 0 without a supplier of credentials.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeFree(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    questions: jlong,
) {
    call(env, |_| {
        // The close goes on in the background, and reports a failure itself.
        credentials::end_after(generator(handle).begin_close(), questions);
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<SnowflakeGenerator>(handle) };
        Ok::<(), Failure>(())
    })
}
