//! Claiming a worker id: with the registry, or without it while it is away. Which one is taken is in `any_free.rs` and
//! `assigned.rs`.
//!
//! A claim is first written down in the state file, then compared and set in the registry.

use super::assigned::Unannounced;
use super::compare_and_set::{Claim, NewRow};
use super::holder_state::{ClaimPlan, HolderState, RowLease};
use super::row::{Survey, WorkerRow};
use super::state_dir::{Kept, RowFile, StateDir, write};
use crate::worker_files::worker_state::{RowState, RowVersion, add_unconfirmed};
use leafmint_engine::holder::{Token, WorkerLease};
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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
        // A state file may be about another database, to which the same engine or data source led before a restart.
        if self.registry.is_lent() && !self.has_surveyed() {
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

/// Which state files of this host still say what the row shows.
impl HolderState {
    /// Plans to take a worker id over. `None` if another process of this host holds its lock.
    pub(super) async fn plan_takeover(&self, worker_id: i64, floor: i64) -> Result<Option<ClaimPlan>> {
        let file = match &self.state_dir {
            None => None,
            Some(state_dir) => match lock(state_dir, worker_id).await? {
                None => return Ok(None),
                file => file,
            },
        };
        Ok(Some(ClaimPlan { worker_id, floor, file, row: RowState::default(), horizon: i64::MIN }))
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
        let Some(state_dir) = &self.state_dir else { return Ok(None) };
        let Some(file) = lock(state_dir, worker_id).await? else { return Ok(None) };
        let read = file.clone();
        Ok(file.lane().run(move || read.read()).await?.map(|kept| (file, kept)))
    }
}

/// Takes the lock of a worker id on this host. `None` if another process holds it.
async fn lock(state_dir: &StateDir, worker_id: i64) -> Result<Option<Arc<RowFile>>> {
    let (lane, state_dir) = (state_dir.lane(), state_dir.clone());
    Ok(lane.run(move || state_dir.lock(worker_id)).await?.map(Arc::new))
}

/// Taking a row.
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
