//! Natives of a layout.

use crate::natives::{handles, natives, quick_natives};
use crate::{array, handle};
use jni::sys::jlong;
use leafmint::Layout;

handles!(pub(crate) layout: Layout, layoutFree);

natives!(
    /// Parses a layout. `epoch` counts only if `has_epoch`.
    fn layoutOf(env: &mut Env, text: JString, has_epoch: jboolean, epoch: jlong) -> jlong {
        let text = text.try_to_string(env)?;
        Ok(handle::give(Layout::parse(&text, has_epoch.then_some(epoch))?))
    },
    /// Returns the bits of all parts from timestamp to gene, then unit, epoch, end of the time bits and last id.
    fn layoutFigures(env: &mut Env, handle: jlong) -> JLongArray {
        let layout = layout(handle);
        let bits = layout.bits();
        let widths = [bits.timestamp, bits.datacenter, bits.worker, bits.sequence, bits.gene].map(jlong::from);
        let unit = layout.unit().as_millis() as jlong;
        let [timestamp, datacenter, worker, sequence, gene] = widths;
        let figures =
            [timestamp, datacenter, worker, sequence, gene, unit, layout.epoch(), layout.runs_out(), layout.last_id()];
        array::write(env, &figures)
    },
    /// Returns the fingerprint.
    fn layoutFingerprint(env: &mut Env, handle: jlong) -> JString {
        Ok(env.new_string(layout(handle).fingerprint())?)
    },
    /// Returns timestamp, datacenter, worker id, sequence and gene of an id.
    fn layoutDecode(env: &mut Env, handle: jlong, id: jlong) -> JLongArray {
        let parts = layout(handle).decode(id)?;
        array::write(env, &[parts.timestamp, parts.datacenter, parts.worker_id, parts.sequence, parts.gene])
    }
);

quick_natives!(
    /// Composes an id of its parts.
    fn layoutCompose(
        handle: jlong,
        tick: jlong,
        datacenter: jlong,
        worker_id: jlong,
        sequence: jlong,
        gene: jlong,
    ) -> jlong {
        layout(handle).compose(tick, datacenter, worker_id, sequence, gene)
    },
    /// Returns the tick of a time in Unix milliseconds.
    fn layoutTickAt(handle: jlong, at: jlong) -> jlong {
        Ok(layout(handle).tick_at(at))
    },
    /// Returns the lowest id of the tick of a time in Unix milliseconds.
    fn layoutMinId(handle: jlong, at: jlong) -> jlong {
        layout(handle).min_id(at)
    },
    /// Returns the highest id of the tick of a time in Unix milliseconds.
    fn layoutMaxId(handle: jlong, at: jlong) -> jlong {
        layout(handle).max_id(at)
    }
);

natives!(
    /// Returns the start and the end of the range of the ids of a span, in Unix milliseconds.
    fn layoutIdRange(env: &mut Env, handle: jlong, start: jlong, end: jlong) -> JLongArray {
        let range = layout(handle).id_range(start, end)?;
        array::write(env, &[range.start, range.end])
    }
);
