//! The clocks of the operating system.

use super::Clock;
use rustix::time::{ClockId, clock_gettime};
use std::time::{SystemTime, UNIX_EPOCH};

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
