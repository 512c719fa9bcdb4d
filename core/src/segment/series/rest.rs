//! What is left of a period that is over.

use crate::events::{self, EventKind};
use crate::segment::tag::Tag;
use std::ops::Range;

/// Takes what a tag has in hand, and gives back what no later lease follows on.
pub(in crate::segment) async fn give_rest_back(tag: &Tag) {
    let mut taken = Vec::new();
    // If calls take some meanwhile, they get them, and nothing is given back.
    let _ = tag.buffer.next_many(tag.counts().supply, &mut taken);
    let Some(tail) = joined_tail(&taken) else { return };
    tag.refill.lock().note_taken_back(taken.iter().map(|range| range.end - range.start).sum());
    let count = tail.end - tail.start;
    match tag.shared.store.give_back(&tag.name, tail).await {
        Ok(true) => tag.refill.lock().given_back += count,
        Ok(false) => {}
        Err(error) => {
            let text = format_args!(
                "{count} unused ids of biz_tag {:?} could not be given back and are lost: {error}",
                tag.name
            );
            events::emit_in(EventKind::GiveBackFailed, &tag.shared.store.scope(), &tag.name, text);
        }
    }
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
