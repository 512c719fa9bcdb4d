//! The segments behind the limit cell: the live one, and the ready ones that become it in turn.

use super::from_buffer::FromBuffer;
use crate::limit_cell::LimitCell;
use std::collections::VecDeque;
use std::ops::Range;

/// Number of soft limits in a segment, the first at a tenth as in Leaf. When a range joins, in what is in hand then.
const SOFT_LIMITS: i64 = 10;

/// How far the buffer is on its way to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BufferPhase {
    Open,
    /// Every draw is rejected. A lease in flight may still land, to be given back with the rest.
    Closing,
    Closed,
}

/// What the mutex of the buffer guards: the live segment behind its limit cell, and the ready ones.
pub(super) struct BufferState {
    /// The value last written to the cursor.
    pub(super) start: i64,
    /// The end of the live segment.
    pub(super) end: i64,
    /// The value last written to the limit.
    pub(super) limit: i64,
    /// The distance between soft limits.
    pub(super) stride: i64,
    pub(super) ready: VecDeque<Range<i64>>,
    /// The end of the last lease.
    pub(super) last_end: i64,
    pub(super) leased: i64,
    pub(super) skipped: i64,
    /// The first number that was not drawn, once the cell is closed.
    pub(super) rest: i64,
    pub(super) phase: BufferPhase,
}

impl BufferState {
    /// Returns the state of a buffer without ids.
    pub(super) fn new() -> Self {
        Self {
            start: 0,
            end: 0,
            limit: 0,
            stride: 1,
            ready: VecDeque::new(),
            last_end: 0,
            leased: 0,
            skipped: 0,
            rest: 0,
            phase: BufferPhase::Open,
        }
    }

    /// Draws one id under the mutex, switching to the next ready segment if the live one is used up.
    pub(super) fn draw(&mut self, cell: &LimitCell) -> FromBuffer<i64> {
        loop {
            if let Some(range) = cell.take_below(self.end, 1, 1) {
                return FromBuffer::Got { ids: range.start, crossed: self.raise(cell) };
            }
            if !self.advance(cell) {
                return FromBuffer::Dry;
            }
        }
    }

    /// Makes the next ready segment the live one and skips what the old one still held.
    pub(super) fn advance(&mut self, cell: &LimitCell) -> bool {
        let Some(next) = self.ready.pop_front() else { return false };
        self.stride = stride(&next);
        self.limit = next.start + self.stride;
        let drawn_up_to = cell.switch(next.start, self.limit);
        self.skipped += (self.end - drawn_up_to).max(0);
        self.start = next.start;
        self.end = next.end;
        true
    }

    /// Moves the soft limit past the cursor. Returns whether the cursor had reached it.
    pub(super) fn raise(&mut self, cell: &LimitCell) -> bool {
        let cursor = cell.cursor();
        if cursor < self.limit {
            return false;
        }
        self.limit = self.end.min(cursor.saturating_add(self.stride));
        cell.raise(self.limit);
        true
    }

    /// Returns whether the range may join the live one: it must follow on it, and no draw past the end may have
    /// consumed its numbers.
    pub(super) fn can_join(&self, cell: &LimitCell, range: &Range<i64>) -> bool {
        self.phase == BufferPhase::Open
            && self.end == range.start
            && self.end > self.start
            && cell.cursor() <= self.limit
    }

    pub(super) fn ready_len(&self) -> i64 {
        self.ready.iter().map(|range| range.end - range.start).sum()
    }

    pub(super) fn supply(&self, cell: &LimitCell) -> i64 {
        let cursor = if self.phase == BufferPhase::Open { cell.cursor() } else { self.rest };
        (self.end - cursor).max(0) + self.ready_len()
    }

    /// Returns the last of the next `count` ids, if that many are buffered.
    pub(super) fn last_of(&self, cell: &LimitCell, count: i64) -> Option<i64> {
        let mut missing = count;
        let live = cell.cursor().min(self.end)..self.end;
        std::iter::once(&live).chain(&self.ready).find_map(|range| {
            let (before, length) = (missing, range.end - range.start);
            missing -= length;
            (before <= length).then(|| range.start + before - 1)
        })
    }
}

/// Returns the distance between the soft limits of a segment.
pub(super) fn stride(segment: &Range<i64>) -> i64 {
    ((segment.end - segment.start) / SOFT_LIMITS).max(1)
}
