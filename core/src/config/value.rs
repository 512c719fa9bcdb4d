//! Reads the values of options.

use super::options::OptionValue;
use crate::error::{Error, ErrorKind, Result};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Longest duration; a longer one is an error.
const LONGEST: Duration = Duration::from_secs(366 * 86_400);

type Parsed<T> = std::result::Result<T, String>;

/// Reads `10m`, `500ms`, `1h 30m`, or a bare number of seconds.
pub(super) fn duration(name: &str, text: &str) -> Parsed<Duration> {
    let parsed = match text.trim().parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string()),
        Err(_) => humantime::parse_duration(text).map_err(|error| error.to_string()),
    };
    match parsed {
        Ok(duration) if duration <= LONGEST => Ok(duration),
        Ok(_) => Err(format!("{name}={text} is longer than a year")),
        Err(cause) => Err(format!("{name}={text} is not a duration ({cause}): write 500ms, 3s, 10m or seconds")),
    }
}

pub(super) fn count(name: &str, text: &str, range: RangeInclusive<i64>) -> Parsed<i64> {
    match text.trim().parse::<i64>() {
        Ok(count) if range.contains(&count) => Ok(count),
        _ => Err(format!("{name}={text} is not a whole number from {} to {}", range.start(), range.end())),
    }
}

pub(super) fn boolean(name: &str, text: &str) -> Parsed<bool> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name}={text} is neither true nor false")),
    }
}

pub(super) fn list(value: &OptionValue) -> Vec<String> {
    match value {
        OptionValue::List(items) => items.clone(),
        OptionValue::Credentials(_) => Vec::new(),
        OptionValue::Text(text) => text.split(',').filter(|item| !item.is_empty()).map(str::to_owned).collect(),
    }
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
