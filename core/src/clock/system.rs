//! The clocks of the operating system.

use super::Clock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The clocks of the operating system. Monotonic time begins when it is made.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self { start: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn wall(&self) -> i64 {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
        }
    }

    #[inline]
    fn monotonic(&self) -> Duration {
        self.start.elapsed()
    }
}
