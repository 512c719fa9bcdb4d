//! How often a caller that draws must check whether a refill is due.
#![allow(clippy::single_range_in_vec_init)]

use super::buffer::{FromBuffer, Landed, SegmentBuffer};
use std::ops::Range;

/// A buffer whose ranges landed one by one, each before the previous one was used up.
fn buffer(ranges: &[Range<i64>]) -> SegmentBuffer {
    let buffer = SegmentBuffer::new();
    for range in ranges {
        assert_eq!(buffer.land(range.clone()), Landed::Kept);
        assert!(matches!(buffer.try_next(), FromBuffer::Got { .. }));
    }
    buffer
}

/// Draws all ids, and returns the number of ids between checks.
fn looks(buffer: &SegmentBuffer) -> Vec<i64> {
    let (mut looks, mut unseen) = (Vec::new(), 0);
    loop {
        let draw = match buffer.next() {
            Ok(id) => FromBuffer::Got { ids: id, crossed: false },
            Err(rejected) => buffer.next_cold(rejected),
        };
        match draw {
            FromBuffer::Got { crossed: true, .. } => looks.push(std::mem::take(&mut unseen)),
            FromBuffer::Got { .. } => unseen += 1,
            FromBuffer::Dry => return looks,
            FromBuffer::Closed => panic!("it was not closed"),
        }
    }
}

#[test]
fn a_refill_is_checked_at_each_tenth_of_a_segment() {
    let looks = looks(&buffer(&[0..1000]));
    assert!((9..=11).contains(&looks.len()), "{looks:?}");
    assert!(looks.iter().all(|&ids| ids <= 100), "{looks:?}");
}

#[test]
fn a_long_range_that_joins_a_short_segment_is_not_checked_as_often_as_the_short_one() {
    let looks = looks(&buffer(&[0..10, 10..1_000_010]));
    assert!(looks.len() <= 12, "{} looks", looks.len());
    assert!(looks.iter().all(|&ids| ids <= 100_001), "{looks:?}");
}

#[test]
fn after_a_short_range_joined_a_long_segment_a_refill_is_checked_at_each_tenth_of_the_ids_in_hand() {
    let long = buffer(&[0..1_000_000]);
    assert_eq!(long.land(1_000_000..1_000_010), Landed::Kept);
    let looks = looks(&long);
    assert!(looks.len() <= 12, "{} looks", looks.len());
}

#[test]
fn after_range_after_range_joined_a_refill_is_checked_at_each_tenth_of_the_ids_in_hand() {
    let buffer = buffer(&[0..1000, 1000..2000, 2000..3000, 3000..4000]);
    let looks = looks(&buffer);
    assert!((9..=14).contains(&looks.len()), "{looks:?}");
    assert!(looks.iter().all(|&ids| ids <= 400), "{looks:?}");
}
