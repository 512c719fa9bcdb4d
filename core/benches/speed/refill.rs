//! A tag's first ids out of a slow store, at a steady pace from a cold start.
//!
//! Each id is due at a moment of its own, whenever the ids before it came: its latency counts from there, so that a
//! wait also delays the ids that would have queued behind it (no coordinated omission).

use crate::measurement::{Group, Role, report};
use leafmint::SegmentGenerator;
use leafmint::segment::{BizTag, TagStats};
use std::error::Error;
use std::hint::{black_box, spin_loop};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// 100,000 ids a second.
const EVERY: Duration = Duration::from_micros(10);
/// What is still counted as warming up, in round trips, and at least in time.
const WARM_ROUND_TRIPS: f64 = 20.0;
const WARM: Duration = Duration::from_secs(1);

/// What there is when the first id is due.
pub(crate) enum Start {
    /// Nothing, not even a connection.
    Apart,
    /// A connection, as a service has it after its start (`eager`).
    Cold,
    /// The tag's first segment too.
    Ready,
}

impl FromStr for Start {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "apart" => Ok(Start::Apart),
            "cold" => Ok(Start::Cold),
            "ready" => Ok(Start::Ready),
            other => Err(format!("a start is apart, cold or ready, not {other}")),
        }
    }
}

/// What a tag did with `count` ids that were due one after the other.
struct Paced {
    count: usize,
    /// Seconds from the moment each id is due, in their order.
    latencies: Vec<f64>,
    errors: u32,
    /// Calls that waited, while warming up and after it.
    waits: (i64, i64),
}

pub(crate) fn run(url: &str, round_trip: f64, start: Start, quick: bool) -> Result<(), Box<dyn Error>> {
    let count = if quick { 300_000 } else { 500_000 };
    let warm = WARM.as_secs_f64().max(WARM_ROUND_TRIPS * round_trip);
    let warm = (warm / EVERY.as_secs_f64()) as usize;
    let (start, given) = match start {
        Start::Apart => ("not connected", ""),
        Start::Cold => ("cold start", "?eager=true"),
        Start::Ready => ("a thousand ids in hand", "?eager=true&eager_tags=cold"),
    };
    let group = format!("slow store, {} ms, {start}", round_trip * 1e3);
    eprintln!("{group}");

    let others = leafmint::open::segment(url, [])?;
    others.init_schema()?.wait()?;
    others.create_tag("cold")?.wait()?;
    others.close()?;
    let ids = leafmint::open::segment(&format!("{url}{given}"), [])?;
    let paced = mint(&ids, &ids.biz_tag("cold")?, count, warm);
    let group = Group { name: &group, threads: None };
    report_waits(&group, &paced, warm, round_trip);
    report_leases(&group, &ids.stats().tags[0].1);
    ids.close()?;
    Ok(())
}

fn mint(ids: &SegmentGenerator, tag: &BizTag, count: usize, warm: usize) -> Paced {
    let waits = || ids.stats().tags.iter().map(|(_, tag)| tag.waits).sum::<i64>();
    let mut paced = Paced { count, latencies: Vec::with_capacity(count), errors: 0, waits: (0, 0) };
    let began = Instant::now();
    for number in 0..count {
        if number == warm {
            paced.waits.0 = waits();
        }
        let due = began + EVERY * number as u32;
        while Instant::now() < due {
            spin_loop();
        }
        match black_box(tag.next_id()) {
            Ok(_) => paced.latencies.push(due.elapsed().as_secs_f64()),
            Err(_) => paced.errors += 1,
        }
    }
    paced.waits.1 = waits() - paced.waits.0;
    paced
}

fn report_waits(group: &Group, paced: &Paced, warm: usize, round_trip: f64) {
    let longest_from = |from| paced.latencies.iter().copied().skip(from).fold(0.0, f64::max);
    let (first, longest) = (paced.latencies.first().copied().unwrap_or(f64::NAN), longest_from(0));
    let mut sorted = paced.latencies.clone();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize] * 1e3;
    let (p50, p99, most) = (at(0.5), at(0.99), longest * 1e3);
    let how =
        format!("100,000 ids/s; in the first round p50 {p50:.4} ms, p99 {p99:.2} ms, max {most:.1} ms after it is due");
    let figure = |name: &str, value: f64, unit: &str, how: &str| {
        report(group, name, Role::Leafmint, unit, &[value], how);
    };
    figure("longest wait", longest / round_trip, "round trips", &how);
    figure("first id", first / round_trip, "round trips", "from the moment it is due");
    figure("longest wait after warm-up", longest_from(warm) * 1e3, "ms", "from the moment each id is due");
    figure("waits after warm-up", paced.waits.1 as f64, "waits", &format!("{} before", paced.waits.0));
    figure("errors", f64::from(paced.errors), "errors", &format!("of {} ids", paced.count));
}

fn report_leases(group: &Group, tag: &TagStats) {
    let (leased, issued, refills) = (tag.leased, tag.issued, tag.refills);
    let millis = tag.refill_millis.unwrap_or(f64::NAN);
    let how = format!(
        "in the first round leased {leased} in {refills} calls for {issued} used; one lease takes {millis:.1} ms \
         as leafmint sees it"
    );
    let figure = |name: &str, value: f64, unit: &str| {
        report(group, name, Role::Leafmint, unit, &[value], &how);
    };
    figure("ids leased per id used", leased as f64 / issued as f64, "x");
    figure("store calls per million ids", refills as f64 * 1e6 / issued as f64, "leases");
}
