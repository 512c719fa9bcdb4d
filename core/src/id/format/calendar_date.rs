//! Days of the calendar.

use crate::error::Result;
use crate::id::invalid_argument;
use std::fmt;

/// A day of the calendar, without a time and a time zone; its `Display` is ISO 8601.
///
/// ```
/// use leafmint::id::CalendarDate;
/// assert_eq!(CalendarDate::new(2026, 11, 25)?.to_string(), "2026-11-25");
/// assert!(CalendarDate::new(2026, 2, 29).is_err());
/// # Ok::<(), leafmint::Error>(())
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
