//! Opens generators in simulated time.

use super::process::Process;
use leafmint::config::{OptionValue, SegmentConfig, SnowflakeConfig};
use leafmint_engine::clock::Clock;
use leafmint_engine::holder::WorkerIdHolder;
use leafmint_engine::segment::SegmentGenerator;
use leafmint_engine::snowflake::SnowflakeGenerator;
use leafmint_engine::store::SegmentStore;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::sync::Arc;

/// Opens a segment generator over a store, in a simulated process. Raises `invalid_config`.
///
/// A call that waits must be polled: [`leafmint_engine::segment::BizTag::begin`].
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
