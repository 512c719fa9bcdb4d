//! One tag in one process: the ids in hand, and the state of the refill that brings more.

use super::buffer::{Counts, Landed, SegmentBuffer};
use super::series::SeriesTag;
use super::shared::Shared;
use super::stripes::Stripes;
use super::supply::{Density, Refill};
use crate::runtime::background::nudge;
use crate::runtime::progress::Watched;
use leafmint_ids::error::{Error, ErrorKind};
use std::ops::Range;
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
    /// The end of the highest lease when the generator was closed.
    pub(super) last_end: OnceLock<i64>,
    /// Shortens the pauses of the refill.
    pub(super) nudge: Notify,
}

/// The numbers of a tag that was closed, for one that goes on in its place.
pub(super) struct PackedNumbers {
    /// In hand, in ascending order.
    pub(super) ranges: Vec<Range<i64>>,
    /// The end of the last lease, below which the store must not lease again.
    pub(super) end: i64,
    /// Handed out.
    pub(super) used: i64,
    /// The `step` column.
    pub(super) step: i64,
}

impl Tag {
    pub(super) fn new(name: &str, gene_bits: i64, series: Option<Arc<SeriesTag>>, shared: Arc<Shared>) -> Self {
        let refill = Refill::new(density(series.as_ref()));
        Self {
            name: name.to_owned(),
            gene_bits,
            series,
            shared,
            buffer: SegmentBuffer::new(),
            stripes: OnceLock::new(),
            refill: Watched::new(refill),
            last_end: OnceLock::new(),
            nudge: Notify::new(),
        }
    }

    /// Makes a tag whose every call fails with this error.
    pub(super) fn refusing(name: &str, gene_bits: i64, shared: Arc<Shared>, error: Error) -> Self {
        let tag = Self::new(name, gene_bits, None, shared);
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
        let text = format!("the period of tag {:?} is over, and its rest was given back: call again", self.name);
        let mut refill = self.refill.lock();
        refill.stuck = Some(Error::new(ErrorKind::SegmentUnavailable, text));
        self.refill.announce(&mut refill);
    }

    /// Returns whether a lease may still land.
    pub(super) fn is_refilling(&self) -> bool {
        self.refill.lock().progress.running
    }

    /// Returns how densely its ids are used.
    pub(super) fn density(&self) -> Density {
        density(self.series.as_ref())
    }

    /// Returns whether a call waits for a lease.
    pub(super) fn is_waited_for(&self) -> bool {
        self.refill.lock().waiting > 0
    }

    /// Closes the buffer of a tag that no call uses, and returns its numbers.
    pub(super) fn pack(&self) -> PackedNumbers {
        let (used, step) = self.refill.lock().used_by(&self.counts());
        self.buffer.close();
        PackedNumbers { end: self.buffer.last_end(), ranges: self.buffer.unused(), used, step }
    }

    /// Goes on with numbers that were packed. Returns how many there are; `None` if this tag has later ones.
    pub(super) fn unpack(&self, numbers: PackedNumbers) -> Option<i64> {
        let count = numbers.ranges.iter().map(|range| range.end - range.start).sum();
        if numbers.ranges.into_iter().any(|range| self.buffer.land(range) != Landed::Kept) {
            return None;
        }
        self.buffer.go_on_above(numbers.end);
        self.refill.lock().go_on(numbers.step, numbers.used, self.shared.timeline.now());
        Some(count)
    }

    /// Ends all draws. The ids in hand are left to the close.
    pub(super) fn shut(&self) {
        if let Some(end) = self.shared.leased_up_to(&self.name) {
            let _ = self.last_end.set(end);
        }
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

fn density(series: Option<&Arc<SeriesTag>>) -> Density {
    if series.is_some() { Density::Numbers } else { Density::Ids }
}
