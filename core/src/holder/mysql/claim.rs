//! Taking a row: written down in the state file first, then compared and set in the registry.

use super::Mark;
use super::claim_plan::Plan;
use super::memo::{Memo, add_aim};
use super::row_lease::Held;
use super::rows::Rows;
use super::state_dir::write;
use super::statements::{Claim, Row, Survey};
use crate::error::Result;
use crate::holder::{Pace, Token, WorkerLease};
use crate::mutants::weaken;
use std::time::Duration;

impl Rows {
    /// Takes a row if it still is as it was read. `None` where somebody else was faster.
    pub(super) async fn claim(&self, mut plan: Plan, row: Option<&Row>) -> Result<Option<WorkerLease>> {
        self.wait_for(plan.floor).await;
        let settings = &self.settings;
        let token = Token::fresh()?;
        let stored = row.map_or(i64::MIN, |row| row.horizon);
        let now = self.database_clock().unwrap_or(i64::MIN);
        let to = Mark { token, horizon: settings.pace.aim(now, plan.floor).max(stored) };
        plan.horizon = self.pace().aim(self.clock.wall(), plan.floor).min(to.horizon);
        if self.state_dir.is_none() {
            plan.horizon = to.horizon;
        }
        let (known, mut aims, leaving) = plan.memo.clone().map(|memo| (memo.known, memo.aims, memo.leaving)).unwrap_or_default();
        add_aim(&mut aims, to);
        // A release on its way may still come before the claim: until that is won, nobody goes on from the file alone.
        let leaves = weaken!("claim-forgets-a-release-on-its-way", leaving, without = false);
        let memo = Memo { leaving: leaves, ..Memo::new(plan.horizon, known, aims) };
        write(plan.slot.as_ref(), memo).await?;
        let claim = Claim {
            key: self.key(plan.worker_id),
            from: row.map(|row| (row.token.clone(), row.horizon)),
            to,
            reported: self.clock.wall(),
            endpoint: settings.endpoint.to_string(),
        };
        self.send(claim, plan).await
    }

    /// Sends a claim, and remembers it where its answer is lost.
    async fn send(&self, claim: Claim, plan: Plan) -> Result<Option<WorkerLease>> {
        let got = self.registry.run(&claim).await;
        match got {
            Ok(true) => Ok(Some(self.hold(plan, claim.to.token, claim.to).await)),
            Ok(false) => Ok(None),
            Err(error) => {
                *self.pending.lock() = Some((claim, plan));
                Err(error)
            }
        }
    }

    /// Looks up the claim whose answer was lost, if there is one. Sending it again is how: it knows its own token.
    pub(super) async fn look_up_pending(&self, survey: &Survey) -> Result<Option<WorkerLease>> {
        let Some((claim, plan)) = self.pending.lock().take() else { return Ok(None) };
        if claim.to.horizon <= survey.now {
            return Ok(None);
        }
        self.send(claim, plan).await
    }

    /// Notes that the lease is held.
    pub(super) async fn hold(&self, plan: Plan, token: Token, known: Mark) -> WorkerLease {
        let Plan { worker_id, floor, slot, memo, horizon } = plan;
        let aims = if known.token == token { Vec::new() } else { memo.map(|memo| memo.aims).unwrap_or_default() };
        *self.held.lock().await = Some(Held { worker_id, token, floor, horizon, known, aims, slot, renewal: None, down: false });
        WorkerLease { worker_id, token, floor, horizon }
    }

    /// Goes on without the registry, under the row's horizon as it was last known. The row keeps its token until the registry
    /// is back. Whether somebody else has the row meanwhile does not matter: he starts at that horizon.
    pub(super) async fn go_on_alone(&self, mut plan: Plan) -> Result<Option<WorkerLease>> {
        let Some((mut memo, known)) = plan.memo.clone().and_then(|memo| memo.known.map(|known| (memo, known))) else {
            return Ok(None);
        };
        self.wait_for(plan.floor).await;
        plan.horizon = self.settings.file_pace.aim(self.clock.wall(), plan.floor).min(known.horizon);
        if plan.horizon <= plan.floor.max(self.clock.wall()) {
            return Ok(None);
        }
        memo.horizon = plan.horizon;
        write(plan.slot.as_ref(), memo).await?;
        let token = Token::fresh()?;
        Ok(Some(self.hold(plan, token, known).await))
    }

    /// Waits for what a crashed owner had reserved, so that crashes in a row do not add up. What lies further ahead is the
    /// business of the clock policy.
    async fn wait_for(&self, floor: i64) {
        let ahead = floor.saturating_sub(self.clock.wall());
        if ahead > 0 && ahead <= 2 * self.settings.file_pace.reserved() {
            tokio::time::sleep(Duration::from_millis(ahead.unsigned_abs())).await;
        }
    }

    /// Tells whether a floor is so near that it is waited for even if another worker id is free.
    pub(super) fn is_near(&self, floor: i64) -> bool {
        floor.saturating_sub(self.clock.wall()) <= 2 * Pace::LOCAL.reserved()
    }
}
