//! Snowflake mode: ids out of a worker id and ranges of time that a holder leases.

mod clock_policy;
#[cfg(test)]
mod clock_tests;
mod generator;
mod keeper;
mod present;
mod stats;
mod tickets;
mod time;
mod wait;

pub use generator::SnowflakeGenerator;
pub use stats::{SNOWFLAKE_STATS, SnowflakeStats};
pub use wait::SnowflakeWait;

pub(crate) use clock_policy::{ClockPolicy, ClockRollback};
pub(crate) use generator::Behaviour;
