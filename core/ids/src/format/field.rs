//! The fields of a format.

use super::check::Check;
use super::period::CalendarDate;
use super::radix::{MOST_DIGITS, Radix};
use crate::error::{ConfigErrors, Error, Result, invalid_argument};
use crate::format::Period;
use crate::text::quoted;
use std::fmt;

/// Most digits of a shard, as of a table in a shard rule.
const MOST_SHARD_DIGITS: usize = 9;

/// Most characters of a key.
pub(super) const LONGEST_KEY: usize = 64;

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Literal(String),
    Field(Field),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Field {
    Year,
    /// The year within 2000 to 2099.
    ShortYear,
    Month,
    Day,
    Key,
    Number {
        radix: Radix,
        width: Option<usize>,
    },
    Shard {
        width: usize,
    },
    Check(Check),
}

impl Field {
    /// Reads what is between a field's braces.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (name, options) = text.split_once(':').map_or((text, None), |(name, options)| (name, Some(options)));
        match (name, options) {
            ("year", None) => Some(Field::Year),
            ("yy", None) => Some(Field::ShortYear),
            ("month", None) => Some(Field::Month),
            ("day", None) => Some(Field::Day),
            ("key", None) => Some(Field::Key),
            ("number", options) => number(options),
            ("shard", Some(digits)) => Some(Field::Shard { width: width(digits, MOST_SHARD_DIGITS)? }),
            ("check", Some(name)) => Check::ALL.into_iter().find(|check| check.name() == name).map(Field::Check),
            _ => None,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Field::Year => "year",
            Field::ShortYear => "yy",
            Field::Month => "month",
            Field::Day => "day",
            Field::Key => "key",
            Field::Number { .. } => "number",
            Field::Shard { .. } => "shard",
            Field::Check(_) => "check",
        }
    }

    /// Returns the number of characters, if it is fixed.
    pub(super) const fn width(self) -> Option<usize> {
        match self {
            Field::Year => Some(4),
            Field::ShortYear | Field::Month | Field::Day => Some(2),
            Field::Key => None,
            Field::Number { width, .. } => width,
            Field::Shard { width } => Some(width),
            Field::Check(check) => Some(check.width()),
        }
    }

    /// Returns the digits of the field; a key has none.
    pub(super) const fn radix(self) -> Option<Radix> {
        match self {
            Field::Key => None,
            Field::Number { radix, .. } => Some(radix),
            Field::Check(check) => Some(check.radix()),
            Field::Year | Field::ShortYear | Field::Month | Field::Day | Field::Shard { .. } => Some(Radix::Decimal),
        }
    }

    /// Says what a text of the field is made of.
    pub(super) fn expected(self) -> String {
        let digits = match self.radix() {
            None => return format!("1 to {LONGEST_KEY} visible ASCII characters, a hyphen neither first nor last"),
            Some(Radix::Decimal) => "digits",
            Some(Radix::Base32) => "digits of Crockford's base 32",
            Some(Radix::Base36) => "digits or letters",
        };
        match self.width() {
            Some(width) => format!("{width} {digits}"),
            None => format!("{digits} without leading zeros"),
        }
    }
}

/// Writes the field as a format has it.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}", self.name())?;
        match self {
            Field::Number { radix, width } => {
                if *radix != Radix::Decimal {
                    write!(f, ":{}", radix.name())?;
                }
                width.map_or(Ok(()), |width| write!(f, ":{width}"))?;
            }
            Field::Shard { width } => write!(f, ":{width}")?,
            Field::Check(check) => write!(f, ":{}", check.name())?,
            _ => {}
        }
        f.write_str("}")
    }
}

/// Returns whether a text can be a key. A hyphen at its end would be taken for one between fields.
pub(super) fn is_key(text: &str) -> bool {
    let visible = (1..=LONGEST_KEY).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    visible && !text.starts_with('-') && !text.ends_with('-')
}

/// Refuses a text that cannot be a key. Raises `invalid_argument`.
pub fn check_key(key: &str) -> Result<()> {
    if is_key(key) { Ok(()) } else { Err(no_key(key)) }
}

/// Describes a text that cannot be a key.
pub(super) fn no_key(key: &str) -> Error {
    invalid_argument(format!("key={} is not {}", quoted(key), Field::Key.expected()))
}

/// Reads the options of a number: none, a width, a radix, or a radix and a width.
fn number(options: Option<&str>) -> Option<Field> {
    let Some(options) = options else { return Some(Field::Number { radix: Radix::Decimal, width: None }) };
    let (first, rest) = options.split_once(':').map_or((options, None), |(first, rest)| (first, Some(rest)));
    let named = Radix::ALL.into_iter().find(|radix| !first.is_empty() && radix.name() == first);
    let (radix, digits) = match named {
        Some(radix) => (radix, rest),
        None => (Radix::Decimal, Some(options)),
    };
    let width = match digits {
        Some(digits) => Some(width(digits, MOST_DIGITS)?),
        None => None,
    };
    Some(Field::Number { radix, width })
}

/// Reads a width. It is written without leading zeros, so that equal formats have equal texts.
fn width(text: &str, most: usize) -> Option<usize> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|width| digits && (1..=most).contains(width))
}

/// The parts of a number, as [`Format::format`](super::Format::format) takes them and
/// [`Format::parse`](super::Format::parse) returns them.
///
/// ```
/// use leafmint_ids::format::{Format, NumberParts};
/// let parts = NumberParts { number: 42, key: Some("shop-7"), ..NumberParts::default() };
/// assert_eq!(Format::new("{key}/{number}")?.format(&parts)?, "shop-7/42");
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NumberParts<'a> {
    /// The number, not negative.
    pub number: i64,
    /// The date; `None` if the format has no field of it.
    pub date: Option<CalendarDate>,
    /// The key; `None` if the format has none.
    pub key: Option<&'a str>,
    /// The shard, such as a table; `None` if the format has none.
    pub shard: Option<i64>,
}

/// Refuses a format that does not fit a series. Raises `invalid_config`, whose message lists everything that is wrong.
pub(super) fn check(text: &str, parts: &[Part], period: Period, has_key: bool) -> Result<()> {
    let has = |wanted: fn(&Field) -> bool| parts.iter().any(|part| matches!(part, Part::Field(it) if wanted(it)));
    let rank = match period {
        Period::Forever => 0,
        Period::Year => 1,
        Period::Month => 2,
        Period::Day => 3,
    };
    let fields = [
        (1, "{year} or {yy}", has(|field| matches!(field, Field::Year | Field::ShortYear))),
        (2, "{month}", has(|field| matches!(field, Field::Month))),
        (3, "{day}", has(|field| matches!(field, Field::Day))),
    ];
    let mut errors = ConfigErrors::default();
    for (of, field, is_there) in fields {
        if of <= rank && !is_there {
            errors.add(format!("the numbers start again each {period}, so {field} must show which"));
        } else if of > rank && is_there {
            errors.add(format!("the series has no {field}: its period is \"{period}\""));
        }
    }
    match (has_key, has(|field| matches!(field, Field::Key))) {
        (true, false) => errors.add("each key has numbers of its own, so {key} must show which"),
        (false, true) => errors.add("the series has no key for {key}"),
        _ => {}
    }
    if has(|field| matches!(field, Field::Shard { .. })) {
        errors.add("a series has no {shard}");
    }
    errors.into_result(&format!("format={}", quoted(text)))
}
