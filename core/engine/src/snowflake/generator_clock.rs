//! The generator's clock: monotonic time plus an offset that is never lowered by more than a slew.

use super::counter_time::{Checked, CounterTime};
use crate::clock::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

const NANOS_PER_MILLI: u64 = 1_000_000;

/// The part of its lead over the wall clock that a generator gives up per heartbeat, in milliseconds.
const SLEW: i64 = 1;

/// The time that a generator stamps its ids with.
pub(super) struct GeneratorClock {
    clock: Arc<dyn Clock>,
    /// Unix time less monotonic time, in whole milliseconds.
    offset: AtomicI64,
    /// The same time, told by a counter.
    counter: CounterTime,
}

impl GeneratorClock {
    /// Makes a clock that starts at the wall clock.
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        let offset = AtomicI64::new(clock.wall() - clock.monotonic_millis());
        Self { clock, offset, counter: CounterTime::new() }
    }

    /// Makes the clock of a forked child: it starts at the wall clock too.
    pub(super) fn in_child(&self) -> Self {
        Self::new(self.clock.clone())
    }

    /// Returns the generator's time in Unix milliseconds.
    #[inline]
    pub(super) fn now(&self) -> i64 {
        self.clock.monotonic_millis() + self.offset.load(Ordering::Relaxed)
    }

    /// Returns the generator's time in Unix milliseconds, by the counter if it is in use. A caller that stamps an id
    /// with it must have read before a limit that the last [`GeneratorClock::check`] allows.
    #[inline]
    pub(super) fn quick_now(&self) -> i64 {
        match self.counter.now(&*self.clock) {
            Some(now) => now,
            None => self.now(),
        }
    }

    /// Finds out whether there is a counter, once per process.
    pub(super) fn find_counter(&self) {
        self.clock.has_counter();
    }

    /// Compares the counter with the monotonic clock.
    pub(super) fn check(&self) -> Checked {
        self.counter.check(&*self.clock, self.offset.load(Ordering::Relaxed))
    }

    /// Returns whether the counter may come into use after further checks.
    pub(super) fn is_measuring(&self) -> bool {
        self.counter.is_measuring()
    }

    /// Returns whether the counter is in use.
    pub(super) fn counts(&self) -> bool {
        self.counter.now(&*self.clock).is_some()
    }

    /// Returns the time left until a Unix millisecond begins.
    pub(super) fn until(&self, millisecond: i64) -> Duration {
        let begins = millisecond.saturating_sub(self.offset.load(Ordering::Relaxed)).max(0).unsigned_abs();
        Duration::from_nanos(begins.saturating_mul(NANOS_PER_MILLI).saturating_sub(self.clock.monotonic()))
    }

    /// Returns whether time passes only if a test lets it.
    pub(super) fn is_virtual(&self) -> bool {
        self.clock.is_virtual()
    }

    /// Lets virtual time pass.
    pub(super) fn let_pass(&self, time: Duration) {
        self.clock.let_pass(time);
    }

    /// Returns the wall clock in Unix milliseconds.
    pub(super) fn wall(&self) -> i64 {
        self.clock.wall()
    }

    /// Returns by how many milliseconds the generator's time is ahead of the wall clock.
    pub(super) fn lead(&self) -> i64 {
        self.now() - self.wall()
    }

    /// Sets the clock to the Unix millisecond at which a lease begins.
    pub(super) fn start_at(&self, millisecond: i64) {
        self.offset.store(self.offset_at(millisecond), Ordering::Relaxed);
        self.align();
    }

    /// Sets the clock forward to a Unix millisecond, never back.
    pub(super) fn advance_to(&self, millisecond: i64) {
        self.offset.fetch_max(self.offset_at(millisecond), Ordering::Relaxed);
        self.align();
    }

    /// Gives up a little of the lead. Ids do not go back with it, because tickets only count up.
    pub(super) fn slew(&self, lead: i64) {
        self.offset.fetch_sub(lead.clamp(0, SLEW), Ordering::Relaxed);
        self.align();
    }

    fn align(&self) {
        self.counter.align(&*self.clock, self.offset.load(Ordering::Relaxed));
    }

    fn offset_at(&self, millisecond: i64) -> i64 {
        millisecond.saturating_sub(self.clock.monotonic_millis())
    }
}
