//! Natives of a layout.

use crate::errors::{Failure, call, quick};
use crate::{array, handle};
use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JString};
use jni::sys::{JNIEnv, jboolean, jclass, jlong};
use leafmint::Layout;

pub(crate) fn layout<'a>(handle: jlong) -> &'a Layout {
    // SAFETY: the handle is a layout's, whose Java object is reachable until the native returns.
    unsafe { handle::borrow(handle) }
}

/// Parses a layout. `epoch` counts only if `has_epoch`.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_layoutOf<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    text: JString<'local>,
    has_epoch: jboolean,
    epoch: jlong,
) -> jlong {
    call(env, |env| {
        let text = text.try_to_string(env)?;
        Ok(handle::give(Layout::parse(&text, has_epoch.then_some(epoch))?))
    })
}

/// Returns the bits of all parts from timestamp to gene, then unit, epoch, end of the time bits and last id.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_layoutFigures<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JLongArray<'local> {
    call(env, |env| {
        let layout = layout(handle);
        let bits = layout.bits();
        let widths = [bits.timestamp, bits.datacenter, bits.worker, bits.sequence, bits.gene].map(jlong::from);
        let unit = layout.unit().as_millis() as jlong;
        let [timestamp, datacenter, worker, sequence, gene] = widths;
        let figures =
            [timestamp, datacenter, worker, sequence, gene, unit, layout.epoch(), layout.runs_out(), layout.last_id()];
        array::write(env, &figures)
    })
}

/// Returns the fingerprint.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_layoutFingerprint<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> JString<'local> {
    call(env, |env| Ok(env.new_string(layout(handle).fingerprint())?))
}

/// Returns timestamp, datacenter, worker id, sequence and gene of an id.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_layoutDecode<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    id: jlong,
) -> JLongArray<'local> {
    call(env, |env| {
        let parts = layout(handle).decode(id)?;
        array::write(env, &[parts.timestamp, parts.datacenter, parts.worker_id, parts.sequence, parts.gene])
    })
}

/// Composes an id of its parts.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_layoutCompose(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    tick: jlong,
    datacenter: jlong,
    worker_id: jlong,
    sequence: jlong,
    gene: jlong,
) -> jlong {
    quick(env, || layout(handle).compose(tick, datacenter, worker_id, sequence, gene))
}

/// Returns the tick of a time in Unix milliseconds.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_layoutTickAt(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    at: jlong,
) -> jlong {
    quick(env, || Ok(layout(handle).tick_at(at)))
}

/// Returns the lowest id of the tick of a time in Unix milliseconds.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_layoutMinId(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    at: jlong,
) -> jlong {
    quick(env, || layout(handle).min_id(at))
}

/// Returns the highest id of the tick of a time in Unix milliseconds.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_layoutMaxId(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    at: jlong,
) -> jlong {
    quick(env, || layout(handle).max_id(at))
}

/// Returns the start and the end of the range of the ids of a span, in Unix milliseconds.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_layoutIdRange<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
    start: jlong,
    end: jlong,
) -> JLongArray<'local> {
    call(env, |env| {
        let range = layout(handle).id_range(start, end)?;
        array::write(env, &[range.start, range.end])
    })
}

/// Takes the layout back.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_layoutFree(env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong) {
    call(env, |_| {
        // SAFETY: the Reaper calls this once, after the Java object has become unreachable.
        unsafe { handle::take_back::<Layout>(handle) };
        Ok::<(), Failure>(())
    })
}
