//! A tag's first ids out of a slow store, at a steady pace from a cold start.
//!
//! Each id is due at a moment of its own, whenever the ids before it came: its latency counts from there, so that a
//! wait also delays the ids that would have queued behind it (no coordinated omission).

use crate::measurement::{Group, Role, report};
use leafmint::SegmentGenerator;
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

pub(crate) fn run(url: &str, round_trip: f64, start: Start, quick: bool) -> Result<(), Box<dyn Error>> {
    let count = if quick { 300_000 } else { 500_000 };
    let warm = WARM.as_secs_f64().max(WARM_ROUND_TRIPS * round_trip);
    let warm = (warm / EVERY.as_secs_f64()) as usize;
    let (start, given) = match start {
        Start::Apart => ("not connected", ""),
        Start::Cold => ("cold start", "?eager=true"),
        Start::Ready => ("a thousand ids in hand", "?eager=true&tags=cold"),
    };
    let group = format!("slow store, {} ms, {start}", round_trip * 1e3);
    eprintln!("{group}");

    let others = SegmentGenerator::open(url, [])?;
    others.init_schema()?.wait()?;
    others.create_tag("cold")?.wait()?;
    others.close()?;
    let ids = SegmentGenerator::open(&format!("{url}{given}"), [])?;
    let tag = ids.biz_tag("cold")?;
    let waits = || ids.stats().tags.iter().map(|(_, tag)| tag.waits).sum::<i64>();

    let (mut latencies, mut errors, mut waits_while_cold) = (Vec::with_capacity(count), 0, 0);
    let began = Instant::now();
    for number in 0..count {
        if number == warm {
            waits_while_cold = waits();
        }
        let due = began + EVERY * number as u32;
        while Instant::now() < due {
            spin_loop();
        }
        match black_box(tag.next_id()) {
            Ok(_) => latencies.push(due.elapsed().as_secs_f64()),
            Err(_) => errors += 1,
        }
    }
    let waits_while_warm = waits() - waits_while_cold;
    let stats = ids.stats();
    let figures = &stats.tags[0].1;

    let first = latencies.first().copied().unwrap_or(f64::NAN);
    let longest = latencies.iter().copied().fold(0.0, f64::max);
    let longest_while_warm = latencies.iter().copied().skip(warm).fold(0.0, f64::max);
    latencies.sort_by(f64::total_cmp);
    let at = |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize] * 1e3;
    let how = format!(
        "100,000 ids/s; in the first round p50 {:.4} ms, p99 {:.2} ms, max {:.1} ms, from the moment each id is due; one \
         lease takes {:.1} ms as leafmint sees it",
        at(0.5),
        at(0.99),
        longest * 1e3,
        figures.refill_millis.unwrap_or(f64::NAN),
    );
    let figure = |name: &str, value: f64, unit: &str, how: &str| {
        report(&Group { name: &group, threads: None }, name, Role::Leafmint, unit, &[value], how);
    };
    figure("longest wait", longest / round_trip, "round trips", &how);
    figure("first id", first / round_trip, "round trips", "from the moment it is due");
    figure("longest wait after warm-up", longest_while_warm * 1e3, "ms", "from the moment each id is due");
    figure("waits after warm-up", waits_while_warm as f64, "waits", &format!("{waits_while_cold} before"));
    figure("errors", f64::from(errors), "errors", &format!("of {count} ids"));
    let how = format!(
        "in the first round leased {} in {} calls for {} used",
        figures.leased, figures.refills, figures.issued
    );
    figure("ids leased per id used", figures.leased as f64 / figures.issued as f64, "x", &how);
    figure("store calls per million ids", figures.refills as f64 * 1e6 / figures.issued as f64, "leases", &how);
    ids.close()?;
    Ok(())
}
