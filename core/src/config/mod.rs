//! Configuration: one URL and a table of options, parsed and checked once, for every language.

mod given;
mod mysql;
mod options;
mod segment;
mod snowflake;
mod url;
mod value;

pub use options::{OPTIONS, OptionSpec, OptionValue, SNOWFLAKE_OPTIONS};
pub(crate) use segment::{SegmentConfig, StoreConfig, check_gene_bits, check_new_tag, check_tag};
pub(crate) use snowflake::{HolderConfig, SnowflakeConfig};
pub use value::timeout_from_seconds;

use crate::error::{Error, ErrorKind, Result};

/// Everything that is wrong with a configuration, told in one message.
#[derive(Default)]
pub(crate) struct Problems(Vec<String>);

impl Problems {
    pub(crate) fn add(&mut self, problem: impl Into<String>) {
        self.0.push(problem.into());
    }

    /// Keeps the value, or notes the problem and goes on with what stands in for it.
    pub(crate) fn keep<T>(&mut self, parsed: std::result::Result<T, String>, otherwise: T) -> T {
        parsed.unwrap_or_else(|problem| {
            self.add(problem);
            otherwise
        })
    }

    pub(crate) fn into_result(self, what: &str) -> Result<()> {
        match self.0.as_slice() {
            [] => Ok(()),
            [one] => Err(Error::new(ErrorKind::InvalidConfig, format!("{what}: {one}"))),
            many => {
                let count = many.len();
                Err(Error::new(ErrorKind::InvalidConfig, format!("{what}: {count} problems: {}", many.join("; "))))
            }
        }
    }
}
