//! A tag's limit cell as a face sees it that draws from the memory itself, and calls in only where the limit rejects.

use super::tag::BizTag;
use crate::cell::Rejected;
use crate::error::Result;

impl BizTag {
    /// Returns the address of the tag's limit cell, which stays where it is for as long as this handle or a clone of it lives.
    ///
    /// The cell is [`CELL_SIZE`](super::CELL_SIZE) bytes long. The next free number stands at [`CURSOR_AT`](super::CURSOR_AT), the
    /// limit at [`LIMIT_AT`](super::LIMIT_AT). A face may do two things with it, atomically:
    /// * read the limit with acquire, or a mirror of it, *then* add 1 to the cursor. The number before the addition is its id where
    ///   it lies below that limit; else it asks [`BizTag::next_id_cold`].
    /// * read the limit with acquire, then move the cursor by compare-and-swap, up to that limit at most. The numbers between are
    ///   its ids.
    ///
    /// A closed cell's cursor is [`CLOSED`](super::CLOSED) or above, which no limit reaches. Where the tag has gene bits the limit
    /// stays 0, as no call without a gene may have an id. The child of a fork has another cell, whose address it has to ask for.
    pub fn cell_address(&self) -> *const u8 {
        (&raw const self.tag().buffer.cell).cast()
    }

    /// Judges a number again that a face drew from the cell and that its limit rejected, as [`BizTag::try_next_id`] does.
    ///
    /// `limit` is what the face had read from this very cell before it drew, `number` what it drew. Each number may be handed in
    /// once: it is an id where it lies in the live segment, and else another one is drawn.
    #[cold]
    pub fn next_id_cold(&self, limit: i64, number: i64) -> Result<Option<i64>> {
        self.tag().next_cold(Rejected { limit, number })
    }
}
