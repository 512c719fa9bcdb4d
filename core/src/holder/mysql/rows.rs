//! What both kinds of MySQL holder share: the registry, the state directory, the clocks, and the lease that is held.

use super::claim_plan::Plan;
use super::registry::Registry;
use super::row_lease::Held;
use super::state_dir::StateDir;
use super::statements::{Claim, Key, Survey};
use super::{Mark, MySqlHolderSettings};
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::{Pace, WorkerLease, millis};
use crate::sync::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(super) struct Rows {
    pub(super) registry: Registry,
    pub(super) settings: MySqlHolderSettings,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) state_dir: Option<StateDir>,
    /// The table that is told the owner's clock now and then, for those who look there.
    pub(super) report_to: Option<String>,
    pub(super) held: tokio::sync::Mutex<Option<Held>>,
    /// A claim whose answer was lost, to be looked up first.
    pub(super) pending: Mutex<Option<(Claim, Plan)>>,
    /// The database's clock as it was read, and the monotonic clock then.
    anchor: Mutex<Option<(i64, u64)>>,
    started: AtomicBool,
}

impl Rows {
    pub(super) fn new(settings: MySqlHolderSettings, report_to: Option<String>, clock: Arc<dyn Clock>) -> Self {
        let registry = Registry::new(settings.mysql.clone(), &settings.namespace, &settings.layout, &settings.workers);
        // A leased row is for anybody's restart on this host; a fixed one belongs to an endpoint.
        let endpoint = report_to.as_ref().map(|_| settings.endpoint.as_str());
        let state_dir = settings.state_dir.as_ref().map(|root| StateDir::new(root, &registry.name(), &settings.layout, endpoint));
        Self {
            registry,
            settings,
            clock,
            state_dir,
            report_to,
            held: tokio::sync::Mutex::default(),
            pending: Mutex::default(),
            anchor: Mutex::default(),
            started: AtomicBool::new(false),
        }
    }

    /// Returns the pace of what callers extend: of the state file where there is one, else of the row.
    pub(super) fn pace(&self) -> Pace {
        if self.state_dir.is_some() { self.settings.file_pace } else { self.settings.pace }
    }

    pub(super) fn key(&self, worker_id: i64) -> Key {
        Key { namespace: self.settings.namespace.clone(), worker_id }
    }

    /// Reads all rows, and at the first success compares the clocks.
    pub(super) async fn survey(&self) -> Result<Survey> {
        let before = self.clock.wall();
        let survey = self.registry.survey().await?;
        *self.anchor.lock() = Some((survey.now, self.clock.monotonic()));
        if !self.started.load(Ordering::Relaxed) {
            self.compare_clocks(before, &survey)?;
        }
        Ok(survey)
    }

    /// Returns what the database's clock should show now; `None` where it was never read.
    pub(super) fn database_clock(&self) -> Option<i64> {
        let (at, then) = (*self.anchor.lock())?;
        Some(at.saturating_add(millis(Duration::from_nanos(self.clock.monotonic().saturating_sub(then)))))
    }

    /// Refuses to start beside clocks that show another time. Reading them took from `before` until now.
    pub(super) fn compare_clocks(&self, before: i64, survey: &Survey) -> Result<()> {
        let after = self.clock.wall();
        let mut others: Vec<i64> = survey
            .rows
            .iter()
            .filter(|row| row.token.is_some() && row.horizon > survey.now && row.endpoint != self.settings.endpoint.as_str())
            .map(|row| row.reported.saturating_add(survey.now.saturating_sub(row.updated)))
            .collect();
        let count = others.len();
        others.sort_unstable();
        // The median, and of two in the middle the nearer one: owners with a wrong clock stop no newcomer unless they are the majority.
        let median = (count > 0).then(|| after.clamp(others[(count - 1) / 2], others[count / 2]));
        let skew = millis(self.settings.max_clock_skew);
        let owners = format!("{count} other owners show in the middle");
        for (at, whose) in [(Some(survey.now), "the database shows"), (median, owners.as_str())] {
            let Some(at) = at else { continue };
            let (kind, how) = if after.saturating_add(skew) < at {
                (ErrorKind::ClockMovedBackwards, "behind")
            } else if before.saturating_sub(skew) > at {
                (ErrorKind::InvalidConfig, "ahead")
            } else {
                continue;
            };
            let text = format!(
                "this host's clock shows {after} and {whose} {at} (Unix ms): it is {how} by more than max_clock_skew={:?}; set \
                 the clock, or raise max_clock_skew",
                self.settings.max_clock_skew
            );
            return Err(Error::new(kind, text));
        }
        self.started.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Returns what the row should show so that time up to `horizon` can be reserved under it; `None` while it shows enough.
    pub(super) fn row_aim(&self, held: &Held, horizon: i64) -> Option<Mark> {
        let Pace { lease_duration, heartbeat } = self.settings.pace;
        let now = horizon.saturating_sub(self.pace().lease_millis());
        // Others judge by the database's clock whether the row is free.
        let now = now.max(self.database_clock().unwrap_or(i64::MIN));
        let full = now.saturating_add(millis(lease_duration));
        let due = held.known.horizon < horizon
            || held.known.horizon < full.saturating_sub(millis(heartbeat))
            || held.known.token != held.token;
        // An attempt that was not answered is made again as it was, while it is of use: so there are few to remember.
        let again = held.aims.last().filter(|aim| aim.token == held.token && aim.horizon > held.known.horizon.max(horizon));
        let aim = full.max(horizon).max(held.known.horizon.saturating_add(1));
        due.then_some(again.copied().unwrap_or(Mark { token: held.token, horizon: aim }))
    }

    /// Returns the lease that is held, if it is still this one.
    pub(super) fn not_held(lease: &WorkerLease) -> Error {
        crate::holder::lost(format!("worker id {} is not held any more", lease.worker_id))
    }
}
