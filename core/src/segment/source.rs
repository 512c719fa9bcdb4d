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

    /// Returns the next id if one is in hand. Draws without looking first.
    #[inline]
    pub(super) fn next(self, tag: &Arc<Tag>) -> Result<Option<i64>> {
        match self {
            Source::Buffer => match tag.buffer.next() {
                Ok(id) => Ok(Some(id)),
                Err(rejected) => next_cold(tag, rejected),
            },
            Source::Stripe(thread) => match tag.stripes().next(thread) {
                Ok(id) => Ok(Some(id)),
                Err(_) => next_in_stripe_cold(tag, thread),
            },
        }
    }

    /// Returns the next id if one is in hand; if not, a refill is under way when this returns. Looks before it draws.
    pub(super) fn try_next(self, tag: &Arc<Tag>) -> Result<Option<i64>> {
        settle(tag, self.draw(tag))
    }
}

/// Returns the next id if one is in hand, after a draw from the tag's limit cell was rejected.
#[cold]
pub(super) fn next_cold(tag: &Arc<Tag>, rejected: Rejected) -> Result<Option<i64>> {
    settle(tag, tag.buffer.next_cold(rejected))
}

/// Returns the next id if one is in hand, after a draw from a stripe's limit cell was rejected.
#[cold]
pub(super) fn next_in_stripe_cold(tag: &Arc<Tag>, thread: usize) -> Result<Option<i64>> {
    settle(tag, tag.stripes().next_cold(thread, &tag.buffer))
}

/// Turns a draw into an answer, and starts the refill that it calls for.
fn settle(tag: &Arc<Tag>, drawn: FromBuffer<i64>) -> Result<Option<i64>> {
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
