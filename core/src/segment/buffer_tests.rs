//! How often whoever draws is sent to look after the refill.
#![allow(clippy::single_range_in_vec_init)]

use super::buffer::{Draw, Landed, SegmentBuffer};
use std::ops::Range;

/// A buffer whose ranges came one by one, each before the one before it was used up.
fn buffer(ranges: &[Range<i64>]) -> SegmentBuffer {
    let buffer = SegmentBuffer::new();
    for range in ranges {
        assert_eq!(buffer.land(range.clone()), Landed::Kept);
        assert!(matches!(buffer.try_next(), Draw::Id { .. }));
    }
    buffer
}

/// Draws all there is, and returns how many ids lay between looks.
fn looks(buffer: &SegmentBuffer) -> Vec<i64> {
    let (mut looks, mut unseen) = (Vec::new(), 0);
    loop {
        let draw = match buffer.next() {
            Ok(id) => Draw::Id { id, crossed: false },
            Err(rejected) => buffer.next_cold(rejected),
        };
        match draw {
            Draw::Id { crossed: true, .. } => looks.push(std::mem::take(&mut unseen)),
            Draw::Id { .. } => unseen += 1,
            Draw::Dry => return looks,
            Draw::Closed => panic!("nobody closed it"),
        }
    }
}

#[test]
fn a_segment_is_looked_after_at_each_tenth() {
    let looks = looks(&buffer(&[0..1000]));
    assert!((9..=11).contains(&looks.len()), "{looks:?}");
    assert!(looks.iter().all(|&ids| ids <= 100), "{looks:?}");
}

#[test]
fn a_long_range_that_joins_a_short_segment_is_not_looked_after_as_often_as_that() {
    let looks = looks(&buffer(&[0..10, 10..1_000_010]));
    assert!(looks.len() <= 12, "{} looks", looks.len());
    assert!(looks.iter().all(|&ids| ids <= 100_001), "{looks:?}");
}

#[test]
fn a_short_range_that_joins_a_long_segment_is_looked_after_at_each_tenth_of_what_is_in_hand() {
    let long = buffer(&[0..1_000_000]);
    assert_eq!(long.land(1_000_000..1_000_010), Landed::Kept);
    let looks = looks(&long);
    assert!(looks.len() <= 12, "{} looks", looks.len());
}

#[test]
fn ranges_that_join_one_after_another_are_looked_after_at_each_tenth_of_what_is_in_hand() {
    let buffer = buffer(&[0..1000, 1000..2000, 2000..3000, 3000..4000]);
    let looks = looks(&buffer);
    assert!((9..=14).contains(&looks.len()), "{looks:?}");
    assert!(looks.iter().all(|&ids| ids <= 400), "{looks:?}");
}
