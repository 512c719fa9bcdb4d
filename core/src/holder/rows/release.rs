//! Ending the held lease: first here, then in the registry, by one statement that is sent once.

use super::compare_and_set::Release;
use super::holder_state::HolderState;
use crate::error::Result;
use crate::holder::WorkerLease;
use crate::holder::lease::not_held;
use std::sync::Arc;

impl HolderState {
    /// Ends the held lease: no id was stamped at or after `used`.
    pub(super) async fn release(self: Arc<Self>, lease: WorkerLease, used: i64) -> Result<()> {
        let mut guard = self.held.lock().await;
        let mut held = guard.take().filter(|held| held.is(&lease)).ok_or_else(|| not_held(&lease))?;
        let used = used.min(held.horizon).max(held.floor);
        let _ = held.take_in(false, self.registry.database()).await;
        if held.down && held.file.is_some() {
            // The registry would not get it. The next start on this host continues from here instead, with the registry
            // up or down.
            return held.reserve(used, false).await;
        }
        // Once the release is sent, another process may get the row at any time, whether it is answered or not.
        held.reserve(used, true).await?;
        let versions = std::iter::once(held.known).chain(held.unconfirmed.iter().copied()).collect();
        self.registry.release(&Release { worker_id: held.worker_id, versions, used }).await?;
        if let Some(file) = &held.file {
            file.forget();
        }
        self.registry.close().await
    }
}
