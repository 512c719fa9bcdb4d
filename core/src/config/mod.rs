//! Configuration: a URL and options, parsed and checked in one place for every language.

mod directories;
mod driver_parameters;
mod driver_security;
#[cfg(test)]
mod fuzz_tests;
mod holder;
mod mysql;
mod options;
mod params;
mod segment;
mod snowflake;
mod url;
mod url_secrets;
mod value;
mod workers;

pub(crate) use holder::HolderConfig;
pub use options::{OPTIONS, OptionSpec, OptionValue, SNOWFLAKE_OPTIONS};
pub(crate) use segment::{SegmentConfig, StoreConfig};
pub(crate) use snowflake::SnowflakeConfig;
pub use value::{timeout_from_seconds, timeout_from_text};

/// Most bytes of a URL, and of the name and value of an option; longer ones are refused unread.
const MOST_BYTES: usize = 1 << 20;
