//! Natives of a tag that answer at once: the cold path of a draw, without an [`jni::Env`] until something fails.
//!
//! The hot path is Java's: it draws from the memory of the tag's limit cell, see `LimitCell.java` and the core's `limit_cell.rs`.

use crate::errors::{Failure, call, quick};
use crate::{NOT_YET, array, handle, stats};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JClass, JLongArray, JString};
use jni::sys::{JNIEnv, jclass, jlong};
use leafmint::binding::{CELL_SIZE, CLOSED, CURSOR_OFFSET, LIMIT_OFFSET};
use leafmint::{BizTag, Result};

#[inline(always)]
fn draw(env: *mut JNIEnv, tag: jlong, draw: impl FnOnce(&BizTag) -> Result<Option<i64>>) -> jlong {
    // SAFETY: the handle is a tag's, whose Java object is reachable until this returns.
    let tag = unsafe { handle::borrow::<BizTag>(tag) };
    quick(env, || Ok(draw(tag)?.unwrap_or(NOT_YET)))
}

/// Returns the memory of the tag's limit cell, or of the cells of all places with relaxed order, which Java frees with the tag: once this very buffer cannot be reached any more.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_cell<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    tag: jlong,
) -> JByteBuffer<'local> {
    call(env, |env| {
        // SAFETY: the handle is a tag's, whose Java object is reachable until this returns.
        let tag = unsafe { handle::borrow::<BizTag>(tag) };
        let size = tag.cell_count() * CELL_SIZE;
        // SAFETY: the cells are so long together, consist of atomics and padding, and live as long as the tag, which Java gives
        // back only when the buffer cannot be reached any more.
        Ok(unsafe { env.new_direct_byte_buffer(tag.cell_address().cast_mut(), size) }?)
    })
}

/// Returns where the words of a limit cell stand, how long it is, and the closed mark: for the test of `LimitCell.java`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_cellLayout<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
) -> JLongArray<'local> {
    call(env, |env| array::write(env, &[CURSOR_OFFSET as jlong, LIMIT_OFFSET as jlong, CELL_SIZE as jlong, CLOSED]))
}

/// Judges a number again that Java drew and that the limit it had seen rejected; [`NOT_YET`] where the caller has to wait.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_nextIdCold(
    env: *mut JNIEnv,
    _class: jclass,
    tag: jlong,
    limit: jlong,
    number: jlong,
) -> jlong {
    draw(env, tag, |tag| tag.next_id_cold(limit, number))
}

/// Does the same with relaxed order, for the thread of that number, whose own cell rejected what it drew.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_nextIdColdAt(
    env: *mut JNIEnv,
    _class: jclass,
    tag: jlong,
    thread: jlong,
) -> jlong {
    draw(env, tag, |tag| tag.next_id_cold_at(thread as usize))
}

/// Returns the next id if one is in hand; looks before it draws.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tryNextId(
    env: *mut JNIEnv,
    _class: jclass,
    tag: jlong,
    thread: jlong,
) -> jlong {
    draw(env, tag, |tag| tag.poll_next_id_at(thread as usize))
}

/// Returns the figures that are numbers.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagStats<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    tag: jlong,
) -> JLongArray<'local> {
    call(env, |env| {
        // SAFETY: the handle is a tag's, whose Java object is reachable until this returns.
        let tag = unsafe { handle::borrow::<BizTag>(tag) };
        array::write(env, &stats::numbers(&tag.stats()).collect::<Vec<_>>())
    })
}

/// Returns the last failure, or `null`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagLastError<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    tag: jlong,
) -> JString<'local> {
    call(env, |env| {
        // SAFETY: the handle is a tag's, whose Java object is reachable until this returns.
        let tag = unsafe { handle::borrow::<BizTag>(tag) };
        Ok(match tag.stats().last_error {
            Some(error) => env.new_string(error)?,
            None => JString::default(),
        })
    })
}

/// Takes the tag back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagFree(env: EnvUnowned<'_>, _class: JClass<'_>, tag: jlong) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, when the Java object cannot be reached any more.
        unsafe { handle::take_back::<BizTag>(tag) };
        Ok::<(), Failure>(())
    })
}
