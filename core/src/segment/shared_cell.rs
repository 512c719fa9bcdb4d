//! A tag's limit cell as a face sees it that draws from the memory itself, and calls in only where the limit rejects.

use super::order::Order;
use super::tag::BizTag;
use super::wait::Wait;
use crate::error::Result;
use crate::limit_cell::Rejected;
use crate::want::Want;
use std::time::Duration;

impl BizTag {
    /// Returns the address of the tag's limit cell, which stays where it is for as long as this handle or a clone of it lives.
    ///
    /// The cell is [`CELL_SIZE`](crate::binding::CELL_SIZE) bytes long. The next free number stands at [`CURSOR_OFFSET`](crate::binding::CURSOR_OFFSET), the
    /// limit at [`LIMIT_OFFSET`](crate::binding::LIMIT_OFFSET). A face may do two things with it, atomically:
    /// * read the limit with acquire, or a mirror of it, *then* add 1 to the cursor. The number before the addition is its id where
    ///   it lies below that limit; else it asks [`BizTag::next_id_cold`].
    /// * read the limit with acquire, then move the cursor by compare-and-swap, up to that limit at most. The numbers between are
    ///   its ids.
    ///
    /// A closed cell's cursor is [`CLOSED`](crate::binding::CLOSED) or above, which no limit reaches. Where the tag has gene bits the limit
    /// stays 0, as no call without a gene may have an id. The child of a fork has another cell, whose address it has to ask for.
    ///
    /// With relaxed order it is the first of [`BizTag::cell_count`] cells that stand side by side, one for each place. A thread
    /// with a number of the face's draws from the cell `number % cell_count`, and passes its number to the calls that end in `_at`.
    pub fn cell_address(&self) -> *const u8 {
        match self.order() {
            Order::Strict => (&raw const self.tag().buffer.cell).cast(),
            Order::Relaxed => self.tag().blocks().cells().as_ptr().cast(),
        }
    }

    /// Returns how many limit cells the handle has: 1, or with relaxed order as many as there are places, a power of two.
    pub fn cell_count(&self) -> usize {
        match self.order() {
            Order::Strict => 1,
            Order::Relaxed => self.tag().blocks().cells().len(),
        }
    }

    /// Judges a number again that a face drew from the cell and that its limit rejected, as [`BizTag::try_next_id`] does.
    ///
    /// `limit` is what the face had read from this very cell before it drew, `number` what it drew. Each number may be handed in
    /// once: it is an id where it lies in the live segment, and else another one is drawn.
    #[cold]
    pub fn next_id_cold(&self, limit: i64, number: i64) -> Result<Option<i64>> {
        self.tag().next_cold(Rejected { limit, number })
    }

    /// Does the same with relaxed order, for the face's thread of that number, whose own cell rejected what it drew.
    #[cold]
    pub fn next_id_cold_at(&self, thread: usize) -> Result<Option<i64>> {
        self.tag().next_cold_at(thread)
    }

    /// Returns the next id if one is in hand, as [`BizTag::poll_next_id`] does, for the face's thread of that number.
    pub fn poll_next_id_at(&self, thread: usize) -> Result<Option<i64>> {
        self.tag().poll_next(self.at(thread))
    }

    /// Begins a call, as [`BizTag::begin`] does, for the face's thread of that number.
    pub fn begin_at(&self, thread: usize, want: Want, timeout: Option<Duration>) -> Result<Wait> {
        want.check()?;
        Ok(Wait::new(self.tag().clone(), self.at(thread), want, None, timeout))
    }

    /// Begins a call, as [`BizTag::begin_with_gene`] does, for the face's thread of that number.
    pub fn begin_with_gene_at(&self, thread: usize, gene: i64, timeout: Option<Duration>) -> Result<Wait> {
        self.begin_with_gene_in(self.at(thread), gene, timeout)
    }

    fn at(&self, thread: usize) -> Option<usize> {
        (self.order() == Order::Relaxed).then_some(thread)
    }
}
