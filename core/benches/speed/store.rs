//! Store calls and ids leased for a million ids used at full speed.

use crate::measurement::{Group, Role, report};
use std::error::Error;
use std::hint::black_box;

const IDS: i64 = 1_000_000;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let ids = leafmint::open::segment("memory:?default_step=1000", [])?;
    let tag = ids.biz_tag("million")?;
    for _ in 0..IDS {
        black_box(tag.next_id()?);
    }
    let stats = ids.stats();
    let figures = &stats.tags[0].1;
    let how = "memory:, step 1000, one thread at full speed";
    let figure = |name: &str, value: f64, unit: &str| {
        report(&Group { name: "the first million ids", threads: None }, name, Role::Leafmint, unit, &[value], how);
    };
    figure("store calls", figures.refills as f64, "leases");
    figure("ids leased per id used", figures.leased as f64 / figures.issued as f64, "x");
    ids.close()?;
    Ok(())
}
