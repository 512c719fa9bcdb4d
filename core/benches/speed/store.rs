//! How often the store is asked, and how much is leased, for a million ids used at full speed.

use crate::figure::{Goal, tell};
use leafmint::SegmentGenerator;
use std::error::Error;
use std::hint::black_box;

const IDS: i64 = 1_000_000;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let ids = SegmentGenerator::open("memory:?default_step=1000", [])?;
    let tag = ids.biz_tag("million")?;
    for _ in 0..IDS {
        black_box(tag.next_id()?);
    }
    let stats = ids.stats();
    let figures = &stats.tags[0].1;
    let detail = "memory:, step 1000, one thread at full speed";
    tell("store calls for the first million ids", figures.refills as f64, "leases", Goal::None, detail);
    tell("ids leased for each one used", figures.leased as f64 / figures.issued as f64, "x", Goal::None, detail);
    ids.close()?;
    Ok(())
}
