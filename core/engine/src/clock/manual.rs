//! A clock that moves only if the test moves it, for tests.

use super::Clock;
use crate::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

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

/// A clock for tests of applications. Time passes if the test moves the clock; a call that waits for a time moves it
/// there, instead of waiting.
///
/// It can be set back as a wall clock can. Time that has passed already does not pass again when it is then set
/// forward.
pub struct VirtualClock {
    start: i64,
    wall: AtomicI64,
    /// Milliseconds that have passed since the start.
    passed: AtomicI64,
    watchers: Mutex<Vec<Watcher>>,
}

/// Called after each move of a clock until it returns false.
type Watcher = Box<dyn Fn() -> bool + Send + Sync>;

impl VirtualClock {
    /// Makes a clock that shows `wall`, in Unix milliseconds.
    pub fn at(wall: i64) -> Self {
        Self { start: wall, wall: AtomicI64::new(wall), passed: AtomicI64::new(0), watchers: Mutex::default() }
    }

    /// Returns the time that it shows, in Unix milliseconds.
    pub fn wall(&self) -> i64 {
        self.wall.load(Ordering::SeqCst)
    }

    /// Lets whole milliseconds pass; a part of one counts as a whole one.
    pub fn pass(&self, time: Duration) {
        let millis = i64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(i64::MAX / 4);
        self.passed.fetch_add(millis, Ordering::SeqCst);
        self.wall.fetch_add(millis, Ordering::SeqCst);
        self.call_watchers();
    }

    /// Sets the clock to a Unix millisecond, forward or back.
    pub fn move_to(&self, wall: i64) {
        self.passed.fetch_max(wall.saturating_sub(self.start), Ordering::SeqCst);
        self.wall.store(wall, Ordering::SeqCst);
        self.call_watchers();
    }

    /// Calls `watcher` after each move of the clock until it returns false.
    pub fn watch(&self, watcher: impl Fn() -> bool + Send + Sync + 'static) {
        self.watchers.lock().push(Box::new(watcher));
    }

    fn call_watchers(&self) {
        self.watchers.lock().retain(|watcher| watcher());
    }
}

impl Clock for VirtualClock {
    fn wall(&self) -> i64 {
        self.wall()
    }

    fn monotonic(&self) -> u64 {
        self.passed.load(Ordering::SeqCst).unsigned_abs().saturating_mul(1_000_000)
    }

    fn monotonic_millis(&self) -> i64 {
        self.passed.load(Ordering::SeqCst)
    }

    fn is_virtual(&self) -> bool {
        true
    }

    fn let_pass(&self, time: Duration) {
        self.pass(time);
    }
}
