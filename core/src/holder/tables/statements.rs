//! The statements on leafmint's own tables, one type each.

use super::session::{Found, OwnRow, TableSession};
use crate::database::{Failure, Outcome, Statement};
use crate::holder::row_state::RowVersion;
use crate::holder::rows::{self, Claim, Eviction, Release, Renewal, Survey};
use std::ops::RangeInclusive;

/// Runs statements that create tables, in turn.
pub(super) struct Make<'a>(pub(super) &'a [&'a str]);

impl<S: TableSession> Statement<S> for Make<'_> {
    type Answer = ();

    async fn run(&self, session: &mut S) -> Outcome<()> {
        for statement in self.0 {
            session.create(statement).await?;
        }
        Ok(())
    }
}

/// Reads version and layout. A namespace that is not used yet gets its layout, if the tables have a version.
pub(super) struct Prepare<'a> {
    pub(super) namespace: &'a str,
    pub(super) layout: &'a str,
}

impl<S: TableSession> Statement<S> for Prepare<'_> {
    type Answer = Found;

    async fn run(&self, session: &mut S) -> Outcome<Found> {
        let found = session.look(self.namespace).await?;
        if found.version != Some(super::SCHEMA_VERSION) || found.layout.is_some() {
            return Ok(found);
        }
        session.insert_namespace(self.namespace, self.layout).await?;
        session.look(self.namespace).await
    }
}

/// Reads version and layout, and finds out whether the account may write. Writes nothing.
pub(super) struct Inspect<'a> {
    pub(super) namespace: &'a str,
    pub(super) to_write: bool,
}

impl<S: TableSession> Statement<S> for Inspect<'_> {
    type Answer = Found;

    async fn run(&self, session: &mut S) -> Outcome<Found> {
        let found = session.look(self.namespace).await?;
        if self.to_write && found.version == Some(super::SCHEMA_VERSION) {
            session.try_to_write().await?;
        }
        Ok(found)
    }
}

/// Reads the rows of a namespace.
pub(super) struct ReadRows<'a> {
    pub(super) namespace: &'a str,
    pub(super) workers: &'a RangeInclusive<i64>,
}

impl<S: TableSession> Statement<S> for ReadRows<'_> {
    type Answer = Survey;

    async fn run(&self, session: &mut S) -> Outcome<Survey> {
        session.survey(self.namespace, self.workers).await
    }
}

/// Reads the server's clock.
pub(super) struct ReadClock;

impl<S: TableSession> Statement<S> for ReadClock {
    type Answer = i64;

    async fn run(&self, session: &mut S) -> Outcome<i64> {
        session.clock().await?.ok_or_else(|| Failure::broken("the server returned no time"))
    }
}

/// Something to do with a row of this namespace.
pub(super) struct OnRow<'a, T> {
    pub(super) namespace: &'a str,
    pub(super) change: &'a T,
}

impl<S: TableSession> Statement<S> for OnRow<'_, Claim> {
    type Answer = bool;

    async fn run(&self, session: &mut S) -> Outcome<bool> {
        rows::claim(&mut session.row(self.namespace, self.change.worker_id), self.change).await
    }
}

impl<S: TableSession> Statement<S> for OnRow<'_, Renewal> {
    /// What the row shows now.
    type Answer = RowVersion;

    async fn run(&self, session: &mut S) -> Outcome<RowVersion> {
        rows::renew(&mut session.row(self.namespace, self.change.worker_id), self.change).await
    }
}

impl<S: TableSession> Statement<S> for OnRow<'_, Release> {
    type Answer = bool;

    async fn run(&self, session: &mut S) -> Outcome<bool> {
        session.row(self.namespace, self.change.worker_id).release(self.change).await
    }
}

impl<S: TableSession> Statement<S> for OnRow<'_, Eviction> {
    type Answer = bool;

    async fn run(&self, session: &mut S) -> Outcome<bool> {
        session.row(self.namespace, self.change.worker_id).evict(self.change).await
    }
}
