//! The holder over the rows of a database.

use super::holder_state::{HolderState, RowHolderSettings};
use super::{Assignments, Registry};
use leafmint_engine::answer::Answer;
use leafmint_engine::clock::Clock;
use leafmint_engine::holder::{
    KeptFailures, Pace, PastBlock, PastLease, SnowflakeCheck, WorkerIdHolder, WorkerInfo, WorkerLease,
};
use leafmint_engine::runtime::background::{Task, Timeline, real_time};
use leafmint_ids::error::Result;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Worker ids in rows of a database.
///
/// Scope: all processes that use that namespace, or that table, in that database. Needs `SELECT`, `INSERT` and `UPDATE`
/// on leafmint's own tables and on the table that assigns worker ids, and `CREATE` if they are missing.
#[derive(Clone)]
pub struct RowHolder {
    state: Arc<HolderState>,
    name: &'static str,
}

impl RowHolder {
    /// Makes a holder. Its name is for `stats`.
    pub(crate) fn new(
        registry: Arc<dyn Registry>,
        name: &'static str,
        settings: RowHolderSettings,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self::new_in(real_time(), registry, name, settings, clock)
    }

    /// Makes a holder whose work in the background runs in a time of its own.
    pub(crate) fn new_in(
        timeline: Arc<dyn Timeline>,
        registry: Arc<dyn Registry>,
        name: &'static str,
        settings: RowHolderSettings,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { state: Arc::new(HolderState::new(registry, settings, clock, timeline)), name }
    }
}

/// Every call runs to its end, even if the caller stops waiting for it.
impl WorkerIdHolder for RowHolder {
    fn acquire(&self) -> Answer<'_, WorkerLease> {
        self.state.detached(HolderState::acquire)
    }

    fn extend<'a>(&'a self, lease: &'a WorkerLease, horizon: i64) -> Answer<'a, i64> {
        let lease = lease.clone();
        self.state.detached(move |state| state.extend(lease, horizon))
    }

    fn release<'a>(&'a self, lease: &'a WorkerLease, used: i64) -> Answer<'a, ()> {
        let lease = lease.clone();
        self.state.detached(move |state| state.release(lease, used))
    }

    fn lease_past(&self, block: PastBlock) -> Answer<'_, Option<PastLease>> {
        self.state.detached(move |state| state.lease_past(block))
    }

    fn list_workers(&self) -> Answer<'_, Vec<WorkerInfo>> {
        self.state.detached(move |state| async move { state.list().await })
    }

    fn release_worker(&self, worker_id: i64, force: bool) -> Answer<'_, bool> {
        self.state.detached(move |state| async move { state.evict(worker_id, force).await })
    }

    fn check(&self) -> Answer<'_, SnowflakeCheck> {
        self.state.detached(move |state| async move { state.check().await })
    }

    fn shared_clock(&self) -> Answer<'_, Option<i64>> {
        self.state.detached(move |state| async move { state.registry.clock().await.map(Some) })
    }

    fn pace(&self) -> Pace {
        self.state.pace()
    }

    fn lease_pace(&self) -> Pace {
        self.state.settings.pace
    }

    fn leased_until(&self, lease: &WorkerLease) -> i64 {
        lease.horizon.max(self.state.leased_until.load(Ordering::Relaxed))
    }

    fn kept_failures(&self) -> KeptFailures {
        self.state.kept_failures.lock().clone()
    }

    fn heartbeat_millis(&self) -> Option<f64> {
        self.state.heartbeat.lock().millis()
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn namespace(&self) -> &str {
        &self.state.settings.namespace
    }

    fn scope(&self) -> String {
        let registry = &self.state.registry;
        let within = registry.assignments().map_or("namespace", Assignments::within);
        format!("{} (scope: all processes that use that {within} in that {})", self.state.name(), registry.kind())
    }

    fn init_schema(&self) -> Answer<'_, bool> {
        self.state.detached(move |state| async move { state.registry.init_schema().await })
    }

    fn host(&self) -> Option<String> {
        self.state.registry.host()
    }

    fn in_child(&self) -> Arc<dyn WorkerIdHolder> {
        let HolderState { registry, settings, clock, timeline, .. } = &*self.state;
        let (registry, settings) = (registry.in_child(), settings.in_child());
        Arc::new(Self::new_in(timeline.clone(), registry, self.name, settings, clock.clone()))
    }
}

impl HolderState {
    /// Runs work in the background: it comes to its end even if the caller stops waiting for it.
    pub(super) fn detached<'a, T, W>(self: &Arc<Self>, work: impl FnOnce(Arc<Self>) -> W) -> Answer<'a, T>
    where
        T: Send + 'static,
        W: Future<Output = Result<T>> + Send + 'static,
    {
        let (timeline, work) = (self.timeline.clone(), work(self.clone()));
        Box::pin(async move { Task::spawn(&*timeline, work)?.await })
    }
}
