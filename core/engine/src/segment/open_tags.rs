//! The tags of an open generator in one process, and the figures of those that it forgot.

use super::buffer::joined;
use super::give_back::Unused;
use super::series::{SeriesGroup, SeriesTag, Totals};
use super::shared::Shared;
use super::stats::TagStats;
use super::tag::{PackedNumbers, Tag};
use super::tags::Tags;
use crate::sync::Mutex;
use leafmint_ids::error::{Error, Result};
use std::sync::Arc;

/// The tags of a generator in one process.
pub(super) struct OpenTags {
    pub(super) shared: Arc<Shared>,
    /// `None` once closed.
    open: Mutex<Option<Tags>>,
    /// The tags at the close, kept for `stats`.
    closed: Mutex<Vec<Arc<Tag>>>,
    /// The figures of the tags of periods that are forgotten. They change under the lock of `open`, so that each tag is
    /// counted once.
    past: Arc<Mutex<Totals>>,
}

impl OpenTags {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, open: Mutex::new(Some(Tags::new())), closed: Mutex::default(), past: Arc::default() }
    }

    /// Returns the tag of that name, and of that series if it is one's. Raises `invalid_argument` if it has other gene
    /// bits here or belongs to another series, and `closed`.
    pub(super) fn get(&self, name: &str, gene_bits: i64, series: Option<Arc<SeriesTag>>) -> Result<Arc<Tag>> {
        let mut open = self.open.lock();
        let tags = open.as_mut().ok_or_else(Error::closed)?;
        tags.get(name, gene_bits, series, &self.shared)
    }

    /// Raises `closed` after a close.
    pub(super) fn check_open(&self) -> Result<()> {
        if self.open.lock().is_some() { Ok(()) } else { Err(Error::closed()) }
    }

    /// Forgets the tags of periods, unless they have another handle, and gives back what is left of them, one after
    /// another.
    pub(super) fn forget(&self, groups: impl IntoIterator<Item = Arc<SeriesGroup>>) {
        let mut left = Vec::new();
        for group in groups {
            let name = group.tag_name().to_owned();
            drop(group);
            let mut open = self.open.lock();
            let Some(tag) = open.as_mut().and_then(|tags| tags.forget(&name)) else { continue };
            self.past.lock().forget(&tag);
            drop(open);
            self.shared.forget_leases(&name);
            if tag.counts().supply > 0 {
                left.push(tag);
            }
        }
        if left.is_empty() {
            return;
        }
        let past = self.past.clone();
        let work = async move {
            for tag in left {
                give_past_back(&tag, &past).await;
            }
        };
        // What is not given back is lost, as in a crash.
        let _ = self.shared.timeline.spawn(Box::pin(work));
    }

    /// Closes the tag of a period whose group alone has a handle, and returns its numbers; `None` if it is used.
    pub(super) fn pack(&self, tag: &Arc<Tag>) -> Option<PackedNumbers> {
        let mut open = self.open.lock();
        // The other one is that of the open tags. A call or a lease under way has another.
        if Arc::strong_count(tag) > 2 || !open.as_mut().is_some_and(|tags| tags.remove(tag)) {
            return None;
        }
        self.past.lock().forget(tag);
        Some(tag.pack())
    }

    /// Opens the tag of a period with the numbers of one that was packed. Returns `None` if its name has become another
    /// tag, and after a close.
    pub(super) fn unpack(&self, name: &str, series: Arc<SeriesTag>, numbers: PackedNumbers) -> Option<Arc<Tag>> {
        let mut open = self.open.lock();
        let tag = open.as_mut()?.get(name, 0, Some(series), &self.shared).ok()?;
        let count = tag.unpack(numbers)?;
        self.past.lock().note_unpacked(&tag, count);
        Some(tag)
    }

    /// Drops the tag of a period, although handles of it may exist: they keep what is in hand until [`OpenTags::end`].
    pub(super) fn unlist(&self, tag: &Arc<Tag>) {
        let mut open = self.open.lock();
        if open.as_mut().is_some_and(|tags| tags.remove(tag)) {
            self.past.lock().forget(tag);
        }
    }

    /// Ends a tag that was dropped, and gives back what is left of it, unless the period has another tag by now: that
    /// one may not find fewer numbers leased than before.
    pub(super) async fn end(&self, tag: &Arc<Tag>) {
        tag.end_period();
        {
            let open = self.open.lock();
            if tag.is_refilling() || open.as_ref().is_none_or(|tags| tags.has(&tag.name)) {
                return;
            }
            self.shared.forget_leases(&tag.name);
        }
        give_past_back(tag, &self.past).await;
    }

    /// Returns the figures of all tags and series by name, after a close too.
    pub(super) fn figures(&self) -> Vec<(String, TagStats)> {
        let (past, tags) = {
            let open = self.open.lock();
            let tags = open.as_ref().map_or_else(|| self.closed.lock().clone(), Tags::all);
            (self.past.lock().clone(), tags)
        };
        past.with(&tags)
    }

    /// Ends all draws and returns the tags, whose unused ids the caller must give back. Returns `None` if already
    /// closed.
    pub(super) fn close(&self) -> Option<Vec<Arc<Tag>>> {
        let mut open = self.open.lock();
        let mut closed = self.closed.lock();
        let taken: Vec<Arc<Tag>> = open.take()?.all();
        taken.iter().for_each(|tag| tag.shut());
        *self.shared.known.lock() = None;
        closed.clone_from(&taken);
        Some(taken)
    }
}

/// Gives back what is left of a tag whose figures are among those of the past.
async fn give_past_back(tag: &Tag, past: &Mutex<Totals>) {
    let mut taken = Vec::new();
    // If calls take some meanwhile, they get them, and nothing is given back.
    let _ = tag.buffer.next_many(tag.counts().supply, &mut taken);
    let before = {
        let mut refill = tag.refill.lock();
        refill.note_taken_back(taken.iter().map(|range| range.end - range.start).sum());
        refill.given_back
    };
    Unused::new(tag, joined(&taken)).give_back().await;
    let given_back = tag.refill.lock().given_back - before;
    past.lock().note_given_back(tag, given_back);
}
