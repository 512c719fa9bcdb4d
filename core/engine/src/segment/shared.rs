//! The parts of a generator that all its tags share.

use super::failures::Failures;
use super::known_tags::KnownTags;
use super::supply::{StepPolicy, StoreQueue};
use crate::runtime::background::Timeline;
use crate::store::SegmentStore;
use crate::sync::Mutex;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The options of a generator that its tags need, and those that its binding reads.
pub struct SegmentSettings {
    pub policy: StepPolicy,
    pub timeout: Duration,
    /// `None`: as is usual for the store.
    pub auto_create: Option<bool>,
    pub default_step: i64,
    pub default_start: i64,
    /// Most keys of a series that are kept.
    pub max_keys: usize,
    pub table: String,
    pub close_at_exit: bool,
}

/// The parts of a generator that all its tags share in one process.
pub(super) struct Shared {
    pub(super) store: Arc<dyn SegmentStore>,
    pub(super) settings: Arc<SegmentSettings>,
    pub(super) timeline: Arc<dyn Timeline>,
    pub(super) queue: StoreQueue,
    pub(super) failures: Failures,
    /// `None` once closed.
    pub(super) known: Mutex<Option<Arc<KnownTags>>>,
    /// This process has reported that the generator is open.
    pub(super) reported: AtomicBool,
}

impl Shared {
    /// Returns whether the first id of a missing tag creates the tag.
    pub(super) fn creates_tags(&self) -> bool {
        self.settings.auto_create.unwrap_or_else(|| self.store.creates_tags())
    }

    pub(super) fn new(
        store: Arc<dyn SegmentStore>,
        settings: Arc<SegmentSettings>,
        timeline: Arc<dyn Timeline>,
    ) -> Self {
        let queue = StoreQueue::new(timeline.clone(), settings.policy.outage_budget);
        let known = Mutex::new(Some(KnownTags::of(store.scope(), &settings.table)));
        let failures = Failures::new();
        Self { store, settings, timeline, queue, failures, known, reported: AtomicBool::new(false) }
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
