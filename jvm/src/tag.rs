//! Natives of a tag.
//!
//! The hot path is in Java, which draws from the memory of the tag's limit cell: see `LimitCell.java` and the core's
//! `limit_cell.rs`. The cold path of a draw uses no [`jni::Env`] unless it fails.

use crate::natives::{handles, natives, quick_natives};
use crate::{NOT_YET, array, stats, text, waiting};
use jni::sys::jlong;
use leafmint::binding::{CELL_SIZE, CLOSED, CURSOR_OFFSET, LIMIT_OFFSET, SharedCells};
use leafmint::{BizTag, Result};

handles!(tag: BizTag, tagFree);

#[inline(always)]
fn draw(handle: jlong, draw: impl FnOnce(&BizTag) -> Result<Option<i64>>) -> Result<jlong> {
    Ok(draw(tag(handle))?.unwrap_or(NOT_YET))
}

natives!(
    /// Returns the memory of the tag's limit cells: one, or one per stripe. Java frees it with the tag, after this very
    /// buffer has become unreachable.
    fn tagCells(env: &mut Env, handle: jlong) -> JByteBuffer {
        let tag = tag(handle);
        let size = tag.cell_count() * CELL_SIZE;
        // SAFETY: the cells have this size together, consist of atomics and padding, and live as long as the tag, which
        // Java gives back only after the buffer has become unreachable.
        Ok(unsafe { env.new_direct_byte_buffer(tag.cell_address().cast_mut(), size) }?)
    },
    /// Returns the offsets of the words of a limit cell, its size, and the closed mark, for the test of
    /// `LimitCell.java`.
    fn tagCellLayout(env: &mut Env) -> JLongArray {
        array::write(env, &[CURSOR_OFFSET as jlong, LIMIT_OFFSET as jlong, CELL_SIZE as jlong, CLOSED])
    }
);

quick_natives!(
    /// Judges a number that Java drew and that the limit it had read rejected. Returns an id, or [`NOT_YET`] if the
    /// caller has to wait.
    fn tagNextIdCold(handle: jlong, limit: jlong, number: jlong) -> jlong {
        draw(handle, |tag| tag.next_id_cold(limit, number))
    },
    /// Does the same for a relaxed tag, after the stripe of a thread has rejected a number.
    fn tagNextIdRelaxedCold(handle: jlong, thread: jlong) -> jlong {
        draw(handle, |tag| tag.try_next_id_at(thread as usize))
    },
    /// Returns the next id if one is in hand, without drawing from an empty cell.
    fn tagTryNextId(handle: jlong, thread: jlong) -> jlong {
        draw(handle, |tag| tag.try_next_id_at(thread as usize))
    }
);

natives!(
    /// Begins a call for ids. Returns start and end of each range, or [`NOT_YET`] and the handle of a wait.
    fn tagTake(
        env: &mut Env,
        handle: jlong,
        thread: jlong,
        wanted: jint,
        count: jlong,
        timeout_seconds: jdouble,
    ) -> JLongArray {
        let (want, timeout) = (waiting::want(wanted, count), waiting::timeout(timeout_seconds)?);
        let wait = tag(handle).begin_at(thread as usize, want, timeout)?;
        waiting::begin(env, waiting::Edges(wait))
    },
    /// Begins a call for one id with a gene. Returns what `tagTake` returns; the id is the start.
    fn tagTakeWithGene(
        env: &mut Env,
        handle: jlong,
        thread: jlong,
        gene: jlong,
        timeout_seconds: jdouble,
    ) -> JLongArray {
        let wait = tag(handle).begin_with_gene_at(thread as usize, gene, waiting::timeout(timeout_seconds)?)?;
        waiting::begin(env, waiting::Edges(wait))
    },
    /// Returns the numbers of the stats.
    fn tagStats(env: &mut Env, handle: jlong) -> JLongArray {
        array::write(env, &stats::numbers(&tag(handle).stats()).collect::<Vec<_>>())
    },
    /// Returns the last failure and its code, each of which may be `null`.
    fn tagLastError(env: &mut Env, handle: jlong) -> JObject {
        let stats = tag(handle).stats();
        Ok(text::write_all(env, &[stats.last_error, stats.last_error_code.map(str::to_owned)])?)
    }
);
