//! Worker ids whose time is reserved in rows of a database, whichever database it is.
//!
//! Two levels. A row reserves time far ahead, which is how long the database may be away. Under it a state file on the
//! host reserves a few seconds at a time, so that a restart there continues at once, with the same worker id. Every
//! change of a row compares the token and the horizon that were last known, so a late statement matches nothing.
//!
//! A kind of database implements [`Registry`], and [`RowStatements`] for one row; the protocol is in this folder.

mod acquire;
mod any_free;
mod assigned;
mod blocks;
mod claim;
mod claim_plan;
pub(super) mod clocks;
mod compare_and_set;
mod detached;
mod eviction;
mod extend;
mod holder_state;
mod listing;
mod past;
mod release;
mod report;
mod restart;
mod row;
mod row_holder;
mod row_lease;
mod settings;
mod state_dir;

pub(super) use blocks::{BlockStatements, MARK, PastBlocks, ShownBlock, lease as lease_block};
pub(super) use compare_and_set::{
    Claim, Eviction, NewRow, ReadVersion, Release, Renewal, RowStatements, ShownRow, claim, renew,
};
#[cfg(test)]
pub(super) use holder_state::HolderState;
pub(super) use row::{Columns, Survey, WorkerRow};
pub use row_holder::RowHolder;
pub use settings::RowHolderSettings;

use super::row_state::RowVersion;
use crate::answer::Answer;
use std::sync::Arc;

/// The rows of one namespace in a database, and the database's clock.
///
/// Every method ends within a bound of its own. An error other than `store_unavailable` is final.
pub(super) trait Registry: Send + Sync + 'static {
    /// Names the database, without credentials.
    fn database(&self) -> &str;

    /// Says what kind of thing it is that processes share.
    fn kind(&self) -> &'static str {
        "database"
    }

    /// Names the tables in the state files of this host. Two processes that might use different tables, for instance
    /// through another search path, get different names.
    fn tables(&self) -> String {
        self.database().to_owned()
    }

    /// Creates the tables that are missing, and refuses a namespace that belongs to another layout.
    fn prepare(&self) -> Answer<'_, ()>;

    /// Returns whether the namespace has been used, and refuses one that belongs to another layout or, if it is asked
    /// `to_write`, that the account may not write. Creates nothing.
    fn inspect(&self, to_write: bool) -> Answer<'_, bool>;

    /// Reads the rows of all worker ids that may be taken, and the database's clock.
    fn survey(&self) -> Answer<'_, Survey>;

    /// Reads the database's clock, in Unix milliseconds.
    fn clock(&self) -> Answer<'_, i64>;

    /// Runs [`claim`] on a session, again on another one if the session fails.
    fn claim<'a>(&'a self, claim: &'a Claim) -> Answer<'a, bool>;

    /// Runs [`renew`] on a session, again on another one if the session fails.
    fn renew<'a>(&'a self, renewal: &'a Renewal) -> Answer<'a, RowVersion>;

    /// Ends a lease: the token goes, and the horizon becomes what was used. Sent at most once.
    fn release<'a>(&'a self, release: &'a Release) -> Answer<'a, ()>;

    /// Takes the token out of a row that still shows it, and leaves the horizon. Returns whether it did.
    fn evict<'a>(&'a self, eviction: &'a Eviction) -> Answer<'a, bool>;

    /// Returns what assigns the worker id of this endpoint; `None` if any free one is taken.
    fn assignments(&self) -> Option<&dyn Assignments>;

    /// Returns the blocks of the worker ids for the past; `None` if there are none.
    fn past(&self) -> Option<&dyn PastBlocks> {
        None
    }

    /// Ends the idle connections.
    fn close(&self) -> Answer<'_, ()>;

    /// Makes the same registry again for the child of a fork, without a connection. It reads nothing but settings.
    fn in_child(&self) -> Arc<dyn Registry>;
}

/// What assigns one worker id to each endpoint: a table, or Leaf's own nodes.
pub(super) trait Assignments: Send + Sync {
    /// Names the table or the nodes, for messages.
    fn name(&self) -> &str;

    /// Names what the worker ids are unique within, for messages.
    fn within(&self) -> &'static str;

    /// Returns whether programs that are not leafmint read the reports before they use a worker id.
    fn is_watched(&self) -> bool;

    /// Finds the worker id of this endpoint, or assigns a free one.
    ///
    /// Raises `worker_id_unavailable` if all are taken, and `invalid_config` if it is one that is not allowed.
    fn assign(&self) -> Answer<'_, Assigned>;

    /// Writes the owner's clock where its worker id is assigned.
    ///
    /// Raises `lease_lost` if that shows that another program uses the worker id.
    fn report(&self, worker_id: i64, at: i64) -> Answer<'_, ()>;
}

/// The worker id of an endpoint, and the last report of its owner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assigned {
    pub(super) worker_id: i64,
    pub(super) report: Option<Report>,
}

impl Assigned {
    /// Describes a row of a table, in which every owner reports its own clock.
    pub(super) fn in_table(worker_id: i64, reported: Option<i64>) -> Self {
        Self { worker_id, report: reported.map(|at| Report { at, lead: 0, written: None }) }
    }
}

/// What an owner last wrote where its worker id is assigned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    /// The time that was reported. Unix milliseconds.
    pub(super) at: i64,
    /// By how much leafmint's own reports are ahead of the clock. Milliseconds.
    pub(super) lead: i64,
    /// When it was written, by the registry's clock, if that is known. Unix milliseconds.
    pub(super) written: Option<i64>,
}
