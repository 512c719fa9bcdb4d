//! A clock that moves only if the test moves it, for tests.

use super::Clock;
use std::sync::atomic::{AtomicI64, Ordering};

/// How far the counter grows in a millisecond.
const COUNTS_PER_MILLI: i64 = 3_000_000;

/// A clock that moves only if the test moves it, with a counter that can be made to fail.
pub struct ManualClock {
    wall: AtomicI64,
    monotonic: AtomicI64,
    /// Milliseconds for which it was suspended.
    suspended: AtomicI64,
    counter: Option<Counter>,
}

struct Counter {
    count: AtomicI64,
    /// How far it grows in a thousand milliseconds, in milliseconds.
    per_mille: AtomicI64,
}

impl ManualClock {
    /// Makes a clock without a counter that shows `wall`, in Unix milliseconds.
    pub fn at(wall: i64) -> Self {
        Self { wall: AtomicI64::new(wall), monotonic: AtomicI64::new(0), suspended: AtomicI64::new(0), counter: None }
    }

    /// Makes a clock with a counter that shows `wall`, in Unix milliseconds.
    pub fn with_counter(wall: i64) -> Self {
        let counter = Counter { count: AtomicI64::new(0), per_mille: AtomicI64::new(1000) };
        Self { counter: Some(counter), ..Self::at(wall) }
    }

    /// Moves both clocks and the counter forward by this number of milliseconds.
    pub fn pass(&self, millis: i64) {
        self.monotonic.fetch_add(millis, Ordering::SeqCst);
        self.wall.fetch_add(millis, Ordering::SeqCst);
        if let Some(counter) = &self.counter {
            let grows = COUNTS_PER_MILLI / 1000 * counter.per_mille.load(Ordering::SeqCst) * millis;
            counter.count.fetch_add(grows, Ordering::SeqCst);
        }
    }

    /// Suspends the machine for this number of milliseconds: monotonic time and the counter stand still.
    pub fn suspend(&self, millis: i64) {
        self.suspended.fetch_add(millis, Ordering::SeqCst);
        self.wall.fetch_add(millis, Ordering::SeqCst);
    }

    /// Steps the wall clock by this number of milliseconds, forward or back. No time passes.
    pub fn step(&self, millis: i64) {
        self.wall.fetch_add(millis, Ordering::SeqCst);
    }

    /// Moves the counter alone by what it grows in this number of milliseconds, forward or back.
    pub fn jump_counter(&self, millis: i64) {
        if let Some(counter) = &self.counter {
            counter.count.fetch_add(COUNTS_PER_MILLI * millis, Ordering::SeqCst);
        }
    }

    /// Lets the counter grow by this number of milliseconds in each second from now on; 0 stops it.
    pub fn run_counter_at(&self, millis_per_second: i64) {
        if let Some(counter) = &self.counter {
            counter.per_mille.store(millis_per_second, Ordering::SeqCst);
        }
    }
}

impl Clock for ManualClock {
    fn wall(&self) -> i64 {
        self.wall.load(Ordering::SeqCst)
    }

    fn monotonic(&self) -> u64 {
        self.monotonic.load(Ordering::SeqCst).unsigned_abs() * 1_000_000
    }

    fn elapsed_millis(&self) -> i64 {
        self.monotonic_millis() + self.suspended.load(Ordering::SeqCst)
    }

    fn has_counter(&self) -> bool {
        self.counter.is_some()
    }

    fn counter(&self) -> u64 {
        self.counter.as_ref().map_or(0, |counter| counter.count.load(Ordering::SeqCst).cast_unsigned())
    }
}
