//! Natives of a snowflake generator's window, see `SharedWindow.java`.

use crate::errors::{Failure, call, quick};
use crate::snowflake::generator;
use crate::{NOT_YET, array, handle};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JClass, JLongArray};
use jni::sys::{JNIEnv, jboolean, jclass, jlong};
use leafmint::snowflake::{SHARED_WINDOW_SIZE, SharedWindow, WINDOW_AT, WORKER_AT};

fn window<'a>(handle: jlong) -> &'a SharedWindow {
    // SAFETY: the handle is a window's, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Tells whether the option `windowed` is set.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeIsWindowed(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jboolean {
    call(env, |_| Ok::<_, Failure>(generator(handle).is_windowed()))
}

/// Returns the handle of the present lease's window, or [`NOT_YET`].
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeWindow(
    env: EnvUnowned<'_>,
    _class: JClass<'_>,
    handle: jlong,
) -> jlong {
    call(env, |_| Ok::<_, Failure>(generator(handle).shared_window().map_or(NOT_YET, handle::give)))
}

/// Returns an id for a ticket drawn behind a window, or another one; [`NOT_YET`] where the caller has to wait.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeNextIdBehind(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    of: jlong,
    ticket: jlong,
) -> jlong {
    quick(env, || Ok(generator(handle).next_id_behind(window(of), ticket)?.unwrap_or(NOT_YET)))
}

/// Returns the memory of the window, which Java frees with it: once this very buffer cannot be reached any more.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_windowMemory<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JByteBuffer<'local> {
    call(env, |env| {
        let address = window(handle).address().cast_mut();
        // SAFETY: it is so long, consists of atomics and padding, and lives as long as the window, which Java gives back only
        // when the buffer cannot be reached any more.
        Ok(unsafe { env.new_direct_byte_buffer(address, SHARED_WINDOW_SIZE) }?)
    })
}

/// Returns what makes an id of a ticket.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_snowflakeSplice<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JLongArray<'local> {
    call(env, |env| array::write(env, &generator(handle).splice()))
}

/// Returns where the end of the window and the worker stand and how long the memory is: for the test of `SharedWindow.java`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_windowLayout<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
) -> JLongArray<'local> {
    call(env, |env| array::write(env, &[WINDOW_AT as jlong, WORKER_AT as jlong, SHARED_WINDOW_SIZE as jlong]))
}

/// Takes the window back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_windowFree(env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, when the buffer cannot be reached any more.
        unsafe { handle::take_back::<SharedWindow>(handle) };
        Ok::<(), Failure>(())
    })
}
