//! Natives of a clock that only a test moves.

use crate::errors::{Failure, call};
use crate::{handle, options};
use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JObjectArray, JString};
use jni::sys::jlong;
use leafmint::{SnowflakeGenerator, VirtualClock};
use std::sync::Arc;
use std::time::Duration;

fn clock<'a>(handle: jlong) -> &'a Arc<VirtualClock> {
    // SAFETY: the handle is a clock's, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Makes a clock that shows a time in Unix milliseconds.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_virtualClockAt(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    millis: jlong,
) -> jlong {
    call(env, |_| Ok::<_, Failure>(handle::give(Arc::new(VirtualClock::at(millis)))))
}

/// Returns the time that the clock shows, in Unix milliseconds.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_virtualClockMillis(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok::<_, Failure>(clock(handle).wall()))
}

/// Lets milliseconds pass.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_virtualClockPass(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    millis: jlong,
) {
    call(env, |_| {
        clock(handle).pass(Duration::from_millis(millis.max(0).unsigned_abs()));
        Ok::<(), Failure>(())
    })
}

/// Sets the clock to a time in Unix milliseconds.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_virtualClockMoveTo(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
    millis: jlong,
) {
    call(env, |_| {
        clock(handle).move_to(millis);
        Ok::<(), Failure>(())
    })
}

/// Opens a snowflake generator on the clock, with what `OptionValues.java` has written.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_virtualClockOpen<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    worker_id: jlong,
    texts: JObjectArray<'local, JString<'local>>,
    numbers: JLongArray<'local>,
) -> jlong {
    call(env, |env| {
        let params = options::read(env, &texts, &numbers)?;
        Ok(handle::give(SnowflakeGenerator::open_in_virtual_time(clock(handle), worker_id, params)?))
    })
}

/// Takes the clock back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_virtualClockFree(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<Arc<VirtualClock>>(handle) };
        Ok::<(), Failure>(())
    })
}
