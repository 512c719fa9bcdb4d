//! Single ids, batches and contiguous ranges of one tag.

use super::database::{Database, create, memory};
use leafmint::segment::{Order, TagOptions};
use leafmint::store::NewTagOptions;
use leafmint::{ErrorKind, MAX_RUN, Want};
use std::collections::HashSet;
use std::time::Duration;

#[test]
fn ids_of_one_generator_follow_on_one_another() {
    let ids = memory([]);
    let order = create(&ids, "order", 10);
    for expected in 1..=10_000 {
        assert_eq!(order.next_id().unwrap(), expected);
    }
}

#[test]
fn eight_threads_that_cross_thousands_of_switches_never_draw_the_same_id() {
    for step in [1, 2, 3, 50] {
        let ids = memory([("max_step", step.to_string().as_str())]);
        let order = create(&ids, "order", step);
        let all: Vec<i64> = std::thread::scope(|scope| {
            let mint = || {
                let order = order.clone();
                scope.spawn(move || {
                    let ids: Vec<i64> = (0..2_500).map(|_| order.next_id().unwrap()).collect();
                    assert!(ids.is_sorted_by(|a, b| a < b));
                    ids
                })
            };
            let threads: Vec<_> = (0..8).map(|_| mint()).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 20_000, "step {step}");
        let stats = &ids.stats().tags[0].1;
        assert!(all.iter().all(|id| (1..=stats.leased).contains(id)), "ids are of what was leased");
        // A caller that reads the limit just before a switch and draws just after it loses that one number.
        let wasted = stats.issued - 20_000;
        assert!((0..=7 * stats.refills).contains(&wasted), "{wasted} numbers wasted: {stats:?}");
        assert!(stats.refills >= 20_000 / step, "one switch per step: {stats:?}");
        println!("step {step}: {} refills, {wasted} numbers wasted", stats.refills);
    }
}

#[test]
fn batches_runs_and_single_ids_share_one_tag_without_meeting() {
    let ids = memory([("max_step", "64")]);
    let order = create(&ids, "order", 64);
    let mut all: Vec<i64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|number| {
                let order = order.clone();
                scope.spawn(move || {
                    let mut ids = Vec::new();
                    for turn in 0..300 {
                        match number % 3 {
                            0 => ids.push(order.next_id().unwrap()),
                            1 => ids.extend(order.next_ids(1 + turn % 200).unwrap()),
                            _ => {
                                let range = order.next_range(1 + turn % 90).unwrap();
                                assert_eq!(range.end - range.start, 1 + turn % 90, "in one piece");
                                ids.extend(range);
                            }
                        }
                    }
                    assert!(ids.is_sorted_by(|a, b| a < b));
                    ids
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn a_batch_may_be_larger_than_any_segment() {
    let ids = memory([("max_step", "10")]);
    let order = create(&ids, "order", 10);
    assert_eq!(order.next_ids(1000).unwrap(), (1..=1000).collect::<Vec<_>>());
    assert_eq!(order.next_range(1 << 20).unwrap().count(), 1 << 20);
}

#[test]
fn a_batch_may_have_millions_of_ids_and_a_range_as_many_as_the_largest_lease() {
    let ids = memory([]);
    let order = create(&ids, "order", 1000);
    assert!(order.next_ids(5_000_000).unwrap().into_iter().eq(1..=5_000_000));
    let range = order.next_range(MAX_RUN).unwrap();
    assert_eq!(range.end - range.start, MAX_RUN);
    assert_eq!(order.next_id().unwrap(), range.end);
}

#[test]
fn a_batch_that_times_out_leaves_its_ids_to_the_next_call() {
    let database = Database::new();
    let ids = database.open([]);
    let order = create(&ids, "order", 10);
    assert_eq!(order.next_id().unwrap(), 1);
    let outage = database.outage();
    for (want, text) in [
        (Want::Many(2_000_000), "no batch of 2000000 ids of tag \"order\" within 50ms from "),
        (Want::Run(2_000_000), "no range of 2000000 ids of tag \"order\" within 50ms from "),
    ] {
        let error = order.begin(want, Some(Duration::from_millis(50))).unwrap().finish().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SegmentUnavailable);
        assert!(error.message().starts_with(text), "{error}");
    }
    drop(outage);
    assert_eq!(order.next_id().unwrap(), 2);
}

#[test]
fn tags_are_equal_if_generator_name_gene_bits_and_order_are() {
    let ids = memory([]);
    let relaxed = || ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap();
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order, ids.biz_tag("order").unwrap());
    assert_eq!(relaxed(), relaxed());
    let others = [ids.biz_tag("user").unwrap(), relaxed(), memory([]).biz_tag("order").unwrap(), order.clone()];
    assert_eq!(others.each_ref().map(|other| *other == order), [false, false, false, true]);
    assert_eq!(HashSet::from(others).len(), 4);
}

#[test]
fn polling_an_empty_tag_consumes_no_numbers() {
    let database = Database::new();
    let ids = database.open([("auto_create", "false"), ("connect_timeout", "50ms")]);
    ids.create_tag_with("order", NewTagOptions::new().step(100)).unwrap().wait().unwrap();
    let order = ids.biz_tag("order").unwrap();
    let outage = database.outage();
    for _ in 0..100_000 {
        assert_eq!(order.try_next_id().unwrap(), None);
    }
    drop(outage);
    assert_eq!(order.next_id().unwrap(), 1);
}

#[test]
fn a_call_that_is_given_up_leaves_the_tag_as_it_was() {
    let ids = memory([]);
    let order = ids.biz_tag("order").unwrap();
    drop(order.begin(Want::Many(10), None).unwrap());
    let mut wait = order.begin(Want::One, None).unwrap();
    let _ = wait.poll().unwrap();
    drop(wait);
    assert!(order.next_id().unwrap() <= 2);
}
