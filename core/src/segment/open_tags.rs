//! The tags of an open generator in one process, and the figures of those that it forgot.

use super::give_back::give_rest_back;
use super::series::{SeriesGroup, SeriesTag, Totals};
use super::shared::Shared;
use super::stats::TagStats;
use super::tag::Tag;
use super::tags::Tags;
use crate::error::{Error, Result};
use crate::sync::Mutex;
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

    /// Forgets the tag of a period, unless it has another handle, and gives back what is left of it.
    pub(super) fn forget(&self, group: Arc<SeriesGroup>) {
        let name = group.tag_name().to_owned();
        drop(group);
        let tag = {
            let mut open = self.open.lock();
            let Some(tag) = open.as_mut().and_then(|tags| tags.forget(&name)) else { return };
            self.past.lock().forget(&tag);
            tag
        };
        self.shared.forget_leases(&name);
        if tag.counts().supply > 0 {
            let past = self.past.clone();
            let work = async move { give_past_back(&tag, &past).await };
            // What is not given back is lost, as in a crash.
            let _ = self.shared.timeline.spawn(Box::pin(work));
        }
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
    let before = tag.refill.lock().given_back;
    give_rest_back(tag).await;
    let given_back = tag.refill.lock().given_back - before;
    past.lock().note_given_back(tag, given_back);
}
