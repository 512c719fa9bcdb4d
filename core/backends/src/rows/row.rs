//! What a row shows.

use crate::worker_files::worker_state::RowVersion;
use leafmint_engine::holder::Token;
use leafmint_engine::holder::past::PastWorker;

/// A row as it was read.
#[derive(Clone, Debug)]
pub(crate) struct WorkerRow {
    pub worker_id: i64,
    /// `None` once released.
    pub token: Option<String>,
    pub horizon: i64,
    /// The owner's clock at the last change, and the database's. Unix milliseconds.
    pub reported: i64,
    pub updated: i64,
    pub endpoint: String,
}

/// The rows of a namespace, and the database's clock at that moment.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    pub now: i64,
    /// In the order of their worker ids.
    pub rows: Vec<WorkerRow>,
}

/// The database's clock, and the columns of a [`WorkerRow`] in the order of its fields; NULL if there is no row.
pub(crate) type Columns = (i64, Option<i64>, Option<String>, Option<i64>, Option<i64>, Option<i64>, Option<String>);

impl WorkerRow {
    /// Returns whether the row shows exactly this version.
    pub(crate) fn shows(&self, version: &RowVersion) -> bool {
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
    pub(crate) fn of(found: Vec<Columns>) -> Self {
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
