//! What an audit read and found.

use super::catalogue::Key;
use super::finding::{Finding, Severity};

/// What an audit read and found.
#[derive(Clone, Debug)]
pub struct AuditReport {
    /// The database, without credentials.
    pub scope: String,
    /// When it was read, in Unix milliseconds.
    pub read_at: i64,
    /// Each key, the one used most first.
    pub keys: Vec<KeyUse>,
    /// What is wrong, worst first.
    pub findings: Vec<Finding>,
    /// Tables and sequences that the account may not read, or that are locked or damaged; `*` if it sees none.
    pub unread: Vec<String>,
}

/// How far a key is used.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyUse {
    /// The table, or the sequence that fills no column.
    pub table: String,
    /// The column; empty for a sequence that fills none.
    pub column: String,
    /// Its type, as the engine names it.
    pub data_type: String,
    /// The highest number used, of a row or of the counter.
    pub used: u64,
    /// The highest number of a row; `None` if there is none, or it was not read.
    pub highest: Option<u64>,
    /// The highest number that can be used.
    pub largest: u64,
    /// The days until it runs out at the present rate, if that is known.
    pub days_left: Option<f64>,
}

impl AuditReport {
    /// Returns whether everything was read, and nothing has to be done.
    pub fn is_ok(&self) -> bool {
        self.unread.is_empty() && self.findings.iter().all(|finding| finding.severity != Severity::Problem)
    }
}

impl KeyUse {
    pub(super) fn of(key: &Key) -> Self {
        Self {
            table: key.column.table.clone(),
            column: key.column.name.clone(),
            data_type: key.column.data_type.clone(),
            used: key.used(),
            highest: key.highest,
            largest: key.largest(),
            days_left: key.days_left(),
        }
    }
}
