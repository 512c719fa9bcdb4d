//! The limit cell and the segment buffer under every interleaving: no id twice, none outside a lease, each thread
//! ascending.
//!
//! The two source files are compiled here against loom's atomics and mutex, so what is checked is what runs.
#![allow(missing_docs, dead_code, unreachable_pub, clippy::single_range_in_vec_init)]

mod sync {
    pub use loom::sync::atomic::{AtomicI64, Ordering};
    use loom::sync::{Mutex as LoomMutex, MutexGuard};

    pub struct Mutex<T>(LoomMutex<T>);

    impl<T> Mutex<T> {
        pub fn new(value: T) -> Self {
            Self(LoomMutex::new(value))
        }

        pub fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().unwrap()
        }
    }
}

#[path = "../src/segment/buffer.rs"]
mod buffer;
#[path = "../src/limit_cell.rs"]
mod limit_cell;
#[path = "../src/mutants.rs"]
mod mutants;
#[path = "../src/segment/stripes.rs"]
mod stripes;

use buffer::{Draw, DrawMany, Landed, SegmentBuffer};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicI64, Ordering};
use loom::thread::{self, JoinHandle};
use stripes::Stripes;

/// Explores every interleaving with at most three preemptions, which is enough for such bugs to show.
fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut explorer = loom::model::Builder::new();
    explorer.preemption_bound = Some(3);
    explorer.check(model);
}

/// A buffer with the ranges in hand, of which the first one is live and has lent its first number.
fn live(ranges: &[std::ops::Range<i64>]) -> Arc<SegmentBuffer> {
    let buffer = buffer(ranges);
    assert_eq!(next(&buffer), Some(ranges[0].start));
    buffer
}

/// A buffer with the ranges in hand.
fn buffer(ranges: &[std::ops::Range<i64>]) -> Arc<SegmentBuffer> {
    let buffer = SegmentBuffer::new();
    for range in ranges {
        assert_eq!(buffer.land(range.clone()), Landed::Kept);
    }
    Arc::new(buffer)
}

/// Draws as the hot path does. `None` if no id is in hand or the buffer is closed.
fn next(buffer: &SegmentBuffer) -> Option<i64> {
    let draw = match buffer.next() {
        Ok(id) => return Some(id),
        Err(rejected) => buffer.next_cold(rejected),
    };
    match draw {
        Draw::Id { id, .. } => Some(id),
        Draw::Dry | Draw::Closed => None,
    }
}

fn mint(buffer: &Arc<SegmentBuffer>, draws: usize) -> JoinHandle<Vec<i64>> {
    let buffer = buffer.clone();
    thread::spawn(move || (0..draws).filter_map(|_| next(&buffer)).collect())
}

/// Joins the threads and checks what they drew; returns all of it, sorted.
fn collect(threads: Vec<JoinHandle<Vec<i64>>>) -> Vec<i64> {
    let mut all = Vec::new();
    for thread in threads {
        let ids = thread.join().unwrap();
        assert!(ids.is_sorted_by(|a, b| a < b), "a thread saw {ids:?}");
        all.extend(ids);
    }
    all.sort_unstable();
    assert!(all.is_sorted_by(|a, b| a < b), "an id was handed out twice: {all:?}");
    all
}

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
        while let Draw::Id { id, .. } = buffer.try_next() {
            all.push(id);
        }
        assert!(all.is_sorted_by(|a, b| a < b) && all.iter().all(|id| *id == 1 || (10..14).contains(id)), "{all:?}");
        // Who had read the old limit rejects one number of the new range; more are never lost.
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
        while let Draw::Id { id, .. } = buffer.try_next() {
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
fn a_batch_across_the_limit_and_single_draws_never_meet() {
    check(|| {
        let buffer = buffer(&[1..4, 10..13]);
        let batching = {
            let buffer = buffer.clone();
            thread::spawn(move || {
                let mut ranges = Vec::new();
                let drawn = buffer.next_many(4, &mut ranges);
                assert!(matches!(drawn, DrawMany::Done { .. } | DrawMany::Dry));
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
fn a_run_in_one_piece_and_single_draws_never_meet() {
    check(|| {
        let buffer = buffer(&[1..3, 10..13]);
        let running = {
            let buffer = buffer.clone();
            thread::spawn(move || {
                let mut ranges = Vec::new();
                let drawn = buffer.next_run(3, &mut ranges);
                assert!(matches!(drawn, DrawMany::Done { .. } | DrawMany::Dry) && ranges.len() <= 1);
                ranges.into_iter().flatten().collect()
            })
        };
        let all = collect(vec![running, mint(&buffer, 2)]);
        assert!(all.iter().all(|id| (1..3).contains(id) || (10..13).contains(id)), "{all:?}");
    });
}

#[test]
fn a_close_gives_back_exactly_the_ids_that_were_not_drawn() {
    check(|| {
        let buffer = buffer(&[1..4, 4..6]);
        let threads = vec![mint(&buffer, 1), mint(&buffer, 2)];
        buffer.close();
        let tail = buffer.unused_tail().unwrap_or(6..6);
        let all = collect(threads);
        assert!(all.iter().all(|id| (1..tail.start).contains(id)), "{all:?} were handed out, {tail:?} given back");
        // A draw that met the close between its add and the mutex is the only number that may be lost: one per thread.
        assert!(tail.start - 1 - all.len() as i64 <= 2, "{all:?} were handed out, {tail:?} given back");
        assert_eq!(next(&buffer), None);
    });
}

#[test]
fn a_lease_that_lands_during_a_close_is_given_back_or_dropped_never_handed_out() {
    check(|| {
        let buffer = buffer(&[1..3]);
        let minting = mint(&buffer, 2);
        let landing = {
            let buffer = buffer.clone();
            thread::spawn(move || buffer.land(3..5))
        };
        buffer.close();
        let tail = buffer.unused_tail();
        let landed = landing.join().unwrap();
        let all = collect(vec![minting]);
        if let Some(tail) = tail {
            assert!(all.iter().all(|id| *id < tail.start), "{all:?} were handed out, {tail:?} given back");
            assert_eq!(tail.end, if landed == Landed::Kept { 5 } else { 3 });
        }
    });
}

/// A reader as in the JVM: it reads the limit from a mirror that is refreshed after each cold draw, in any order.
fn mint_by_mirror(buffer: &Arc<SegmentBuffer>, mirror: &Arc<AtomicI64>, draws: usize) -> JoinHandle<Vec<i64>> {
    let (buffer, mirror) = (buffer.clone(), mirror.clone());
    thread::spawn(move || {
        let mut ids = Vec::new();
        for _ in 0..draws {
            match buffer.cell.next_below(mirror.load(Ordering::Acquire)) {
                Ok(id) => ids.push(id),
                Err(rejected) => {
                    if let Draw::Id { id, .. } = buffer.next_cold(rejected) {
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

/// Draws as the hot path does with relaxed order.
fn mint_in(stripes: &Arc<Stripes>, buffer: &Arc<SegmentBuffer>, stripe: usize, draws: usize) -> JoinHandle<Vec<i64>> {
    let (stripes, buffer) = (stripes.clone(), buffer.clone());
    let next = move || match stripes.next(stripe) {
        Ok(id) => Some(id),
        Err(_) => match stripes.next_cold(stripe, &buffer) {
            Draw::Id { id, .. } => Some(id),
            Draw::Dry | Draw::Closed => None,
        },
    };
    thread::spawn(move || (0..draws).filter_map(|_| next()).collect())
}

#[test]
fn stripes_of_one_buffer_never_hand_out_the_same_id() {
    check(|| {
        // Soft limits at every second number: stripes of two.
        let (stripes, buffer) = (Arc::new(Stripes::new(2)), buffer(&[0..3, 20..40]));
        let all = collect(vec![mint_in(&stripes, &buffer, 0, 3), mint_in(&stripes, &buffer, 1, 3)]);
        assert_eq!(all.len(), 6, "nothing is lost: {all:?}");
        assert!(all.iter().all(|id| (0..3).contains(id) || (20..40).contains(id)), "{all:?}");
    });
}

#[test]
fn threads_that_share_a_stripe_ascend_and_never_meet() {
    check(|| {
        let (stripes, buffer) = (Arc::new(Stripes::new(1)), buffer(&[0..20]));
        let all = collect(vec![mint_in(&stripes, &buffer, 0, 3), mint_in(&stripes, &buffer, 0, 2)]);
        assert!(all.iter().all(|id| (0..20).contains(id)), "{all:?}");
        let counts = stripes.counts(&buffer);
        assert_eq!(counts.issued + counts.in_stripes + counts.supply, 20);
    });
}

#[test]
fn a_run_skips_the_block_of_its_stripe_and_no_lower_id_follows() {
    check(|| {
        let (stripes, buffer) = (Arc::new(Stripes::new(1)), buffer(&[0..20]));
        let other = mint_in(&stripes, &buffer, 0, 2);
        let mut ranges = Vec::new();
        let drawn = stripes.next_run(0, &buffer, 3, &mut ranges);
        assert!(matches!(drawn, DrawMany::Done { .. }));
        let mut mine: Vec<i64> = ranges.into_iter().flatten().collect();
        mine.extend(match stripes.try_next(0, &buffer) {
            Draw::Id { id, .. } => Some(id),
            Draw::Dry | Draw::Closed => None,
        });
        assert!(mine.len() == 4 && mine.is_sorted_by(|a, b| a < b), "{mine:?}");
        mine.extend(collect(vec![other]));
        mine.sort_unstable();
        assert!(mine.is_sorted_by(|a, b| a < b), "an id was handed out twice: {mine:?}");
    });
}

#[test]
fn a_close_ends_every_stripe_and_gives_back_the_ids_above_every_block() {
    check(|| {
        let (stripes, buffer) = (Arc::new(Stripes::new(2)), buffer(&[0..20]));
        let threads = vec![mint_in(&stripes, &buffer, 0, 2), mint_in(&stripes, &buffer, 1, 1)];
        buffer.close();
        stripes.close();
        let tail = buffer.unused_tail().unwrap_or(20..20);
        let late = mint_in(&stripes, &buffer, 0, 1);
        assert!(late.join().unwrap().is_empty(), "an id after the close");
        let all = collect(threads);
        assert!(all.iter().all(|id| (0..tail.start).contains(id)), "{all:?} were handed out, {tail:?} given back");
        let counts = stripes.counts(&buffer);
        assert_eq!(counts.issued + counts.in_stripes, tail.start, "every number is accounted for");
    });
}
