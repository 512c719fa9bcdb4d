//! What the calls of one holder share: the settings, the registry, the state directory, the clocks, the lease that is
//! held and the claim that was not answered.

use super::Registry;
use super::compare_and_set::Claim;
use super::row::Survey;
use super::state_dir::{Kept, RowFile, StateDir, write};
use crate::rows::Endpoint;
use crate::worker_files::worker_state::{RowState, RowVersion};
use leafmint_engine::clock::Clock;
use leafmint_engine::holder::lease::millis;
use leafmint_engine::holder::past::PastWorker;
use leafmint_engine::holder::{KeptFailures, Pace, Token, WorkerLease, Workers};
use leafmint_engine::round_trip::RoundTrip;
use leafmint_engine::runtime::background::{Task, Timeline};
use leafmint_engine::runtime::events;
use leafmint_engine::runtime::events::EventKind;
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::layout::date;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

/// How the rows of a database are used for worker ids.
#[derive(Clone, Debug)]
pub struct RowHolderSettings {
    /// Whether the server assigns the endpoint its worker id, in a table or in Leaf's own tree. Otherwise any free one
    /// is leased.
    pub is_assigned: bool,
    /// What worker ids are unique within: 1 to 128 code points. If a table assigns them, the name of the table.
    pub namespace: String,
    /// The worker ids that may be taken; the first ones are preferred.
    pub workers: Workers,
    /// The layout's fingerprint: the same for all processes of the namespace. At most 255 code points.
    pub layout: String,
    /// Who claims, at most 255 code points. A worker id is assigned to its `ip:port`.
    pub endpoint: Endpoint,
    /// How far ahead the row is kept, and how often it is renewed: [`Pace::LEASE`] or [`Pace::ENDPOINT`].
    pub pace: Pace,
    /// The same of the state file: [`Pace::local`].
    pub file_pace: Pace,
    /// The directory for lock and state files; `None` for hosts without a disk. Namespaces may share it.
    pub state_dir: Option<PathBuf>,
    /// Whether missing tables are created; by default only in a database that no server has.
    pub auto_create: Option<bool>,
    /// By how much this host's clock may differ, at the start, from the database's and from the other owners'.
    pub max_clock_skew: Duration,
}

impl RowHolderSettings {
    pub(super) fn in_child(&self) -> Self {
        Self { endpoint: self.endpoint.in_child(), ..self.clone() }
    }
}

pub(crate) struct HolderState {
    pub(super) registry: Arc<dyn Registry>,
    pub settings: RowHolderSettings,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) timeline: Arc<dyn Timeline>,
    pub(super) state_dir: Option<StateDir>,
    pub(super) held: tokio::sync::Mutex<Option<RowLease>>,
    /// Until when the held lease goes on without the registry: for figures and messages.
    pub(super) leased_until: AtomicI64,
    /// Failed renewals of the row.
    pub(super) kept_failures: Mutex<KeptFailures>,
    /// The average of the row's renewals.
    pub(super) heartbeat: Mutex<RoundTrip>,
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
    pub(crate) fn new(
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
            kept_failures: Mutex::default(),
            heartbeat: Mutex::default(),
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
            compare_clocks(&self.settings, before, self.clock.wall(), &survey)?;
            self.started.store(true, Ordering::Relaxed);
        }
        Ok(survey)
    }

    /// Returns whether this process has read the rows.
    pub(super) fn has_surveyed(&self) -> bool {
        self.started.load(Ordering::Relaxed)
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

/// A worker id that may be taken, and from when on.
#[derive(Clone)]
pub(super) struct ClaimPlan {
    pub(super) worker_id: i64,
    /// The first Unix millisecond that no earlier lease may have stamped.
    pub(super) floor: i64,
    pub(super) file: Option<Arc<RowFile>>,
    /// What this host knows about the row, if it continues a lease of its own.
    pub(super) row: RowState,
    /// The horizon that was reserved under the row. Filled in by the claim.
    pub(super) horizon: i64,
}

impl ClaimPlan {
    /// Plans to continue a lease of this host.
    pub(super) fn restart(worker_id: i64, file: Arc<RowFile>, kept: Kept) -> Self {
        Self { worker_id, floor: kept.horizon, file: Some(file), row: kept.row, horizon: i64::MIN }
    }
}

/// The lease that is held.
pub(super) struct RowLease {
    pub(super) worker_id: i64,
    pub(super) token: Token,
    pub(super) floor: i64,
    /// Up to where time is reserved: durable in the row, and in the state file if there is one.
    pub(super) horizon: i64,
    /// What the row showed last. Its horizon is never exceeded.
    pub(super) known: RowVersion,
    /// What else it may show: attempts that were not answered.
    pub(super) unconfirmed: Vec<RowVersion>,
    /// What others reported where the worker id is assigned was looked at: when the row was taken, or for a lease that
    /// was continued without the registry, since then.
    pub(super) is_looked_at: Arc<AtomicBool>,
    pub(super) file: Option<Arc<RowFile>>,
    /// The one attempt under way to move the row on.
    pub(super) renewal: Option<Task<RowVersion>>,
    /// The last attempt failed.
    pub(super) down: bool,
}

impl RowLease {
    pub(super) fn is(&self, lease: &WorkerLease) -> bool {
        (self.worker_id, self.token) == (lease.worker_id, lease.token)
    }

    /// Writes the state file, and only then counts the time as reserved.
    pub(super) async fn reserve(&mut self, horizon: i64, releasing: bool) -> Result<()> {
        let row = RowState { known: Some(self.known), unconfirmed: self.unconfirmed.clone(), releasing };
        write(self.file.as_ref(), self.token, horizon, row).await?;
        self.horizon = horizon;
        Ok(())
    }

    /// Takes in the result of the attempt under way, once it has ended, or after waiting for it.
    pub(super) async fn take_in(&mut self, wait: bool, database: &str) -> Result<()> {
        let Some(renewal) = self.renewal.take_if(|renewal| wait || renewal.is_finished()) else { return Ok(()) };
        let subject = format!("worker id {}", self.worker_id);
        match renewal.await {
            Ok(known) => {
                // A statement that is still queued compares with a version that has passed.
                (self.known, self.unconfirmed) = (known, Vec::new());
                if std::mem::take(&mut self.down) {
                    events::clear(EventKind::LeaseExtensionFailed, &subject);
                    let text = format_args!("{subject}: {database} answers again");
                    events::emit(EventKind::LeaseExtensionRecovered, &subject, text);
                }
                Ok(())
            }
            Err(error) => {
                if error.kind() != ErrorKind::LeaseLost && !std::mem::replace(&mut self.down, true) {
                    let text = format_args!("{subject}: {error}; ids can be had until {}", date(self.known.horizon));
                    events::emit_failure(EventKind::LeaseExtensionFailed, &subject, "", &error, text);
                }
                Err(error)
            }
        }
    }
}

/// Refuses to start if the database or most of the other owners show another time than this host. Reading the rows took
/// from `before` until `after`, by this host's clock.
pub(crate) fn compare_clocks(settings: &RowHolderSettings, before: i64, after: i64, survey: &Survey) -> Result<()> {
    let mut others: Vec<i64> = survey
        .rows
        .iter()
        .filter(|row| row.is_leased(survey.now) && !row.is_for_the_past() && row.endpoint != settings.endpoint.as_str())
        .map(|row| row.reported.saturating_add(survey.now.saturating_sub(row.updated)))
        .collect();
    let count = others.len();
    others.sort_unstable();
    // The median, and of two in the middle the nearer one: owners with a wrong clock stop a start only if they are the
    // majority.
    let median = (count > 0).then(|| after.clamp(others[(count - 1) / 2], others[count / 2]));
    let skew = millis(settings.max_clock_skew);
    let owners = format!("the median of {count} other owners shows");
    for (at, whose) in [(Some(survey.now), "the database shows"), (median, owners.as_str())] {
        let Some(at) = at else { continue };
        let how = if after.saturating_add(skew) < at {
            "behind"
        } else if before.saturating_sub(skew) > at {
            "ahead"
        } else {
            continue;
        };
        let text = format!(
            "this host's clock shows {} and {whose} {}: it is {how} by more than max_clock_skew={:?}; set the clock, or \
             raise max_clock_skew",
            date(after),
            date(at),
            settings.max_clock_skew
        );
        return Err(Error::new(ErrorKind::ClockMovedBackwards, text));
    }
    Ok(())
}
