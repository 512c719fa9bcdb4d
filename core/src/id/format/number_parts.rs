//! What a number is written from.

use super::calendar_date::CalendarDate;

/// The parts of a number, as [`Format::format`](super::Format::format) takes them and
/// [`Format::parse`](super::Format::parse) returns them.
///
/// ```
/// use leafmint::id::{Format, NumberParts};
/// let parts = NumberParts { number: 42, key: Some("shop-7"), ..NumberParts::default() };
/// assert_eq!(Format::new("{key}/{number}")?.format(&parts)?, "shop-7/42");
/// # Ok::<(), leafmint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NumberParts<'a> {
    /// The number, not negative.
    pub number: i64,
    /// The date; `None` if the format has no field of it.
    pub date: Option<CalendarDate>,
    /// The key; `None` if the format has none.
    pub key: Option<&'a str>,
    /// The shard, such as a table; `None` if the format has none.
    pub shard: Option<i64>,
}
