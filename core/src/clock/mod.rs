//! Clocks: what time it is, and how much of it has passed.

mod manual;
mod system;

pub use manual::ManualClock;
pub use system::SystemClock;

/// A wall clock, which may jump either way, and a monotonic one, which does not.
pub trait Clock: Send + Sync + 'static {
    /// Returns the wall clock in Unix milliseconds.
    fn wall(&self) -> i64;

    /// Returns how many nanoseconds have passed since some fixed moment.
    fn monotonic(&self) -> u64;

    /// Returns how many whole milliseconds have passed since the same moment. Every snowflake asks.
    fn monotonic_millis(&self) -> i64 {
        (self.monotonic() / 1_000_000).cast_signed()
    }
}
