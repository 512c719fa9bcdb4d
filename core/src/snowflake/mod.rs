//! Snowflake mode: ids from a worker id and ranges of time that a holder leases.

mod active_lease;
mod backfill;
mod clock_policy;
#[cfg(test)]
mod clock_tests;
#[cfg(test)]
mod counter_tests;
mod counter_time;
mod current_lease;
mod generator;
mod generator_clock;
mod held_past;
mod inspection;
mod keepalive;
#[cfg(test)]
mod keepalive_tests;
mod leased_past;
mod lifecycle;
#[cfg(test)]
mod open_for_tests;
mod report;
mod settings;
mod state;
mod stats;
mod tickets;
#[cfg(test)]
mod turns_tests;
mod virtual_time;
mod wait;
#[cfg(test)]
mod wait_tests;

pub use backfill::Backfill;
pub use generator::SnowflakeGenerator;
pub use stats::{SNOWFLAKE_STATS, SnowflakeStats};
pub use wait::SnowflakeWait;

pub use crate::holder::{SnowflakeCheck, WorkerInfo};

pub(crate) use clock_policy::{ClockPolicy, ClockRollback};
pub(crate) use settings::Settings;
