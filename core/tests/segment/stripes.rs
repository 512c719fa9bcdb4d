//! What relaxed order promises: unique ids, ascending for each thread, every number accounted for, nothing after the
//! close.

use super::database::memory;
use crate::stores::options;
use leafmint::binding::SharedCells;
use leafmint::segment::{Order, TagOptions, TagStats};
use leafmint::{BizTag, ErrorKind, SegmentGenerator};
use std::collections::HashSet;

fn stats(ids: &SegmentGenerator) -> TagStats {
    ids.stats().tags[0].1.clone()
}

/// Runs the work in `count` threads at once, and returns the ids of each.
fn in_threads(count: usize, work: impl Fn(usize) -> Vec<i64> + Sync) -> Vec<Vec<i64>> {
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..count).map(|number| scope.spawn(move || work(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn assert_each_once_and_ascending(drawn: &[Vec<i64>]) -> usize {
    assert!(drawn.iter().all(|ids| ids.is_sorted_by(|a, b| a < b)), "a thread saw its ids go back");
    let count = drawn.iter().map(Vec::len).sum();
    let all: HashSet<i64> = drawn.iter().flatten().copied().collect();
    assert_eq!(all.len(), count, "an id was handed out twice");
    count
}

#[test]
fn eight_threads_that_cross_thousands_of_switches_never_draw_the_same_id() {
    for step in [1, 2, 3, 50, 5000] {
        let ids = memory([("max_step", "5000"), ("default_step", &step.to_string())]);
        let order = ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap();
        let drawn = in_threads(8, |_| (0..5_000).map(|_| order.next_id().unwrap()).collect());
        assert_eq!(assert_each_once_and_ascending(&drawn), 40_000, "step {step}");
    }
}

#[test]
fn more_threads_than_stripes_share_them() {
    let ids = memory([]);
    let order = ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap();
    let count = 2 * order.cell_count() + 3;
    let drawn = in_threads(count, |_| (0..1000).map(|_| order.next_id().unwrap()).collect());
    assert_eq!(assert_each_once_and_ascending(&drawn), 1000 * count);
}

#[test]
fn every_way_of_taking_ids_ascends_for_each_thread() {
    let ids = memory([("max_step", "300"), ("default_step", "300")]);
    let order = ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap();
    let drawn = in_threads(8, |number| {
        let mut mine = Vec::new();
        for turn in 0..500_i64 {
            match (turn + number as i64) % 7 {
                0 => mine.extend(order.next_ids(1 + turn % 200).unwrap()),
                1 => {
                    let run = order.next_range(1 + turn % 90).unwrap();
                    assert_eq!(run.end - run.start, 1 + turn % 90, "in one piece");
                    mine.extend(run);
                }
                2 => mine.extend(order.next_id_or_wait(None).unwrap()),
                3 => mine.extend(order.try_next_id().unwrap()),
                _ => mine.push(order.next_id().unwrap()),
            }
        }
        mine
    });
    let count = assert_each_once_and_ascending(&drawn) as i64;
    let stats = stats(&ids);
    assert_eq!(stats.leased, stats.issued + stats.unused);
    // A draw past a block's end that another thread's switch overtook is the only number that may be lost.
    assert!(stats.issued >= count && stats.issued - count <= count / 100, "{stats:?}, {count} handed out");
}

#[test]
fn relaxed_and_strict_handles_of_one_tag_never_meet() {
    let ids = memory([("max_step", "100"), ("default_step", "100")]);
    let (relaxed, strict) =
        (ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap(), ids.biz_tag("order").unwrap());
    assert_eq!((relaxed.order(), strict.order()), (Order::Relaxed, Order::Strict));
    let drawn = in_threads(8, |number| {
        let tag: &BizTag = if number % 2 == 0 { &relaxed } else { &strict };
        (0..5_000).map(|_| tag.next_id().unwrap()).collect()
    });
    assert_each_once_and_ascending(&drawn);
}

#[test]
fn one_thread_alone_skips_no_id() {
    let ids = memory([]);
    let order = ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap();
    let taken: Vec<i64> = (0..5_000).map(|_| order.next_id().unwrap()).collect();
    assert_eq!(taken, (1..=5_000).collect::<Vec<_>>());
    assert_eq!(order.next_ids(700).unwrap(), (5_001..=5_700).collect::<Vec<_>>(), "the block first");
    let run = order.next_range(1000).unwrap();
    assert!(order.next_id().unwrap() >= run.end, "what was left of the block is passed over");
    let stats = stats(&ids);
    assert_eq!(stats.issued, 6_701);
}

#[test]
fn the_unused_ids_in_stripes_stay_in_proportion_to_the_ids_used() {
    let ids = memory([("default_step", "100000")]);
    let order = ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap();
    order.next_id().unwrap();
    let above_every_block = || ids.biz_tag("order").unwrap().next_id().unwrap();
    let before = above_every_block();
    assert!(before <= 1 + 16, "a thread that has minted one id holds few: {before}");
    let mine = order.cell_count() - 1;
    for _ in 0..4_000 {
        order.try_next_id_at(mine).unwrap().unwrap();
    }
    let after = above_every_block();
    assert!(after - before <= 4_000 + 256, "one thread holds one block: {before}, {after}");
    assert_eq!(stats(&ids).issued, 1 + 4_000 + 2);
}

#[test]
fn a_close_gives_back_the_ids_above_every_block_and_counts_the_rest_as_unused() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:///{}", folder.path().join("ids.db").display());
    let ids = leafmint::open::segment(&url, options([("default_step", "10000")])).unwrap();
    let order = ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap();
    let drawn = in_threads(4, |_| (0..100).map(|_| order.next_id().unwrap()).collect());
    assert_each_once_and_ascending(&drawn);
    ids.close().unwrap();
    let stats = stats(&ids);
    assert_eq!(stats.issued, 400);
    assert_eq!(stats.leased, stats.issued + stats.unused + stats.given_back);
    assert!(stats.given_back > 9_000 && stats.unused <= 4 * 128, "{stats:?}");
    let next = leafmint::open::segment(&url, []).unwrap().biz_tag("order").unwrap().next_id().unwrap();
    assert_eq!(next, 1 + stats.issued + stats.unused, "the first id above every block");
}

#[test]
fn no_id_is_handed_out_after_the_close() {
    let ids = memory([("default_step", "10000")]);
    let order = ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap();
    order.next_id().unwrap();
    ids.close().unwrap();
    for _ in 0..1000 {
        let errors = [
            order.next_id().unwrap_err(),
            order.next_id_or_wait(None).err().unwrap(),
            order.try_next_id().unwrap_err(),
            order.next_ids(5).unwrap_err(),
            order.next_range(5).unwrap_err(),
            ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| error.kind() == ErrorKind::Closed), "{errors:?}");
    }
    let other = in_threads(1, |_| order.next_id().err().map(|_| Vec::new()).unwrap());
    assert!(other[0].is_empty());
}

#[test]
fn a_close_while_eight_threads_mint_ends_them_all_and_gives_nothing_back_that_was_handed_out() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:///{}", folder.path().join("ids.db").display());
    let mut all: Vec<Vec<i64>> = Vec::new();
    for _ in 0..5 {
        let ids = leafmint::open::segment(&url, options([("max_step", "1000"), ("timeout", "60s")])).unwrap();
        let order = ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap();
        let drawn = std::thread::scope(|scope| {
            let mint = || {
                let mut mine = Vec::new();
                loop {
                    match order.next_id() {
                        Ok(id) => mine.push(id),
                        Err(error) if error.kind() == ErrorKind::Closed => return mine,
                        Err(error) => panic!("{error}"),
                    }
                }
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(mint)).collect();
            while stats(&ids).issued < 10_000 {
                std::thread::yield_now();
            }
            ids.close().unwrap();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        let stats = stats(&ids);
        assert_eq!(stats.leased, stats.issued + stats.unused + stats.given_back);
        all.extend(drawn);
    }
    // Each generator's ids lie above those of the one before it.
    assert_each_once_and_ascending(&all);
}

#[test]
fn max_unused_holds_for_stripes_too() {
    let ids = memory([("max_unused", "2000"), ("default_step", "1000")]);
    let order = ids.biz_tag_with("order", TagOptions::new().order(Order::Relaxed)).unwrap();
    let drawn = in_threads(4, |_| {
        (0..5_000)
            .map(|_| {
                let id = order.next_id().unwrap();
                let unused = stats(&ids).unused;
                assert!(unused <= 2000, "{unused}");
                id
            })
            .collect()
    });
    assert_each_once_and_ascending(&drawn);
}

#[test]
fn genes_may_come_in_relaxed_order() {
    let ids = memory([("max_step", "50"), ("default_step", "50")]);
    let order = ids.biz_tag_with("order", TagOptions::new().gene_bits(2).order(Order::Relaxed)).unwrap();
    let drawn =
        in_threads(8, |number| (0..2_000).map(|_| order.next_id_with_gene(number as i64 % 4, None).unwrap()).collect());
    assert_eq!(assert_each_once_and_ascending(&drawn), 16_000);
    let error = order.next_id().unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidArgument && error.message().contains("pass a gene"), "{error}");
}

#[test]
fn an_order_has_two_names() {
    assert_eq!("strict".parse::<Order>().unwrap(), Order::Strict);
    assert_eq!("relaxed".parse::<Order>().unwrap(), Order::Relaxed);
    for other in ["", "Relaxed", "loose"] {
        let error = other.parse::<Order>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains("\"strict\" nor \"relaxed\""), "{error}");
    }
}
