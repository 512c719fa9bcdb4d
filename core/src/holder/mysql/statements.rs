//! The statements on `leafmint_worker`, one type each: what is sent, and what its answer means.

use super::row::{MySqlRow, NOW};
use crate::holder::row_state::RowVersion;
use crate::holder::rows::{self, Claim, Columns, Eviction, Release, Renewal, Survey};
use crate::mysql::{Failure, Outcome, Session, Statement};
use std::ops::RangeInclusive;

/// Reads a [`Survey`] of the worker ids between the first and the last one that may be taken: other rows are not asked
/// for, however many there are.
pub(super) struct ReadRows<'a> {
    pub(super) namespace: &'a str,
    pub(super) workers: &'a RangeInclusive<i64>,
}

impl Statement for ReadRows<'_> {
    type Answer = Survey;

    async fn run(&self, session: &mut Session) -> Outcome<Survey> {
        let sql = format!(
            "SELECT n.present, w.worker_id, w.token, w.horizon, w.reported, w.updated, w.endpoint FROM (SELECT {NOW} AS present) n \
             LEFT JOIN leafmint_worker w ON w.namespace = ? AND w.worker_id BETWEEN ? AND ? ORDER BY w.worker_id"
        );
        let (first, last) = (*self.workers.start(), *self.workers.end());
        let rows: Vec<Columns> = session.query(&sql, &[self.namespace.into(), first.into(), last.into()]).await?;
        Ok(Survey::of(rows))
    }
}

/// Reads the database's clock.
pub(super) struct ReadClock;

impl Statement for ReadClock {
    type Answer = i64;

    async fn run(&self, session: &mut Session) -> Outcome<i64> {
        let now: Option<i64> = session.first(&format!("SELECT {NOW}"), &[]).await?;
        now.ok_or_else(|| Failure::broken("the server returned no time"))
    }
}

/// Something to do with a row of this namespace.
pub(super) struct OnRow<'a, T> {
    pub(super) namespace: &'a str,
    pub(super) change: &'a T,
}

impl Statement for OnRow<'_, Claim> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let Self { namespace, change } = *self;
        rows::claim(&mut MySqlRow { session, namespace, worker_id: change.worker_id }, change).await
    }
}

impl Statement for OnRow<'_, Renewal> {
    /// What the row shows now.
    type Answer = RowVersion;

    async fn run(&self, session: &mut Session) -> Outcome<RowVersion> {
        let Self { namespace, change } = *self;
        rows::renew(&mut MySqlRow { session, namespace, worker_id: change.worker_id }, change).await
    }
}

impl Statement for OnRow<'_, Release> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let Self { namespace, change } = *self;
        MySqlRow { session, namespace, worker_id: change.worker_id }.release(change).await
    }
}

impl Statement for OnRow<'_, Eviction> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let Self { namespace, change } = *self;
        MySqlRow { session, namespace, worker_id: change.worker_id }.evict(change).await
    }
}
