//! A tag's limit cells as seen by a binding that draws from their memory itself, and calls only if the limit rejects a
//! draw.

use super::biz_tag::BizTag;
use super::sources::in_hand;
use super::wait::Wait;
use crate::limit_cell::Rejected;
use crate::want::Want;
use leafmint_ids::error::Result;
use std::time::Duration;

/// The limit cells of a tag, for a binding that draws from their memory.
pub trait SharedCells {
    /// Returns the address of the tag's limit cell, which stays the same as long as this handle or a clone of it lives.
    ///
    /// The cell is [`CELL_SIZE`](crate::limit_cell::CELL_SIZE) bytes long. The next free number is at
    /// [`CURSOR_OFFSET`](crate::limit_cell::CURSOR_OFFSET), the limit at
    /// [`LIMIT_OFFSET`](crate::limit_cell::LIMIT_OFFSET). A binding may do two things with them, atomically:
    /// * read the limit with acquire, or a mirror of it, *then* add 1 to the cursor. The number before the addition is
    ///   its id if it lies below that limit; if not, call [`SharedCells::next_id_cold`].
    /// * read the limit with acquire, then move the cursor by compare-and-swap, up to that limit at most. The numbers
    ///   between are its ids.
    ///
    /// A closed cell's cursor is [`CLOSED`](crate::limit_cell::CLOSED) or above, which no limit reaches. If the tag has
    /// gene bits the limit stays 0, since calls without a gene get no id. The child of a fork has another cell, and
    /// must ask for its address.
    ///
    /// With relaxed order the address is that of the first of [`SharedCells::cell_count`] contiguous cells, one per
    /// stripe. The binding numbers its threads; a thread draws from the cell `number % cell_count`, and passes its
    /// number to the calls that end in `_at`.
    fn cell_address(&self) -> *const u8;

    /// Returns the number of limit cells: 1, or with relaxed order the number of stripes, a power of two.
    fn cell_count(&self) -> usize;

    /// Returns the next id if one is in hand, after the limit rejected a number that a binding drew from the cell.
    ///
    /// `limit` is the value that the binding read from this very cell before it drew, `number` the number that it drew.
    /// Pass each number once: it is an id if it lies in the live segment; if not, another one is drawn.
    fn next_id_cold(&self, limit: i64, number: i64) -> Result<Option<i64>>;

    /// Returns the next id if one is in hand, as [`BizTag::try_next_id`] does, for the binding's thread with this
    /// number. With relaxed order also after the limit of its stripe rejected a number.
    fn try_next_id_at(&self, thread: usize) -> Result<Option<i64>>;

    /// Begins a call, as [`BizTag::begin`] does, for the binding's thread with this number.
    fn begin_at(&self, thread: usize, want: Want, timeout: Option<Duration>) -> Result<Wait>;

    /// Begins a call, as [`BizTag::begin_with_gene`] does, for the binding's thread with this number.
    fn begin_with_gene_at(&self, thread: usize, gene: i64, timeout: Option<Duration>) -> Result<Wait>;
}

impl SharedCells for BizTag {
    fn cell_address(&self) -> *const u8 {
        let sources = self.sources();
        match &sources.cells {
            None => (&raw const sources.raw.buffer.cell).cast(),
            Some(cells) => cells.as_ptr().cast(),
        }
    }

    fn cell_count(&self) -> usize {
        self.sources().cells.as_ref().map_or(1, |cells| cells.len())
    }

    #[cold]
    fn next_id_cold(&self, limit: i64, number: i64) -> Result<Option<i64>> {
        let tag = &self.sources().raw;
        in_hand(tag, tag.buffer.next_cold(Rejected { limit, number }))
    }

    fn try_next_id_at(&self, thread: usize) -> Result<Option<i64>> {
        let sources = self.sources();
        in_hand(&sources.raw, sources.of_thread(thread).draw(&sources.raw))
    }

    fn begin_at(&self, thread: usize, want: Want, timeout: Option<Duration>) -> Result<Wait> {
        want.check()?;
        let sources = self.sources();
        Ok(Wait::new(sources.for_want(want).clone(), sources.of_thread(thread), want, None, timeout))
    }

    fn begin_with_gene_at(&self, thread: usize, gene: i64, timeout: Option<Duration>) -> Result<Wait> {
        let sources = self.sources();
        let tag = sources.for_gene(gene)?.clone();
        Ok(Wait::new(tag, sources.of_thread(thread), Want::One, Some(gene), timeout))
    }
}
