//! Opens generators in simulated time.

use super::process::Process;
use crate::clock::Clock;
use crate::config::{OptionValue, SegmentConfig, SnowflakeConfig};
use crate::error::{Error, ErrorKind, Result};
use crate::holder::WorkerIdHolder;
use crate::segment::SegmentGenerator;
use crate::snowflake::SnowflakeGenerator;
use crate::store::SegmentStore;
use std::sync::Arc;

/// Opens a segment generator over a store, in a simulated process. Raises `invalid_config`.
///
/// A call that waits must be polled: [`crate::BizTag::begin`].
pub fn segment_generator(
    store: Arc<dyn SegmentStore>,
    options: impl IntoIterator<Item = (String, OptionValue)>,
    process: Arc<Process>,
) -> Result<SegmentGenerator> {
    let config = SegmentConfig::parse("memory:", options)?;
    Ok(SegmentGenerator::new(store, config.settings(), None, process))
}

/// Opens a snowflake generator over a holder, in a simulated process. Raises `invalid_config`.
///
/// The sequence numbers of a tick begin at 0, unless the option `sequence_jitter` is given. Options that only holders
/// have are accepted and have no effect.
pub fn snowflake_generator(
    holder: Arc<dyn WorkerIdHolder>,
    options: impl IntoIterator<Item = (String, OptionValue)>,
    clock: Arc<dyn Clock>,
    process: Arc<Process>,
) -> Result<SnowflakeGenerator> {
    Ok(SnowflakeGenerator::new(holder, SnowflakeConfig::settings(options)?, clock, process))
}

/// Returns the error of a simulated store that does not answer.
pub fn unavailable(message: &str) -> Error {
    Error::new(ErrorKind::StoreUnavailable, message)
}
