//! What a snowflake generator promises, over directories of worker ids and over a database.

mod backfill;
mod generator;
mod keepalive;
mod moved_clock;
mod options;
mod ordinals;
mod tickets;
mod virtual_time;
mod waiting;

use leafmint::SnowflakeGenerator;
use std::path::Path;

fn url(folder: &Path) -> String {
    format!("local:{}", folder.display())
}

fn open<const N: usize>(folder: &Path, params: [(&str, &str); N]) -> SnowflakeGenerator {
    leafmint::open::snowflake(&url(folder), crate::stores::options(params)).unwrap()
}
