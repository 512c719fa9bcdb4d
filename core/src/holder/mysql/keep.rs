//! Extending and ending the lease that is held.

use super::detached::detached;
use super::memo::add_aim;
use super::row_lease::Held;
use super::rows::Rows;
use super::statements::{Release, Renew};
use super::{Mark, foreign};
use crate::answer::Answer;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::WorkerLease;
use crate::mutants::weaken;
use std::sync::Arc;
use tokio::task::JoinHandle;

impl Rows {
    /// Moves the horizon of the held lease on, and the row's where that is due.
    ///
    /// With a state file the row is moved beside the heartbeats, so that a frozen registry does not hold them up.
    pub(super) async fn extend(self: Arc<Self>, lease: WorkerLease, horizon: i64) -> Result<i64> {
        let mut guard = self.held.lock().await;
        let held = guard.as_mut().filter(|held| held.is(&lease)).ok_or_else(|| Self::not_held(&lease))?;
        let answer = self.move_on(held, horizon).await;
        if answer.as_ref().is_err_and(|error| error.kind() == ErrorKind::LeaseLost) {
            *guard = None;
        }
        answer
    }

    async fn move_on(self: &Arc<Self>, held: &mut Held, horizon: i64) -> Result<i64> {
        let (name, before) = (self.registry.sessions.name(), held.horizon);
        let mut outage = fatal_or_kept(held.take_in(false, name).await)?;
        let aim = self.row_aim(held, horizon).filter(|_| held.renewal.is_none());
        if let Some(aim) = aim {
            add_aim(&mut held.aims, aim);
        }
        let reserved = weaken!("beyond-the-rows-horizon", held.known.horizon, without = i64::MAX);
        let within = horizon.min(reserved).max(before);
        if held.slot.is_some() && (within > before || aim.is_some()) {
            held.reserve(within, false).await?;
        }
        if let Some(aim) = aim {
            held.renewal = Some(self.clone().renew(held, aim)?);
        }
        if held.slot.is_none() || horizon > held.known.horizon {
            outage = fatal_or_kept(held.take_in(true, name).await)?.or(outage);
            let within = horizon.min(held.known.horizon).max(before);
            if within > held.horizon {
                held.reserve(within, false).await?;
            }
        }
        match outage {
            Some(error) if held.horizon == before && horizon > before => Err(error),
            _ => Ok(held.horizon),
        }
    }

    /// Starts to move the row on.
    fn renew(self: Arc<Self>, held: &Held, to: Mark) -> Result<JoinHandle<Result<Mark>>> {
        let renew = Renew {
            key: self.key(held.worker_id),
            known: held.known,
            ours: held.aims.clone(),
            to,
            reported: self.clock.wall(),
            endpoint: self.settings.endpoint.to_string(),
        };
        Ok(crate::background::runtime()?.spawn(async move {
            let known = self.registry.run(&renew).await?;
            if let Some(table) = &self.report_to {
                let report = foreign::Report { table, worker_id: renew.key.worker_id, at: renew.reported };
                // Only a courtesy to those who look there.
                if let Err(error) = self.registry.run(&report).await {
                    log::debug!("{table}: max_timestamp was not updated: {error}");
                }
            }
            Ok(known)
        }))
    }

    /// Ends the lease: first here, then in the registry, where it is said once.
    pub(super) async fn release(self: Arc<Self>, lease: WorkerLease, used: i64) -> Result<()> {
        let mut guard = self.held.lock().await;
        let mut held = guard.take().filter(|held| held.is(&lease)).ok_or_else(|| Self::not_held(&lease))?;
        let used = used.min(held.horizon).max(held.floor);
        let _ = held.take_in(false, self.registry.sessions.name()).await;
        if held.down && held.slot.is_some() {
            // Nobody hears it. The next start on this host goes on from here instead, with the registry up or down.
            return held.reserve(used, false).await;
        }
        // Once it is sent, the row may become anybody's at any time, answer or not.
        held.reserve(used, true).await?;
        let marks = std::iter::once(held.known).chain(held.aims.iter().copied()).collect();
        let release = Release { key: &self.key(held.worker_id), marks, used };
        self.registry.sessions.once(&release).await?;
        if let Some(slot) = &held.slot {
            slot.forget();
        }
        self.registry.sessions.close().await;
        Ok(())
    }
}

/// Keeps an outage for later; a lost lease is final.
fn fatal_or_kept(answer: Result<()>) -> Result<Option<Error>> {
    match answer {
        Err(error) if error.kind() == ErrorKind::LeaseLost => Err(error),
        other => Ok(other.err()),
    }
}

/// Runs [`Rows::extend`] to its end even where nobody waits for it.
pub(super) fn extend<'a>(rows: &Arc<Rows>, lease: &WorkerLease, horizon: i64) -> Answer<'a, i64> {
    detached(rows.clone().extend(lease.clone(), horizon))
}

/// Runs [`Rows::release`] to its end even where nobody waits for it.
pub(super) fn release<'a>(rows: &Arc<Rows>, lease: &WorkerLease, used: i64) -> Answer<'a, ()> {
    detached(rows.clone().release(lease.clone(), used))
}
