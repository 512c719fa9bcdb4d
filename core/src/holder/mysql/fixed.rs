//! `fixed`: the worker id that `leaf_workerid_alloc` gives to this endpoint, as in NotFound9's fork of Leaf.

use super::MySqlHolderSettings;
use super::claim_plan::Plan;
use super::detached::detached;
use super::foreign::{self, Assign, Assigned, ReadEndpoints};
use super::keep::{extend, release};
use super::rows::Rows;
use super::statements::{Row, Survey};
use crate::answer::Answer;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::{Pace, WorkerIdHolder, WorkerLease};
use crate::mutants::weaken;
use std::sync::Arc;

/// The fork may have stamped for so long after its last report. Milliseconds.
const AFTER_REPORT: i64 = 60_000;

/// So many times the row may change while it is being taken.
const MOST_ATTEMPTS: u32 = 5;

/// One worker id per `ip:port`, in a table of a MySQL or MariaDB database.
///
/// Scope: everyone on that database who uses that table. A worker id is not for a live Leaf and leafmint at once. Needs `SELECT`,
/// `INSERT` and `UPDATE` on that table and on leafmint's own ones, and `CREATE` where they are missing.
#[derive(Clone)]
pub struct MySqlFixedHolder {
    rows: Arc<Rows>,
    table: String,
}

impl MySqlFixedHolder {
    /// The table's name unless the settings give another.
    pub const TABLE: &'static str = foreign::TABLE;

    /// Describes the database without connecting to it. The namespace of the settings is left aside: it is the table's name.
    pub fn new(settings: MySqlHolderSettings, table: &str, clock: Arc<dyn Clock>) -> Self {
        let settings = MySqlHolderSettings { namespace: table.to_owned(), ..settings };
        let quoted = format!("`{}`", table.replace('.', "`.`"));
        Self { rows: Arc::new(Rows::new(settings, Some(quoted.clone()), clock)), table: quoted }
    }
}

impl Rows {
    async fn lease_assigned(self: Arc<Self>, table: String) -> Result<WorkerLease> {
        *self.held.lock().await = None;
        let survey = match self.ready().await {
            Ok(survey) => survey,
            Err(error) => return self.assigned_alone(error).await,
        };
        if let Some(lease) = self.look_up_pending(&survey).await? {
            return Ok(lease);
        }
        let assigned = self.assign(&table).await?;
        let worker_id = assigned.worker_id;
        let mut survey = survey;
        for _ in 0..MOST_ATTEMPTS {
            let plan = match self.plan_to_go_on(worker_id, &survey).await? {
                Some(plan) => plan,
                None => self.plan_anew(worker_id, &survey).await?,
            };
            let floor = plan.floor.max(foreign_floor(assigned, survey.row(worker_id)));
            if let Some(lease) = self.claim(Plan { floor, ..plan }, survey.row(worker_id)).await? {
                return Ok(lease);
            }
            survey = self.survey().await?;
        }
        Err(self.taken(worker_id, "somebody else who is just starting"))
    }

    /// Finds this endpoint's worker id.
    async fn assign(&self, table: &str) -> Result<Assigned> {
        let (endpoint, workers) = (self.settings.endpoint.as_str(), &self.settings.workers);
        let assign = Assign { table, endpoint, workers };
        let answer = match self.registry.sessions.run(&assign).await {
            Err(refusal) if refusal.missing_table => {
                self.registry.make(&[foreign::schema(table)]).await?;
                self.registry.run(&assign).await?
            }
            other => other.map_err(|refusal| refusal.error)?,
        };
        let database = self.registry.sessions.name();
        let Some(assigned) = answer else {
            let all = self.registry.run(&ReadEndpoints { table }).await?;
            let named: Vec<String> = all.iter().take(16).map(|(id, endpoint)| format!("{id} by {endpoint}")).collect();
            let text = format!(
                "{database}: all {} worker ids of {table} belong to other endpoints: {}{}; delete the row of one that is gone, or \
                 allow more with the option workers",
                workers.count(),
                named.join(", "),
                if all.len() > named.len() { ", …" } else { "" },
            );
            return Err(Error::new(ErrorKind::WorkerIdUnavailable, text));
        };
        if !workers.contains(assigned.worker_id) {
            let text = format!(
                "{database}: {table} gives the worker id {} to {endpoint}, which the layout or the option workers does not allow: \
                 correct the row's id",
                assigned.worker_id
            );
            return Err(Error::new(ErrorKind::InvalidConfig, text));
        }
        Ok(assigned)
    }

    /// Plans to take the worker id from nobody: it was never held here, was released, or its horizon has passed.
    async fn plan_anew(&self, worker_id: i64, survey: &Survey) -> Result<Plan> {
        let row = survey.row(worker_id);
        if let Some(row) = row.filter(|row| row.token.is_some() && row.horizon > survey.now) {
            let text = format!("{} (reserved for another {} ms)", row.endpoint, row.horizon - survey.now);
            return Err(self.taken(worker_id, &text));
        }
        match self.lock(worker_id).await? {
            Some(slot) => Ok(Plan::new(worker_id, row.map_or(i64::MIN, |row| row.horizon), slot, None)),
            None => Err(self.taken(worker_id, "another process of this host")),
        }
    }

    fn taken(&self, worker_id: i64, by: &str) -> Error {
        Error::new(
            ErrorKind::WorkerIdUnavailable,
            format!(
                "the worker id {worker_id} of {} in {} is held by {by}: end that process, or give this one an endpoint of its own",
                self.settings.endpoint,
                self.registry.name(),
            ),
        )
    }

    /// Goes on with this endpoint's worker id while the registry is away.
    async fn assigned_alone(&self, outage: Error) -> Result<WorkerLease> {
        if self.state_dir.is_some() && outage.kind() == ErrorKind::StoreUnavailable {
            *self.pending.lock() = None;
            for worker_id in self.known_here().await? {
                // The state file names its endpoint: another one's does not fit.
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

/// Returns the floor that somebody else's report asks for: one that is later than what was last reported from here.
fn foreign_floor(assigned: Assigned, row: Option<&Row>) -> i64 {
    let ours = row.map_or(0, |row| row.reported);
    match assigned.reported {
        Some(at) if weaken!("report-of-another-owner-ignored", at > ours, without = false) => at.saturating_add(AFTER_REPORT),
        _ => i64::MIN,
    }
}

impl WorkerIdHolder for MySqlFixedHolder {
    fn acquire(&self) -> Answer<'_, WorkerLease> {
        detached(self.rows.clone().lease_assigned(self.table.clone()))
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
        "mysql fixed"
    }

    fn scope(&self) -> String {
        format!("{} (scope: everyone on that database who uses that table)", self.rows.registry.name())
    }

    fn in_child(&self) -> Arc<dyn WorkerIdHolder> {
        Arc::new(Self::new(self.rows.settings.in_child(), self.rows.settings.namespace.as_str(), self.rows.clock.clone()))
    }
}
