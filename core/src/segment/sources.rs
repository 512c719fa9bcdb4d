//! The sources of one handle in one process.

use super::order::Order;
use super::source::Source;
use super::tag::Tag;
use super::thread_number::thread_number;
use crate::error::{Error, ErrorKind, Result};
use crate::id::with_gene;
use crate::limit_cell::LimitCell;
use crate::process::PerProcess;
use crate::want::Want;
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
            let text = format!(
                "biz_tag {name:?} has no gene bits: leave the gene out, or open another biz_tag with gene_bits"
            );
            return Err(Error::new(ErrorKind::InvalidArgument, text));
        };
        // No number is drawn for a gene that does not fit.
        with_gene(0, gene, tag.gene_bits)?;
        Ok(tag)
    }
}

/// Makes the tag for calls without a gene: it is never supplied, and its error asks for a gene.
fn without_gene(tag: &Tag) -> Tag {
    let (name, bits) = (&tag.name, tag.gene_bits);
    let error = Error::new(ErrorKind::InvalidArgument, format!("biz_tag {name:?} has gene_bits={bits}: pass a gene"));
    Tag::refusing(name, bits, tag.shared.clone(), error)
}
