//! Rows of worker ids in memory, behind a network that the caller simulates. The protocol is the one of every database.

use crate::rows;
use crate::rows::{
    Assignments, Claim, Eviction, NewRow, ReadVersion, Registry, Release, Renewal, RowChanges, RowHolder,
    RowHolderSettings, RowStatements, ShownRow, Survey, WorkerRow,
};
use crate::sessions::Outcome;
use crate::worker_files::worker_state::RowVersion;
use leafmint_engine::answer::Answer;
use leafmint_engine::clock::Clock;
use leafmint_engine::runtime::background::Timeline;
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::future::ready;
use std::sync::Arc;

/// A network between one process and a simulated server.
pub trait Network: Send + Sync + 'static {
    /// Takes a statement to the server, which runs it sooner or later, or never, and waits for the answer.
    ///
    /// Raises `store_unavailable` if there is none in time; the statement may run then too.
    fn call(&self, statement: Box<dyn FnOnce() + Send>) -> Answer<'_, ()>;

    /// Returns the server's clock in Unix milliseconds.
    fn server_clock(&self) -> i64;
}

/// The rows of one namespace on a simulated server.
#[derive(Clone, Default)]
pub struct SimulatedRows(Arc<Mutex<BTreeMap<i64, WorkerRow>>>);

impl SimulatedRows {
    /// Makes a holder of one process, which reaches the rows by its network.
    pub fn holder(
        &self,
        network: Arc<dyn Network>,
        settings: RowHolderSettings,
        clock: Arc<dyn Clock>,
        timeline: Arc<dyn Timeline>,
    ) -> RowHolder {
        let registry = SimulatedRegistry { rows: self.clone(), network };
        RowHolder::new_in(timeline, Arc::new(registry), "simulated", settings, clock)
    }
}

#[derive(Clone)]
struct SimulatedRegistry {
    rows: SimulatedRows,
    network: Arc<dyn Network>,
}

impl SimulatedRegistry {
    /// Runs a statement on the server.
    async fn ask<T: Send + 'static>(
        &self,
        statement: impl FnOnce(&mut BTreeMap<i64, WorkerRow>, i64) -> T + Send + 'static,
    ) -> Result<T> {
        let (rows, network, answer) = (self.rows.clone(), self.network.clone(), Arc::new(Mutex::new(None)));
        let result = answer.clone();
        let run = move || *result.lock() = Some(statement(&mut rows.0.lock(), network.server_clock()));
        self.network.call(Box::new(run)).await?;
        let answer = answer.lock().take();
        answer.ok_or_else(|| Error::new(ErrorKind::StoreUnavailable, "the simulated server answered without running"))
    }

    fn row(&self, worker_id: i64) -> SimulatedRow<'_> {
        SimulatedRow { registry: self, worker_id }
    }

    fn answer<'a, T>(&'a self, work: impl Future<Output = Outcome<T>> + Send + 'a) -> Answer<'a, T> {
        Box::pin(async { work.await.map_err(|failure| failure.into_error(self.database())) })
    }
}

/// One row, which statements change as they change a row of `leafmint_worker`.
struct SimulatedRow<'a> {
    registry: &'a SimulatedRegistry,
    worker_id: i64,
}

impl SimulatedRow<'_> {
    /// Overwrites the row if it matches. Returns whether it did.
    async fn change(
        &self,
        matches: impl Fn(Option<&WorkerRow>) -> bool + Send + 'static,
        new: &NewRow,
    ) -> Outcome<bool> {
        let (worker_id, NewRow { version, reported, endpoint }) = (self.worker_id, new.clone());
        let statement = move |rows: &mut BTreeMap<i64, WorkerRow>, now| {
            let changes = matches(rows.get(&worker_id));
            if changes {
                let (token, horizon) = (Some(version.token.to_string()), version.horizon);
                rows.insert(worker_id, WorkerRow { worker_id, token, horizon, reported, updated: now, endpoint });
            }
            changes
        };
        Ok(self.registry.ask(statement).await?)
    }
}

impl RowStatements for SimulatedRow<'_> {
    async fn insert(&mut self, new: &NewRow) -> Outcome<bool> {
        self.change(|row| row.is_none(), new).await
    }

    async fn take_over(&mut self, from: &ReadVersion, new: &NewRow) -> Outcome<bool> {
        let (token, horizon) = from.clone();
        self.change(move |row| row.is_some_and(|row| row.token == token && row.horizon == horizon), new).await
    }

    async fn move_on(&mut self, from: &RowVersion, new: &NewRow) -> Outcome<bool> {
        let (token, horizon, to) = (from.token.to_string(), from.horizon, new.version.horizon);
        let is_known = move |row: &WorkerRow| row.token.as_ref() == Some(&token) && row.horizon == horizon;
        self.change(move |row| row.is_some_and(|row| is_known(row) && row.horizon < to), new).await
    }

    async fn read(&mut self) -> Outcome<Option<ShownRow>> {
        let worker_id = self.worker_id;
        let shown = |row: &WorkerRow| ShownRow {
            token: row.token.clone(),
            horizon: row.horizon,
            endpoint: row.endpoint.clone(),
        };
        Ok(self.registry.ask(move |rows, _| rows.get(&worker_id).map(shown)).await?)
    }

    async fn release(&mut self, release: &Release) -> Outcome<()> {
        let (worker_id, versions, used) = (self.worker_id, release.versions.clone(), release.used);
        let statement = move |rows: &mut BTreeMap<i64, WorkerRow>, now| {
            if let Some(row) = rows.get_mut(&worker_id).filter(|row| versions.iter().any(|known| row.shows(known))) {
                (row.token, row.horizon, row.updated) = (None, used, now);
            }
        };
        Ok(self.registry.ask(statement).await?)
    }

    async fn evict(&mut self, eviction: &Eviction) -> Outcome<bool> {
        let (worker_id, (token, horizon)) = (self.worker_id, eviction.from.clone());
        let statement = move |rows: &mut BTreeMap<i64, WorkerRow>, _| {
            let found = rows.get_mut(&worker_id).filter(|row| row.token == token && row.horizon == horizon);
            found.is_some_and(|row| row.token.take().is_some())
        };
        Ok(self.registry.ask(statement).await?)
    }
}

impl RowChanges for SimulatedRegistry {
    fn claim<'a>(&'a self, claim: &'a Claim) -> Answer<'a, bool> {
        self.answer(rows::claim(self.row(claim.worker_id), claim))
    }

    fn renew<'a>(&'a self, renewal: &'a Renewal) -> Answer<'a, RowVersion> {
        self.answer(rows::renew(self.row(renewal.worker_id), renewal))
    }

    fn release<'a>(&'a self, release: &'a Release) -> Answer<'a, ()> {
        self.answer(async move { self.row(release.worker_id).release(release).await })
    }

    fn evict<'a>(&'a self, eviction: &'a Eviction) -> Answer<'a, bool> {
        self.answer(async move { self.row(eviction.worker_id).evict(eviction).await })
    }
}

impl Registry for SimulatedRegistry {
    fn database(&self) -> &str {
        "simulated rows"
    }

    fn prepare(&self) -> Answer<'_, ()> {
        Box::pin(self.ask(|_, _| ()))
    }

    fn inspect(&self, _to_write: bool) -> Answer<'_, bool> {
        Box::pin(self.ask(|_, _| true))
    }

    fn survey(&self) -> Answer<'_, Survey> {
        Box::pin(self.ask(|rows, now| Survey { now, rows: rows.values().cloned().collect() }))
    }

    fn clock(&self) -> Answer<'_, i64> {
        Box::pin(self.ask(|_, now| now))
    }

    fn assignments(&self) -> Option<&dyn Assignments> {
        None
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(ready(Ok(())))
    }

    fn in_child(&self) -> Arc<dyn Registry> {
        Arc::new(self.clone())
    }
}
