//! The table that assigns worker ids, as NotFound9's fork of Leaf keeps it: one row per `ip:port`, its `id` the worker
//! id.

use super::session::{TableSession, Tables, assign};
use crate::rows::{Assigned, Assignments, RowHolderSettings};
use crate::sessions::{Engine, Sessions};
use leafmint_engine::answer::Answer;
use leafmint_engine::holder::Workers;
use leafmint_ids::error::{Error, ErrorKind, Reason, Result};
use std::sync::Arc;

pub(super) struct AllocationTable<E: Engine> {
    sessions: Arc<Sessions<E>>,
    name: String,
    /// The name, quoted for SQL.
    quoted: String,
    endpoint: String,
    workers: Workers,
    auto_create: Option<bool>,
}

impl<E: Engine<Session: TableSession>> AllocationTable<E> {
    pub(super) fn new(sessions: Arc<Sessions<E>>, settings: &RowHolderSettings) -> Self {
        let RowHolderSettings { namespace: name, endpoint, workers, auto_create, .. } = settings;
        let (name, endpoint, workers) = (name.clone(), endpoint.to_string(), workers.clone());
        Self { sessions, quoted: E::Session::quoted(&name), name, endpoint, workers, auto_create: *auto_create }
    }

    /// Finds the row of the endpoint, or inserts one, in a table that is created if it is missing. `None` if all ids
    /// are taken.
    async fn find_or_insert(&self) -> Result<Option<Assigned>> {
        let assign =
            || self.sessions.run(|session, _| Box::pin(assign(session, &self.quoted, &self.endpoint, &self.workers)));
        match assign().await {
            Err(error) if error.reason() == Some(Reason::MissingTable) => {
                let schema = E::Session::allocation_schema(&self.quoted);
                self.table(&[&schema]).make(&self.sessions, error).await?;
                assign().await
            }
            assigned => assigned,
        }
    }

    /// Creates the table, if it is missing.
    pub(super) async fn create(&self) -> Result<()> {
        self.table(&[&E::Session::allocation_schema(&self.quoted)]).create(&self.sessions).await
    }

    fn table<'a>(&self, statements: &'a [&'a str]) -> Tables<'a> {
        Tables { auto_create: self.auto_create, has_init: false, statements }
    }

    async fn none_free(&self) -> Result<Error> {
        let all = self.sessions.run(|session, _| Box::pin(session.endpoints(&self.quoted))).await?;
        let named: Vec<String> = all.iter().take(16).map(|(id, endpoint)| format!("{id} by {endpoint}")).collect();
        let text = format!(
            "{}: all {} worker ids of {} belong to other endpoints: {}{}; delete the row of one that is gone, or allow more with \
             the option workers",
            self.sessions.name(),
            self.workers.count(),
            self.name,
            named.join(", "),
            if all.len() > named.len() { ", …" } else { "" },
        );
        Ok(Error::new(ErrorKind::WorkerIdUnavailable, text))
    }
}

impl<E: Engine<Session: TableSession>> Assignments for AllocationTable<E> {
    fn name(&self) -> &str {
        &self.name
    }

    fn within(&self) -> &'static str {
        "table"
    }

    fn is_watched(&self) -> bool {
        false
    }

    fn assign(&self) -> Answer<'_, Assigned> {
        Box::pin(async {
            let Some(assigned) = self.find_or_insert().await? else { return Err(self.none_free().await?) };
            if self.workers.contains(assigned.worker_id) {
                return Ok(assigned);
            }
            let text = format!(
                "{}: {} assigns the worker id {} to {}, which the layout or the option workers does not allow: correct the \
                 row's id",
                self.sessions.name(),
                self.name,
                assigned.worker_id,
                self.endpoint
            );
            Err(Error::new(ErrorKind::InvalidConfig, text))
        })
    }

    fn report(&self, worker_id: i64, at: i64) -> Answer<'_, ()> {
        Box::pin(self.sessions.run(move |session, _| Box::pin(session.report(&self.quoted, worker_id, at))))
    }
}
