//! What the segment buffer answers: ids, what became of a leased range, and where the leased ids are.

/// The result of drawing ids.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FromBuffer<T> {
    /// The ids, and whether this caller crossed a soft limit and must check whether a refill is due.
    Got { ids: T, crossed: bool },
    /// Not enough is in hand.
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
