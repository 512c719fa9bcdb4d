//! A slow store costs no error, and a refill costs one round trip. A MariaDB behind a network that delays every round
//! trip.
//!
//! How soon a tag stops waiting and how much it leases is policy, tested on simulated time:
//! `core/engine/src/segment/slow_store_tests.rs`.

use crate::stores::{Table, options, sql, through_proxy};
use std::time::{Duration, Instant};

#[test]
fn on_an_open_session_the_first_id_costs_one_round_trip_and_so_does_every_refill() {
    for has_genes in [false, true] {
        let table = Table::of_leaf();
        sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 1000), ('parcel', 1, 1000)"));
        let (proxy, url) = through_proxy();
        let given = [("table", table.0.as_str()), ("max_step", "1000"), ("eager", "true"), ("timeout", "30s")];
        let ids = leafmint::open::segment(&url, options(given)).unwrap();
        if has_genes {
            ids.init_schema().unwrap().wait().unwrap();
        }
        let refills = || -> i64 { ids.stats().tags.iter().map(|(_, stats)| stats.refills).sum() };
        let before = proxy.requests();
        // A refill may be under way, whose packet is counted before its answer.
        let costs = |what: &str, more: i64| {
            let began = Instant::now();
            while i64::try_from(proxy.requests() - before).unwrap() != refills() + more {
                assert!(
                    began.elapsed() < Duration::from_secs(30),
                    "{what}: {} packets for {} refills",
                    proxy.requests() - before,
                    refills()
                );
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        ids.biz_tag("parcel").unwrap().next_id().unwrap();
        costs("a first id", 0);
        let order = ids.biz_tag("order").unwrap();
        for turn in ["first", "second", "third"] {
            order.next_range(1000).unwrap();
            // A run of 1000 asks for the step first, once.
            costs(turn, 1);
        }
    }
}

#[test]
fn one_caller_in_a_tight_loop_sees_no_error_and_soon_no_wait() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 1000)"));
    let (proxy, url) = through_proxy();
    proxy.slow_down(50);
    let given = [("table", table.0.as_str()), ("eager", "true"), ("eager_tags", "order"), ("timeout", "30s")];
    let ids = leafmint::open::segment(&url, options(given)).unwrap();
    let order = ids.biz_tag("order").unwrap();
    let (began, mut calm_since, mut waits) = (Instant::now(), 0, 0);
    // Ten refills in a row without a wait are full speed.
    loop {
        for _ in 0..1000 {
            order.next_id().unwrap();
        }
        let stats = ids.stats().tags[0].1.clone();
        if stats.waits > waits {
            (waits, calm_since) = (stats.waits, stats.refills);
        }
        if stats.refills >= calm_since + 10 {
            assert_eq!(stats.refill_failures, 0);
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "callers still wait: {stats:?}");
    }
}
