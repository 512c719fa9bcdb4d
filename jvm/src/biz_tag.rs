//! Natives of a tag.
//!
//! The hot path is in Java, which draws from the memory of the tag's limit cell: see `LimitCell.java` and the core's
//! `limit_cell.rs`. The cold path of a draw uses no [`jni::Env`] unless it fails.

use crate::errors::{Failure, call, quick};
use crate::{NOT_YET, array, handle, stats, waiting};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JClass, JLongArray, JString};
use jni::sys::{JNIEnv, jclass, jdouble, jint, jlong};
use leafmint::binding::{CELL_SIZE, CLOSED, CURSOR_OFFSET, LIMIT_OFFSET, SharedCells};
use leafmint::{BizTag, Result};

#[inline(always)]
fn tag<'a>(handle: jlong) -> &'a BizTag {
    // SAFETY: the handle is a tag's, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

#[inline(always)]
fn draw(env: *mut JNIEnv, handle: jlong, draw: impl FnOnce(&BizTag) -> Result<Option<i64>>) -> jlong {
    quick(env, || Ok(draw(tag(handle))?.unwrap_or(NOT_YET)))
}

/// Returns the memory of the tag's limit cells: one, or one per stripe. Java frees it with the tag, after this very
/// buffer has become unreachable.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagCells<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JByteBuffer<'local> {
    call(env, |env| {
        let tag = tag(handle);
        let size = tag.cell_count() * CELL_SIZE;
        // SAFETY: the cells have this size together, consist of atomics and padding, and live as long as the tag, which
        // Java gives back only after the buffer has become unreachable.
        Ok(unsafe { env.new_direct_byte_buffer(tag.cell_address().cast_mut(), size) }?)
    })
}

/// Returns the offsets of the words of a limit cell, its size, and the closed mark, for the test of `LimitCell.java`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagCellLayout<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
) -> JLongArray<'local> {
    call(env, |env| array::write(env, &[CURSOR_OFFSET as jlong, LIMIT_OFFSET as jlong, CELL_SIZE as jlong, CLOSED]))
}

/// Judges a number that Java drew and that the limit it had read rejected. Returns an id, or [`NOT_YET`] if the caller
/// has to wait.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagNextIdCold(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    limit: jlong,
    number: jlong,
) -> jlong {
    draw(env, handle, |tag| tag.next_id_cold(limit, number))
}

/// Does the same for a relaxed tag, after the stripe of a thread has rejected a number.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagNextIdRelaxedCold(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    thread: jlong,
) -> jlong {
    draw(env, handle, |tag| tag.try_next_id_at(thread as usize))
}

/// Returns the next id if one is in hand, without drawing from an empty cell.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagTryNextId(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    thread: jlong,
) -> jlong {
    draw(env, handle, |tag| tag.try_next_id_at(thread as usize))
}

/// Begins a call for ids. Returns start and end of each range, or [`NOT_YET`] and the handle of a wait.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagTake<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    thread: jlong,
    wanted: jint,
    count: jlong,
    timeout_seconds: jdouble,
) -> JLongArray<'local> {
    call(env, |env| {
        let (want, timeout) = (waiting::want(wanted, count), waiting::timeout(timeout_seconds)?);
        let wait = tag(handle).begin_at(thread as usize, want, timeout)?;
        waiting::begin(env, waiting::Edges(wait))
    })
}

/// Begins a call for one id with a gene. Returns what [`Java_io_github_leafmint_Native_tagTake`] returns; the id is the
/// start.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagTakeWithGene<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    thread: jlong,
    gene: jlong,
    timeout_seconds: jdouble,
) -> JLongArray<'local> {
    call(env, |env| {
        let wait = tag(handle).begin_with_gene_at(thread as usize, gene, waiting::timeout(timeout_seconds)?)?;
        waiting::begin(env, waiting::Edges(wait))
    })
}

/// Returns the numbers of the stats.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagStats<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JLongArray<'local> {
    call(env, |env| array::write(env, &stats::numbers(&tag(handle).stats()).collect::<Vec<_>>()))
}

/// Returns the last failure, or `null`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagLastError<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JString<'local> {
    call(env, |env| {
        Ok(match tag(handle).stats().last_error {
            Some(error) => env.new_string(error)?,
            None => JString::default(),
        })
    })
}

/// Takes the tag back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_tagFree(env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the buffer of the cells has become unreachable.
        unsafe { handle::take_back::<BizTag>(handle) };
        Ok::<(), Failure>(())
    })
}
