//! The segment buffer: the live segment in its limit cell, and the ready segments behind it under a mutex.
//!
//! Nothing here waits, logs or does I/O. Soft limits inside the live segment send a caller into the cold path now and
//! then. The need for a refill is noticed there; the hot path checks nothing else.

use crate::limit_cell::{LimitCell, Rejected};
use crate::mutants::weaken;
use crate::sync::Mutex;
use std::collections::VecDeque;
use std::ops::Range;

/// Number of soft limits in a segment, the first at a tenth as in Leaf. When a range joins, in what is in hand then.
const SOFT_LIMITS: i64 = 10;

/// The ids of one tag that are in hand.
pub(crate) struct SegmentBuffer {
    pub(super) cell: LimitCell,
    state: Mutex<State>,
}

/// The result of drawing one id.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Draw {
    /// An id, and whether this caller crossed a soft limit and must check whether a refill is due.
    Id { id: i64, crossed: bool },
    /// Nothing is in hand.
    Dry,
    /// The buffer was closed.
    Closed,
}

/// The result of drawing many ids.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DrawMany {
    /// All the ids wanted were pushed.
    Done { crossed: bool },
    /// Not enough is in hand.
    Dry,
    /// The buffer was closed.
    Closed,
}

/// The result of drawing a block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DrawBlock {
    /// A range of at least one id, and whether a soft limit was crossed.
    Block { range: Range<i64>, crossed: bool },
    /// Nothing is in hand.
    Dry,
    /// The buffer was closed.
    Closed,
}

/// The result of landing a leased range.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Landed {
    /// It is in hand.
    Kept,
    /// The buffer was already closed, so the range is lost.
    Dropped,
    /// It starts below `end`, the end of an earlier lease: the store has regressed.
    Refused { end: i64 },
}

/// Where the leased ids are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Ids taken from the store.
    pub(crate) leased: i64,
    /// Ids handed out.
    pub(crate) issued: i64,
    /// Ids in hand.
    pub(crate) supply: i64,
    /// Ids in hand behind the live segment.
    pub(crate) ready: i64,
    /// Ids skipped to keep a range contiguous.
    pub(crate) skipped: i64,
    /// Ids in stripes, not handed out.
    pub(crate) in_stripes: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Open,
    /// Every draw is rejected. A lease in flight may still land, to be given back with the rest.
    Closing,
    Closed,
}

struct State {
    /// The value last written to the cursor.
    start: i64,
    /// The end of the live segment.
    end: i64,
    /// The value last written to the limit.
    limit: i64,
    /// The distance between soft limits.
    stride: i64,
    ready: VecDeque<Range<i64>>,
    /// The end of the last lease.
    last_end: i64,
    leased: i64,
    skipped: i64,
    /// The first number that was not drawn, once the cell is closed.
    rest: i64,
    phase: Phase,
}

impl SegmentBuffer {
    /// Makes an empty buffer.
    pub(crate) fn new() -> Self {
        let state = State {
            start: 0,
            end: 0,
            limit: 0,
            stride: 1,
            ready: VecDeque::new(),
            last_end: 0,
            leased: 0,
            skipped: 0,
            rest: 0,
            phase: Phase::Open,
        };
        Self { cell: LimitCell::new(), state: Mutex::new(state) }
    }

    /// Draws one id on the hot path: a load, an add and a comparison.
    #[inline]
    pub(crate) fn next(&self) -> Result<i64, Rejected> {
        self.cell.next()
    }

    /// Draws `count` contiguous ids on the hot path, below the next soft limit, or none.
    #[inline]
    pub(crate) fn run(&self, count: i64) -> Option<Range<i64>> {
        self.cell.next_batch(count)
    }

    /// Judges a rejected draw again, and draws another id if it was past the end.
    #[cold]
    pub(crate) fn next_cold(&self, rejected: Rejected) -> Draw {
        let mut state = self.state.lock();
        if state.phase != Phase::Open {
            return Draw::Closed;
        }
        // If the limit that the caller saw is one of this range, so is the number.
        let of_this_range =
            weaken!("limit-of-an-earlier-range", rejected.limit > state.start, without = rejected.limit >= state.start);
        if of_this_range && rejected.number < state.end {
            let crossed = state.raise(&self.cell);
            return Draw::Id { id: rejected.number, crossed };
        }
        state.draw(&self.cell)
    }

    /// Draws one id if there is one. Looks first, so that polling an empty buffer consumes no numbers.
    pub(crate) fn try_next(&self) -> Draw {
        match self.cell.next_unless_dry() {
            Ok(id) => Draw::Id { id, crossed: false },
            Err(Some(rejected)) => self.next_cold(rejected),
            Err(None) => {
                let mut state = self.state.lock();
                if state.phase == Phase::Open { state.draw(&self.cell) } else { Draw::Closed }
            }
        }
    }

    /// Draws `count` ids into `out`, in ascending ranges, or none if fewer are in hand.
    ///
    /// If other threads take ids meanwhile, it may push a part and return `Dry`; the caller keeps that part.
    pub(crate) fn next_many(&self, count: i64, out: &mut Vec<Range<i64>>) -> DrawMany {
        if let Some(range) = self.run(count) {
            out.push(range);
            return DrawMany::Done { crossed: false };
        }
        let mut state = self.state.lock();
        if state.phase != Phase::Open {
            return DrawMany::Closed;
        }
        if state.supply(&self.cell) < count {
            return DrawMany::Dry;
        }
        let mut missing = count;
        while missing > 0 {
            match self.cell.take_below(state.end, 1, missing) {
                Some(range) => {
                    missing -= range.end - range.start;
                    out.push(range);
                }
                None if state.advance(&self.cell) => {}
                None => return DrawMany::Dry,
            }
        }
        DrawMany::Done { crossed: state.raise(&self.cell) }
    }

    /// Draws `count` ids in one contiguous range, skipping shorter pieces before it.
    pub(crate) fn next_run(&self, count: i64, out: &mut Vec<Range<i64>>) -> DrawMany {
        if let Some(range) = self.run(count) {
            out.push(range);
            return DrawMany::Done { crossed: false };
        }
        let mut state = self.state.lock();
        if state.phase != Phase::Open {
            return DrawMany::Closed;
        }
        loop {
            if let Some(range) = self.cell.take_below(state.end, count, count) {
                out.push(range);
                return DrawMany::Done { crossed: state.raise(&self.cell) };
            }
            if !state.ready.iter().any(|range| range.end - range.start >= count) {
                return DrawMany::Dry;
            }
            state.advance(&self.cell);
        }
    }

    /// Draws a block: at least one id, at most `most`, and at most the distance between two soft limits.
    pub(crate) fn next_block(&self, most: i64) -> DrawBlock {
        if let Some(range) = self.cell.next_up_to(most) {
            return DrawBlock::Block { range, crossed: false };
        }
        let mut state = self.state.lock();
        if state.phase != Phase::Open {
            return DrawBlock::Closed;
        }
        loop {
            if let Some(range) = self.cell.take_below(state.end, 1, most.min(state.stride)) {
                return DrawBlock::Block { range, crossed: state.raise(&self.cell) };
            }
            if !state.advance(&self.cell) {
                return DrawBlock::Dry;
            }
        }
    }

    /// Adds a leased range.
    pub(crate) fn land(&self, range: Range<i64>) -> Landed {
        let mut state = self.state.lock();
        if weaken!("range-below-the-last-end", range.start < state.last_end, without = false) {
            return Landed::Refused { end: state.last_end };
        }
        state.leased += range.end - range.start;
        if state.phase == Phase::Closed {
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
                weaken!("cursor-reset-in-a-join", without = self.cell.switch(range.start, state.limit));
                state.raise(&self.cell);
            }
            _ => state.ready.push_back(range),
        }
        Landed::Kept
    }

    /// Counts the ids leased, handed out and in hand.
    pub(crate) fn counts(&self) -> Counts {
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
    pub(crate) fn close(&self) -> bool {
        let mut state = self.state.lock();
        if state.phase != Phase::Open {
            return false;
        }
        state.phase = Phase::Closing;
        let rest = weaken!(
            "tail-read-before-the-close",
            self.cell.close(),
            without = (self.cell.cursor(), self.cell.close()).0
        );
        state.rest = rest.min(state.end);
        true
    }

    /// Ends the closing and returns the unused run that reaches up to the end of the last lease, if there is one.
    ///
    /// This buffer never touches those numbers again: they may be given back, once.
    pub(crate) fn unused_tail(&self) -> Option<Range<i64>> {
        let mut state = self.state.lock();
        if state.phase != Phase::Closing {
            return None;
        }
        state.phase = Phase::Closed;
        let live = state.rest..state.end;
        let mut tail = match state.ready.back() {
            Some(last) => last.clone(),
            None => live.clone(),
        };
        if state.ready.len() == 1 && live.end == tail.start && !live.is_empty() {
            tail.start = live.start;
        }
        (!tail.is_empty()).then_some(tail)
    }
}

impl State {
    /// Draws one id under the mutex, switching to the next ready segment if the live one is used up.
    fn draw(&mut self, cell: &LimitCell) -> Draw {
        loop {
            if let Some(range) = cell.take_below(self.end, 1, 1) {
                return Draw::Id { id: range.start, crossed: self.raise(cell) };
            }
            if !self.advance(cell) {
                return Draw::Dry;
            }
        }
    }

    /// Makes the next ready segment the live one and skips what the old one still held.
    fn advance(&mut self, cell: &LimitCell) -> bool {
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
    fn raise(&mut self, cell: &LimitCell) -> bool {
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
    fn can_join(&self, cell: &LimitCell, range: &Range<i64>) -> bool {
        let eats = weaken!("join-after-overshoot", cell.cursor() > self.limit, without = false);
        self.phase == Phase::Open && self.end == range.start && self.end > self.start && !eats
    }

    fn ready_len(&self) -> i64 {
        self.ready.iter().map(|range| range.end - range.start).sum()
    }

    fn supply(&self, cell: &LimitCell) -> i64 {
        let cursor = if self.phase == Phase::Open { cell.cursor() } else { self.rest };
        (self.end - cursor).max(0) + self.ready_len()
    }
}

fn stride(segment: &Range<i64>) -> i64 {
    ((segment.end - segment.start) / SOFT_LIMITS).max(1)
}
