//! A clock that moves only if the test moves it, for tests.

use super::Clock;
use std::sync::atomic::{AtomicI64, Ordering};

/// A clock that moves only if the test moves it.
pub struct ManualClock {
    wall: AtomicI64,
    monotonic: AtomicI64,
}

impl ManualClock {
    /// Makes a clock that shows `wall`, in Unix milliseconds.
    pub fn at(wall: i64) -> Self {
        Self { wall: AtomicI64::new(wall), monotonic: AtomicI64::new(0) }
    }

    /// Moves both clocks forward by this number of milliseconds.
    pub fn pass(&self, millis: i64) {
        self.monotonic.fetch_add(millis, Ordering::SeqCst);
        self.wall.fetch_add(millis, Ordering::SeqCst);
    }

    /// Steps the wall clock by this number of milliseconds, forward or back. No time passes.
    pub fn step(&self, millis: i64) {
        self.wall.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn wall(&self) -> i64 {
        self.wall.load(Ordering::SeqCst)
    }

    fn monotonic(&self) -> u64 {
        self.monotonic.load(Ordering::SeqCst).unsigned_abs() * 1_000_000
    }
}
