//! Looking at the rows of a namespace, without taking one.

use super::clocks;
use super::holder_state::HolderState;
use super::row::Survey;
use crate::error::Result;
use crate::holder::past::END_OF_TIME;
use crate::holder::{SnowflakeCheck, WorkerInfo};

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
        clocks::compare(&self.settings, before, after, &survey)?;
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
