//! Taking a row: first written down in the state file, then compared and set in the registry.

use super::claim_plan::ClaimPlan;
use super::compare_and_set::{Claim, NewRow};
use super::holder_state::HolderState;
use super::report::Unannounced;
use super::row::{Survey, WorkerRow};
use super::row_lease::RowLease;
use super::state_dir::write;
use crate::error::Result;
use crate::holder::row_state::{RowState, RowVersion, add_unconfirmed};
use crate::holder::{Token, WorkerLease};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

impl HolderState {
    /// Takes a row if it still is as it was read. `None` if another process was faster.
    pub(super) async fn claim(
        self: &Arc<Self>,
        mut plan: ClaimPlan,
        row: Option<&WorkerRow>,
    ) -> Result<Option<WorkerLease>> {
        self.wait_for(plan.floor).await;
        let settings = &self.settings;
        let token = Token::fresh()?;
        let stored = row.map_or(i64::MIN, |row| row.horizon);
        let now = self.database_clock().unwrap_or(i64::MIN);
        let to = RowVersion { token, horizon: settings.pace.aim(now, plan.floor).max(stored) };
        plan.horizon = self.pace().aim(self.clock.wall(), plan.floor).min(to.horizon);
        if self.state_dir.is_none() {
            plan.horizon = to.horizon;
        }
        let RowState { known, mut unconfirmed, releasing } = plan.row.clone();
        add_unconfirmed(&mut unconfirmed, to);
        // A release on its way may still come before the claim: until the claim is won, no process continues from the
        // file alone.
        write(plan.file.as_ref(), token, plan.horizon, RowState { known, unconfirmed, releasing }).await?;
        let claim = Claim {
            worker_id: plan.worker_id,
            from: row.map(|row| (row.token.clone(), row.horizon)),
            to: NewRow { version: to, reported: self.clock.wall(), endpoint: settings.endpoint.to_string() },
        };
        self.send(claim, plan).await
    }

    /// Sends a claim, announces the lease, and remembers the claim if an answer is lost.
    async fn send(self: &Arc<Self>, claim: Claim, plan: ClaimPlan) -> Result<Option<WorkerLease>> {
        let NewRow { version, reported, .. } = claim.to;
        let answer = match self.registry.claim(&claim).await {
            Ok(true) => self.announce(claim.worker_id, reported).await.map(|()| true),
            answer => answer.map_err(Unannounced::Away),
        };
        match answer {
            Ok(true) => Ok(Some(self.hold(plan, version.token, version, true).await)),
            Ok(false) => Ok(None),
            Err(Unannounced::Refused(error)) => {
                let floor = plan.floor;
                let lease = self.hold(plan, version.token, version, true).await;
                let _ = self.clone().release(lease, floor).await;
                Err(error)
            }
            Err(Unannounced::Away(error)) => {
                *self.unanswered.lock() = Some((claim, plan));
                Err(error)
            }
        }
    }

    /// Sends the claim again whose answer was lost, if there is one: it recognises its own token.
    pub(super) async fn send_again(self: &Arc<Self>, survey: &Survey) -> Result<Option<WorkerLease>> {
        let Some((claim, plan)) = self.unanswered.lock().take() else { return Ok(None) };
        if claim.to.version.horizon <= survey.now {
            return Ok(None);
        }
        self.send(claim, plan).await
    }

    /// Notes that the lease is held.
    async fn hold(&self, plan: ClaimPlan, token: Token, known: RowVersion, is_looked_at: bool) -> WorkerLease {
        let ClaimPlan { worker_id, floor, file, row, horizon } = plan;
        let unconfirmed = if known.token == token { Vec::new() } else { row.unconfirmed };
        let lease = RowLease {
            worker_id,
            token,
            floor,
            horizon,
            known,
            unconfirmed,
            is_looked_at: Arc::new(AtomicBool::new(is_looked_at)),
            file,
            renewal: None,
            down: false,
        };
        *self.held.lock().await = Some(lease);
        self.leased_until.store(known.horizon, Ordering::Relaxed);
        WorkerLease { worker_id, token, floor, horizon }
    }

    /// Takes a lease without the registry, under the row's horizon as it was last known. The row keeps its token until
    /// the registry is back. It does not matter whether another process has the row meanwhile: that one starts at this
    /// horizon.
    pub(super) async fn hold_offline(&self, mut plan: ClaimPlan) -> Result<Option<WorkerLease>> {
        let Some(known) = plan.row.known else { return Ok(None) };
        self.wait_for(plan.floor).await;
        plan.horizon = self.settings.file_pace.aim(self.clock.wall(), plan.floor).min(known.horizon);
        if plan.horizon <= plan.floor.max(self.clock.wall()) {
            return Ok(None);
        }
        let token = Token::fresh()?;
        write(plan.file.as_ref(), token, plan.horizon, plan.row.clone()).await?;
        Ok(Some(self.hold(plan, token, known, false).await))
    }

    /// Returns how far ahead a floor may be so that it is waited for. Milliseconds.
    pub(super) fn longest_wait(&self) -> i64 {
        2 * self.settings.file_pace.reserved()
    }

    /// Waits for what a crashed owner had reserved, so that crashes in a row do not add up. A floor that is further
    /// ahead is the business of the clock policy.
    async fn wait_for(&self, floor: i64) {
        let ahead = floor.saturating_sub(self.clock.wall());
        if ahead > 0 && ahead <= self.longest_wait() {
            self.timeline.sleep(Duration::from_millis(ahead.unsigned_abs())).await;
        }
    }
}
