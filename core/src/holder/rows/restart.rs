//! Continuing a lease after a restart on the same host: which state files still say what the row shows.

use super::claim_plan::ClaimPlan;
use super::holder_state::HolderState;
use super::row::Survey;
use super::state_dir::{Kept, RowFile};
use crate::error::Result;
use std::sync::Arc;

impl HolderState {
    /// Takes the lock of a worker id on this host: `None` if another process holds it, no files if there is no state
    /// directory.
    pub(super) async fn lock(&self, worker_id: i64) -> Result<Option<Option<Arc<RowFile>>>> {
        let Some(state_dir) = self.state_dir.clone() else { return Ok(Some(None)) };
        let file = state_dir.lane().run(move || state_dir.lock(worker_id)).await?;
        Ok(file.map(|file| Some(Arc::new(file))))
    }

    /// Plans to continue a lease of this host: its lock is free, and the row shows what its state file says, to the
    /// millisecond. If this file were a copy, its original's owner would have moved the row on.
    pub(super) async fn plan_restart(&self, worker_id: i64, survey: &Survey) -> Result<Option<ClaimPlan>> {
        let Some(row) = survey.row(worker_id) else { return Ok(None) };
        let Some((file, kept)) = self.kept(worker_id).await? else { return Ok(None) };
        let fits = kept.row.versions().any(|version| row.shows(version));
        Ok(fits.then(|| ClaimPlan::restart(worker_id, file, kept)))
    }

    /// Plans to continue a lease while the registry is away: only within one boot of the host, and not if a release was
    /// on its way.
    pub(super) async fn plan_offline_restart(&self, worker_id: i64) -> Result<Option<ClaimPlan>> {
        let kept = self.kept(worker_id).await?.filter(|(_, kept)| !kept.row.releasing && kept.is_of_this_boot);
        Ok(kept.map(|(file, kept)| ClaimPlan::restart(worker_id, file, kept)))
    }

    /// Lists the allowed worker ids that have a state file on this host.
    pub(super) async fn workers_with_state(&self) -> Result<Vec<i64>> {
        let Some(state_dir) = self.state_dir.clone() else { return Ok(Vec::new()) };
        let mut workers = state_dir.lane().run(move || state_dir.workers()).await?;
        workers.retain(|worker_id| self.settings.workers.contains(*worker_id));
        Ok(workers)
    }

    /// Locks the files of a worker id, and reads what this host wrote last.
    async fn kept(&self, worker_id: i64) -> Result<Option<(Arc<RowFile>, Kept)>> {
        let Some(Some(file)) = self.lock(worker_id).await? else { return Ok(None) };
        let read = file.clone();
        Ok(file.lane().run(move || read.read()).await?.map(|kept| (file, kept)))
    }
}
