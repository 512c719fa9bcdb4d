//! A clock for tests of applications: time passes if the test moves it, or if a call waits.

use super::Clock;
use crate::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

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
    pub(crate) fn watch(&self, watcher: impl Fn() -> bool + Send + Sync + 'static) {
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
