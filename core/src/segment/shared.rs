//! The parts of a generator that all its tags share.

use super::step_policy::StepPolicy;
use super::turns::Turns;
use crate::background::Timeline;
use crate::store::SegmentStore;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The options of a generator that its tags need, and those that its binding reads.
pub(crate) struct Settings {
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
    pub(super) settings: Arc<Settings>,
    pub(super) timeline: Arc<dyn Timeline>,
    pub(super) turns: Turns,
    /// This process has reported that the generator is open.
    pub(super) reported: AtomicBool,
}

impl Shared {
    pub(super) fn new(store: Arc<dyn SegmentStore>, settings: Arc<Settings>, timeline: Arc<dyn Timeline>) -> Self {
        let turns = Turns::new(timeline.clone(), settings.policy.outage_budget);
        Self { store, settings, timeline, turns, reported: AtomicBool::new(false) }
    }
}
