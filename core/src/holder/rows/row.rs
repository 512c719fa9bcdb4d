//! What a row shows.

use crate::holder::Token;
use crate::holder::past::PastWorker;
use crate::holder::row_state::RowVersion;

/// A row as it was read.
#[derive(Clone, Debug)]
pub(in crate::holder) struct WorkerRow {
    pub(in crate::holder) worker_id: i64,
    /// `None` once released.
    pub(in crate::holder) token: Option<String>,
    pub(in crate::holder) horizon: i64,
    /// The owner's clock at the last change, and the database's. Unix milliseconds.
    pub(in crate::holder) reported: i64,
    pub(in crate::holder) updated: i64,
    pub(in crate::holder) endpoint: String,
}

/// The rows of a namespace, and the database's clock at that moment.
#[derive(Clone, Debug)]
pub(in crate::holder) struct Survey {
    pub(in crate::holder) now: i64,
    /// In the order of their worker ids.
    pub(in crate::holder) rows: Vec<WorkerRow>,
}

/// The database's clock, and the columns of a [`WorkerRow`] in the order of its fields; NULL if there is no row.
pub(in crate::holder) type Columns =
    (i64, Option<i64>, Option<String>, Option<i64>, Option<i64>, Option<i64>, Option<String>);

impl WorkerRow {
    /// Returns whether the row shows exactly this version.
    pub(in crate::holder) fn shows(&self, version: &RowVersion) -> bool {
        self.horizon == version.horizon && self.token.as_deref() == Some(&version.token.to_string())
    }

    /// Returns the worker id with its counters, if it is one for the past.
    pub(super) fn past_worker(&self) -> Option<PastWorker> {
        let generation = Token::parse(self.token.as_deref()?)?.generation()?;
        Some(PastWorker { worker_id: self.worker_id, generation })
    }

    /// Returns whether the worker id is one for the past.
    pub(super) fn is_for_the_past(&self) -> bool {
        self.past_worker().is_some()
    }

    /// Returns whether a lease has the row, by the database's clock.
    pub(super) fn is_leased(&self, now: i64) -> bool {
        self.token.is_some() && self.horizon > now
    }
}

impl Survey {
    pub(in crate::holder) fn of(found: Vec<Columns>) -> Self {
        let mut survey = Survey { now: 0, rows: Vec::new() };
        for (now, worker_id, token, horizon, reported, updated, endpoint) in found {
            survey.now = now;
            if let (Some(worker_id), Some(horizon), Some(reported), Some(updated), Some(endpoint)) =
                (worker_id, horizon, reported, updated, endpoint)
            {
                survey.rows.push(WorkerRow { worker_id, token, horizon, reported, updated, endpoint });
            }
        }
        survey
    }

    pub(super) fn row(&self, worker_id: i64) -> Option<&WorkerRow> {
        let at = self.rows.binary_search_by_key(&worker_id, |row| row.worker_id).ok()?;
        self.rows.get(at)
    }
}
