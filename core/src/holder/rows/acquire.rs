//! Taking a lease: with the registry, or without it while it is away.

use super::holder_state::HolderState;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::WorkerLease;
use std::sync::Arc;

impl HolderState {
    /// Takes a lease as the mode says.
    pub(super) async fn acquire(self: Arc<Self>) -> Result<WorkerLease> {
        *self.held.lock().await = None;
        let ready = match self.registry.prepare().await {
            Ok(()) => self.survey().await,
            Err(error) => Err(error),
        };
        let survey = match ready {
            Ok(survey) => survey,
            Err(error) => return self.acquire_offline(error).await,
        };
        if let Some(lease) = self.send_again(&survey).await? {
            return Ok(lease);
        }
        match self.registry.assignments() {
            None => self.acquire_any(survey).await,
            Some(assignments) => self.acquire_assigned(assignments, survey).await,
        }
    }

    /// Continues a lease of this host while the registry is away. The state file of a fixed worker id names its
    /// endpoint, so one of another endpoint does not fit.
    async fn acquire_offline(&self, outage: Error) -> Result<WorkerLease> {
        if self.state_dir.is_none() || outage.kind() != ErrorKind::StoreUnavailable {
            return Err(outage);
        }
        // An unanswered claim holds a lock, which is in the way, and its version is in the state file.
        let unanswered = self.unanswered.lock().take().map(|(claim, _)| claim.worker_id);
        for worker_id in unanswered.into_iter().chain(self.workers_with_state().await?) {
            if let Some(plan) = self.plan_offline_restart(worker_id).await?
                && let Some(lease) = self.hold_offline(plan).await?
            {
                return Ok(lease);
            }
        }
        Err(outage)
    }
}
