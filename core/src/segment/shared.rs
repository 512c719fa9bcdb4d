//! The parts of a generator that all its tags share.

use super::known_tags::KnownTags;
use super::supply::{StepPolicy, StoreQueue};
use crate::background::Timeline;
use crate::store::SegmentStore;
use crate::sync::Mutex;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The options of a generator that its tags need, and those that its binding reads.
pub(crate) struct SegmentSettings {
    pub(crate) policy: StepPolicy,
    pub(crate) timeout: Duration,
    pub(crate) auto_create: bool,
    pub(crate) default_step: i64,
    pub(crate) default_start: i64,
    pub(crate) table: String,
    pub(crate) close_at_exit: bool,
}

/// The parts of a generator that all its tags share in one process.
pub(super) struct Shared {
    pub(super) store: Arc<dyn SegmentStore>,
    pub(super) settings: Arc<SegmentSettings>,
    pub(super) timeline: Arc<dyn Timeline>,
    pub(super) queue: StoreQueue,
    /// `None` once closed.
    pub(super) known: Mutex<Option<Arc<KnownTags>>>,
    /// This process has reported that the generator is open.
    pub(super) reported: AtomicBool,
}

impl Shared {
    pub(super) fn new(
        store: Arc<dyn SegmentStore>,
        settings: Arc<SegmentSettings>,
        timeline: Arc<dyn Timeline>,
    ) -> Self {
        let queue = StoreQueue::new(timeline.clone(), settings.policy.outage_budget);
        let known = Mutex::new(Some(KnownTags::of(store.scope(), &settings.table)));
        Self { store, settings, timeline, queue, known, reported: AtomicBool::new(false) }
    }

    /// Notes a lease, for as long as the generator is open.
    pub(super) fn note_lease(&self, tag: &str, end: i64) {
        if let Some(known) = &*self.known.lock() {
            known.note(tag, end);
        }
    }

    /// Forgets the leases of a tag.
    pub(super) fn forget_leases(&self, tag: &str) {
        if let Some(known) = &*self.known.lock() {
            known.forget(tag);
        }
    }

    /// Returns the end of what open generators of this process have leased of a tag.
    pub(super) fn leased_up_to(&self, tag: &str) -> Option<i64> {
        self.known.lock().as_ref()?.end_of(tag)
    }
}
