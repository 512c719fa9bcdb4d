//! Unix milliseconds as dates.

use std::fmt::Display;
use std::time::{Duration, UNIX_EPOCH};

/// The last millisecond of the year 9999, which is also the last that Python's `datetime` holds.
pub(super) const LAST_MILLI: i64 = 253_402_300_799_999;

/// Writes a time as a date; one before 1970 or after 9999 as the nearest of these.
pub(crate) fn date(unix_millis: i64) -> impl Display {
    humantime::format_rfc3339_millis(
        UNIX_EPOCH + Duration::from_millis(unix_millis.clamp(0, LAST_MILLI).unsigned_abs()),
    )
}
