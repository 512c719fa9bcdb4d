//! Inspecting the rows of a namespace without taking one, and freeing a worker id whose owner is gone.

use super::compare_and_set::Eviction;
use super::holder_state::{HolderState, compare_clocks};
use super::row::Survey;
use leafmint_engine::holder::past::{END_OF_TIME, is_for_the_past};
use leafmint_engine::holder::worker_ids::check_allowed;
use leafmint_engine::holder::{SnowflakeCheck, WorkerInfo};
use leafmint_ids::error::{Error, ErrorKind, Result};

impl HolderState {
    /// Lists the rows of the worker ids that may be taken.
    pub(super) async fn list(&self) -> Result<Vec<WorkerInfo>> {
        if !self.registry.inspect(false).await? {
            return Ok(Vec::new());
        }
        let Survey { now, rows } = self.registry.survey().await?;
        let allowed = rows.into_iter().filter(|row| self.settings.workers.contains(row.worker_id));
        let info = allowed.map(|row| WorkerInfo {
            worker_id: row.worker_id,
            held: row.is_leased(now),
            horizon: Some(row.horizon).filter(|horizon| *horizon != END_OF_TIME),
            updated: Some(row.updated),
            endpoint: row.endpoint,
        });
        Ok(info.collect())
    }

    /// Checks the tables, the layout, the account, the clocks, and that the state directory can be written.
    pub(super) async fn check(&self) -> Result<SnowflakeCheck> {
        if let Some(state_dir) = self.state_dir.clone() {
            state_dir.lane().run(move || state_dir.check()).await?;
        }
        let is_new = !self.registry.inspect(true).await?;
        let before = self.clock.wall();
        let survey = match is_new {
            true => Survey { now: self.registry.clock().await?, rows: Vec::new() },
            false => self.registry.survey().await?,
        };
        let after = self.clock.wall();
        compare_clocks(&self.settings, before, after, &survey)?;
        let workers = &self.settings.workers;
        let held =
            survey.rows.iter().filter(|row| workers.contains(row.worker_id) && row.is_leased(survey.now)).count();
        Ok(SnowflakeCheck {
            is_new,
            workers: workers.count(),
            free_workers: workers.count() - held as i64,
            clock_skew: Some(survey.now - survey.now.clamp(before.min(after), after)),
            ..SnowflakeCheck::default()
        })
    }
}

/// Maximum number of times that the owner may move its row on meanwhile.
const MOST_ATTEMPTS: u32 = 5;

/// Only the token goes. The horizon stays, and the next lease begins there, so no id can repeat even if the owner
/// lives: it may stamp up to that horizon, and none of its statements matches the row any more.
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
