//! Promises of the MySQL store that the suite of all stores (`store_spec`) does not test: on a real server, one file
//! per topic.

pub(crate) mod accounts;
mod credentials;
mod genes;
mod lease;
mod sessions;
mod settings;
mod tables;

use crate::stores::{Table, mysql_url, options};
use leafmint::SegmentGenerator;

fn open<const N: usize>(table: &Table, given: [(&str, &str); N]) -> SegmentGenerator {
    leafmint::open::segment(&mysql_url(), options(given).chain(options([("table", table.0.as_str())]))).unwrap()
}
