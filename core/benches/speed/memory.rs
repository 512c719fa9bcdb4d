//! The memory of a tag: the growth of the process for ten thousand of them. Runs in a process of its own.

use crate::measurement::{Group, Role, report};
use std::error::Error;

const TAGS: usize = 10_000;
const KIB: f64 = 1024.0;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let ids = leafmint::open::segment("memory:", [])?;
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
    let figure = |name: &str, value: f64, unit: &str, how: &str| {
        report(&Group { name: "memory", threads: None }, name, Role::Leafmint, unit, &[value], how);
    };
    let how = "growth of the resident set, ids in hand, with their rows in the memory store";
    figure("10,000 tags in use", used / KIB / KIB, "MiB", how);
    figure("a tag", of_one(open), "KiB", "growth of the resident set, no id taken yet");
    figure("a tag in use", of_one(used), "KiB", how);
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
