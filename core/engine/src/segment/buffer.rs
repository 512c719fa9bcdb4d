//! The segment buffer: the live segment in its limit cell, and the ready segments behind it under a mutex.
//!
//! Nothing here waits, logs or does I/O. Soft limits inside the live segment send a caller into the cold path now and
//! then. The need for a refill is noticed there; the hot path checks nothing else.

use crate::limit_cell::{LimitCell, Rejected};
use crate::sync::Mutex;
use std::collections::VecDeque;
use std::ops::Range;

/// The ids of one tag that are in hand.
pub(super) struct SegmentBuffer {
    pub(super) cell: LimitCell,
    state: Mutex<BufferState>,
}

impl SegmentBuffer {
    /// Makes an empty buffer.
    pub(super) fn new() -> Self {
        Self { cell: LimitCell::new(), state: Mutex::new(BufferState::new()) }
    }

    /// Draws one id on the hot path: a load, an add and a comparison.
    #[inline]
    pub(super) fn next(&self) -> Result<i64, Rejected> {
        self.cell.next()
    }

    /// Draws `count` contiguous ids on the hot path, below the next soft limit, or none.
    #[inline]
    pub(super) fn run(&self, count: i64) -> Option<Range<i64>> {
        self.cell.next_batch(count)
    }

    /// Judges a rejected draw again, and draws another id if it was past the end.
    #[cold]
    pub(super) fn next_cold(&self, rejected: Rejected) -> FromBuffer<i64> {
        let mut state = self.state.lock();
        if state.phase != BufferPhase::Open {
            return FromBuffer::Closed;
        }
        // If the limit that the caller saw is one of this range, so is the number.
        if rejected.limit > state.start && rejected.number < state.end {
            let crossed = state.raise(&self.cell);
            return FromBuffer::Got { ids: rejected.number, crossed };
        }
        state.draw(&self.cell)
    }

    /// Draws one id if there is one. Looks first, so that polling an empty buffer consumes no numbers.
    pub(super) fn try_next(&self) -> FromBuffer<i64> {
        match self.cell.next_unless_dry() {
            Ok(id) => FromBuffer::Got { ids: id, crossed: false },
            Err(Some(rejected)) => self.next_cold(rejected),
            Err(None) => {
                let mut state = self.state.lock();
                if state.phase == BufferPhase::Open { state.draw(&self.cell) } else { FromBuffer::Closed }
            }
        }
    }

    /// Draws `count` ids into `out`, in ascending ranges, or none if fewer are in hand.
    ///
    /// If other threads take ids meanwhile, it may push a part and return `Dry`; the caller keeps that part.
    pub(super) fn next_many(&self, count: i64, out: &mut Vec<Range<i64>>) -> FromBuffer<()> {
        if let Some(range) = self.run(count) {
            out.push(range);
            return FromBuffer::Got { ids: (), crossed: false };
        }
        let mut state = self.state.lock();
        if state.phase != BufferPhase::Open {
            return FromBuffer::Closed;
        }
        if state.supply(&self.cell) < count {
            return FromBuffer::Dry;
        }
        let mut missing = count;
        while missing > 0 {
            match self.cell.take_below(state.end, 1, missing) {
                Some(range) => {
                    missing -= range.end - range.start;
                    out.push(range);
                }
                None if state.advance(&self.cell) => {}
                None => return FromBuffer::Dry,
            }
        }
        FromBuffer::Got { ids: (), crossed: state.raise(&self.cell) }
    }

    /// Returns the last of the next `count` ids, if that many are buffered. Other threads may take some meanwhile.
    pub(super) fn last_of(&self, count: i64) -> Option<i64> {
        self.state.lock().last_of(&self.cell, count)
    }

    /// Draws `count` ids in one contiguous range, skipping shorter pieces before it.
    pub(super) fn next_run(&self, count: i64, out: &mut Vec<Range<i64>>) -> FromBuffer<()> {
        if let Some(range) = self.run(count) {
            out.push(range);
            return FromBuffer::Got { ids: (), crossed: false };
        }
        let mut state = self.state.lock();
        if state.phase != BufferPhase::Open {
            return FromBuffer::Closed;
        }
        loop {
            if let Some(range) = self.cell.take_below(state.end, count, count) {
                out.push(range);
                return FromBuffer::Got { ids: (), crossed: state.raise(&self.cell) };
            }
            if !state.ready.iter().any(|range| range.end - range.start >= count) {
                return FromBuffer::Dry;
            }
            state.advance(&self.cell);
        }
    }

    /// Draws a block: at least one id, at most `most`, and at most the distance between two soft limits.
    pub(super) fn next_block(&self, most: i64) -> FromBuffer<Range<i64>> {
        if let Some(range) = self.cell.next_up_to(most) {
            return FromBuffer::Got { ids: range, crossed: false };
        }
        let mut state = self.state.lock();
        if state.phase != BufferPhase::Open {
            return FromBuffer::Closed;
        }
        loop {
            if let Some(range) = self.cell.take_below(state.end, 1, most.min(state.stride)) {
                return FromBuffer::Got { ids: range, crossed: state.raise(&self.cell) };
            }
            if !state.advance(&self.cell) {
                return FromBuffer::Dry;
            }
        }
    }

    /// Adds a leased range.
    pub(super) fn land(&self, range: Range<i64>) -> Landed {
        let mut state = self.state.lock();
        if range.start < state.last_end {
            return Landed::Refused { end: state.last_end };
        }
        state.leased += range.end - range.start;
        if state.phase == BufferPhase::Closed {
            state.skipped += range.end - range.start;
            return Landed::Dropped;
        }
        state.last_end = range.end;
        let joins_live = state.ready.is_empty() && state.can_join(&self.cell, &range);
        match state.ready.back_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ if joins_live => {
                state.end = range.end;
                // If range after range joins, the live segment is never replaced: the first range's stride would stay
                // for ever.
                state.stride = stride(&(self.cell.cursor()..state.end));
                state.raise(&self.cell);
            }
            _ => state.ready.push_back(range),
        }
        Landed::Kept
    }

    /// Returns the end of the last range that landed.
    pub(super) fn last_end(&self) -> i64 {
        self.state.lock().last_end
    }

    /// Lets no range land that begins below this end of an earlier one.
    pub(super) fn go_on_above(&self, end: i64) {
        let mut state = self.state.lock();
        state.last_end = state.last_end.max(end);
    }

    /// Counts the ids leased, handed out and in hand.
    pub(super) fn counts(&self) -> Counts {
        let state = self.state.lock();
        let supply = state.supply(&self.cell);
        Counts {
            leased: state.leased,
            issued: state.leased - state.skipped - supply,
            supply,
            ready: state.ready_len(),
            skipped: state.skipped,
            in_stripes: 0,
        }
    }

    /// Closes the cell: every later draw is rejected. Returns false if it was already closed.
    pub(super) fn close(&self) -> bool {
        let mut state = self.state.lock();
        if state.phase != BufferPhase::Open {
            return false;
        }
        state.phase = BufferPhase::Closing;
        state.rest = self.cell.close().min(state.end);
        true
    }

    /// Ends the closing and returns the ids in hand, in ascending ranges of which none follows on another.
    ///
    /// This buffer never touches those numbers again: they may be given back, once.
    pub(super) fn unused(&self) -> Vec<Range<i64>> {
        let mut state = self.state.lock();
        if state.phase != BufferPhase::Closing {
            return Vec::new();
        }
        state.phase = BufferPhase::Closed;
        let live = state.rest..state.end;
        joined(std::iter::once(&live).chain(&state.ready))
    }
}

/// Returns ascending ranges without the empty ones, those joined that follow on each other.
pub(super) fn joined<'a>(ranges: impl IntoIterator<Item = &'a Range<i64>>) -> Vec<Range<i64>> {
    let mut joined: Vec<Range<i64>> = Vec::new();
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range.clone()),
        }
    }
    joined
}

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

/// The result of drawing ids.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FromBuffer<T> {
    /// The ids, and whether this caller crossed a soft limit and must check whether a refill is due.
    Got { ids: T, crossed: bool },
    /// Not enough is in hand.
    Dry,
    /// The buffer was closed.
    Closed,
}

/// The result of landing a leased range.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Landed {
    /// It is in hand.
    Kept,
    /// The buffer was already closed, so the range is lost.
    Dropped,
    /// It starts below `end`, the end of an earlier lease: the store has regressed.
    Refused { end: i64 },
}

/// Where the leased ids are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Ids taken from the store.
    pub leased: i64,
    /// Ids handed out.
    pub issued: i64,
    /// Ids in hand.
    pub supply: i64,
    /// Ids in hand behind the live segment.
    pub ready: i64,
    /// Ids skipped to keep a range contiguous, or leased too late.
    pub skipped: i64,
    /// Ids in stripes, not handed out.
    pub in_stripes: i64,
}
