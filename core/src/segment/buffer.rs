//! The segment buffer: the live segment in its limit cell, and the ready segments behind it under a mutex.
//!
//! Nothing here waits, logs or does I/O. Soft limits inside the live segment send a caller into the cold path now and
//! then. The need for a refill is noticed there; the hot path checks nothing else.

use super::buffer_state::{BufferPhase, BufferState, stride};
use super::from_buffer::{Counts, FromBuffer, Landed};
use crate::limit_cell::{LimitCell, Rejected};
use crate::sync::Mutex;
use std::ops::Range;

/// The ids of one tag that are in hand.
pub(crate) struct SegmentBuffer {
    pub(super) cell: LimitCell,
    state: Mutex<BufferState>,
}

impl SegmentBuffer {
    /// Makes an empty buffer.
    pub(crate) fn new() -> Self {
        Self { cell: LimitCell::new(), state: Mutex::new(BufferState::new()) }
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
    pub(crate) fn next_cold(&self, rejected: Rejected) -> FromBuffer<i64> {
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
    pub(crate) fn try_next(&self) -> FromBuffer<i64> {
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
    pub(crate) fn next_many(&self, count: i64, out: &mut Vec<Range<i64>>) -> FromBuffer<()> {
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
    pub(crate) fn last_of(&self, count: i64) -> Option<i64> {
        self.state.lock().last_of(&self.cell, count)
    }

    /// Draws `count` ids in one contiguous range, skipping shorter pieces before it.
    pub(crate) fn next_run(&self, count: i64, out: &mut Vec<Range<i64>>) -> FromBuffer<()> {
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
    pub(crate) fn next_block(&self, most: i64) -> FromBuffer<Range<i64>> {
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
    pub(crate) fn land(&self, range: Range<i64>) -> Landed {
        let mut state = self.state.lock();
        if range.start < state.last_end {
            return Landed::Refused { end: state.last_end };
        }
        state.leased += range.end - range.start;
        if state.phase == BufferPhase::Closed {
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
        if state.phase != BufferPhase::Open {
            return false;
        }
        state.phase = BufferPhase::Closing;
        state.rest = self.cell.close().min(state.end);
        true
    }

    /// Ends the closing and returns the unused run that reaches up to the end of the last lease, if there is one.
    ///
    /// This buffer never touches those numbers again: they may be given back, once.
    pub(crate) fn unused_tail(&self) -> Option<Range<i64>> {
        let mut state = self.state.lock();
        if state.phase != BufferPhase::Closing {
            return None;
        }
        state.phase = BufferPhase::Closed;
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
