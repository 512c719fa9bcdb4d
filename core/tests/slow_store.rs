//! A slow store costs no error, and after a few refills no wait either; what is leased stays in proportion to what is used.
//!
//! A MariaDB behind a network that delays every round trip. The figures are printed.

mod stores;

use leafmint::segment::TagStats;
use leafmint::{BizTag, SegmentGenerator};
use std::time::{Duration, Instant};
use stores::{Table, options, sql, through_proxy};

/// A tag on a table of Leaf's, behind a delay, opened with supply in hand.
struct Slow {
    ids: SegmentGenerator,
    order: BizTag,
    _table: Table,
}

impl Slow {
    fn open(step: i64, milliseconds: u64) -> Self {
        let table = Table::of_leaf();
        sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, {step})"));
        let (proxy, url) = through_proxy();
        proxy.slow_down(milliseconds);
        let given = [("table", table.0.as_str()), ("eager", "true"), ("tags", "order"), ("timeout", "10s")];
        let ids = SegmentGenerator::open(&url, options(given)).unwrap();
        let order = ids.biz_tag("order").unwrap();
        Self { ids, order, _table: table }
    }

    fn stats(&self) -> TagStats {
        self.ids.stats().tags[0].1.clone()
    }
}

#[test]
fn on_an_open_session_the_first_id_costs_one_round_trip_and_so_does_every_refill() {
    for has_genes in [false, true] {
        let table = Table::of_leaf();
        sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 1000)"));
        let (proxy, url) = through_proxy();
        let given = [("table", table.0.as_str()), ("max_step", "1000"), ("eager", "true")];
        let ids = SegmentGenerator::open(&url, options(given)).unwrap();
        if has_genes {
            ids.init_schema().unwrap().wait().unwrap();
        }
        proxy.slow_down(400);
        let order = ids.biz_tag("order").unwrap();
        for turn in ["first", "second", "third"] {
            let began = Instant::now();
            order.next_range(1000).unwrap();
            let took = began.elapsed();
            // A run of 1000 asks for the step first, once.
            let trips = if turn == "first" { 2 } else { 1 };
            assert!(took < Duration::from_millis(400 * (trips + 1)), "{turn}: {took:?}");
        }
        let other = SegmentGenerator::open(&url, options([("table", table.0.as_str()), ("eager", "true")])).unwrap();
        let other = other.biz_tag("order").unwrap();
        let began = Instant::now();
        other.next_id().unwrap();
        assert!(began.elapsed() < Duration::from_millis(800), "{:?}", began.elapsed());
    }
}

/// So many refills in a row without a wait are full speed.
const CALM: i64 = 10;

#[test]
fn one_caller_in_a_tight_loop_sees_no_error_and_full_speed_after_a_few_refills() {
    for (milliseconds, seconds) in [(5, 2.0), (50, 5.0), (200, 10.0)] {
        let slow = Slow::open(1000, milliseconds);
        let (began, mut minted, mut waits) = (Instant::now(), 0_i64, slow.stats().waits);
        // When a call last waited before full speed, at which refill, and how many did so afterwards.
        let (mut reached, mut at_refill, mut later) = (0.0, 0, 0);
        while began.elapsed().as_secs_f64() < seconds {
            for _ in 0..1000 {
                slow.order.next_id().unwrap();
            }
            minted += 1000;
            let stats = slow.stats();
            if stats.waits > waits {
                waits = stats.waits;
                if stats.refills <= at_refill + CALM {
                    (reached, at_refill) = (began.elapsed().as_secs_f64(), stats.refills);
                } else {
                    later += 1;
                }
            }
        }
        let stats = slow.stats();
        println!(
            "{milliseconds} ms: full speed after {reached:.2} s, at refill {at_refill}; then {later} waits in {} refills; \
             {minted} ids in {seconds} s; {stats:?}",
            stats.refills - at_refill
        );
        assert_eq!(stats.refill_failures, 0);
        assert!(
            at_refill <= 30 && reached < 0.5 * seconds && stats.refills >= at_refill + CALM,
            "callers waited up to refill {at_refill}"
        );
        // A busy machine holds a refill up now and then.
        assert!(10 * later <= stats.refills, "{later} later waits");
    }
}

#[test]
fn a_cold_start_at_100_000_ids_a_second_waits_for_two_and_a_half_round_trips_at_the_longest() {
    let slow = Slow::open(1000, 100);
    let (began, mut minted, mut longest, mut last_wait) = (Instant::now(), 0_u64, Duration::ZERO, 0.0);
    while began.elapsed() < Duration::from_secs(6) {
        let due = (began.elapsed().as_secs_f64() * 100_000.0) as u64;
        while minted < due {
            let asked = Instant::now();
            slow.order.next_id().unwrap();
            minted += 1;
            let waited = asked.elapsed();
            longest = longest.max(waited);
            if waited > Duration::from_millis(50) {
                last_wait = began.elapsed().as_secs_f64();
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let stats = slow.stats();
    println!("100,000 ids/s over 100 ms: longest wait {longest:?}, last one after {last_wait:.2} s; {stats:?}");
    assert!(longest < Duration::from_millis(250), "{longest:?}");
    assert!(last_wait < 3.0, "a call waited {last_wait} s after the start");
}

#[test]
fn bursts_never_wait_from_the_second_one_on_and_at_most_two_and_a_half_ids_are_leased_per_id_used() {
    let slow = Slow::open(100, 5);
    let (began, mut waits) = (Instant::now(), Vec::new());
    for burst in 0..10 {
        let due = began + Duration::from_secs(burst);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let before = slow.stats().waits;
        for _ in 0..20_000 {
            slow.order.next_id().unwrap();
        }
        let stats = slow.stats();
        waits.push(stats.waits - before);
        std::thread::sleep(Duration::from_millis(200));
        let stats = slow.stats();
        println!(
            "burst {burst}: {} waits; leased/used {:.2}; supply {}; {} refills",
            waits[burst as usize],
            stats.leased as f64 / stats.issued as f64,
            stats.unused,
            stats.refills
        );
        assert!(burst == 0 || stats.leased as f64 <= 2.5 * stats.issued as f64, "{stats:?}");
    }
    assert!(waits[1..].iter().all(|waits| *waits == 0), "{waits:?}");
}
