//! The state of a generator in one process.

use super::shared::{SegmentSettings, Shared};
use super::tag::Tag;
use super::tags::Tags;
use crate::background::Timeline;
use crate::error::{Error, Result};
use crate::store::SegmentStore;
use crate::sync::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The state of a generator in one process.
pub(super) struct GeneratorState {
    pub(super) shared: Arc<Shared>,
    /// Never false again once true, so that the child of a fork may read it.
    closed: AtomicBool,
    /// `None` once closed.
    tags: Mutex<Option<Tags>>,
    /// The tags at the close, kept for `stats`.
    closed_tags: Mutex<Vec<Arc<Tag>>>,
    /// The tags to supply at open, if the option `eager` is set.
    pub(super) eager: Option<Vec<String>>,
}

impl GeneratorState {
    pub(super) fn new(
        store: Arc<dyn SegmentStore>,
        settings: Arc<SegmentSettings>,
        eager: Option<Vec<String>>,
        timeline: Arc<dyn Timeline>,
    ) -> Self {
        let shared = Arc::new(Shared::new(store, settings, timeline));
        let (closed, tags) = (AtomicBool::new(false), Mutex::new(Some(Tags::new())));
        Self { shared, closed, tags, closed_tags: Mutex::default(), eager }
    }

    /// Makes the state of a forked child. Reads only what no other thread could have been changing during the fork.
    pub(super) fn in_child(&self) -> Self {
        let Shared { store, settings, timeline, .. } = &*self.shared;
        let child = Self::new(store.in_child(), settings.clone(), self.eager.clone(), timeline.clone());
        if self.closed.load(Ordering::Acquire) {
            drop(child.close());
        }
        child
    }

    /// Returns the tag of that name. Raises `invalid_argument` if it has other gene bits here, and `closed`.
    pub(super) fn tag(&self, name: &str, gene_bits: i64) -> Result<Arc<Tag>> {
        let mut tags = self.tags.lock();
        let tags = tags.as_mut().ok_or_else(Error::closed)?;
        tags.get(name, gene_bits, &self.shared)
    }

    /// Returns a tag that was resolved in the parent process.
    pub(super) fn tag_in_child(&self, name: &str, gene_bits: i64) -> Arc<Tag> {
        // It fails only if the generator is closed, or if the child has already resolved the tag with other gene bits.
        self.tag(name, gene_bits)
            .unwrap_or_else(|error| Arc::new(Tag::refusing(name, gene_bits, self.shared.clone(), error)))
    }

    /// Returns all tags, after a close too.
    pub(super) fn all_tags(&self) -> Vec<Arc<Tag>> {
        match self.tags.lock().as_ref() {
            Some(tags) => tags.all(),
            None => self.closed_tags.lock().clone(),
        }
    }

    /// Returns the store. Raises `closed`.
    pub(super) fn open_store(&self) -> Result<Arc<dyn SegmentStore>> {
        if self.tags.lock().is_none() {
            return Err(Error::closed());
        }
        Ok(self.shared.store.clone())
    }

    /// Ends all draws and returns the tags, whose unused ids the caller must give back. Returns `None` if already
    /// closed.
    pub(super) fn close(&self) -> Option<Vec<Arc<Tag>>> {
        self.closed.store(true, Ordering::Release);
        let mut tags = self.tags.lock();
        let mut closed_tags = self.closed_tags.lock();
        let taken: Vec<Arc<Tag>> = tags.take()?.all();
        taken.iter().for_each(|tag| tag.shut());
        *self.shared.known.lock() = None;
        closed_tags.clone_from(&taken);
        Some(taken)
    }
}
