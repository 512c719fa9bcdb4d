//! The modes `fixed` and `forever`: the worker id that a table, or Leaf's own nodes, assign to this endpoint.

use super::Assignments;
use super::claim_plan::ClaimPlan;
use super::holder_state::HolderState;
use super::row::Survey;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::WorkerLease;
use std::sync::Arc;

/// Maximum number of times that the row may change while it is being taken.
const MOST_ATTEMPTS: u32 = 5;

impl HolderState {
    pub(super) async fn acquire_assigned(
        self: &Arc<Self>,
        assignments: &dyn Assignments,
        mut survey: Survey,
    ) -> Result<WorkerLease> {
        let assigned = assignments.assign().await?;
        let worker_id = assigned.worker_id;
        for _ in 0..MOST_ATTEMPTS {
            let plan = match self.plan_restart(worker_id, &survey).await? {
                Some(plan) => plan,
                None => self.plan_claim(worker_id, &survey).await?,
            };
            let floor = plan.floor.max(self.reported_floor(assigned, &survey)?);
            if assignments.is_watched() {
                self.refuse_ahead(worker_id, floor)?;
            }
            if let Some(lease) = self.claim(ClaimPlan { floor, ..plan }, survey.row(worker_id)).await? {
                return Ok(lease);
            }
            survey = self.survey().await?;
        }
        Err(self.taken(worker_id, "another process that is just starting"))
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

    /// Refuses a floor that is too far ahead to be waited for: a Leaf server that comes back on this endpoint begins at
    /// the clock, and would reach stamps ahead of it.
    fn refuse_ahead(&self, worker_id: i64, floor: i64) -> Result<()> {
        let ahead = floor.saturating_sub(self.clock.wall());
        if ahead > self.longest_wait() {
            let text = format!(
                "the worker id {worker_id} of {} in {} is free in {} s: the time until then may be used up, and beside Leaf \
                 servers no id is stamped ahead of the clock",
                self.settings.endpoint,
                self.name(),
                ahead.saturating_add(999) / 1000,
            );
            return Err(Error::new(ErrorKind::WorkerIdUnavailable, text));
        }
        Ok(())
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
