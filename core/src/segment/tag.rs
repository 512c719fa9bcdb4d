//! One tag in one process: the ids in hand, and the state of the refill that brings more.

use super::buffer::SegmentBuffer;
use super::from_buffer::Counts;
use super::series::SeriesTag;
use super::shared::Shared;
use super::stripes::Stripes;
use super::supply::Refill;
use crate::background::nudge;
use crate::error::{Error, ErrorKind};
use crate::progress::Watched;
use std::sync::{Arc, OnceLock};
use tokio::sync::Notify;

/// One tag of a generator in one process.
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) gene_bits: i64,
    /// The series whose period it is.
    pub(super) series: Option<Arc<SeriesTag>>,
    pub(super) shared: Arc<Shared>,
    pub(super) buffer: SegmentBuffer,
    /// Made with the first handle with relaxed order.
    stripes: OnceLock<Stripes>,
    pub(super) refill: Watched<Refill>,
    /// Shortens the pauses of the refill.
    pub(super) nudge: Notify,
}

impl Tag {
    pub(super) fn new(name: &str, gene_bits: i64, shared: Arc<Shared>) -> Self {
        Self {
            name: name.to_owned(),
            gene_bits,
            series: None,
            shared,
            buffer: SegmentBuffer::new(),
            stripes: OnceLock::new(),
            refill: Watched::new(Refill::default()),
            nudge: Notify::new(),
        }
    }

    /// Makes a tag whose every call fails with this error.
    pub(super) fn refusing(name: &str, gene_bits: i64, shared: Arc<Shared>, error: Error) -> Self {
        let tag = Self::new(name, gene_bits, shared);
        tag.refill.lock().stuck = Some(error);
        tag
    }

    /// Returns whether it is a tag of this series.
    pub(super) fn is_of(&self, series: &SeriesTag) -> bool {
        self.series.as_ref().is_some_and(|own| own.has_rule_of(series))
    }

    /// Returns the stripes, for relaxed order.
    #[inline]
    pub(super) fn stripes(&self) -> &Stripes {
        self.stripes.get_or_init(Stripes::for_this_machine)
    }

    /// Counts the ids leased, handed out and in hand, including those in stripes.
    pub(super) fn counts(&self) -> Counts {
        match self.stripes.get() {
            None => self.buffer.counts(),
            Some(stripes) => stripes.counts(&self.buffer),
        }
    }

    /// Ends all leases, because the period is over. A call that still comes for it fails once what is in hand is used.
    pub(super) fn end_period(&self) {
        let text = format!("the period of biz_tag {:?} is over, and its rest was given back: call again", self.name);
        let mut refill = self.refill.lock();
        refill.stuck = Some(Error::new(ErrorKind::SegmentUnavailable, text));
        self.refill.announce(&mut refill);
    }

    /// Returns whether a lease may still land.
    pub(super) fn is_refilling(&self) -> bool {
        self.refill.lock().progress.running
    }

    /// Ends all draws. The ids in hand are left to the close.
    pub(super) fn shut(&self) {
        self.buffer.close();
        if let Some(stripes) = self.stripes.get() {
            stripes.close();
        }
        let mut refill = self.refill.lock();
        refill.progress.closed = true;
        self.refill.announce(&mut refill);
        nudge(&self.nudge);
    }
}
