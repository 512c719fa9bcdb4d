//! The hot paths beside what no id can be cheaper than: one atomic add, or one look at the clock.

use crate::beside::{Subject, beside, subject};
use crate::figure::{Goal, tell};
use leafmint::segment::{Order, TagOptions};
use leafmint::{SegmentGenerator, SnowflakeGenerator};
use std::error::Error;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

/// With 20 sequence bits nobody comes to the end of a millisecond.
const UNSATURATED: &str = "timestamp:41,worker:2,sequence:20";

/// A counter in cache lines of its own.
#[repr(align(128))]
struct Counter(AtomicI64);

pub(crate) fn run(quick: bool) -> Result<(), Box<dyn Error>> {
    let (rounds, slice) = if quick { (3, Duration::from_millis(20)) } else { (51, Duration::from_millis(50)) };
    let compare = |what: &str, threads: usize, goal: f64, subjects: [Subject; 2]| {
        eprintln!("{what}");
        let nanos = beside(&subjects, threads, rounds, slice);
        let detail = format!("{:.2} ns beside {:.2} ns of {}", nanos[1], nanos[0], subjects[0].name);
        tell(what, nanos[1] / nanos[0], "x", Goal::AtMost(goal), &detail);
    };

    let counter = Counter(AtomicI64::new(0));
    let add = || subject("fetch_add", || counter.0.fetch_add(1, Ordering::AcqRel));
    let ids = SegmentGenerator::open("memory:?default_step=1000", [])?;
    let tag = ids.biz_tag("hot")?;
    let next = || subject("next_id", || tag.next_id().expect("an id"));
    compare("Rust segment next_id, step 1000, beside one fetch_add, 1 thread", 1, 1.2, [add(), next()]);
    compare("Rust segment next_id, step 1000, beside one fetch_add, 2 threads", 2, 1.5, [add(), next()]);
    let relaxed = ids.biz_tag_with("hot", TagOptions::new().order(Order::Relaxed))?;
    let next = || subject("next_id", || relaxed.next_id().expect("an id"));
    compare("Rust segment next_id, relaxed order, beside one fetch_add, 2 threads", 2, 0.25, [add(), next()]);

    let folder = tempfile::tempdir()?;
    let flakes = SnowflakeGenerator::open(&format!("local:///{}?layout={UNSATURATED}", folder.path().display()), [])?;
    let clock = || subject("SystemTime::now", SystemTime::now);
    let flake = || subject("next_id", || flakes.next_id().expect("an id"));
    compare("Rust snowflake next_id, unsaturated, beside SystemTime::now, 1 thread", 1, 1.35, [clock(), flake()]);
    flakes.close()?;
    ids.close()?;
    Ok(())
}
