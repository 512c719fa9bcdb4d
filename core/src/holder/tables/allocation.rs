//! The statements on `leaf_workerid_alloc`, as NotFound9's fork of Leaf keeps it: one row per `ip:port`, its `id` the
//! worker id.

use super::session::TableSession;
use crate::database::{Outcome, Statement};
use crate::holder::Workers;
use crate::holder::rows::Assigned;
use std::collections::HashSet;

/// Finds the row of an endpoint, or inserts one with the smallest free id. `None` if all ids are taken.
pub(super) struct Assign<'a> {
    pub(super) table: &'a str,
    pub(super) endpoint: &'a str,
    pub(super) workers: &'a Workers,
}

impl<S: TableSession> Statement<S> for Assign<'_> {
    type Answer = Option<Assigned>;

    async fn run(&self, session: &mut S) -> Outcome<Option<Assigned>> {
        let Self { table, endpoint, workers } = *self;
        loop {
            if let Some(assigned) = session.find_assigned(table, endpoint).await? {
                return Ok(Some(assigned));
            }
            let taken: HashSet<i64> = session.assigned(table).await?.into_iter().collect();
            let Some(worker_id) = workers.iter().find(|id| !taken.contains(id)) else { return Ok(None) };
            // Read it, or if another process was faster, try the next one: each turn finds one id less.
            session.assign(table, worker_id, endpoint).await?;
        }
    }
}

/// Reads which endpoints have the first worker ids.
pub(super) struct ReadEndpoints<'a> {
    pub(super) table: &'a str,
}

impl<S: TableSession> Statement<S> for ReadEndpoints<'_> {
    type Answer = Vec<(i64, String)>;

    async fn run(&self, session: &mut S) -> Outcome<Vec<(i64, String)>> {
        session.endpoints(self.table).await
    }
}

/// Reports the owner's clock, as the fork does.
pub(super) struct Report<'a> {
    pub(super) table: &'a str,
    pub(super) worker_id: i64,
    pub(super) at: i64,
}

impl<S: TableSession> Statement<S> for Report<'_> {
    type Answer = ();

    async fn run(&self, session: &mut S) -> Outcome<()> {
        session.report(self.table, self.worker_id, self.at).await
    }
}
