//! Configuration: one URL and a table of options, parsed and checked once, for every language.

mod given;
mod jdbc;
mod mysql;
mod options;
mod segment;
mod snowflake;
mod url;
mod value;

pub use options::{OPTIONS, OptionSpec, OptionValue, SNOWFLAKE_OPTIONS};
pub(crate) use segment::{SegmentConfig, StoreConfig, check_gene_bits, check_new_tag, check_tag};
pub(crate) use snowflake::{HolderConfig, SnowflakeConfig};
pub use value::{timeout_from_seconds, timeout_from_text};

use crate::problems::Problems;
