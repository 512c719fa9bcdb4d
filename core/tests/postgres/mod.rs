//! Promises of the PostgreSQL store that the suite of all stores (`store_spec`) does not test: on a real server, one
//! file per topic.

pub(crate) mod accounts;
mod durability;
mod first_start;
mod lost_answers;
mod pooled;
mod search_path;
mod sessions;
mod settings;
mod tables;
mod tls;

use crate::stores::postgres::Table;
use crate::stores::{options, postgres_url};
use leafmint::SegmentGenerator;

fn open<const N: usize>(table: &Table, given: [(&str, &str); N]) -> SegmentGenerator {
    open_at(&postgres_url(), table, given)
}

fn open_at<const N: usize>(url: &str, table: &Table, given: [(&str, &str); N]) -> SegmentGenerator {
    leafmint::open::segment(url, options(given).chain(options([("table", table.0.as_str())]))).unwrap()
}
