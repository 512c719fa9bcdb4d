//! Freeing a worker id whose owner is gone.
//!
//! Only the token goes. The horizon stays, and the next lease begins there, so no id can repeat even if the owner
//! lives: it may stamp up to that horizon, and none of its statements matches the row any more.

use super::compare_and_set::Eviction;
use super::holder_state::HolderState;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::past::is_for_the_past;
use crate::holder::workers::check_allowed;

/// Maximum number of times that the owner may move its row on meanwhile.
const MOST_ATTEMPTS: u32 = 5;

impl HolderState {
    /// Frees a worker id: one whose horizon has passed, or with `force` any. Returns whether a lease had it.
    pub(super) async fn evict(&self, worker_id: i64, force: bool) -> Result<bool> {
        check_allowed(&self.settings.workers, worker_id)?;
        if !self.registry.inspect(true).await? {
            return Ok(false);
        }
        let mut owner = String::new();
        for _ in 0..MOST_ATTEMPTS {
            let survey = self.registry.survey().await?;
            let Some(row) = survey.row(worker_id).filter(|row| row.token.is_some()) else { return Ok(false) };
            if row.is_for_the_past() {
                return Err(is_for_the_past(worker_id, &self.name()));
            }
            if row.is_leased(survey.now) && !force {
                return Err(self.still_held(worker_id, &row.endpoint, row.horizon - survey.now));
            }
            let from = (row.token.clone(), row.horizon);
            if self.registry.evict(&Eviction { worker_id, from }).await? {
                return Ok(true);
            }
            owner.clone_from(&row.endpoint);
        }
        let text = format!("worker id {worker_id} of {} was taken or renewed meanwhile, by {owner}", self.name());
        Err(Error::new(ErrorKind::WorkerIdUnavailable, text))
    }

    fn still_held(&self, worker_id: i64, owner: &str, millis: i64) -> Error {
        let text = format!(
            "worker id {worker_id} of {} is held by {owner} (reserved for another {millis} ms): end that process, wait, or \
             release with force, after which the next owner begins behind what is reserved",
            self.name()
        );
        Error::new(ErrorKind::WorkerIdUnavailable, text)
    }
}
