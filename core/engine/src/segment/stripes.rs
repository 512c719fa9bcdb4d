//! Stripes: the limit cells that threads draw from if a tag's order is relaxed.
//!
//! A tag has a few stripes, each with a limit cell of its own, and a thread always draws from the same one. A stripe
//! holds one block: a short range that was drawn from the tag's buffer as a batch is. The blocks of a stripe ascend, so
//! the proof in `limit_cell.rs` holds for each stripe, also if threads share one. No number is in two stripes, since
//! the buffer hands out none twice.
//!
//! A block is never given back: the tail that a close gives back starts at the buffer's cursor, above every block.

use super::buffer::{Counts, FromBuffer, SegmentBuffer};
use crate::limit_cell::LimitCell;
use crate::sync::Mutex;
use std::ops::Range;
use std::sync::Arc;
use std::thread::available_parallelism;

/// Length of a stripe's first block. Each further block is twice as long as the one before: the unused ids of a stripe
/// stay in proportion to those minted there.
const FIRST_BLOCK: i64 = 16;

/// Length of the longest block. The shared cursor is then written once in 256 ids, which costs each of them next to
/// nothing. The buffer shortens a block to a tenth of a segment, so that one thread does not take all ids in hand.
const LONGEST_BLOCK: i64 = 256;

/// The stripes of one tag.
pub(super) struct Stripes {
    /// One per stripe; the number of stripes is a power of two.
    cells: Arc<[LimitCell]>,
    blocks: Box<[Mutex<Block>]>,
}

/// The state of one stripe's block.
struct Block {
    /// The end of the block, and the limit of the stripe's cell.
    end: i64,
    /// Maximum length of the next block.
    length: i64,
    /// Ids skipped because a contiguous range was drawn above them.
    skipped: i64,
    /// The first number that was not drawn, once the cell is closed.
    rest: Option<i64>,
}

impl Stripes {
    /// Makes `count` stripes without a block; `count` is a power of two.
    pub(super) fn new(count: usize) -> Self {
        let empty = |_| Mutex::new(Block { end: 0, length: FIRST_BLOCK, skipped: 0, rest: None });
        Self { cells: (0..count).map(|_| LimitCell::new()).collect(), blocks: (0..count).map(empty).collect() }
    }

    /// Makes four stripes for each processor, so that threads that run at the same time seldom share one: from 8 to 64,
    /// a power of two. A stripe takes about 300 bytes.
    pub(super) fn for_this_machine() -> Self {
        Self::new((4 * available_parallelism().map_or(2, usize::from)).next_power_of_two().clamp(8, 64))
    }

    /// Returns the cells, which are contiguous in memory. On the hot path a thread draws from its own: a load, an add
    /// and a comparison, in cache lines that no other stripe writes.
    pub(super) fn cells(&self) -> &Arc<[LimitCell]> {
        &self.cells
    }

    /// Draws one id after a draw was rejected, from a new block if the old one is used up.
    #[cold]
    fn next_cold(&self, thread: usize, buffer: &SegmentBuffer) -> FromBuffer<i64> {
        let cell = self.cell(thread);
        let mut block = self.block(thread).lock();
        if block.rest.is_some() {
            return FromBuffer::Closed;
        }
        let mut any_crossed = false;
        loop {
            if let Some(range) = cell.take_below(block.end, 1, 1) {
                return FromBuffer::Got { ids: range.start, crossed: any_crossed };
            }
            match buffer.next_block(block.length) {
                FromBuffer::Got { ids: range, crossed } => {
                    any_crossed |= crossed;
                    block.length = (2 * block.length).min(LONGEST_BLOCK);
                    block.end = range.end;
                    cell.switch(range.start, range.end);
                }
                FromBuffer::Dry => return FromBuffer::Dry,
                FromBuffer::Closed => return FromBuffer::Closed,
            }
        }
    }

    /// Draws one id if there is one. Looks first, so that polling an empty stripe consumes no numbers.
    pub(super) fn try_next(&self, thread: usize, buffer: &SegmentBuffer) -> FromBuffer<i64> {
        match self.cell(thread).next_unless_dry() {
            Ok(id) => FromBuffer::Got { ids: id, crossed: false },
            Err(_) => self.next_cold(thread, buffer),
        }
    }

    /// Draws `count` ids into `out`, in ascending ranges, first from the block and then from the buffer.
    pub(super) fn next_many(
        &self,
        thread: usize,
        buffer: &SegmentBuffer,
        count: i64,
        out: &mut Vec<Range<i64>>,
    ) -> FromBuffer<()> {
        let cell = self.cell(thread);
        if let Some(range) = cell.next_batch(count) {
            out.push(range);
            return FromBuffer::Got { ids: (), crossed: false };
        }
        let block = self.block(thread).lock();
        if block.rest.is_some() {
            return FromBuffer::Closed;
        }
        if block.left(cell) + buffer.counts().supply < count {
            return FromBuffer::Dry;
        }
        let mut missing = count;
        if let Some(range) = cell.take_below(block.end, 1, count) {
            missing -= range.end - range.start;
            out.push(range);
        }
        if missing == 0 { FromBuffer::Got { ids: (), crossed: false } } else { buffer.next_many(missing, out) }
    }

    /// Draws `count` ids in one contiguous range. The rest of the block is skipped, since it lies below that range.
    pub(super) fn next_run(
        &self,
        thread: usize,
        buffer: &SegmentBuffer,
        count: i64,
        out: &mut Vec<Range<i64>>,
    ) -> FromBuffer<()> {
        let cell = self.cell(thread);
        if let Some(range) = cell.next_batch(count) {
            out.push(range);
            return FromBuffer::Got { ids: (), crossed: false };
        }
        let mut block = self.block(thread).lock();
        if block.rest.is_some() {
            return FromBuffer::Closed;
        }
        let drawn = buffer.next_run(count, out);
        if let (FromBuffer::Got { .. }, Some(run)) = (&drawn, out.last()) {
            block.skipped += (block.end - cell.switch(run.end, run.end)).max(0);
            block.end = run.end;
            block.length = FIRST_BLOCK;
        }
        drawn
    }

    /// Counts the ids of the buffer and of the stripes.
    pub(super) fn counts(&self, buffer: &SegmentBuffer) -> Counts {
        // With all blocks locked none is drawn from the buffer, so that no id is counted twice or missed.
        let blocks: Vec<_> = self.blocks.iter().map(Mutex::lock).collect();
        let mut counts = buffer.counts();
        for (cell, block) in self.cells.iter().zip(&blocks) {
            counts.in_stripes += block.left(cell);
            counts.skipped += block.skipped;
            counts.issued -= block.skipped;
        }
        counts.issued -= counts.in_stripes;
        counts
    }

    /// Closes every stripe: every later draw is rejected. The buffer must be closed before, so that no block can be
    /// drawn either.
    pub(super) fn close(&self) {
        for (cell, block) in self.cells.iter().zip(&self.blocks) {
            let mut block = block.lock();
            if block.rest.is_none() {
                block.rest = Some(cell.close());
            }
        }
    }

    #[inline]
    fn cell(&self, thread: usize) -> &LimitCell {
        &self.cells[thread & (self.cells.len() - 1)]
    }

    fn block(&self, thread: usize) -> &Mutex<Block> {
        &self.blocks[thread & (self.blocks.len() - 1)]
    }
}

impl Block {
    /// Counts the ids that were not drawn.
    fn left(&self, cell: &LimitCell) -> i64 {
        (self.end - self.rest.unwrap_or_else(|| cell.cursor())).max(0)
    }
}
