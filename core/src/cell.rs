//! The limit cell: the one primitive on the hot path.
//!
//! Two words: `cursor`, the next free number, and `limit`, the first number that may not be taken yet. A number belongs to
//! whoever drew it, if it lies below the limit that the caller had read *before* drawing.
//!
//! No number is handed out twice, nor outside a range that was leased:
//! * Ranges only ascend, so a stale limit can only reject a number of a later range, never accept it.
//! * `switch` writes the cursor before it publishes the limit: whoever sees the new limit also sees the new cursor.
//! * A draw past the limit was rejected by whoever drew it, and the next switch wipes it from the cursor.

//!
//! A language that shares the memory may keep a *mirror* of the limit: a copy that it read from the cell, stores with release after a
//! visit to the cold path, and reads with acquire before it draws. The proof holds unchanged:
//! * A mirror holds what this cell's limit was at some time, and never what it will be. Reading it is reading the limit, late.
//! * Limits only rise until the cell is closed, so late is lower: a stale mirror can only reject.
//! * Store and load of the mirror pass on what the reader of the cell had seen: whoever sees a range's limit in the mirror also sees
//!   its cursor, and draws from it or from a later one.
//! * In the cold path the limit that was seen says which range the number came from, mirror or not: `limit > start` only for a
//!   limit of this range, since limits of earlier ranges are at most `start`.
//!
//! So a mirror may lag, by any number of switches; it must never run ahead of the cell or be another cell's.

use crate::mutants::weaken;
use crate::sync::{AtomicI64, Ordering};
use std::mem::{offset_of, size_of};
use std::ops::Range;

/// The closed mark: every later draw, from any language, is rejected.
pub const CLOSED: i64 = 1 << 62;

/// Where the cursor stands in the memory of a limit cell, in bytes. It is a signed 64-bit word in native byte order.
pub const CURSOR_AT: usize = 0;

/// Where the limit stands, in bytes. It is a word like the cursor.
pub const LIMIT_AT: usize = 128;

/// How long a limit cell is, in bytes.
pub const CELL_SIZE: usize = 256;

const _: () = assert!(offset_of!(LimitCell, cursor) == CURSOR_AT);
const _: () = assert!(offset_of!(LimitCell, limit) == LIMIT_AT);
const _: () = assert!(size_of::<LimitCell>() == CELL_SIZE);

/// Numbers from here up are refused, so that no cursor can reach the closed mark by counting.
pub(crate) const FIRST_REFUSED: i64 = 1 << 61;

/// A word in cache lines of its own: 128 bytes, since adjacent lines are prefetched in pairs.
#[repr(C, align(128))]
struct Line(AtomicI64);

/// The two words, at the places that other languages rely on: [`CURSOR_AT`] and [`LIMIT_AT`].
#[repr(C)]
pub(crate) struct LimitCell {
    cursor: Line,
    limit: Line,
}

/// A draw that the limit rejected, with what the cold path needs to judge it again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rejected {
    /// The limit that was read before the draw.
    pub(crate) limit: i64,
    /// The number that was drawn.
    pub(crate) number: i64,
}

impl LimitCell {
    /// Makes an empty cell: every draw is rejected until the first switch.
    pub(crate) fn new() -> Self {
        Self { cursor: Line(AtomicI64::new(0)), limit: Line(AtomicI64::new(0)) }
    }

    /// Takes the next number, if the limit allows it.
    #[inline]
    pub(crate) fn next(&self) -> Result<i64, Rejected> {
        // The limit is read before the add, see above.
        weaken!("limit-read-after-the-draw", self.next_below(self.limit()), without = self.next_then_look())
    }

    /// Takes the next number, if it lies below a limit that the caller has seen in this cell. A limit that lags only rejects.
    #[inline]
    pub(crate) fn next_below(&self, limit: i64) -> Result<i64, Rejected> {
        let number = self.cursor.0.fetch_add(1, Ordering::AcqRel);
        if number < limit { Ok(number) } else { Err(Rejected { limit, number }) }
    }

    /// Takes `count` numbers at once, or none: it never draws past the limit.
    #[inline]
    pub(crate) fn next_batch(&self, count: i64) -> Option<Range<i64>> {
        weaken!("batch-without-a-bound", self.take_below(self.limit(), count, count), without = self.add_batch(count))
    }

    /// Takes between one and `most` numbers, or none: it never draws past the limit.
    pub(crate) fn next_up_to(&self, most: i64) -> Option<Range<i64>> {
        self.take_below(self.limit(), 1, most)
    }

    /// Tells whether a draw would be rejected now, without drawing.
    #[inline]
    pub(crate) fn is_dry(&self) -> bool {
        let limit = self.limit();
        self.cursor() >= limit
    }

    #[inline]
    pub(crate) fn limit(&self) -> i64 {
        self.limit.0.load(Ordering::Acquire)
    }

    /// Returns the next free number, or one past the end where draws were rejected.
    #[inline]
    pub(crate) fn cursor(&self) -> i64 {
        self.cursor.0.load(Ordering::Acquire)
    }

    /// Takes between `least` and `most` numbers below `end`.
    ///
    /// `end` is the published limit, or under the owner's mutex, which keeps switches out, the end of the live range.
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

    /// Moves the cursor on from where the caller has seen it, and so gives up the numbers between. Returns false where it moved.
    #[inline]
    pub(crate) fn jump(&self, from: i64, to: i64) -> bool {
        self.cursor.0.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Goes over to a later range and returns what the cursor held. Only under the owner's mutex, only upwards.
    pub(crate) fn switch(&self, start: i64, limit: i64) -> i64 {
        weaken!("limit-before-cursor-in-a-switch", without = self.raise(limit));
        let old = self.cursor.0.swap(start, Ordering::AcqRel);
        self.raise(limit);
        old
    }

    /// Raises the limit within the live range. Only under the owner's mutex.
    pub(crate) fn raise(&self, limit: i64) {
        self.limit.0.store(limit, Ordering::Release);
    }

    /// Shuts the cell and returns the first number that nobody drew. Only under the owner's mutex.
    pub(crate) fn close(&self) -> i64 {
        weaken!("cell-closed-without-the-mark", self.cursor.0.swap(CLOSED, Ordering::AcqRel), without = self.cursor())
    }
}

#[cfg(feature = "mutants")]
impl LimitCell {
    fn next_then_look(&self) -> Result<i64, Rejected> {
        let number = self.cursor.0.fetch_add(1, Ordering::AcqRel);
        let limit = self.limit();
        if number < limit { Ok(number) } else { Err(Rejected { limit, number }) }
    }

    fn add_batch(&self, count: i64) -> Option<Range<i64>> {
        let limit = self.limit();
        let start = self.cursor.0.fetch_add(count, Ordering::AcqRel);
        (start < limit).then(|| start..start + count)
    }
}
