//! The source that one call draws from: the tag's buffer for strict order, a stripe for relaxed order.

use super::from_buffer::FromBuffer;
use super::supply;
use super::tag::Tag;
use crate::error::{Error, Result};
use crate::limit_cell::Rejected;
use std::ops::Range;
use std::sync::Arc;

/// The source that one call draws from. It belongs to the tag that is passed with it.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// The tag's buffer.
    Buffer,
    /// The stripe of the thread with this number.
    Stripe(usize),
}

impl Source {
    /// Draws one id if there is one. Looks first, so that polling an empty source consumes no numbers.
    pub(super) fn draw(self, tag: &Tag) -> FromBuffer<i64> {
        match self {
            Source::Buffer => tag.buffer.try_next(),
            Source::Stripe(thread) => tag.stripes().try_next(thread, &tag.buffer),
        }
    }

    /// Draws `count` ids into `out`, in ascending ranges. It may push a part and return `Dry`.
    pub(super) fn draw_many(self, tag: &Tag, count: i64, out: &mut Vec<Range<i64>>) -> FromBuffer<()> {
        match self {
            Source::Buffer => tag.buffer.next_many(count, out),
            Source::Stripe(thread) => tag.stripes().next_many(thread, &tag.buffer, count, out),
        }
    }

    /// Draws `count` ids into `out`, in one contiguous range.
    pub(super) fn draw_run(self, tag: &Tag, count: i64, out: &mut Vec<Range<i64>>) -> FromBuffer<()> {
        match self {
            Source::Buffer => tag.buffer.next_run(count, out),
            Source::Stripe(thread) => tag.stripes().next_run(thread, &tag.buffer, count, out),
        }
    }

    /// Draws one id after a draw without a look. Judges the number that the tag's limit cell rejected, if it did.
    pub(super) fn redraw(self, tag: &Tag, rejected: Option<Rejected>) -> FromBuffer<i64> {
        rejected.map_or_else(|| self.draw(tag), |rejected| tag.buffer.next_cold(rejected))
    }
}

/// Returns the id that was drawn; if there is none, a refill is under way when this returns.
pub(super) fn in_hand(tag: &Arc<Tag>, drawn: FromBuffer<i64>) -> Result<Option<i64>> {
    let id = taken(tag, drawn)?;
    if id.is_none() {
        supply::demand(tag, 1, 0)?;
    }
    Ok(id)
}

/// Returns the ids that were drawn, or `None` if too few are in hand. Starts the refill that a soft limit calls for.
pub(super) fn taken<T>(tag: &Arc<Tag>, drawn: FromBuffer<T>) -> Result<Option<T>> {
    match drawn {
        FromBuffer::Got { ids, crossed } => {
            if crossed {
                supply::refill_if_due(tag);
            }
            Ok(Some(ids))
        }
        FromBuffer::Dry => Ok(None),
        FromBuffer::Closed => Err(Error::closed()),
    }
}
