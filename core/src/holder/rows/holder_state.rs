//! What the calls of one holder share: the registry, the state directory, the clocks, and the lease that is held.

use super::Registry;
use super::claim_plan::ClaimPlan;
use super::clocks;
use super::compare_and_set::Claim;
use super::row::Survey;
use super::row_lease::RowLease;
use super::settings::RowHolderSettings;
use super::state_dir::StateDir;
use crate::background::Timeline;
use crate::clock::Clock;
use crate::error::Result;
use crate::holder::Pace;
use crate::holder::pace::millis;
use crate::holder::past::PastWorker;
use crate::holder::row_state::RowVersion;
use crate::sync::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

pub(in crate::holder) struct HolderState {
    pub(super) registry: Arc<dyn Registry>,
    pub(in crate::holder) settings: RowHolderSettings,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) timeline: Arc<dyn Timeline>,
    pub(super) state_dir: Option<StateDir>,
    pub(super) held: tokio::sync::Mutex<Option<RowLease>>,
    /// Until when the held lease goes on without the registry: for figures and messages.
    pub(super) leased_until: AtomicI64,
    /// A claim whose answer was lost: it is sent again before any other.
    pub(super) unanswered: Mutex<Option<(Claim, ClaimPlan)>>,
    /// The worker ids for the past that this process has leased of.
    pub(super) past_workers: Mutex<Vec<PastWorker>>,
    /// The database's clock as it was read, and the monotonic clock then.
    anchor: Mutex<Option<(i64, i64)>>,
    /// The clocks were compared, once.
    started: AtomicBool,
}

impl HolderState {
    pub(in crate::holder) fn new(
        registry: Arc<dyn Registry>,
        settings: RowHolderSettings,
        clock: Arc<dyn Clock>,
        timeline: Arc<dyn Timeline>,
    ) -> Self {
        // A leased row is for any restart on this host; a fixed one belongs to an endpoint.
        let endpoint = registry.assignments().map(|_| settings.endpoint.as_str());
        let name = named(&registry.tables(), &settings);
        let state_dir = settings.state_dir.as_ref().map(|root| StateDir::new(root, &name, &settings.layout, endpoint));
        Self {
            registry,
            settings,
            clock,
            timeline,
            state_dir,
            held: tokio::sync::Mutex::default(),
            leased_until: AtomicI64::new(i64::MIN),
            unanswered: Mutex::default(),
            past_workers: Mutex::default(),
            anchor: Mutex::default(),
            started: AtomicBool::new(false),
        }
    }

    /// Names the database and the namespace, without credentials.
    pub(super) fn name(&self) -> String {
        named(self.registry.database(), &self.settings)
    }

    /// Returns the pace of what callers extend: of the state file if there is one, else of the row.
    pub(super) fn pace(&self) -> Pace {
        if self.state_dir.is_some() { self.settings.file_pace } else { self.settings.pace }
    }

    /// Reads all rows, and compares the clocks until they have agreed once.
    pub(super) async fn survey(&self) -> Result<Survey> {
        let before = self.clock.wall();
        let survey = self.registry.survey().await?;
        *self.anchor.lock() = Some((survey.now, self.clock.elapsed_millis()));
        if !self.started.load(Ordering::Relaxed) {
            clocks::compare(&self.settings, before, self.clock.wall(), &survey)?;
            self.started.store(true, Ordering::Relaxed);
        }
        Ok(survey)
    }

    /// Returns what the database's clock should show now; `None` if it was never read.
    pub(super) fn database_clock(&self) -> Option<i64> {
        let (at, then) = (*self.anchor.lock())?;
        Some(at.saturating_add(self.clock.elapsed_millis().saturating_sub(then).max(0)))
    }

    /// Returns what the row should show so that time up to `horizon` can be reserved under it; `None` while it shows
    /// enough.
    pub(super) fn next_version(&self, held: &RowLease, horizon: i64) -> Option<RowVersion> {
        let Pace { lease_duration, heartbeat } = self.settings.pace;
        let now = horizon.saturating_sub(self.pace().lease_millis());
        // Other processes judge by the database's clock whether the row is free.
        let now = now.max(self.database_clock().unwrap_or(i64::MIN));
        let full = now.saturating_add(millis(lease_duration));
        let due = held.known.horizon < horizon
            || held.known.horizon < full.saturating_sub(millis(heartbeat))
            || held.known.token != held.token;
        // An attempt that was not answered is made again as it was, while it is of use: so there are few to remember.
        let again = held
            .unconfirmed
            .last()
            .filter(|last| last.token == held.token && last.horizon > held.known.horizon.max(horizon));
        let next = full.max(horizon).max(held.known.horizon.saturating_add(1));
        due.then_some(again.copied().unwrap_or(RowVersion { token: held.token, horizon: next }))
    }
}

fn named(database: &str, settings: &RowHolderSettings) -> String {
    format!("{database}, namespace {}", settings.namespace)
}
