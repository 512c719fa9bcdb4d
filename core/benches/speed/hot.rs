//! The hot paths against what no id can be cheaper than: one atomic add, for a snowflake with a read of the processor's
//! counter.

use crate::in_turn::{Subject, in_turn, subject};
use crate::measurement::{Group, Role, report};
use leafmint::segment::{Order, TagOptions};
use leafmint_engine::clock::{Clock, CounterClock};
use std::error::Error;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

const THREADS: [usize; 3] = [1, 2, 8];
/// With 20 sequence bits no generator comes to the end of a millisecond.
const UNSATURATED: &str = "timestamp:41,worker:2,sequence:20";
pub(crate) const TAG: &str = "memory:, step 1000, which grows by leafmint's own policy";

/// A counter in cache lines of its own.
#[repr(align(128))]
struct Counter(AtomicI64);

pub(crate) struct Named<'a> {
    name: &'static str,
    role: Role,
    how: &'a str,
    subject: Subject<'a>,
}

pub(crate) fn run(quick: bool) -> Result<(), Box<dyn Error>> {
    segments(quick)?;
    snowflakes(quick)
}

fn segments(quick: bool) -> Result<(), Box<dyn Error>> {
    let counter = Counter(AtomicI64::new(0));
    let ids = leafmint::open::segment("memory:?default_step=1000", [])?;
    let strict = ids.biz_tag("hot")?;
    let relaxed = ids.biz_tag_with("hot", TagOptions::new().order(Order::Relaxed))?;
    let (strict_how, relaxed_how) = (format!("next_id(), {TAG}"), format!("next_id(), Order::Relaxed, {TAG}"));
    compare(
        "segment id",
        quick,
        &[
            floor("fetch_add", "AtomicI64::fetch_add", subject(|| counter.0.fetch_add(1, Ordering::AcqRel))),
            leafmint("leafmint", &strict_how, subject(|| strict.next_id().expect("an id"))),
            leafmint("leafmint, relaxed order", &relaxed_how, subject(|| relaxed.next_id().expect("an id"))),
        ],
    );
    Ok(ids.close()?)
}

fn snowflakes(quick: bool) -> Result<(), Box<dyn Error>> {
    let counter = Counter(AtomicI64::new(0));
    let folder = tempfile::tempdir()?;
    let flakes = leafmint::open::snowflake(&format!("local:{}?layout={UNSATURATED}", folder.path().display()), [])?;
    let how = format!("next_id(), local:, {UNSATURATED}");
    compare(
        "snowflake",
        quick,
        &[
            floor(
                "a counter read and fetch_add",
                "the processor's counter, and AtomicI64::fetch_add",
                subject(|| (CounterClock.counter(), counter.0.fetch_add(1, Ordering::AcqRel))),
            ),
            floor("SystemTime::now", "SystemTime::now", subject(SystemTime::now)),
            leafmint("leafmint", &how, subject(|| flakes.next_id().expect("an id"))),
        ],
    );
    Ok(flakes.close()?)
}

pub(crate) fn floor<'a>(name: &'static str, how: &'a str, subject: Subject<'a>) -> Named<'a> {
    Named { name, role: Role::Floor, how, subject }
}

pub(crate) fn leafmint<'a>(name: &'static str, how: &'a str, subject: Subject<'a>) -> Named<'a> {
    Named { name, role: Role::Leafmint, how, subject }
}

pub(crate) fn compare(group: &str, quick: bool, named: &[Named]) {
    let (rounds, slice) = if quick { (3, Duration::from_millis(20)) } else { (31, Duration::from_millis(50)) };
    for threads in THREADS {
        eprintln!("Rust, {group}, {threads} threads");
        let subjects: Vec<&Subject> = named.iter().map(|named| &named.subject).collect();
        let nanos = in_turn(&subjects, threads, rounds, slice);
        let group = Group { name: group, threads: Some(threads) };
        for (named, rounds) in named.iter().zip(&nanos) {
            report(&group, named.name, named.role, "ns", rounds, named.how);
        }
    }
}
