//! Unused ids that go back to the store.

use super::tag::Tag;
use crate::error::ErrorKind;
use crate::events::{self, EventKind};
use std::ops::Range;

/// Gives an unused tail of a tag back, at most once. Returns false if the store cannot be reached.
///
/// This process never touches these numbers again, whatever becomes of the statement, unless it leases them again.
pub(super) async fn give_back(tag: &Tag, tail: Range<i64>) -> bool {
    let (store, count) = (&tag.shared.store, tail.end - tail.start);
    match store.give_back(&tag.name, tail).await {
        Ok(true) => tag.refill.lock().given_back += count,
        Ok(false) => {}
        Err(error) => {
            let text = format_args!(
                "{count} unused ids of biz_tag {:?} could not be given back and are lost: {error}",
                tag.name
            );
            events::emit_in(EventKind::GiveBackFailed, &store.scope(), &tag.name, text);
            return error.kind() != ErrorKind::StoreUnavailable;
        }
    }
    true
}

/// Takes what a tag has in hand, and gives back what no later lease follows on.
pub(super) async fn give_rest_back(tag: &Tag) {
    let mut taken = Vec::new();
    // If calls take some meanwhile, they get them, and nothing is given back.
    let _ = tag.buffer.next_many(tag.counts().supply, &mut taken);
    let Some(tail) = joined_tail(&taken) else { return };
    tag.refill.lock().note_taken_back(taken.iter().map(|range| range.end - range.start).sum());
    give_back(tag, tail).await;
}

/// Returns the end of these ranges, as far as it is contiguous; `None` if there are no numbers.
fn joined_tail(ranges: &[Range<i64>]) -> Option<Range<i64>> {
    let mut tail = ranges.last()?.clone();
    for range in ranges.iter().rev().skip(1) {
        if range.end != tail.start {
            break;
        }
        tail.start = range.start;
    }
    (!tail.is_empty()).then_some(tail)
}
