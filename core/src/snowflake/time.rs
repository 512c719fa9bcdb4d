//! The generator's clock: monotonic time on an anchor that is never pulled back by more than a crawl.

use crate::clock::Clock;
use crate::mutants::weaken;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

const NANOS: u64 = 1_000_000;

/// How much of its lead over the wall clock a generator gives up per heartbeat, in milliseconds: a drift, not a step.
const CRAWL: i64 = 1;

/// What time it is for a generator.
pub(crate) struct GeneratorTime {
    clock: Arc<dyn Clock>,
    /// Unix time less monotonic time, in whole milliseconds.
    offset: AtomicI64,
}

impl GeneratorTime {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        let offset = AtomicI64::new(clock.wall() - clock.monotonic_millis());
        Self { clock, offset }
    }

    /// Makes a clock that starts at the wall clock.
    pub(crate) fn anew(&self) -> Self {
        Self::new(self.clock.clone())
    }

    /// Returns the generator's time in Unix milliseconds.
    #[inline]
    pub(crate) fn now(&self) -> i64 {
        self.clock.monotonic_millis() + self.offset.load(Ordering::Relaxed)
    }

    /// Returns how long it is until a Unix millisecond begins.
    pub(crate) fn until(&self, millisecond: i64) -> Duration {
        let begins = millisecond.saturating_sub(self.offset.load(Ordering::Relaxed)).max(0).unsigned_abs();
        Duration::from_nanos(begins.saturating_mul(NANOS).saturating_sub(self.clock.monotonic()))
    }

    /// Returns the wall clock in Unix milliseconds.
    pub(crate) fn wall(&self) -> i64 {
        self.clock.wall()
    }

    /// Returns by how much the generator's time is ahead of the wall clock, in milliseconds.
    pub(crate) fn lead(&self) -> i64 {
        self.now() - self.wall()
    }

    /// Sets the clock to a Unix millisecond, where a lease begins.
    pub(crate) fn begin_at(&self, millisecond: i64) {
        self.offset.store(self.offset_at(millisecond), Ordering::Relaxed);
    }

    /// Sets the clock forward to a Unix millisecond, never back.
    pub(crate) fn advance_to(&self, millisecond: i64) {
        self.offset.fetch_max(self.offset_at(millisecond), Ordering::Relaxed);
    }

    /// Gives up a little of the lead. Ids do not go back with it: their tickets only count up.
    pub(crate) fn crawl_back(&self, lead: i64) {
        let crawl = weaken!("clock-that-was-set-back-is-followed", lead.clamp(0, CRAWL), without = lead);
        self.offset.fetch_sub(crawl, Ordering::Relaxed);
    }

    fn offset_at(&self, millisecond: i64) -> i64 {
        millisecond.saturating_sub(self.clock.monotonic_millis())
    }
}
