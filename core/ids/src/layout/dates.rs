//! Unix milliseconds as dates, and dates as Unix milliseconds.

use std::fmt::Display;
use std::time::{Duration, UNIX_EPOCH};

/// The last millisecond of the year 9999, which is also the last that Python's `datetime` holds.
pub(super) const LAST_MILLI: i64 = 253_402_300_799_999;

/// Writes a time as a date; one before 1970 or after 9999 as the nearest of these.
pub fn date(unix_millis: i64) -> impl Display {
    humantime::format_rfc3339_millis(
        UNIX_EPOCH + Duration::from_millis(unix_millis.clamp(0, LAST_MILLI).unsigned_abs()),
    )
}

/// Reads a time: Unix milliseconds, or a date with its time in UTC, as
/// [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339) writes it.
///
/// Returns `None` for any other text, and for parts of a millisecond.
pub fn time_from_text(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(unix_millis) = text.parse() {
        return Some(unix_millis);
    }
    let since = humantime::parse_rfc3339(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
    (since.subsec_nanos() % 1_000_000 == 0).then(|| i64::try_from(since.as_millis()).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_unix_milliseconds_or_a_date_in_utc() {
        assert_eq!(time_from_text("1288834974657"), Some(1_288_834_974_657));
        assert_eq!(time_from_text(" -1 "), Some(-1));
        assert_eq!(time_from_text("2010-11-04T01:42:54.657Z"), Some(1_288_834_974_657));
        assert_eq!(time_from_text("2020-01-01T00:00:00Z"), Some(1_577_836_800_000));
    }

    #[test]
    fn a_time_of_no_zone_or_of_parts_of_a_millisecond_is_none() {
        for text in ["", "x", "2020-01-01", "2020-01-01T00:00:00", "2020-01-01T00:00:00.0001Z", "1969-12-31T23:59:59Z"]
        {
            assert_eq!(time_from_text(text), None, "{text}");
        }
    }
}
