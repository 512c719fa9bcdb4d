//! Extending the held lease, and releasing it.

use super::compare_and_set::{NewRow, Release, Renewal};
use super::holder_state::{HolderState, RowLease};
use crate::worker_files::worker_state::{RowVersion, add_unconfirmed};
use leafmint_engine::holder::WorkerLease;
use leafmint_engine::holder::lease::not_held;
use leafmint_engine::runtime::background::Task;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl HolderState {
    /// Moves the horizon of the held lease on, and the row's when that is due.
    ///
    /// With a state file the row is moved concurrently with the heartbeats, so that a frozen registry does not hold
    /// them up.
    pub(super) async fn extend(self: Arc<Self>, lease: WorkerLease, horizon: i64) -> Result<i64> {
        let mut guard = self.held.lock().await;
        let held = guard.as_mut().filter(|held| held.is(&lease)).ok_or_else(|| not_held(&lease))?;
        let answer = self.move_on(held, horizon).await;
        // A state file that cannot be written ends the ids before the row does.
        let until = if answer.is_ok() { held.known.horizon } else { held.horizon };
        self.leased_until.store(until, Ordering::Relaxed);
        if answer.as_ref().is_err_and(|error| error.kind() == ErrorKind::LeaseLost) {
            *guard = None;
        }
        self.kept_failures.lock().is_away = guard.as_ref().is_some_and(|held| held.down);
        answer
    }

    async fn move_on(self: &Arc<Self>, held: &mut RowLease, horizon: i64) -> Result<i64> {
        let (database, before) = (self.registry.database(), held.horizon);
        let mut outage = fatal_or_kept(held.take_in(false, database).await)?;
        let next = self.next_version(held, horizon).filter(|_| held.renewal.is_none());
        if let Some(next) = next {
            add_unconfirmed(&mut held.unconfirmed, next);
        }
        let within = horizon.min(held.known.horizon).max(before);
        if held.file.is_some() && (within > before || next.is_some()) {
            held.reserve(within, false).await?;
        }
        if let Some(next) = next {
            held.renewal = Some(self.clone().renew(held, next)?);
        }
        if held.file.is_none() || horizon > held.known.horizon {
            outage = fatal_or_kept(held.take_in(true, database).await)?.or(outage);
            let within = horizon.min(held.known.horizon).max(before);
            if within > held.horizon {
                held.reserve(within, false).await?;
            }
        }
        match outage {
            Some(error) if held.horizon == before && horizon > before => Err(error),
            Some(error) => {
                let mut kept = self.kept_failures.lock();
                (kept.count, kept.last) = (kept.count + 1, Some(error));
                Ok(held.horizon)
            }
            None => Ok(held.horizon),
        }
    }

    /// Starts to move the row on.
    fn renew(self: Arc<Self>, held: &RowLease, to: RowVersion) -> Result<Task<RowVersion>> {
        let renewal = Renewal {
            worker_id: held.worker_id,
            known: held.known,
            unconfirmed: held.unconfirmed.clone(),
            to: NewRow { version: to, reported: self.clock.wall(), endpoint: self.settings.endpoint.to_string() },
        };
        let (timeline, is_looked_at) = (self.timeline.clone(), held.is_looked_at.clone());
        Task::spawn(&*timeline, async move {
            if !is_looked_at.load(Ordering::Relaxed) {
                self.look_at_reports(renewal.worker_id).await?;
                is_looked_at.store(true, Ordering::Relaxed);
            }
            let began = self.timeline.now();
            let known = self.registry.renew(&renewal).await?;
            self.heartbeat.lock().note(self.timeline.now() - began);
            self.report(renewal.worker_id, renewal.to.reported).await?;
            Ok(known)
        })
    }
}

/// Keeps an outage for later; a lost lease is final.
fn fatal_or_kept(answer: Result<()>) -> Result<Option<Error>> {
    match answer {
        Err(error) if error.kind() == ErrorKind::LeaseLost => Err(error),
        other => Ok(other.err()),
    }
}

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
