//! Snowflake mode: ids out of a worker id and ranges of time that a holder leases.

mod clock_policy;
#[cfg(test)]
mod clock_tests;
mod generator;
mod keeper;
mod present;
mod shared_window;
mod stats;
mod tickets;
mod time;
mod wait;
mod window;

pub use generator::SnowflakeGenerator;
pub use shared_window::{SHARED_WINDOW_SIZE, SharedWindow, WORKER_AT};
pub use stats::{SNOWFLAKE_STATS, SnowflakeStats};
pub use tickets::WINDOW_AT;
pub use wait::SnowflakeWait;

pub(crate) use clock_policy::{ClockPolicy, ClockRollback};
pub(crate) use generator::Behaviour;
