//! The rule of a series, which its store keeps: every process counts by the same calendar, or is refused.

use super::tag_rules::check_tag;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::format::Period;

/// Most characters of the name of a time zone.
const LONGEST_ZONE: usize = 64;

/// The rule of a series. It belongs to the name: all keys share it, and it never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesRule {
    /// The name of the series.
    pub name: String,
    /// The period after which its numbers start again.
    pub period: Period,
    /// The time zone whose calendar is used, by its name in the IANA database; empty without periods.
    pub zone: String,
}

/// What a store says of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSeries {
    /// The period that is stored, as text.
    pub period: String,
    /// The time zone that is stored.
    pub zone: String,
    /// The format of the numbers that is stored, if one is.
    pub format: Option<String>,
    /// The store's own clock in Unix milliseconds; `None` if the store has none of its own.
    pub clock: Option<i64>,
}

/// A series as the store has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesInfo {
    /// Its name, without a key.
    pub name: String,
    /// The period after which its numbers start again, as text.
    pub period: String,
    /// The time zone whose calendar is used; empty without periods.
    pub zone: String,
    /// The format of its numbers, as the last process that changed it has declared it.
    pub format: Option<String>,
}

impl SeriesRule {
    /// Checks a rule. Raises `invalid_argument`.
    pub fn checked(name: &str, period: Period, zone: &str) -> Result<Self> {
        let problem = if name.contains(['/', '@']) {
            format!("series {name:?} contains / or @, which separate the name from the key and the period")
        } else if period.ends() == zone.is_empty() {
            match period.ends() {
                true => format!("series {name:?} starts again each {period}: name the time zone whose calendar counts"),
                false => format!("series {name:?} never starts again, so it has no use for the time zone {zone:?}"),
            }
        } else if !is_zone(zone) {
            format!("zone={zone:?} of series {name:?} is not the name of a time zone, such as \"Europe/Madrid\"")
        } else {
            check_tag(name)?;
            return Ok(Self { name: name.to_owned(), period, zone: zone.to_owned() });
        };
        Err(Error::new(ErrorKind::InvalidArgument, problem))
    }

    /// Refuses another rule than that of this process. Raises `invalid_argument`.
    pub(crate) fn check_same(&self, other: &Self) -> Result<()> {
        if self == other {
            return Ok(());
        }
        let text = format!(
            "series {:?} has period=\"{}\" and zone={:?} in this generator, not period=\"{}\" and zone={:?}",
            self.name, self.period, self.zone, other.period, other.zone
        );
        Err(Error::new(ErrorKind::InvalidArgument, text))
    }

    /// Refuses another rule than the one that is stored. Raises `invalid_config`.
    pub(crate) fn check_stored(&self, stored: &StoredSeries, scope: &str) -> Result<()> {
        let Self { name, period, zone } = self;
        if period.to_string() == stored.period && *zone == stored.zone {
            return Ok(());
        }
        let other = |period: &str, zone: &str| match zone {
            "" => format!("period={period:?}"),
            zone => format!("period={period:?} and zone={zone:?}"),
        };
        let text = format!(
            "series {name:?} in {scope} has {}, not {}: open it with the same, or use another name",
            other(&stored.period, &stored.zone),
            other(&period.to_string(), zone),
        );
        Err(Error::new(ErrorKind::InvalidConfig, text))
    }
}

/// Returns whether a text may be a zone's name. The bindings look it up.
fn is_zone(zone: &str) -> bool {
    zone.len() <= LONGEST_ZONE && zone.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/_+-".contains(&byte))
}
