//! Ticks and Unix milliseconds, and the bounds of range queries.

use super::bits::{Layout, ones};
use super::dates::{LAST_MILLI, date};
use crate::error::{Result, invalid_argument};
use crate::format::{CalendarDate, Format};
use crate::room;
use std::ops::Range;

impl Layout {
    /// Returns the tick that contains the time `unix_millis`: negative before the epoch, and above
    /// [`Layout::last_tick`] after the time bits have run out.
    #[inline]
    pub const fn tick_at(&self, unix_millis: i64) -> i64 {
        let millis = unix_millis.saturating_sub(self.epoch);
        // Every snowflake passes here, and a division would take longer than everything else but the look at the clock.
        if self.unit_millis == 1 { millis } else { self.units_of(millis) }
    }

    #[inline(never)]
    const fn units_of(&self, millis: i64) -> i64 {
        millis.div_euclid(self.unit_millis)
    }

    /// Returns when a tick starts, in Unix milliseconds; the result saturates.
    pub const fn start_of(&self, tick: i64) -> i64 {
        tick.saturating_mul(self.unit_millis).saturating_add(self.epoch)
    }

    /// Returns the lowest id of the tick that contains the time `at`, in Unix milliseconds: no id stamped at that time
    /// or later is below it.
    ///
    /// Ids stamped from `a` up to but excluding `b`, both at the start of a tick, lie in `min_id(a) .. min_id(b)`.
    /// Raises `invalid_argument` for a time before the epoch or after the time bits have run out: clamping would accept
    /// a time in seconds.
    ///
    /// ```
    /// let leaf = leafmint_ids::layout::Layout::default();
    /// let at = 1_793_491_200_000; // 2026-11-01T00:00:00Z
    /// let id = leaf.compose(leaf.tick_at(at), 0, 3, 9, 0)?;
    /// assert!(leaf.min_id(at)? <= id && id <= leaf.max_id(at)?);
    /// assert_eq!(leaf.max_id(at)? + 1, leaf.min_id(at + 1)?);
    /// # Ok::<(), leafmint_ids::error::Error>(())
    /// ```
    pub fn min_id(&self, at: i64) -> Result<i64> {
        let tick = self.tick_at(at);
        if (0..=self.last_tick()).contains(&tick) {
            return Ok(tick << self.below_timestamp());
        }
        Err(invalid_argument(format!(
            "no id of this layout is stamped {at}: its ids are stamped from {} ({}) to {} ({}), in Unix milliseconds",
            self.epoch,
            date(self.epoch),
            self.runs_out() - 1,
            date(self.runs_out() - 1),
        )))
    }

    /// Returns the highest id of the tick that contains the time `at`, in Unix milliseconds: no id stamped at that time
    /// or earlier is above it. Raises what [`Layout::min_id`] raises.
    pub fn max_id(&self, at: i64) -> Result<i64> {
        Ok(self.min_id(at)? | ones(self.below_timestamp()))
    }

    /// Returns the ids of all ticks that the span from `start` up to but excluding `end` touches, in Unix milliseconds.
    ///
    /// Raises `invalid_argument` if the span ends before it starts, or if this layout has no ids of its times.
    ///
    /// ```
    /// let leaf = leafmint_ids::layout::Layout::default();
    /// let at = 1_793_491_200_000; // 2026-11-01T00:00:00Z
    /// assert_eq!(leaf.id_range(at, at + 5)?, leaf.min_id(at)?..leaf.min_id(at + 5)?);
    /// # Ok::<(), leafmint_ids::error::Error>(())
    /// ```
    pub fn id_range(&self, start: i64, end: i64) -> Result<Range<i64>> {
        let lowest = self.min_id(start)?;
        let Some([_, last]) = moments_of_span(start, end)? else { return Ok(lowest..lowest) };
        match self.max_id(last)?.checked_add(1) {
            Some(above) => Ok(lowest..above),
            None => {
                Err(invalid_argument(format!("no number is above the ids of the last tick, at {last}: end earlier")))
            }
        }
    }

    const fn below_timestamp(&self) -> u32 {
        self.bits.total() - self.bits.timestamp
    }
}

const DAY_MILLIS: i64 = 86_400_000;

/// Returns the first and last millisecond of the span from `start` up to but excluding `end`; `None` if it is empty.
///
/// Both are Unix milliseconds. Raises `invalid_argument` if the span ends before it starts, or is not within 1970 to
/// 9999: a time in seconds would else pass for one in 1970.
pub fn moments_of_span(start: i64, end: i64) -> Result<Option<[i64; 2]>> {
    if start > end {
        return Err(invalid_argument(format!("the span starts at {start} and ends before, at {end}")));
    }
    // A day before the end, so that the calendar of each zone has these times.
    let last = LAST_MILLI - DAY_MILLIS;
    if start < 0 || end > last {
        let (first, final_date) = (date(0), date(last));
        return Err(invalid_argument(format!(
            "the span from {start} to {end} is not within 0 ({first}) to {last} ({final_date}), in Unix milliseconds"
        )));
    }
    Ok((start < end).then_some([start, end - 1]))
}

/// Returns the names of the tables of all days from the first to the last, in their order; none without days.
///
/// The pattern is a name with `{year}` or `{yy}`, and for a table a month or a day also `{month}` and `{day}`. Raises
/// `invalid_config` for another pattern, and `invalid_argument` for a year that `{yy}` cannot show.
///
/// ```
/// use leafmint_ids::format::CalendarDate;
/// use leafmint_ids::layout::period_tables;
/// let (first, last) = (CalendarDate::new(2026, 11, 25)?, CalendarDate::new(2027, 1, 1)?);
/// let tables = period_tables("orders_{year}{month}", Some([first, last]))?;
/// assert_eq!(tables, ["orders_202611", "orders_202612", "orders_202701"]);
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
pub fn period_tables(pattern: &str, days: Option<[CalendarDate; 2]>) -> Result<Vec<String>> {
    let name = Format::of_date(pattern)?;
    let Some([first, last]) = days else { return Ok(Vec::new()) };
    let period = name.finest_period();
    let starts = std::iter::successors(Some(period.first_day(first)), |&day| period.next(day));
    let days = starts.take_while(|&day| day <= last);
    let count = days.clone().count();
    let mut names = room::room(count)?;
    // Each name has some memory of its own, behind what it counts there.
    room::check(count, 2 * size_of::<usize>() + pattern.len())?;
    for day in days {
        names.push(name.of_day(day)?);
    }
    Ok(names)
}
