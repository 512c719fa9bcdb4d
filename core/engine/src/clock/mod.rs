//! Clocks: the time of day, the time that has passed, and a counter that grows with it.

pub use counter::CounterClock;
pub use manual::{ManualClock, VirtualClock};
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

mod counter;
mod manual;

/// A wall clock, which may jump in both directions, a monotonic clock, which does not jump, and perhaps a counter.
pub trait Clock: Send + Sync + 'static {
    /// Returns the wall clock in Unix milliseconds.
    fn wall(&self) -> i64;

    /// Returns the nanoseconds since a fixed moment.
    fn monotonic(&self) -> u64;

    /// Returns the whole milliseconds since the same moment. Called once per snowflake.
    fn monotonic_millis(&self) -> i64 {
        (self.monotonic() / 1_000_000).cast_signed()
    }

    /// Returns the whole milliseconds since a fixed moment, with those that the machine was suspended for.
    fn elapsed_millis(&self) -> i64 {
        self.monotonic_millis()
    }

    /// Returns whether there is a counter that grows at a steady rate, and that the operating system keeps time with.
    fn has_counter(&self) -> bool {
        false
    }

    /// Returns the counter; 0 if there is none. Called once per snowflake.
    fn counter(&self) -> u64 {
        0
    }

    /// Returns whether time passes only if a test lets it. Never called for an id in hand.
    fn is_virtual(&self) -> bool {
        false
    }

    /// Lets time pass, if it does not pass by itself.
    fn let_pass(&self, _time: Duration) {}
}

/// How far ahead of the last check of the counter an id may be stamped by it, in milliseconds.
pub const TRUST: i64 = 1_000;

/// How far the counter may be off at a check, in milliseconds: the shortest tick of a layout, and the time since the
/// last check divided by [`DRIFT`].
pub(crate) const TOLERANCE: i64 = 1;

/// A thousandth is twice the most by which [`adjtimex`](https://man7.org/linux/man-pages/man2/adjtimex.2.html) slews a
/// clock.
pub(crate) const DRIFT: i64 = 1_000;

/// A generator adds whole milliseconds of monotonic time to a wall clock of whole milliseconds, which change at other
/// moments.
const ROUNDING: i64 = 1;

/// The lead at the most, in milliseconds.
pub const MOST_LEAD: i64 = ROUNDING + TOLERANCE + TRUST / DRIFT;

/// The clocks of the operating system: real time, and monotonic time since a moment before the process began.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn wall(&self) -> i64 {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
        }
    }

    #[inline]
    fn monotonic(&self) -> u64 {
        let time = clock_gettime(ClockId::Monotonic);
        time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
    }

    #[inline]
    fn monotonic_millis(&self) -> i64 {
        millis_of(ClockId::Monotonic)
    }

    fn elapsed_millis(&self) -> i64 {
        millis_of(ELAPSED)
    }
}

/// The clock that a suspend does not stop: elsewhere the monotonic one.
#[cfg(any(target_os = "linux", target_os = "android"))]
const ELAPSED: ClockId = ClockId::Boottime;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const ELAPSED: ClockId = ClockId::Monotonic;

#[inline]
fn millis_of(clock: ClockId) -> i64 {
    let time = clock_gettime(clock);
    // Less than 10^9 fits 32 bits, which are divided faster than 64.
    time.tv_sec * 1000 + i64::from(time.tv_nsec as u32 / 1_000_000)
}
