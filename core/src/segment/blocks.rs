//! Blocks: what threads mint from where a tag's order is relaxed.
//!
//! There are a few places, each with a limit cell of its own, and each thread always mints at the same one. A place
//! holds one block, a short range that it drew from the tag's buffer as a batch is drawn, and is to it what the buffer
//! is to its segments: blocks of a place ascend, so the proof in `limit_cell.rs` holds for each place as it stands,
//! also where threads share one. No range is in two places, since none comes twice from the buffer.
//!
//! What a place has drawn is never given back: the tail that a close gives back starts at the buffer's cursor, above
//! every block.

use super::buffer::{Counts, Draw, DrawBlock, DrawMany, SegmentBuffer};
use crate::limit_cell::{LimitCell, Rejected};
use crate::mutants::weaken;
use crate::sync::Mutex;
use std::ops::Range;
use std::sync::Arc;

/// A place's first block is so long, and each further one twice as long as the one before it: what lies about unused at
/// a place is in proportion to what was minted there.
const FIRST_BLOCK: i64 = 16;

/// The longest block: the shared cursor is then written once in 256 ids, which costs each of them next to nothing. The
/// buffer cuts it to a tenth of a segment, so that one thread does not take all there is.
const LONGEST_BLOCK: i64 = 256;

/// The blocks of one tag.
pub(crate) struct Blocks {
    /// As many as a power of two.
    cells: Arc<[LimitCell]>,
    blocks: Box<[Mutex<Block>]>,
}

/// What is known about the block of one place.
struct Block {
    /// Where it ends, which is the limit of the place's cell too.
    end: i64,
    /// How long the next one may be.
    length: i64,
    /// Ids left out so that a range in one piece comes after them.
    skipped: i64,
    /// The first number nobody drew, once the cell is shut.
    rest: Option<i64>,
}

impl Blocks {
    /// Makes `places` places without a block; a power of two.
    pub(crate) fn new(places: usize) -> Self {
        let empty = |_| Mutex::new(Block { end: 0, length: FIRST_BLOCK, skipped: 0, rest: None });
        Self { cells: (0..places).map(|_| LimitCell::new()).collect(), blocks: (0..places).map(empty).collect() }
    }

    /// Returns the cells, which stand side by side in memory.
    pub(crate) fn cells(&self) -> &Arc<[LimitCell]> {
        &self.cells
    }

    /// Draws one id on the hot path: a load, an add and a comparison, in cache lines that no other place writes.
    #[inline]
    pub(crate) fn next(&self, thread: usize) -> Result<i64, Rejected> {
        self.cell(thread).next()
    }

    /// Draws one id after a draw was rejected, out of another block where need be.
    #[cold]
    pub(crate) fn next_cold(&self, thread: usize, buffer: &SegmentBuffer) -> Draw {
        let cell = self.cell(thread);
        let mut block = self.block(thread).lock();
        if block.rest.is_some() {
            return Draw::Closed;
        }
        let mut any_crossed = false;
        loop {
            if let Some(range) = cell.take_below(block.end, 1, 1) {
                return Draw::Id { id: range.start, crossed: any_crossed };
            }
            match buffer.next_block(block.length) {
                DrawBlock::Block { range, crossed } => {
                    any_crossed |= crossed;
                    block.length = (2 * block.length).min(LONGEST_BLOCK);
                    block.end = range.end;
                    cell.switch(range.start, range.end);
                }
                DrawBlock::Dry => return Draw::Dry,
                DrawBlock::Closed => return Draw::Closed,
            }
        }
    }

    /// Draws one id, looking first: polling an empty place burns no numbers.
    pub(crate) fn try_next(&self, thread: usize, buffer: &SegmentBuffer) -> Draw {
        if !self.cell(thread).is_dry()
            && let Ok(id) = self.next(thread)
        {
            return Draw::Id { id, crossed: false };
        }
        self.next_cold(thread, buffer)
    }

    /// Draws `count` ids into `out`, in ascending ranges, as the buffer does: first what is left of the block.
    pub(crate) fn next_many(&self, thread: usize, buffer: &SegmentBuffer, count: i64, out: &mut Vec<Range<i64>>) -> DrawMany {
        let cell = self.cell(thread);
        if let Some(range) = cell.next_batch(count) {
            out.push(range);
            return DrawMany::Done { crossed: false };
        }
        let block = self.block(thread).lock();
        if block.rest.is_some() {
            return DrawMany::Closed;
        }
        if block.left(cell) + buffer.counts().supply < count {
            return DrawMany::Dry;
        }
        let mut missing = count;
        if let Some(range) = cell.take_below(block.end, 1, count) {
            missing -= range.end - range.start;
            out.push(range);
        }
        if missing == 0 { DrawMany::Done { crossed: false } } else { buffer.next_many(missing, out) }
    }

    /// Draws `count` ids in one contiguous range. What is left of the block is left out, since it lies below that
    /// range.
    pub(crate) fn next_run(&self, thread: usize, buffer: &SegmentBuffer, count: i64, out: &mut Vec<Range<i64>>) -> DrawMany {
        let cell = self.cell(thread);
        if let Some(range) = cell.next_batch(count) {
            out.push(range);
            return DrawMany::Done { crossed: false };
        }
        let mut block = self.block(thread).lock();
        if block.rest.is_some() {
            return DrawMany::Closed;
        }
        let drawn = buffer.next_run(count, out);
        if let (DrawMany::Done { .. }, Some(run)) = (&drawn, out.last()) {
            let drawn_up_to = weaken!("block-left-below-a-run", cell.switch(run.end, run.end), without = block.end);
            block.skipped += (block.end - drawn_up_to).max(0);
            block.end = run.end;
            block.length = FIRST_BLOCK;
        }
        drawn
    }

    /// Counts the ids of the buffer and of the blocks.
    pub(crate) fn counts(&self, buffer: &SegmentBuffer) -> Counts {
        // While all of them are held, no block comes from the buffer: nothing is counted twice, or on its way.
        let blocks: Vec<_> = self.blocks.iter().map(Mutex::lock).collect();
        let mut counts = buffer.counts();
        for (cell, block) in self.cells.iter().zip(&blocks) {
            counts.in_blocks += block.left(cell);
            counts.skipped += block.skipped;
            counts.issued -= block.skipped;
        }
        counts.issued -= counts.in_blocks;
        counts
    }

    /// Shuts every place: nobody draws any more. The buffer is shut before, so that no block comes of it either.
    pub(crate) fn close(&self) {
        for (cell, block) in self.cells.iter().zip(&self.blocks) {
            let mut block = block.lock();
            if block.rest.is_none() {
                block.rest = Some(weaken!("blocks-open-after-the-close", cell.close(), without = cell.cursor()));
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
    /// Counts the ids that nobody drew.
    fn left(&self, cell: &LimitCell) -> i64 {
        (self.end - self.rest.unwrap_or_else(|| cell.cursor())).max(0)
    }
}
