//! `lease`: any free worker id of a namespace, recycled when its horizon has passed.

use super::MySqlHolderSettings;
use super::claim_plan::Plan;
use super::detached::detached;
use super::keep::{extend, release};
use super::rows::Rows;
use super::statements::{Row, Survey};
use crate::answer::Answer;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::{Pace, WorkerIdHolder, WorkerLease};
use crate::mutants::weaken;
use std::sync::Arc;
use std::time::Duration;

/// So many times somebody else may be faster. Each time the choice is wider, so that a crowd at an empty registry spreads.
const MOST_ATTEMPTS: u32 = 40;

/// Worker ids leased from a MySQL or MariaDB database.
///
/// Scope: everyone on that database who uses that namespace. Needs `SELECT`, `INSERT` and `UPDATE` on leafmint's own tables, and
/// `CREATE` where they are missing.
#[derive(Clone)]
pub struct MySqlLeaseHolder {
    rows: Arc<Rows>,
}

impl MySqlLeaseHolder {
    /// Describes the database without connecting to it.
    pub fn new(settings: MySqlHolderSettings, clock: Arc<dyn Clock>) -> Self {
        Self { rows: Arc::new(Rows::new(settings, None, clock)) }
    }
}

impl Rows {
    async fn lease_any(self: Arc<Self>) -> Result<WorkerLease> {
        *self.held.lock().await = None;
        let survey = match self.ready().await {
            Ok(survey) => survey,
            Err(error) => return self.any_alone(error).await,
        };
        if let Some(lease) = self.look_up_pending(&survey).await? {
            return Ok(lease);
        }
        if let Some(lease) = self.go_on(&survey, false).await? {
            return Ok(lease);
        }
        match self.lease_free(survey).await {
            Err(error) if error.kind() == ErrorKind::WorkerIdUnavailable => {
                self.go_on(&self.survey().await?, true).await?.ok_or(error)
            }
            other => other,
        }
    }

    /// Goes on with a lease of this host: first with one whose floor is near, `far` ahead of the clock only if nothing is free.
    async fn go_on(&self, survey: &Survey, far: bool) -> Result<Option<WorkerLease>> {
        for worker_id in self.known_here().await? {
            if let Some(plan) = self.plan_to_go_on(worker_id, survey).await?
                && (far || self.is_near(plan.floor))
                && let Some(lease) = self.claim(plan, survey.row(worker_id)).await?
            {
                return Ok(Some(lease));
            }
        }
        Ok(None)
    }

    /// Takes a free worker id: the first one, or beside many others one of the first few.
    async fn lease_free(&self, mut survey: Survey) -> Result<WorkerLease> {
        for attempt in 0..MOST_ATTEMPTS {
            let mut free = self.free(&survey);
            let mut first: Vec<(i64, i64)> = free.by_ref().take(1 << attempt.min(10)).collect();
            if first.is_empty() {
                break;
            }
            let chosen = fastrand::usize(..first.len());
            first.swap(0, chosen);
            for (worker_id, floor) in first.into_iter().chain(free) {
                let slot = match self.lock(worker_id).await? {
                    Some(slot) => slot,
                    None => continue,
                };
                if let Some(lease) = self.claim(Plan::new(worker_id, floor, slot, None), survey.row(worker_id)).await? {
                    return Ok(lease);
                }
                break;
            }
            tokio::time::sleep(Duration::from_millis(fastrand::u64(..20))).await;
            survey = self.survey().await?;
        }
        Err(self.none_free(&survey))
    }

    /// Returns the free worker ids with their floors, in the order in which to try them. There may be very many, of which the
    /// caller takes a few.
    pub(super) fn free<'a>(&'a self, survey: &'a Survey) -> impl Iterator<Item = (i64, i64)> + Send + 'a {
        let (wall, workers) = (self.clock.wall(), &self.settings.workers);
        let floor = move |row: &Row| weaken!("registry-floor-is-now", row.horizon, without = wall);
        let at_once = workers.iter().filter_map(move |worker_id| match survey.row(worker_id) {
            None => Some((worker_id, i64::MIN)),
            Some(row) => (row.horizon <= survey.now && floor(row) <= wall).then(|| (worker_id, floor(row))),
        });
        let allowed = move || survey.rows.iter().filter(|row| workers.contains(row.worker_id));
        // A floor ahead of this host's clock means waiting.
        let ahead = allowed().filter(move |row| row.horizon <= survey.now && floor(row) > wall);
        let mut free = at_once.chain(ahead.map(move |row| (row.worker_id, floor(row)))).peekable();
        let mut nearly: Vec<(i64, i64)> = Vec::new();
        if free.peek().is_none() {
            // Released, by an owner whose clock was a little ahead.
            let released = allowed().filter(|row| row.horizon > survey.now && row.token.is_none());
            nearly.extend(released.map(|row| (row.worker_id, row.horizon)));
            nearly.sort_by_key(|&(_, floor)| floor);
        }
        free.chain(nearly)
    }

    pub(super) fn none_free(&self, survey: &Survey) -> Error {
        let workers = &self.settings.workers;
        let mut held: Vec<(i64, i64, &str)> = survey
            .rows
            .iter()
            .filter(|row| workers.contains(row.worker_id) && row.horizon > survey.now)
            .map(|row| (row.horizon.saturating_sub(survey.now), row.worker_id, row.endpoint.as_str()))
            .collect();
        held.sort_unstable();
        let named: Vec<String> = held
            .iter()
            .take(16)
            .map(|(millis, worker_id, endpoint)| format!("{worker_id} by {endpoint} (reserved for another {millis} ms)"))
            .collect();
        let more = if held.len() > named.len() { ", …" } else { "" };
        // Those that the registry calls free are locked, or were taken while we looked.
        let starting = match workers.count() - held.len() as i64 {
            0 => String::new(),
            count => format!("; {count} by processes that are just starting, or that stand still on this host"),
        };
        Error::new(
            ErrorKind::WorkerIdUnavailable,
            format!(
                "all {} worker ids of {} are held: {}{more}{starting}; end one of these processes, wait for the first of them to \
                 expire, or allow more with the option workers",
                workers.count(),
                self.registry.name(),
                named.join(", "),
            ),
        )
    }

    /// Goes on with some worker id of this host while the registry is away.
    async fn any_alone(&self, outage: Error) -> Result<WorkerLease> {
        if self.state_dir.is_some() && outage.kind() == ErrorKind::StoreUnavailable {
            // Its lock would be in the way; its mark is in the state file.
            let pending = self.pending.lock().take();
            let found = match pending {
                Some((_, plan)) => std::iter::once(plan.worker_id).chain(self.known_here().await?).collect(),
                None => self.known_here().await?,
            };
            for worker_id in found {
                if let Some(plan) = self.plan_alone(worker_id).await?
                    && let Some(lease) = self.go_on_alone(plan).await?
                {
                    return Ok(lease);
                }
            }
        }
        Err(outage)
    }
}

impl WorkerIdHolder for MySqlLeaseHolder {
    fn acquire(&self) -> Answer<'_, WorkerLease> {
        detached(self.rows.clone().lease_any())
    }

    fn extend<'a>(&'a self, lease: &'a WorkerLease, horizon: i64) -> Answer<'a, i64> {
        extend(&self.rows, lease, horizon)
    }

    fn release<'a>(&'a self, lease: &'a WorkerLease, used: i64) -> Answer<'a, ()> {
        release(&self.rows, lease, used)
    }

    fn shared_clock(&self) -> Answer<'_, Option<i64>> {
        let rows = self.rows.clone();
        detached(async move { rows.registry.clock().await.map(Some) })
    }

    fn pace(&self) -> Pace {
        self.rows.pace()
    }

    fn name(&self) -> &'static str {
        "mysql lease"
    }

    fn scope(&self) -> String {
        format!("{} (scope: everyone on that database who uses that namespace)", self.rows.registry.name())
    }

    fn in_child(&self) -> Arc<dyn WorkerIdHolder> {
        Arc::new(Self::new(self.rows.settings.in_child(), self.rows.clock.clone()))
    }
}
