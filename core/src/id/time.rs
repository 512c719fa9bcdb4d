//! Ticks and Unix milliseconds, and the bounds for range queries.

use super::invalid_argument;
use super::layout::Layout;
use super::layout::ones;
use crate::error::Result;
use std::time::{Duration, UNIX_EPOCH};

/// The last millisecond of the year 9999, which is also the last that Python's `datetime` holds.
pub(super) const LAST_MILLI: i64 = 253_402_300_799_999;

impl Layout {
    /// Returns the tick that holds the time `unix_millis`. Before the epoch it is negative, and after the time bits have run out
    /// it is above [`Layout::last_tick`].
    #[inline]
    pub const fn tick_at(&self, unix_millis: i64) -> i64 {
        let millis = unix_millis.saturating_sub(self.epoch);
        // Every snowflake comes by here, and a division takes longer than all else that is done beside looking at the clock.
        if self.unit_millis == 1 { millis } else { self.units_of(millis) }
    }

    #[inline(never)]
    const fn units_of(&self, millis: i64) -> i64 {
        millis.div_euclid(self.unit_millis)
    }

    /// Returns when a tick starts, in Unix milliseconds; at the ends of `i64` it is cut off.
    pub const fn start_of(&self, tick: i64) -> i64 {
        tick.saturating_mul(self.unit_millis).saturating_add(self.epoch)
    }

    /// Returns the lowest id of the tick that holds the time `at`, in Unix milliseconds: every id stamped at that time or later
    /// is not below it.
    ///
    /// Ids made from `a` up to but without `b`, both at the start of a tick, lie in `min_id(a) .. min_id(b)`. Raises
    /// `invalid_argument` before the epoch and once the time bits have run out (it does not clamp: a time in seconds would pass).
    ///
    /// ```
    /// let leaf = leafmint::id::Layout::default();
    /// let at = 1_793_491_200_000; // 2026-11-01T00:00:00Z
    /// let id = leaf.compose(leaf.tick_at(at), 0, 3, 9, 0)?;
    /// assert!(leaf.min_id(at)? <= id && id <= leaf.max_id(at)?);
    /// assert_eq!(leaf.max_id(at)? + 1, leaf.min_id(at + 1)?);
    /// # Ok::<(), leafmint::Error>(())
    /// ```
    pub fn min_id(&self, at: i64) -> Result<i64> {
        let tick = self.tick_at(at);
        if (0..=self.last_tick()).contains(&tick) {
            return Ok(tick << self.below_timestamp());
        }
        Err(invalid_argument(format!(
            "no id of this layout is stamped {at}: its ids are stamped from {} ({}) to {} ({}), in Unix milliseconds",
            self.epoch,
            date(self.epoch),
            self.runs_out() - 1,
            date(self.runs_out() - 1),
        )))
    }

    /// Returns the highest id of the tick that holds the time `at`, in Unix milliseconds: every id stamped at that time or
    /// earlier is not above it. Raises what [`Layout::min_id`] raises.
    pub fn max_id(&self, at: i64) -> Result<i64> {
        Ok(self.min_id(at)? | ones(self.below_timestamp()))
    }

    const fn below_timestamp(&self) -> u32 {
        self.bits.total() - self.bits.timestamp
    }
}

/// Writes a time from 1970 to 9999 as a date.
pub(super) fn date(unix_millis: i64) -> impl std::fmt::Display {
    humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(unix_millis.unsigned_abs()))
}
