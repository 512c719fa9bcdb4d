//! A series of one key without a handle, as small as it can be: what a tag, a group and a state hold of it that a later
//! handle needs.

use super::declaration::{Declaration, SeriesTag};
use super::group::SeriesGroup;
use super::options::tag_name;
use crate::segment::open_tags::OpenTags;
use crate::segment::tag::{PackedNumbers, Tag};
use leafmint_ids::format::CalendarDate;
use std::sync::Arc;

/// A series of one key without a handle.
pub(super) struct PackedSeries {
    /// The first day of the period that was used last; `None` if there are no periods.
    date: Option<CalendarDate>,
    /// When that period ends by the calendar, in Unix milliseconds; never if it was not the present one.
    pub(super) ends: i64,
    numbers: PackedNumbers,
}

impl PackedSeries {
    pub(super) fn new(date: Option<CalendarDate>, ends: i64, numbers: PackedNumbers) -> Self {
        Self { date, ends, numbers }
    }

    /// Returns whether numbers are in hand.
    pub(super) fn holds_numbers(&self) -> bool {
        !self.numbers.ranges.is_empty()
    }

    /// Makes a tag of it again, and leaves no numbers here. Returns `None` if its name has become another tag.
    pub(super) fn unpack(
        &mut self,
        label: &str,
        declaration: &Arc<Declaration>,
        tags: &OpenTags,
    ) -> Option<Arc<SeriesGroup>> {
        let period = declaration.rule.period;
        let PackedNumbers { end, step, used, .. } = self.numbers;
        let numbers = PackedNumbers { ranges: std::mem::take(&mut self.numbers.ranges), end, used, step };
        let series = SeriesTag { declaration: declaration.clone(), step, date: self.date, begins: None };
        let tag: Arc<Tag> = tags.unpack(&tag_name(label, period, self.date), Arc::new(series), numbers)?;
        Some(Arc::new(SeriesGroup::new(tag, period, self.date)))
    }

    /// Returns the group whose numbers are to be given back, if there are any.
    pub(super) fn forget(
        &mut self,
        label: &str,
        declaration: &Arc<Declaration>,
        tags: &OpenTags,
    ) -> Option<Arc<SeriesGroup>> {
        if !self.holds_numbers() {
            tags.shared.forget_leases(&tag_name(label, declaration.rule.period, self.date));
            return None;
        }
        self.unpack(label, declaration, tags)
    }
}
