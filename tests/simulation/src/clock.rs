//! The clocks of a simulated host.

use super::process::Process;
use leafmint_engine::clock::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The clocks of a simulated host: they go with the time of the world, and the wall clock can be stepped.
pub struct HostClock {
    process: Arc<Process>,
    /// Unix milliseconds at the beginning of the world.
    began: AtomicI64,
}

impl HostClock {
    /// Makes a clock that showed this number of Unix milliseconds at the beginning of the world.
    pub fn new(process: Arc<Process>, began: i64) -> Self {
        Self { process, began: AtomicI64::new(began) }
    }

    /// Steps the wall clock by this number of milliseconds, forward or back.
    pub fn step(&self, millis: i64) {
        self.began.fetch_add(millis, Ordering::Relaxed);
    }
}

impl Clock for HostClock {
    fn wall(&self) -> i64 {
        self.began.load(Ordering::Relaxed) + self.monotonic_millis()
    }

    fn monotonic(&self) -> u64 {
        u64::try_from(self.process.passed().as_nanos()).unwrap_or(u64::MAX)
    }
}
