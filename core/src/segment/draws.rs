//! What the segment buffer answers: ids, ranges, what became of a leased range, and where the leased ids are.

use std::ops::Range;

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
