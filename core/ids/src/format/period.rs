//! The period after which a series of numbers starts again.

use crate::error::{Error, Result, invalid_argument};
use crate::text::quoted;
use std::fmt;
use std::str::FromStr;

/// The period after which a series of numbers starts again at 1, by the calendar of its zone.
///
/// ```
/// use leafmint_ids::format::{CalendarDate, Period};
/// let date = CalendarDate::new(2026, 11, 25)?;
/// assert_eq!("month".parse::<Period>()?.group_of(date), "2026-11");
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Period {
    /// A day.
    Day,
    /// A month.
    Month,
    /// A calendar year.
    Year,
    /// The numbers never start again.
    Forever,
}

impl Period {
    const ALL: [Self; 4] = [Period::Day, Period::Month, Period::Year, Period::Forever];

    /// Returns the first day of the period that a date lies in; the date itself if there are no periods.
    pub fn first_day(self, date: CalendarDate) -> CalendarDate {
        match self {
            Period::Day | Period::Forever => date,
            Period::Month => date.first_of_month(),
            Period::Year => date.first_of_year(),
        }
    }

    /// Returns the first day of the next period; `None` after the year 9999, and if there are no periods.
    pub fn next(self, date: CalendarDate) -> Option<CalendarDate> {
        let (year, month, day) = (date.year(), date.month(), date.day());
        let next_year = || CalendarDate::new(year + 1, 1, 1);
        let next_month = || CalendarDate::new(year, month + 1, 1).or_else(|_| next_year());
        match self {
            Period::Day => CalendarDate::new(year, month, day + 1).or_else(|_| next_month()).ok(),
            Period::Month => next_month().ok(),
            Period::Year => next_year().ok(),
            Period::Forever => None,
        }
    }

    /// Returns the name of the period that a date lies in: `2026-11-25`, `2026-11`, `2026`, or nothing.
    pub fn group_of(self, date: CalendarDate) -> String {
        let mut text = date.to_string();
        text.truncate(match self {
            Period::Day => 10,
            Period::Month => 7,
            Period::Year => 4,
            Period::Forever => 0,
        });
        text
    }

    /// Returns whether the numbers start again.
    pub fn ends(self) -> bool {
        self != Period::Forever
    }

    const fn name(self) -> &'static str {
        match self {
            Period::Day => "day",
            Period::Month => "month",
            Period::Year => "year",
            Period::Forever => "forever",
        }
    }
}

impl FromStr for Period {
    type Err = Error;

    /// Reads `day`, `month`, `year` or `forever`. Raises `invalid_argument` for anything else.
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|period| period.name() == text).ok_or_else(|| {
            invalid_argument(format!("period={} is not \"day\", \"month\", \"year\" or \"forever\"", quoted(text)))
        })
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A day of the calendar, without a time and a time zone; its `Display` is ISO 8601.
///
/// ```
/// use leafmint_ids::format::CalendarDate;
/// assert_eq!(CalendarDate::new(2026, 11, 25)?.to_string(), "2026-11-25");
/// assert!(CalendarDate::new(2026, 2, 29).is_err());
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalendarDate {
    year: u16,
    month: u8,
    day: u8,
}

impl CalendarDate {
    /// Makes a date of the years 1 to 9999 in the Gregorian calendar. Raises `invalid_argument` if it does not exist.
    pub fn new(year: i64, month: i64, day: i64) -> Result<Self> {
        let exists =
            (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day);
        if !exists {
            return Err(invalid_argument(format!("there is no date with year={year}, month={month}, day={day}")));
        }
        Ok(Self { year: year as u16, month: month as u8, day: day as u8 })
    }

    /// Returns the year, 1 to 9999.
    pub fn year(self) -> i64 {
        self.year.into()
    }

    /// Returns the month, 1 to 12.
    pub fn month(self) -> i64 {
        self.month.into()
    }

    /// Returns the day of the month, 1 to 31.
    pub fn day(self) -> i64 {
        self.day.into()
    }

    pub(crate) fn first_of_month(self) -> Self {
        Self { day: 1, ..self }
    }

    pub(crate) fn first_of_year(self) -> Self {
        Self { month: 1, day: 1, ..self }
    }
}

impl fmt::Display for CalendarDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

fn days_of(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> CalendarDate {
        let mut parts = text.split('-').map(|part| part.parse().unwrap());
        let mut part = || parts.next().unwrap();
        CalendarDate::new(part(), part(), part()).unwrap()
    }

    #[test]
    fn a_period_ends_where_the_calendar_says() {
        for (period, date, next) in [
            (Period::Day, "2026-12-31", Some("2027-01-01")),
            (Period::Day, "2028-02-28", Some("2028-02-29")),
            (Period::Day, "2100-02-28", Some("2100-03-01")),
            (Period::Month, "2026-12-31", Some("2027-01-01")),
            (Period::Month, "2026-01-31", Some("2026-02-01")),
            (Period::Year, "2026-02-03", Some("2027-01-01")),
            (Period::Day, "9999-12-31", None),
            (Period::Forever, "2026-02-03", None),
        ] {
            assert_eq!(period.next(day(date)), next.map(day), "{period} of {date}");
        }
    }

    #[test]
    fn every_period_has_one_name_and_dates_of_one_period_have_one_group() {
        for period in Period::ALL {
            assert_eq!(period.to_string().parse::<Period>().unwrap(), period);
            let date = day("2026-11-25");
            assert_eq!(period.group_of(date), period.group_of(period.first_day(date)));
        }
        assert_eq!("week".parse::<Period>().unwrap_err().kind().code(), "invalid_argument");
    }
}
