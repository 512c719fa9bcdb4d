//! Calls for ids that may have to wait, polled from Java.

use crate::errors::{Failure, call};
use crate::{array, handle};
use jni::objects::{JClass, JLongArray};
use jni::sys::{jdouble, jint, jlong};
use jni::{Env, EnvUnowned};
use leafmint::BizTag;
use leafmint::binding::{Wait, Want, timeout_from_seconds};
use std::ops::Range;
use std::time::Duration;

/// The numbers that `Native.java` has for what a caller wants.
pub(crate) fn want(number: jint, count: jlong) -> Want {
    match number {
        0 => Want::One,
        1 => Want::Many(count),
        2 => Want::Run(count),
        _ => panic!("a caller cannot want number {number}"),
    }
}

/// Reads a timeout. What is not a number stands for the generator's option.
pub(crate) fn timeout(seconds: jdouble) -> leafmint::Result<Option<Duration>> {
    if seconds.is_nan() { Ok(None) } else { timeout_from_seconds(seconds).map(Some) }
}

/// Begins a call.
///
/// Returns start and end of each range where they are in hand; else one number alone, the handle of a wait to poll and to end.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_take<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    tag: jlong,
    thread: jlong,
    wanted: jint,
    count: jlong,
    timeout_seconds: jdouble,
) -> JLongArray<'local> {
    call(env, |env| {
        // SAFETY: the handle is a tag's, whose Java object is reachable until this returns.
        let tag = unsafe { handle::borrow::<BizTag>(tag) };
        let wait = tag.begin_at(thread as usize, want(wanted, count), timeout(timeout_seconds)?)?;
        first_poll(env, wait)
    })
}

/// Begins a call for one id with a gene, and returns what [`Java_io_github_leafmint_Native_take`] does; the id is a start.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_takeWithGene<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    tag: jlong,
    thread: jlong,
    gene: jlong,
    timeout_seconds: jdouble,
) -> JLongArray<'local> {
    call(env, |env| {
        // SAFETY: the handle is a tag's, whose Java object is reachable until this returns.
        let tag = unsafe { handle::borrow::<BizTag>(tag) };
        let wait = tag.begin_with_gene_at(thread as usize, gene, timeout(timeout_seconds)?)?;
        first_poll(env, wait)
    })
}

fn first_poll<'local>(env: &mut Env<'local>, mut wait: Wait) -> Result<JLongArray<'local>, Failure> {
    match wait.poll()? {
        Some(ranges) => edges(env, &ranges),
        None => array::write(env, &[handle::give(wait)]),
    }
}

/// Returns start and end of each range once the call has them, `null` before.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_waitPoll<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    wait: jlong,
) -> JLongArray<'local> {
    call(env, |env| {
        // SAFETY: Java polls and ends a call on the thread that began it, in this order.
        let wait = unsafe { handle::borrow_mut::<Wait>(wait) };
        match wait.poll()? {
            Some(ranges) => edges(env, &ranges),
            None => Ok(JLongArray::default()),
        }
    })
}

fn edges<'local>(env: &mut Env<'local>, ranges: &[Range<i64>]) -> Result<JLongArray<'local>, Failure> {
    let edges: Vec<jlong> = ranges.iter().flat_map(|range| [range.start, range.end]).collect();
    array::write(env, &edges)
}

/// Ends a call, given up or not.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_waitEnd(env: EnvUnowned<'_>, _class: JClass<'_>, wait: jlong) {
    call(env, |_| {
        // SAFETY: Java ends each call once, and does not use it afterwards.
        unsafe { handle::take_back::<Wait>(wait) };
        Ok::<(), Failure>(())
    })
}
