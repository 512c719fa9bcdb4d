//! What a tag costs in memory: the process grows by so much for ten thousand of them. Runs in a process of its own.

use crate::figure::{Goal, tell};
use leafmint::SegmentGenerator;
use std::error::Error;

const TAGS: usize = 10_000;
const KIB: f64 = 1024.0;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let ids = SegmentGenerator::open("memory:", [])?;
    // The runtime and its threads are there before.
    ids.biz_tag("first")?.next_id()?;
    let names: Vec<String> = (0..TAGS).map(|number| format!("tag-{number}")).collect();
    let mut tags = Vec::with_capacity(TAGS);
    let before = resident()?;
    for name in &names {
        tags.push(ids.biz_tag(name)?);
    }
    let open = resident()? - before;
    for tag in &tags {
        tag.next_id()?;
    }
    let used = resident()? - before;
    let of_one = |bytes: f64| bytes / TAGS as f64 / KIB;
    tell(
        "memory of 10,000 tags, each with ids in hand",
        used / KIB / KIB,
        "MiB",
        Goal::AtMost(64.0),
        "growth of the resident set",
    );
    tell("memory of a tag", of_one(open), "KiB", Goal::AtMost(2.0), "open, no id taken yet");
    let detail = "ids in hand, with its row in the memory store";
    tell("memory of a tag in use", of_one(used), "KiB", Goal::AtMost(2.0), detail);
    ids.close()?;
    Ok(())
}

/// Returns the bytes of this process that are in memory.
fn resident() -> Result<f64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).ok_or("no VmRSS")?;
    let kilobytes: f64 = line.split_whitespace().nth(1).ok_or("no number")?.parse()?;
    Ok(kilobytes * KIB)
}
