//! The options of a series.

use crate::store::{SeriesRule, check_new_step, check_tag};
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::format::{CalendarDate, Format, Period, check_key};

/// The longest name of a period in a tag's name, with what is before it.
const LONGEST_GROUP: &str = "@2026-11-25";

/// The options of a series, see [`SegmentGenerator::series`](crate::segment::SegmentGenerator::series).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesOptions {
    pub(super) period: Period,
    pub(super) zone: String,
    pub(super) key: Option<String>,
    pub(super) step: i64,
    pub(super) format: Option<Format>,
}

impl SeriesOptions {
    /// Returns the options of a series whose numbers start again each `period`, by the calendar of a time zone such as
    /// `Europe/Madrid`. With [`Period::Forever`] there is no zone: pass `""`.
    pub fn new(period: Period, zone: &str) -> Self {
        Self { period, zone: zone.to_owned(), key: None, step: 1, format: None }
    }

    /// Counts for one key, such as a shop: 1 to 64 visible ASCII characters without `@`.
    pub fn key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// Sets the `step` column of the tags that are created: 1 to 2^30, 1 by default. It is the least that a lease
    /// takes, and so the least that a crash loses.
    pub const fn step(mut self, step: i64) -> Self {
        self.step = step;
        self
    }

    /// Sets the format of the numbers. It must show the period, and the key if there is one.
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Checks the options, and returns the rule. Raises `invalid_argument`, and `invalid_config` if the format does not
    /// fit.
    pub fn check(&self, name: &str) -> Result<SeriesRule> {
        let rule = SeriesRule::checked(name, self.period, &self.zone)?;
        let label = label(name, self.key.as_deref());
        if let Some(key) = &self.key {
            check_key(key)?;
            if key.contains('@') {
                let text = format!("key={key:?} of series {name:?} contains @, which separates it from the period");
                return Err(Error::new(ErrorKind::InvalidArgument, text));
            }
        }
        check_new_step(&label, self.step)?;
        check_tag(&format!("{label}{LONGEST_GROUP}"))?;
        if let Some(format) = &self.format {
            format.check_series(self.period, self.key.is_some())?;
        }
        Ok(rule)
    }
}

/// Returns the name of the tag of a period, which begins with `date`.
pub(super) fn tag_name(label: &str, period: Period, date: Option<CalendarDate>) -> String {
    match date {
        None => label.to_owned(),
        Some(date) => format!("{label}@{}", period.group_of(date)),
    }
}

/// Returns the name and the key of a series as its tags have them.
pub(super) fn label(name: &str, key: Option<&str>) -> String {
    match key {
        None => name.to_owned(),
        Some(key) => format!("{name}/{key}"),
    }
}
