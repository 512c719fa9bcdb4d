//! The numbers of one period, and the time in which it is in force.

use crate::segment::tag::Tag;
use leafmint_ids::format::{CalendarDate, Period};
use std::fmt;
use std::sync::Arc;

/// What the calendar of a zone shows at one moment, as a binding computes it. Times are Unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calendar {
    /// The date.
    pub date: CalendarDate,
    /// The moment at which the first day of its period begins, see [`Series::bounds`](super::Series::bounds).
    pub begins: i64,
    /// The moment at which the first day of the next period begins.
    pub ends: i64,
}

/// The numbers of one period of a series.
pub struct SeriesGroup {
    pub(super) tag: Arc<Tag>,
    /// The first day of the period; `None` if there are no periods.
    pub(super) date: Option<CalendarDate>,
    pub(super) text: String,
}

impl SeriesGroup {
    pub(super) fn new(tag: Arc<Tag>, period: Period, date: Option<CalendarDate>) -> Self {
        Self { tag, date, text: date.map_or_else(String::new, |date| period.group_of(date)) }
    }

    /// Returns the period as text: `2026-11-25`, `2026-11`, `2026`, or nothing if there are no periods.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the first day of the period; `None` if there are no periods.
    pub fn date(&self) -> Option<CalendarDate> {
        self.date
    }

    /// Returns a number that no other tag has as long as a handle of this one exists. A period whose rest was given
    /// back has another tag if it comes again.
    pub fn identity(&self) -> usize {
        Arc::as_ptr(&self.tag) as usize
    }

    /// Returns the name of the tag that the numbers are leased from.
    pub fn tag_name(&self) -> &str {
        &self.tag.name
    }
}

impl fmt::Debug for SeriesGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SeriesGroup").field(&self.tag.name).finish()
    }
}

/// A group, and what the clock shows while it is in force, in Unix milliseconds.
pub(super) struct InForce {
    pub(super) group: Arc<SeriesGroup>,
    pub(super) from: i64,
    pub(super) until: i64,
    /// When its period ends by the calendar.
    pub(super) ends: i64,
}
