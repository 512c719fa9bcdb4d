//! The state of a generator in one process.

use super::series::SeriesByName;
use super::shared::{SegmentSettings, Shared};

use super::open_tags::OpenTags;
use super::tag::Tag;
use crate::runtime::background::Timeline;
use crate::store::SegmentStore;
use crate::sync::Mutex;
use leafmint_ids::error::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The state of a generator in one process.
pub(super) struct GeneratorState {
    pub(super) shared: Arc<Shared>,
    /// Never false again once true, so that the child of a fork may read it.
    closed: AtomicBool,
    pub(super) tags: Arc<OpenTags>,
    pub(super) series: Mutex<SeriesByName>,
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
        let (closed, tags) = (AtomicBool::new(false), Arc::new(OpenTags::new(shared.clone())));
        let series = Mutex::new(SeriesByName::new(shared.settings.max_keys));
        Self { shared, closed, tags, series, eager }
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
        self.tags.get(name, gene_bits, None)
    }

    /// Returns a tag that was resolved in the parent process.
    pub(super) fn tag_in_child(&self, tag: &Tag) -> Arc<Tag> {
        let Tag { name, gene_bits, series, .. } = tag;
        // It fails only if the generator is closed, or if the child has already resolved the tag with other gene bits.
        self.tags
            .get(name, *gene_bits, series.clone())
            .unwrap_or_else(|error| Arc::new(Tag::refusing(name, *gene_bits, self.shared.clone(), error)))
    }

    /// Returns the store. Raises `closed`.
    pub(super) fn open_store(&self) -> Result<Arc<dyn SegmentStore>> {
        self.tags.check_open()?;
        Ok(self.shared.store.clone())
    }

    /// Ends all draws and returns the tags, whose unused ids the caller must give back. Returns `None` if already
    /// closed.
    pub(super) fn close(&self) -> Option<Vec<Arc<Tag>>> {
        self.closed.store(true, Ordering::Release);
        self.series.lock().unpack_all(&self.tags);
        self.tags.close()
    }
}
