//! The mode `fixed`: the worker id that a table assigns to this endpoint.

use super::Assigned;
use super::claim_plan::ClaimPlan;
use super::holder_state::HolderState;
use super::row::{Row, Survey};
use crate::error::{Error, ErrorKind, Result};
use crate::holder::WorkerLease;
use crate::mutants::weaken;

/// A running Leaf may have stamped ids for this long after its last report. Milliseconds.
const AFTER_REPORT: i64 = 60_000;

/// Maximum number of times that the row may change while it is being taken.
const MOST_ATTEMPTS: u32 = 5;

impl HolderState {
    pub(super) async fn acquire_assigned(&self, table: &str, mut survey: Survey) -> Result<WorkerLease> {
        let assigned = self.assign(table).await?;
        let worker_id = assigned.worker_id;
        for _ in 0..MOST_ATTEMPTS {
            let plan = match self.plan_restart(worker_id, &survey).await? {
                Some(plan) => plan,
                None => self.plan_claim(worker_id, &survey).await?,
            };
            let floor = plan.floor.max(reported_floor(assigned, survey.row(worker_id)));
            if let Some(lease) = self.claim(ClaimPlan { floor, ..plan }, survey.row(worker_id)).await? {
                return Ok(lease);
            }
            survey = self.survey().await?;
        }
        Err(self.taken(worker_id, "another process that is just starting"))
    }

    /// Finds this endpoint's worker id.
    async fn assign(&self, table: &str) -> Result<Assigned> {
        let (database, endpoint, workers) =
            (self.registry.database(), self.settings.endpoint.as_str(), &self.settings.workers);
        let Some(assigned) = self.registry.assign(table, endpoint, workers).await? else {
            let all = self.registry.assignments(table).await?;
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
                "{database}: {table} assigns the worker id {} to {endpoint}, which the layout or the option workers does not \
                 allow: correct the row's id",
                assigned.worker_id
            );
            return Err(Error::new(ErrorKind::InvalidConfig, text));
        }
        Ok(assigned)
    }

    /// Plans to take the worker id without a state file: it was never held here, was released, or its horizon has
    /// passed.
    async fn plan_claim(&self, worker_id: i64, survey: &Survey) -> Result<ClaimPlan> {
        let row = survey.row(worker_id);
        if let Some(row) = row.filter(|row| row.is_leased(survey.now)) {
            let text = format!("{} (reserved for another {} ms)", row.endpoint, row.horizon - survey.now);
            return Err(self.taken(worker_id, &text));
        }
        match self.lock(worker_id).await? {
            Some(file) => Ok(ClaimPlan::new(worker_id, row.map_or(i64::MIN, |row| row.horizon), file)),
            None => Err(self.taken(worker_id, "another process of this host")),
        }
    }

    fn taken(&self, worker_id: i64, by: &str) -> Error {
        Error::new(
            ErrorKind::WorkerIdUnavailable,
            format!(
                "the worker id {worker_id} of {} in {} is held by {by}: end that process, or give this one an endpoint of its own",
                self.settings.endpoint,
                self.name(),
            ),
        )
    }
}

/// Returns the floor that another owner's report asks for: one that is later than what was last reported from here.
fn reported_floor(assigned: Assigned, row: Option<&Row>) -> i64 {
    let ours = row.map_or(0, |row| row.reported);
    match assigned.reported {
        Some(at) if weaken!("report-of-another-owner-ignored", at > ours, without = false) => {
            at.saturating_add(AFTER_REPORT)
        }
        _ => i64::MIN,
    }
}
