//! Configuration: a URL and options, parsed and checked in one place for every language.

mod database;
mod directories;
mod driver_parameters;
mod driver_security;
#[cfg(test)]
mod fuzz_tests;
mod holder;
mod jdbc_forms;
mod jdbc_parameters;
mod options;
mod ordinal;
mod params;
mod postgres_parameters;
mod segment;
mod shape;
mod snowflake;
mod url;
mod url_secrets;
mod value;
mod worker_mode;
mod workers;
mod zookeeper;

pub(crate) use holder::{HolderConfig, WorkersOption};
pub use options::{OPTIONS, OptionSpec, SNOWFLAKE_OPTIONS};
pub(crate) use segment::{SegmentConfig, StoreConfig};
pub use shape::Shape;
pub(crate) use snowflake::SnowflakeConfig;
pub use value::{OptionValue, timeout_from_seconds, timeout_from_text};

/// Most bytes of a URL, and of the name and value of an option; longer ones are refused unread.
const MOST_BYTES: usize = 1 << 20;
