//! The limit cell: the one primitive on the hot path, and the proof that it never hands out a number twice (S2).
//!
//! Two words: `cursor`, the next free number, and `limit`, the first number that may not be taken yet. A drawn number
//! belongs to its drawer if it lies below the limit that the drawer had read *before* drawing.
//!
//! No number is handed out twice, nor outside a leased range:
//! * Ranges only ascend, so a stale limit can only reject a number of a later range, never accept it.
//! * `switch` writes the cursor before it publishes the limit: a caller that sees the new limit also sees the new
//!   cursor.
//! * A draw past the limit was rejected by its drawer, and the next switch erases it from the cursor.
//!
//! A language that shares the memory may keep a *mirror* of the limit: a copy that it read from the cell, stores with
//! release after a visit to the cold path, and reads with acquire before it draws. The proof holds unchanged:
//! * A mirror holds an earlier value of this cell's limit, never a later one. Reading it is reading the limit, late.
//! * Limits only rise until the cell is closed, so a late value is a lower one: a stale mirror can only reject.
//! * The release and acquire of the mirror pass on what the reader of the cell had seen: a thread that sees a range's
//!   limit in the mirror also sees its cursor, and draws from it or from a later one.
//! * In the cold path the limit identifies the range that the number came from, mirror or not: `limit > start` only for
//!   a limit of this range, since limits of earlier ranges are at most `start`.
//!
//! So a mirror may lag by any number of switches; it must never be ahead of the cell or belong to another cell.

use crate::sync::{AtomicI64, Ordering};
use std::mem::{offset_of, size_of};
use std::ops::Range;

/// The cursor of a closed cell: every later draw, from any language, is rejected.
pub const CLOSED: i64 = 1 << 62;

/// Offset of the cursor in a limit cell, in bytes. The cursor is a signed 64-bit word in native byte order.
pub const CURSOR_OFFSET: usize = 0;

/// Offset of the limit in a limit cell, in bytes. The limit is a word like the cursor.
pub const LIMIT_OFFSET: usize = 128;

/// Size of a limit cell, in bytes.
pub const CELL_SIZE: usize = 256;

const _: () = assert!(offset_of!(LimitCell, cursor) == CURSOR_OFFSET);
const _: () = assert!(offset_of!(LimitCell, limit) == LIMIT_OFFSET);
const _: () = assert!(size_of::<LimitCell>() == CELL_SIZE);

/// The lowest number that is refused, so that no cursor can reach [`CLOSED`] by counting.
pub const FIRST_REFUSED: i64 = 1 << 61;

/// A word in cache lines of its own: 128 bytes, since processors prefetch adjacent lines in pairs.
#[repr(C, align(128))]
struct Line(AtomicI64);

/// The two words, at the offsets that other languages rely on: [`CURSOR_OFFSET`] and [`LIMIT_OFFSET`].
#[repr(C)]
pub struct LimitCell {
    cursor: Line,
    limit: Line,
}

/// A draw that the limit rejected. The cold path judges it again.
#[derive(Clone, Copy, Debug)]
pub struct Rejected {
    /// The limit that was read before the draw.
    pub limit: i64,
    /// The number that was drawn.
    pub number: i64,
}

impl LimitCell {
    /// Makes an empty cell: every draw is rejected until the first switch.
    pub(crate) fn new() -> Self {
        Self { cursor: Line(AtomicI64::new(0)), limit: Line(AtomicI64::new(0)) }
    }

    /// Takes the next number if the limit allows it.
    #[inline]
    pub fn next(&self) -> Result<i64, Rejected> {
        // The limit must be read before the add, see above.
        self.next_below(self.limit())
    }

    /// Takes the next number if the limit allows it. Looks at the cursor first, so that polling an empty cell consumes
    /// no numbers. Fails with the rejected draw, if there was one.
    #[inline]
    pub(crate) fn next_unless_dry(&self) -> Result<i64, Option<Rejected>> {
        let limit = self.limit();
        if self.cursor() < limit { self.next_below(limit).map_err(Some) } else { Err(None) }
    }

    /// Takes the next number if it lies below a limit that the caller has read from this cell. A limit that lags can
    /// only reject.
    #[inline]
    pub(crate) fn next_below(&self, limit: i64) -> Result<i64, Rejected> {
        let number = self.cursor.0.fetch_add(1, Ordering::AcqRel);
        if number < limit { Ok(number) } else { Err(Rejected { limit, number }) }
    }

    /// Takes `count` numbers at once, or none. Never draws past the limit.
    #[inline]
    pub(crate) fn next_batch(&self, count: i64) -> Option<Range<i64>> {
        self.take_below(self.limit(), count, count)
    }

    /// Takes between one and `most` numbers, or none. Never draws past the limit.
    pub(crate) fn next_up_to(&self, most: i64) -> Option<Range<i64>> {
        self.take_below(self.limit(), 1, most)
    }

    /// Returns the limit.
    #[inline]
    pub fn limit(&self) -> i64 {
        self.limit.0.load(Ordering::Acquire)
    }

    /// Returns the next free number, or a number past the end if draws were rejected.
    #[inline]
    pub(crate) fn cursor(&self) -> i64 {
        self.cursor.0.load(Ordering::Acquire)
    }

    /// Takes between `least` and `most` numbers below `end`.
    ///
    /// `end` is the published limit. Under the owner's mutex, which excludes switches, it may be the end of the live
    /// range.
    pub(crate) fn take_below(&self, end: i64, least: i64, most: i64) -> Option<Range<i64>> {
        let mut start = self.cursor();
        loop {
            let count = most.min(end.saturating_sub(start));
            if count < least.max(1) {
                return None;
            }
            match self.cursor.0.compare_exchange_weak(start, start + count, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some(start..start + count),
                Err(now) => start = now,
            }
        }
    }

    /// Moves the cursor from `from` to `to`, giving up the numbers between. Returns false if the cursor was no longer
    /// at `from`.
    #[inline]
    pub fn jump(&self, from: i64, to: i64) -> bool {
        self.cursor.0.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Switches to a later range and returns the old cursor. Only under the owner's mutex, only upwards.
    pub fn switch(&self, start: i64, limit: i64) -> i64 {
        let old = self.cursor.0.swap(start, Ordering::AcqRel);
        self.raise(limit);
        old
    }

    /// Raises the limit within the live range. Only under the owner's mutex.
    pub fn raise(&self, limit: i64) {
        self.limit.0.store(limit, Ordering::Release);
    }

    /// Closes the cell and returns the first number that was not drawn. Only under the owner's mutex.
    pub fn close(&self) -> i64 {
        self.cursor.0.swap(CLOSED, Ordering::AcqRel)
    }
}
