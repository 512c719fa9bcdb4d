//! How far the time that ids are stamped with may be ahead of the wall clock, although no clock is wrong or was set.

/// How far ahead of the last check of the counter an id may be stamped by it, in milliseconds.
pub(crate) const TRUST: i64 = 1_000;

/// How far the counter may be off at a check, in milliseconds: the shortest tick of a layout, and the time since the
/// last check divided by [`DRIFT`].
pub(crate) const TOLERANCE: i64 = 1;

/// A thousandth is twice the most by which [`adjtimex`](https://man7.org/linux/man-pages/man2/adjtimex.2.html) slews a
/// clock.
pub(crate) const DRIFT: i64 = 1_000;

/// A generator adds whole milliseconds of monotonic time to a wall clock of whole milliseconds, which change at other
/// moments.
const ROUNDING: i64 = 1;

/// The lead at the most, in milliseconds.
pub(crate) const MOST_LEAD: i64 = ROUNDING + TOLERANCE + TRUST / DRIFT;
