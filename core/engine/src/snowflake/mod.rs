//! Snowflake mode: ids from a worker id and ranges of time that a holder leases.

mod backfill;
mod clock_policy;
mod counter_time;
mod current_lease;
mod generator;
mod generator_clock;
mod keepalive;
mod leased_past;
mod lifecycle;
#[cfg(test)]
mod refused_tests;
mod report;
mod settings;
mod state;
mod stats;
mod tickets;
mod virtual_time;
mod wait;

use crate::limit_cell::FIRST_REFUSED;
use leafmint_ids::layout::TICKET_BITS;

pub use backfill::Backfill;
pub use generator::SnowflakeGenerator;
pub use stats::{SNOWFLAKE_STATS, SnowflakeStats};
pub use wait::SnowflakeWait;

pub use crate::holder::{SnowflakeCheck, WorkerInfo};

pub use clock_policy::{ClockPolicy, ClockRollback};
pub use settings::Settings;

// Every ticket fits the limit cell.
const _: () = assert!(1_i64 << TICKET_BITS == FIRST_REFUSED);
