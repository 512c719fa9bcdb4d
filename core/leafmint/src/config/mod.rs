//! Configuration: a URL and options, parsed and checked in one place for every language.

mod database;
mod directories;
mod fail_over;
#[cfg(test)]
mod fuzz_tests;
mod holder;
mod options;
mod ordinal;
mod params;
mod platform_forms;
mod segment;
mod servers;
mod shape;
mod snowflake;
mod url;
mod url_secrets;
mod value;
mod worker_ids;
mod worker_mode;
mod zookeeper;

pub use fail_over::hosts_of;
pub use holder::WorkersOption;
pub use options::{OptionSpec, SEGMENT_OPTIONS, SNOWFLAKE_OPTIONS};
pub use segment::{Database, SegmentConfig};
pub use servers::{HolderConfig, StoreConfig};
pub use shape::Shape;
pub use snowflake::SnowflakeConfig;
pub use value::{OptionValue, epoch_from_text, timeout_from_seconds, timeout_from_text};

/// Most bytes of a URL, and of the name and value of an option; longer ones are refused unread.
const MOST_BYTES: usize = 1 << 20;
