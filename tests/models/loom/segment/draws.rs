//! Draws from a segment buffer, one at a time, in batches and in runs, while segments land and are switched.

use crate::buffer::{FromBuffer, Landed, SegmentBuffer};
use crate::segment::{buffer, live, mint, next};
use crate::{check, collect};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicI64, Ordering};
use loom::thread;
use loom::thread::JoinHandle;

#[test]
fn three_threads_share_a_segment_through_its_soft_limits() {
    check(|| {
        let buffer = live(&[0..4]);
        let all = collect(vec![mint(&buffer, 1), mint(&buffer, 1), mint(&buffer, 1)]);
        assert_eq!(all, [1, 2, 3], "a soft limit costs no number");
    });
}

#[test]
fn a_switch_while_two_threads_draw_hands_out_both_segments() {
    check(|| {
        let buffer = buffer(&[1..3, 10..12]);
        let all = collect(vec![mint(&buffer, 2), mint(&buffer, 2)]);
        assert!(all.iter().all(|id| [1, 2, 10, 11].contains(id)), "{all:?}");
    });
}

#[test]
fn a_segment_that_lands_while_two_threads_run_dry_is_not_eaten_by_their_overshoot() {
    check(|| {
        let buffer = live(&[0..2]);
        let threads = vec![mint(&buffer, 2), mint(&buffer, 1)];
        assert_eq!(buffer.land(10..14), Landed::Kept);
        let mut all = collect(threads);
        while let FromBuffer::Got { ids: id, .. } = buffer.try_next() {
            all.push(id);
        }
        assert!(all.is_sorted_by(|a, b| a < b) && all.iter().all(|id| *id == 1 || (10..14).contains(id)), "{all:?}");
        // A thread that had read the old limit rejects one number of the new range. No more are lost.
        assert!(all.len() >= 3, "{all:?}");
    });
}

#[test]
fn a_contiguous_segment_that_joins_or_follows_while_two_threads_draw_keeps_ids_unique() {
    check(|| {
        let buffer = live(&[0..2]);
        let threads = vec![mint(&buffer, 2), mint(&buffer, 2)];
        assert_eq!(buffer.land(2..6), Landed::Kept);
        let mut all = collect(threads);
        while let FromBuffer::Got { ids: id, .. } = buffer.try_next() {
            all.push(id);
        }
        assert!(all.is_sorted_by(|a, b| a < b) && all.iter().all(|id| (1..6).contains(id)), "{all:?}");
    });
}

#[test]
fn draws_past_the_end_do_not_eat_the_segment_that_lands_then() {
    check(|| {
        let buffer = live(&[0..2]);
        let mut all: Vec<i64> = (0..4).filter_map(|_| next(&buffer)).collect();
        assert_eq!(buffer.land(2..6), Landed::Kept);
        all.extend((0..4).filter_map(|_| next(&buffer)));
        assert_eq!(all, [1, 2, 3, 4, 5]);
    });
}

#[test]
fn a_batch_across_the_limit_and_single_draws_never_overlap() {
    check(|| {
        let buffer = buffer(&[1..4, 10..13]);
        let batching = {
            let buffer = buffer.clone();
            thread::spawn(move || {
                let mut ranges = Vec::new();
                let drawn = buffer.next_many(4, &mut ranges);
                assert!(matches!(drawn, FromBuffer::Got { .. } | FromBuffer::Dry));
                ranges.into_iter().flatten().collect()
            })
        };
        let minting = mint(&buffer, 1);
        let mine = next(&buffer);
        let mut all = collect(vec![batching, minting]);
        all.extend(mine);
        all.sort_unstable();
        assert!(all.is_sorted_by(|a, b| a < b), "an id was handed out twice: {all:?}");
        assert!(all.iter().all(|id| (1..4).contains(id) || (10..13).contains(id)), "{all:?}");
    });
}

#[test]
fn a_run_in_one_piece_and_single_draws_never_overlap() {
    check(|| {
        let buffer = buffer(&[1..3, 10..13]);
        let running = {
            let buffer = buffer.clone();
            thread::spawn(move || {
                let mut ranges = Vec::new();
                let drawn = buffer.next_run(3, &mut ranges);
                assert!(matches!(drawn, FromBuffer::Got { .. } | FromBuffer::Dry) && ranges.len() <= 1);
                ranges.into_iter().flatten().collect()
            })
        };
        let all = collect(vec![running, mint(&buffer, 2)]);
        assert!(all.iter().all(|id| (1..3).contains(id) || (10..13).contains(id)), "{all:?}");
    });
}

/// Draws as the JVM does: with the limit from a mirror, which is refreshed after each cold draw, in any order.
fn mint_by_mirror(buffer: &Arc<SegmentBuffer>, mirror: &Arc<AtomicI64>, draws: usize) -> JoinHandle<Vec<i64>> {
    let (buffer, mirror) = (buffer.clone(), mirror.clone());
    thread::spawn(move || {
        let mut ids = Vec::new();
        for _ in 0..draws {
            match buffer.cell.next_below(mirror.load(Ordering::Acquire)) {
                Ok(id) => ids.push(id),
                Err(rejected) => {
                    if let FromBuffer::Got { ids: id, .. } = buffer.next_cold(rejected) {
                        ids.push(id);
                    }
                    mirror.store(buffer.cell.limit(), Ordering::Release);
                }
            }
        }
        ids
    })
}

#[test]
fn readers_whose_limit_lags_behind_switches_take_no_number_of_another_range() {
    check(|| {
        let buffer = live(&[0..3, 4..7]);
        let mirror = Arc::new(AtomicI64::new(buffer.cell.limit()));
        let threads = vec![mint_by_mirror(&buffer, &mirror, 2), mint_by_mirror(&buffer, &mirror, 1)];
        let mine = next(&buffer);
        let mut all = collect(threads);
        all.extend(mine);
        all.sort_unstable();
        assert!(all.is_sorted_by(|a, b| a < b), "an id was handed out twice: {all:?}");
        assert!(all.iter().all(|id| (1..3).contains(id) || (4..7).contains(id)), "{all:?}");
    });
}
