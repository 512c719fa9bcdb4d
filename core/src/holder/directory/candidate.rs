//! The choice of a worker id in a directory.

use super::checks::check_origin;
use super::locked_worker::LockedWorker;
use super::past;
use super::refusals;
use super::settings::DirectorySettings;
use crate::clock::Clock;
use crate::error::{ErrorKind, Result};
use crate::holder::directory_identity::DirectoryIdentity;

/// A worker id that was locked, and from when on it is free.
pub(super) struct Candidate {
    pub(super) worker: LockedWorker,
    pub(super) floor: i64,
}

impl Candidate {
    /// Takes the first free worker id whose floor has passed; else the free one whose floor passes first.
    ///
    /// The end of the wait is durable then, also if nothing else says it.
    pub(super) fn choose(settings: &DirectorySettings, here: &DirectoryIdentity, clock: &dyn Clock) -> Result<Self> {
        let now = clock.wall();
        check_origin(settings, here)?;
        let mut best: Option<Candidate> = None;
        let mut refused = None;
        for worker_id in settings.workers.iter() {
            let Some(worker) = LockedWorker::take(settings, worker_id, here)? else { continue };
            if past::is_for_the_past(settings, worker_id) {
                continue;
            }
            let floor = match worker.floor(settings, now) {
                Err(error) if error.kind() == ErrorKind::WorkerIdUnavailable => {
                    refused = Some(error);
                    continue;
                }
                floor => floor?.max(settings.on_host.as_ref().map_or(i64::MIN, |host| host.floor(clock.wall()))),
            };
            if best.as_ref().is_none_or(|best| floor < best.floor) {
                best = Some(Candidate { worker, floor });
            }
            if floor <= now {
                break;
            }
        }
        let best = best.ok_or_else(|| refused.unwrap_or_else(|| refusals::all_held(settings, now)))?;
        best.worker.keep_floor(settings, best.floor)?;
        Ok(best)
    }
}
