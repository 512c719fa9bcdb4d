//! Configuration: one URL and a table of options, parsed and checked once, for every language.

#[cfg(test)]
mod fuzz_tests;
mod jdbc;
mod mysql;
mod options;
mod params;
mod segment;
mod snowflake;
mod url;
mod value;

pub use options::{OPTIONS, OptionSpec, OptionValue, SNOWFLAKE_OPTIONS};
pub(crate) use segment::{SegmentConfig, StoreConfig};
pub(crate) use snowflake::{HolderConfig, SnowflakeConfig};
pub use value::{timeout_from_seconds, timeout_from_text};

/// The most bytes of a URL and of the value of an option: more is refused without being handled.
const MOST_BYTES: usize = 1 << 20;
