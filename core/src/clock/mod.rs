//! Clocks: the time of day, the time that has passed, and a counter that grows with it.

mod counter;
pub(crate) mod lead;
mod manual;
mod system;
mod virtual_clock;

pub use counter::CounterClock;
pub use manual::ManualClock;
pub use system::SystemClock;
pub use virtual_clock::VirtualClock;

use std::time::Duration;

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
