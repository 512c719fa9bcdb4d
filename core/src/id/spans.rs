//! The tables that hold a span of time, and its first and last moment.

use super::dates::{LAST_MILLI, date};
use super::format::{CalendarDate, Format};
use super::invalid_argument;
use crate::error::Result;
use crate::room;

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
/// use leafmint::id::{CalendarDate, period_tables};
/// let (first, last) = (CalendarDate::new(2026, 11, 25)?, CalendarDate::new(2027, 1, 1)?);
/// let tables = period_tables("orders_{year}{month}", Some([first, last]))?;
/// assert_eq!(tables, ["orders_202611", "orders_202612", "orders_202701"]);
/// # Ok::<(), leafmint::Error>(())
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
