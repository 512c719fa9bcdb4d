//! A period of a sequence without gaps, as its row has it.

use super::tag_rules::check_name;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::format::{CalendarDate, Period, check_key};

/// A row of the table of sequences without gaps: its name, and its number as text.
pub type GaplessRow = (String, Option<String>);

/// A period of a sequence without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GaplessInfo {
    /// The name of the sequence, without the key; the whole name of a row that no sequence has.
    pub name: String,
    /// The key.
    pub key: Option<String>,
    /// The period after which the numbers start again.
    pub period: Period,
    /// The period as text: `2026-11-25`, `2026-11`, `2026`, or nothing if there are no periods.
    pub group: String,
    /// The last number that was taken; `None` if none was, or the row holds no number.
    pub number: Option<i64>,
    /// Why no number can be taken of the row, and what to do; `None` if one can.
    pub problem: Option<String>,
}

impl GaplessInfo {
    /// Reads a row.
    pub fn of_row((row, number): GaplessRow) -> Self {
        let (number, is_sound) = match number.as_deref().map(str::parse::<i64>) {
            Some(Ok(number @ 0..)) => (Some(number).filter(|number| *number > 0), true),
            _ => (None, false),
        };
        let mut info = Self::named(&row).unwrap_or_else(|error| Self::unnamed(&row, &error));
        info.number = number;
        if !is_sound && info.problem.is_none() {
            let problem =
                format!("the number of {row:?} is negative, or is not a whole number of 64 bits: correct the row");
            info.problem = Some(problem);
        }
        info
    }

    /// Takes the name of a row apart: `invoice/shop-7@2026`.
    fn named(row: &str) -> Result<Self> {
        let (label, group) = row.split_once('@').map_or((row, None), |(label, group)| (label, Some(group)));
        let (name, key) = label.split_once('/').map_or((label, None), |(name, key)| (name, Some(key)));
        check_name("sequence", "leafmint_gapless", name)?;
        key.map_or(Ok(()), check_key)?;
        let period = match group {
            None => Period::Forever,
            Some(group) => period_of(group).ok_or_else(|| not_a_period(row, group))?,
        };
        let (name, key, group) = (name.to_owned(), key.map(str::to_owned), group.unwrap_or_default().to_owned());
        Ok(Self { name, key, period, group, number: None, problem: None })
    }

    fn unnamed(row: &str, error: &Error) -> Self {
        let problem = Some(format!("no sequence has the name {row:?}: {}", error.message()));
        Self { name: row.to_owned(), key: None, period: Period::Forever, group: String::new(), number: None, problem }
    }
}

/// Returns the period that a text names.
fn period_of(group: &str) -> Option<Period> {
    let parts: Vec<i64> = group.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let (period, date) = match parts[..] {
        [year] => (Period::Year, CalendarDate::new(year, 1, 1)),
        [year, month] => (Period::Month, CalendarDate::new(year, month, 1)),
        [year, month, day] => (Period::Day, CalendarDate::new(year, month, day)),
        _ => return None,
    };
    Some(period).filter(|period| date.is_ok_and(|date| period.group_of(date) == group))
}

fn not_a_period(row: &str, group: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, format!("{group:?} of {row:?} is not a day, a month or a year"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(row: &str, number: Option<&str>) -> GaplessInfo {
        GaplessInfo::of_row((row.to_owned(), number.map(str::to_owned)))
    }

    #[test]
    fn a_row_is_a_period_of_a_sequence() {
        for (row, name, key, period, group) in [
            ("invoice", "invoice", None, Period::Forever, ""),
            ("invoice/shop-7", "invoice", Some("shop-7"), Period::Forever, ""),
            ("invoice/a/b@2026", "invoice", Some("a/b"), Period::Year, "2026"),
            ("invoice@2026-11", "invoice", None, Period::Month, "2026-11"),
            ("invoice@2028-02-29", "invoice", None, Period::Day, "2028-02-29"),
        ] {
            let expected = GaplessInfo {
                name: name.to_owned(),
                key: key.map(str::to_owned),
                period,
                group: group.to_owned(),
                number: Some(42),
                problem: None,
            };
            assert_eq!(read(row, Some("42")), expected);
        }
    }

    #[test]
    fn a_row_that_no_number_can_be_taken_of_is_listed_with_the_reason() {
        for row in ["a@b", "a@2026-2", "a@2026-02-30", "a@2026-1-1-1", "a/@2026", "/x", "a@+2026", ""] {
            let info = read(row, Some("42"));
            assert_eq!((info.name.as_str(), info.number), (row, Some(42)));
            assert!(info.problem.is_some_and(|problem| problem.contains(row)), "{row}");
        }
        for number in [None, Some("-1"), Some("4.0"), Some("9223372036854775808")] {
            assert!(read("invoice@2026", number).problem.is_some(), "{number:?}");
        }
        assert_eq!((read("a", Some("0")).number, read("a", Some("0")).problem), (None, None));
    }
}
