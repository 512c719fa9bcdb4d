//! Looking at the holder, and freeing worker ids. None of this takes a worker id.

use super::generator::SnowflakeGenerator;
use crate::background::{Pending, in_time};
use crate::error::Result;
use crate::holder::{SnowflakeCheck, WorkerIdHolder, WorkerInfo};
use std::future::Future;
use std::sync::Arc;

impl SnowflakeGenerator {
    /// Lists the worker ids that were taken at least once, in ascending order.
    ///
    /// Raises `invalid_config`, also if they belong to another layout, `store_unavailable` and `closed`.
    pub fn list_workers(&self) -> Result<Pending<Vec<WorkerInfo>>> {
        self.ask("list_workers", |holder| async move { holder.list_workers().await })
    }

    /// Frees a worker id whose owner is gone: its horizon has passed, or `force` says so. Returns whether a lease had
    /// it.
    ///
    /// No id can repeat: the next owner begins behind the time that was reserved, even if the owner lives, which then
    /// loses its lease. In a directory a living owner's worker id cannot be freed. Raises `worker_id_unavailable`,
    /// `invalid_argument`, `invalid_config`, `store_unavailable` and `closed`.
    pub fn release_worker(&self, worker_id: i64, force: bool) -> Result<Pending<bool>> {
        self.ask("release_worker", move |holder| async move { holder.release_worker(worker_id, force).await })
    }

    /// Checks the holder: connects, and compares the layout and the clocks, without taking a worker id.
    ///
    /// Raises what the first id would raise, as far as that can be told without one, and `closed`.
    pub fn check(&self) -> Result<Pending<SnowflakeCheck>> {
        let layout = self.layout();
        let (scope, fingerprint, runs_out) = (self.scope(), layout.fingerprint(), layout.runs_out());
        self.ask("check", move |holder| async move {
            let found = holder.check().await?;
            Ok(SnowflakeCheck { scope, holder: holder.name(), layout: fingerprint, runs_out, ..found })
        })
    }

    /// Asks the holder something, for at most the option `timeout`.
    fn ask<T: Send + 'static, F: Future<Output = Result<T>> + Send + 'static>(
        &self,
        call: &'static str,
        ask: impl FnOnce(Arc<dyn WorkerIdHolder>) -> F,
    ) -> Result<Pending<T>> {
        let state = self.state();
        state.check_open()?;
        let timeout = state.settings.timeout;
        Pending::spawn(timeout, in_time(call, timeout, self.scope(), ask(state.holder.clone())))
    }
}
