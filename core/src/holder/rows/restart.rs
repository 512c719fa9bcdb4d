//! Continuing a lease after a restart on the same host: which state files still say what the row shows.

use super::claim_plan::ClaimPlan;
use super::holder_state::HolderState;
use super::row::Survey;
use super::state_dir::Slot;
use crate::background::files;
use crate::error::Result;
use crate::mutants::weaken;
use std::sync::Arc;

impl HolderState {
    /// Takes the lock of a worker id on this host: `None` if another process holds it, no files if there is no state directory.
    pub(super) async fn lock(&self, worker_id: i64) -> Result<Option<Option<Arc<Slot>>>> {
        let Some(state_dir) = self.state_dir.clone() else { return Ok(Some(None)) };
        let slot = files().run(move || state_dir.lock(worker_id)).await?;
        Ok(slot.map(|slot| Some(Arc::new(slot))))
    }

    /// Plans to continue a lease of this host: its lock is free, and the row shows what its state file says, to the millisecond.
    /// If this file were a copy, its original's owner would have moved the row on.
    pub(super) async fn plan_restart(&self, worker_id: i64, survey: &Survey) -> Result<Option<ClaimPlan>> {
        let Some(row) = survey.row(worker_id) else { return Ok(None) };
        let Some(plan) = self.plan_from_file(worker_id).await? else { return Ok(None) };
        let shows = |version| weaken!("state-file-that-the-row-does-not-show", row.shows(version), without = true);
        let fits = plan.memo.as_ref().is_some_and(|memo| memo.marks().any(shows));
        Ok(fits.then_some(plan))
    }

    /// Plans to continue a lease while the registry is away: only within one boot of the host, and not if a release was on its
    /// way.
    pub(super) async fn plan_offline_restart(&self, worker_id: i64) -> Result<Option<ClaimPlan>> {
        let plan = self.plan_from_file(worker_id).await?;
        Ok(plan.filter(|plan| match (&plan.memo, &plan.slot) {
            (Some(memo), Some(slot)) => !memo.leaving && slot.is_of_this_boot(memo),
            _ => false,
        }))
    }

    /// Lists the allowed worker ids that have a state file on this host.
    pub(super) async fn workers_with_state(&self) -> Result<Vec<i64>> {
        let Some(state_dir) = self.state_dir.clone() else { return Ok(Vec::new()) };
        let mut known = files().run(move || state_dir.known()).await?;
        known.retain(|worker_id| self.settings.workers.contains(*worker_id));
        Ok(known)
    }

    async fn plan_from_file(&self, worker_id: i64) -> Result<Option<ClaimPlan>> {
        let Some(Some(slot)) = self.lock(worker_id).await? else { return Ok(None) };
        let read = slot.clone();
        let memo = files().run(move || read.read()).await?;
        Ok(memo.map(|memo| ClaimPlan::new(worker_id, memo.horizon, Some(slot), Some(memo))))
    }
}
