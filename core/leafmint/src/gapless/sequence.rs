//! A sequence without gaps as an application declares it, and the row that counts each of its periods.

use super::draw::shown;
use super::{Dialect, Draw, TABLE};
use leafmint_engine::Want;
use leafmint_engine::segment::SeriesOptions;
use leafmint_engine::store::check_name;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::format::{CalendarDate, Format, NumberParts, Period};

/// A sequence without gaps. Its rule is not stored: with another period, zone or key it counts in other rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    name: String,
    period: Period,
    key: Option<String>,
    format: Option<Format>,
    start: i64,
}

/// A period of a sequence, and the row that counts it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SequenceGroup {
    row: String,
    text: String,
    date: Option<CalendarDate>,
}

impl Sequence {
    /// Declares a sequence, whose first number is `start` in each period.
    ///
    /// Raises what a series raises: `invalid_argument`, and `invalid_config` if the format does not show the period and
    /// the key.
    pub fn new(
        name: &str,
        period: Period,
        zone: &str,
        key: Option<&str>,
        format: Option<Format>,
        start: i64,
    ) -> Result<Self> {
        check_name("sequence", TABLE, name)?;
        let mut options = SeriesOptions::new(period, zone);
        options = key.into_iter().fold(options, SeriesOptions::key);
        options = format.iter().cloned().fold(options, SeriesOptions::format);
        options.check(name)?;
        let sequence = Self { name: name.to_owned(), period, key: key.map(str::to_owned), format, start };
        let largest = sequence.largest();
        if !(1..=largest).contains(&start) {
            let problem = format!("start={start} of sequence {name:?} is out of range (1 to {})", shown(largest));
            return Err(Error::new(ErrorKind::InvalidArgument, problem));
        }
        Ok(sequence)
    }

    /// Returns the name, without the key.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the period after which the numbers start again.
    pub fn period(&self) -> Period {
        self.period
    }

    /// Returns the key.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Returns the format.
    pub fn format(&self) -> Option<&Format> {
        self.format.as_ref()
    }

    /// Returns the first number of a period.
    pub fn start(&self) -> i64 {
        self.start
    }

    /// Returns the largest number that the format has room for.
    pub fn largest(&self) -> i64 {
        self.format.as_ref().map_or(i64::MAX, Format::largest)
    }

    /// Returns the group of a date; without periods, that of `None`. Raises `invalid_argument`.
    pub fn group(&self, date: Option<CalendarDate>) -> Result<SequenceGroup> {
        if date.is_some() != self.period.ends() {
            return Err(self.refuse_date());
        }
        let date = date.map(|date| self.period.first_day(date));
        let text = date.map_or_else(String::new, |date| self.period.group_of(date));
        let key = self.key().map_or_else(String::new, |key| format!("/{key}"));
        let row = format!("{}{key}{}{text}", self.name, if date.is_some() { "@" } else { "" });
        Ok(SequenceGroup { row, text, date })
    }

    fn refuse_date(&self) -> Error {
        let Self { name, period, .. } = self;
        let problem = match period.ends() {
            true => format!("sequence {name:?} starts again each {period}: pass a date"),
            false => format!("sequence {name:?} never starts again: leave the date out"),
        };
        Error::new(ErrorKind::InvalidArgument, problem)
    }

    /// Returns the call that takes this many numbers of a group, 1 to 2^26. Raises `invalid_argument`, and
    /// `id_space_exhausted` if not even the first period of that size has room.
    pub fn next(&self, dialect: Dialect, group: &SequenceGroup, count: i64) -> Result<Draw> {
        Want::Many(count).check()?;
        let draw = self.draw(dialect, group, count);
        draw.check_room()?;
        Ok(draw)
    }

    /// Returns the call that reads the last number of a group.
    pub fn last(&self, dialect: Dialect, group: &SequenceGroup) -> Draw {
        self.draw(dialect, group, 0)
    }

    fn draw(&self, dialect: Dialect, group: &SequenceGroup, count: i64) -> Draw {
        Draw { dialect, row: group.row.clone(), count, start: self.start, largest: self.largest(), counted: None }
    }

    /// Returns a number in the format of the sequence.
    ///
    /// Raises `invalid_config` if it has no format, and `id_space_exhausted` if the number does not fit.
    pub fn text(&self, group: &SequenceGroup, number: i64) -> Result<String> {
        let Some(format) = self.format() else {
            let problem = format!("sequence {:?} has no format: declare it with one", self.name);
            return Err(Error::new(ErrorKind::InvalidConfig, problem));
        };
        format.format(&NumberParts { number, date: group.date, key: self.key(), shard: None })
    }
}

impl SequenceGroup {
    /// Returns the name of the row in the table: `invoice/shop-7@2026`, or `invoice` without key and periods.
    pub fn row(&self) -> &str {
        &self.row
    }

    /// Returns the period as text: `2026-11-25`, `2026-11`, `2026`, or nothing if there are no periods.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the first day of the period; `None` if there are no periods.
    pub fn date(&self) -> Option<CalendarDate> {
        self.date
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leafmint_ids::error::ErrorKind::{IdSpaceExhausted, InvalidArgument, InvalidConfig};

    fn sequence(period: Period, key: Option<&str>, format: &str) -> Result<Sequence> {
        let zone = if period.ends() { "Europe/Madrid" } else { "" };
        let format = Some(format).filter(|text| !text.is_empty()).map(Format::new).transpose()?;
        Sequence::new("invoice", period, zone, key, format, 1)
    }

    #[test]
    fn each_period_and_key_has_a_row_and_a_text() {
        let date = CalendarDate::new(2026, 11, 25).unwrap();
        for (period, key, format, row, group, text) in [
            (Period::Forever, None, "C{number:4}", "invoice", "", "C0042"),
            (Period::Forever, Some("shop-7"), "{key}/{number}", "invoice/shop-7", "", "shop-7/42"),
            (Period::Year, None, "{year}-{number:4}", "invoice@2026", "2026", "2026-0042"),
            (Period::Month, None, "{year}{month}-{number}", "invoice@2026-11", "2026-11", "202611-42"),
            (
                Period::Day,
                Some("shop-7"),
                "{key}/{year}{month}{day}-{number}",
                "invoice/shop-7@2026-11-25",
                "2026-11-25",
                "shop-7/20261125-42",
            ),
        ] {
            let sequence = sequence(period, key, format).unwrap();
            let date = Some(date).filter(|_| period.ends());
            let found = sequence.group(date).unwrap();
            assert_eq!((found.row(), found.text()), (row, group));
            assert_eq!(sequence.text(&found, 42).unwrap(), text);
            let other = CalendarDate::new(2027, 1, 1).ok().filter(|_| date.is_none());
            assert_eq!(sequence.group(other).unwrap_err().kind(), InvalidArgument);
        }
    }

    #[test]
    fn a_sequence_is_judged_as_a_series_is() {
        let of = |name: &str, zone, start| Sequence::new(name, Period::Year, zone, None, None, start);
        assert!(of(&"ä".repeat(117), "UTC", i64::MAX).is_ok());
        for (name, zone, start) in [
            ("", "UTC", 1),
            (" a", "UTC", 1),
            ("a\0", "UTC", 1),
            ("a@2026", "UTC", 1),
            ("a/b", "UTC", 1),
            (&*"a".repeat(118), "UTC", 1),
            ("a", "", 1),
            ("a", "UTC", 0),
        ] {
            assert_eq!(of(name, zone, start).unwrap_err().kind(), InvalidArgument, "{name:?}");
        }
        assert_eq!(sequence(Period::Forever, Some("a@b"), "").unwrap_err().kind(), InvalidArgument);
        assert_eq!(sequence(Period::Year, None, "{number}").unwrap_err().kind(), InvalidConfig);
        assert_eq!(sequence(Period::Forever, Some("a"), "{number}").unwrap_err().kind(), InvalidConfig);
        let format = Format::new("{number:3}").ok();
        let beyond = Sequence::new("a", Period::Forever, "", None, format, 1000).unwrap_err();
        assert_eq!(beyond.kind(), InvalidArgument);
        assert!(beyond.message().contains("1 to 999"), "{beyond}");
    }

    #[test]
    fn what_cannot_fit_is_refused_before_a_statement() {
        let sequence = sequence(Period::Forever, None, "{number:3}").unwrap();
        let group = sequence.group(None).unwrap();
        assert!(sequence.next(Dialect::Sqlite, &group, 999).is_ok());
        assert_eq!(sequence.next(Dialect::Sqlite, &group, 1000).unwrap_err().kind(), IdSpaceExhausted);
        assert_eq!(sequence.next(Dialect::Sqlite, &group, 1 << 27).unwrap_err().kind(), InvalidArgument);
        let unbounded = Sequence::new("a", Period::Forever, "", None, None, i64::MAX).unwrap();
        assert!(unbounded.next(Dialect::Sqlite, &group, 1).is_ok());
        assert_eq!(unbounded.next(Dialect::Sqlite, &group, 2).unwrap_err().kind(), IdSpaceExhausted);
    }
}
