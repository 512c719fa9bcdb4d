//! Clocks: what time it is, and how much of it has passed.

mod manual;
mod system;

pub use manual::ManualClock;
pub use system::SystemClock;

use std::time::Duration;

/// A wall clock, which may jump either way, and a monotonic one, which does not.
pub trait Clock: Send + Sync + 'static {
    /// Returns the wall clock in Unix milliseconds.
    fn wall(&self) -> i64;

    /// Returns how much time has passed since some fixed moment.
    fn monotonic(&self) -> Duration;
}
