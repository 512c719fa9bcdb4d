//! The values of options.

use leafmint_backends::sessions::credentials::CredentialsSource;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::fmt::Display;
use std::time::Duration;

/// Longest duration; a longer one is an error.
const LONGEST: Duration = Duration::from_secs(366 * 86_400);

/// The value of an option: text as in a URL, or a typed value, which must be of the option's shape.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum OptionValue {
    /// Text as in a URL, for every option: `5s`, `500ms`, a bare number of seconds, `true`, `1000`.
    Text(String),
    /// A duration.
    Duration(Duration),
    /// A whole number; as a duration, of seconds.
    Count(i64),
    /// Any number; as a duration, of seconds.
    Number(f64),
    /// True or false.
    Boolean(bool),
    /// A list of texts, which may contain commas.
    List(Vec<String>),
    /// What supplies the credentials of each connection: the value of `credentials`, which the tables do not list,
    /// since it is not text.
    Credentials(CredentialsSource),
}

impl OptionValue {
    /// Returns what it is. Messages name that, and not the value, which may be a secret.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            OptionValue::Text(_) => "text",
            OptionValue::Duration(_) => "duration",
            OptionValue::Count(_) => "whole number",
            OptionValue::Number(_) => "fraction",
            OptionValue::Boolean(_) => "boolean",
            OptionValue::List(_) => "list",
            OptionValue::Credentials(_) => "supplier of credentials",
        }
    }

    /// Returns its number of bytes, if it may be long.
    pub(super) fn length(&self) -> usize {
        match self {
            OptionValue::Text(text) => text.len(),
            OptionValue::List(items) => items.iter().map(String::len).sum(),
            _ => 0,
        }
    }
}

/// Converts the types of Rust, and checked values back.
macro_rules! variants {
    ($($variant:ident: $type:ty),*) => {$(
        impl From<$type> for OptionValue {
            fn from(value: $type) -> Self {
                OptionValue::$variant(value)
            }
        }

        impl TryFrom<OptionValue> for $type {
            type Error = OptionValue;

            fn try_from(value: OptionValue) -> std::result::Result<Self, OptionValue> {
                match value {
                    OptionValue::$variant(value) => Ok(value),
                    other => Err(other),
                }
            }
        }
    )*};
}

variants!(
    Text: String,
    Duration: Duration,
    Count: i64,
    Number: f64,
    Boolean: bool,
    List: Vec<String>,
    Credentials: CredentialsSource
);

impl From<&str> for OptionValue {
    fn from(text: &str) -> Self {
        OptionValue::Text(text.to_owned())
    }
}

/// Reads `10m`, `500ms`, `1h 30m`, or a bare number of seconds.
pub(super) fn duration(name: &str, text: &str) -> std::result::Result<Duration, String> {
    match text.trim().parse() {
        Ok(number) => seconds(name, text, number),
        Err(_) => match humantime::parse_duration(text) {
            Ok(duration) => at_most_a_year(name, text, duration),
            Err(cause) => Err(no_duration(name, text, cause)),
        },
    }
}

/// Checks a number of seconds, which messages show as `shown`.
pub(super) fn seconds(name: &str, shown: impl Display, seconds: f64) -> std::result::Result<Duration, String> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) => at_most_a_year(name, shown, duration),
        Err(cause) => Err(no_duration(name, shown, cause)),
    }
}

/// Checks a duration, which messages show as `shown`.
pub(super) fn at_most_a_year(
    name: &str,
    shown: impl Display,
    duration: Duration,
) -> std::result::Result<Duration, String> {
    match duration <= LONGEST {
        true => Ok(duration),
        false => Err(format!("{name}={shown} is longer than a year")),
    }
}

fn no_duration(name: &str, shown: impl Display, cause: impl Display) -> String {
    format!("{name}={shown} is not a duration ({cause}): write 500ms, 3s, 10m or seconds")
}

/// Reads a time as a date in UTC, or as Unix milliseconds.
pub(super) fn time(name: &str, text: &str) -> std::result::Result<i64, String> {
    leafmint_ids::layout::time_from_text(text).ok_or_else(|| {
        format!("{name}={text} is not a time in UTC such as 2020-01-01T00:00:00Z, or a number of Unix milliseconds")
    })
}

/// Reads the epoch of a layout in the form of the option `epoch`. Raises `invalid_config` for anything else.
pub fn epoch_from_text(text: &str) -> Result<i64> {
    time("epoch", text).map_err(|problem| Error::new(ErrorKind::InvalidConfig, problem))
}

/// Reads the timeout of a call in the form of the option `timeout`: `500ms`, `3s`, or a bare number of seconds. Raises
/// `invalid_argument`.
pub fn timeout_from_text(text: &str) -> Result<Duration> {
    duration("timeout", text).map_err(|problem| Error::new(ErrorKind::InvalidArgument, problem))
}

/// Checks the timeout of a call in seconds. Raises `invalid_argument` for a negative number and NaN.
///
/// ```
/// assert_eq!(leafmint::binding::timeout_from_seconds(0.5).unwrap().as_millis(), 500);
/// assert!(leafmint::binding::timeout_from_seconds(f64::NAN).is_err());
/// ```
pub fn timeout_from_seconds(seconds: f64) -> Result<Duration> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(timeout) if timeout <= LONGEST => Ok(timeout),
        _ => Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("timeout={seconds} is not a number of seconds from 0 to a year"),
        )),
    }
}
