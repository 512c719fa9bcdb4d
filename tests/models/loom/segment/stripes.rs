//! Relaxed order: threads that draw from stripes of one segment buffer.

use crate::buffer::{FromBuffer, SegmentBuffer};
use crate::segment::buffer;
use crate::stripes::Stripes;
use crate::{check, collect};
use loom::sync::Arc;
use loom::thread;
use loom::thread::JoinHandle;

/// Draws as the hot path of relaxed order does.
fn mint_in(stripes: &Arc<Stripes>, buffer: &Arc<SegmentBuffer>, stripe: usize, draws: usize) -> JoinHandle<Vec<i64>> {
    let (stripes, buffer) = (stripes.clone(), buffer.clone());
    let next = move || match stripes.cells()[stripe].next() {
        Ok(id) => Some(id),
        Err(_) => match stripes.try_next(stripe, &buffer) {
            FromBuffer::Got { ids: id, .. } => Some(id),
            FromBuffer::Dry | FromBuffer::Closed => None,
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
fn threads_that_share_a_stripe_ascend_and_never_overlap() {
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
        assert!(matches!(drawn, FromBuffer::Got { .. }));
        let mut mine: Vec<i64> = ranges.into_iter().flatten().collect();
        mine.extend(match stripes.try_next(0, &buffer) {
            FromBuffer::Got { ids: id, .. } => Some(id),
            FromBuffer::Dry | FromBuffer::Closed => None,
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
        let tail = buffer.unused().pop().unwrap_or(20..20);
        let late = mint_in(&stripes, &buffer, 0, 1);
        assert!(late.join().unwrap().is_empty(), "an id after the close");
        let all = collect(threads);
        assert!(all.iter().all(|id| (0..tail.start).contains(id)), "{all:?} were handed out, {tail:?} given back");
        let counts = stripes.counts(&buffer);
        assert_eq!(counts.issued + counts.in_stripes, tail.start, "every number is accounted for");
    });
}
