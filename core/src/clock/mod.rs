//! Clocks: the time of day, and the time that has passed.

mod manual;
mod system;

pub use manual::ManualClock;
pub use system::SystemClock;

/// A wall clock, which may jump in both directions, and a monotonic clock, which does not jump.
pub trait Clock: Send + Sync + 'static {
    /// Returns the wall clock in Unix milliseconds.
    fn wall(&self) -> i64;

    /// Returns the nanoseconds since a fixed moment.
    fn monotonic(&self) -> u64;

    /// Returns the whole milliseconds since the same moment. Called once per snowflake.
    fn monotonic_millis(&self) -> i64 {
        (self.monotonic() / 1_000_000).cast_signed()
    }
}
