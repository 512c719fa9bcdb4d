//! The sources of one handle in one process.

use super::buffer::FromBuffer;
use super::supply;
use super::tag::Tag;
use super::tag_options::Order;
use super::thread_number::thread_number;
use crate::limit_cell::{LimitCell, Rejected};
use crate::runtime::process::PerProcess;
use crate::want::Want;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::gene::with_gene;
use std::ops::Range;
use std::sync::Arc;

/// The tags and stripes that the calls of one handle draw from, in one process.
#[derive(Clone)]
pub(super) struct Sources {
    /// For calls without a gene. If the tag has gene bits, it is always empty, so that the hot path need not check
    /// them.
    pub(super) raw: Arc<Tag>,
    /// For calls with a gene, if the tag has gene bits.
    pub(super) with_gene: Option<Arc<Tag>>,
    pub(super) order: Order,
    /// The cells of the stripes if the order is relaxed, so that the hot path finds them at once.
    pub(super) cells: Option<Arc<[LimitCell]>>,
}

impl Sources {
    pub(super) fn new(tag: Arc<Tag>, order: Order) -> Self {
        let (raw, with_gene) = match tag.gene_bits {
            0 => (tag, None),
            _ => (Arc::new(without_gene(&tag)), Some(tag)),
        };
        let cells = (order == Order::Relaxed).then(|| raw.stripes().cells().clone());
        Self { raw, with_gene, order, cells }
    }

    /// Makes the sources of this process. One comparison on the hot path tells it that the process is the same and the
    /// order strict.
    pub(super) fn in_this_process(self) -> PerProcess<Self> {
        match self.order {
            Order::Strict => PerProcess::new(self),
            Order::Relaxed => PerProcess::new_slow_path(self),
        }
    }

    /// Returns the tag that is leased from.
    pub(super) fn leased(&self) -> &Arc<Tag> {
        self.with_gene.as_ref().unwrap_or(&self.raw)
    }

    /// Returns the tag for a call without a gene. An empty batch needs none, and is refused only after the close.
    pub(super) fn for_want(&self, want: Want) -> &Arc<Tag> {
        match want {
            Want::Many(0) | Want::Run(0) => self.leased(),
            _ => &self.raw,
        }
    }

    /// Returns the source of this thread.
    pub(super) fn of_this_thread(&self) -> Source {
        match self.order {
            Order::Strict => Source::Buffer,
            Order::Relaxed => Source::Stripe(thread_number()),
        }
    }

    /// Returns the source of a thread with a number of the binding's.
    pub(super) fn of_thread(&self, thread: usize) -> Source {
        match self.order {
            Order::Strict => Source::Buffer,
            Order::Relaxed => Source::Stripe(thread),
        }
    }

    /// Returns the tag for calls with this gene. Raises `invalid_argument` if the gene does not fit, or the tag has no
    /// gene bits.
    pub(super) fn for_gene(&self, gene: i64) -> Result<&Arc<Tag>> {
        let Some(tag) = &self.with_gene else {
            let name = &self.raw.name;
            let text = format!("tag {name:?} has no gene bits: leave the gene out, or open another tag with gene_bits");
            return Err(Error::new(ErrorKind::InvalidArgument, text));
        };
        // No number is drawn for a gene that does not fit.
        with_gene(0, gene, tag.gene_bits)?;
        Ok(tag)
    }
}

/// Makes the tag for calls without a gene: it is never supplied, and its error asks for a gene. A handle pays for it
/// once; a check of the gene bits would cost every id.
fn without_gene(tag: &Tag) -> Tag {
    let (name, bits) = (&tag.name, tag.gene_bits);
    let error = Error::new(ErrorKind::InvalidArgument, format!("tag {name:?} has gene_bits={bits}: pass a gene"));
    Tag::refusing(name, bits, tag.shared.clone(), error)
}

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
