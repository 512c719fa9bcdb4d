//! Worker ids whose time is reserved in rows of a database, whichever database it is.
//!
//! Two levels. A row reserves time far ahead, which is how long the database may be away. Under it a state file on the
//! host reserves a few seconds at a time, so that a restart there continues at once, with the same worker id. Every
//! change of a row compares the token and the horizon that were last known, so a late statement matches nothing.
//!
//! A kind of database implements `Registry`, and `RowStatements` for one row; the protocol is in this folder.

mod any_free;
mod assigned;
mod blocks;
mod claim;
mod compare_and_set;
pub mod endpoint;
mod held_lease;
mod holder_state;
mod inspection;
mod past;
mod row;
mod row_holder;
pub mod simulated;
mod state_dir;
pub mod tables;

pub(super) use blocks::{BlockStatements, MARK, PastBlocks, ShownBlock, lease as lease_block};
pub(super) use compare_and_set::{
    Claim, Eviction, NewRow, ReadVersion, Release, Renewal, RowChanges, RowStatements, RowsBySession, ShownRow, claim,
    renew,
};
pub use endpoint::Endpoint;
pub use holder_state::RowHolderSettings;
use leafmint_engine::answer::Answer;
pub(super) use row::{Columns, Survey, WorkerRow};
pub use row_holder::RowHolder;
pub use simulated::{Network, SimulatedRows};
use std::sync::Arc;

#[cfg(test)]
pub(crate) use holder_state::{HolderState, compare_clocks};

/// The rows of one namespace in a database, and the database's clock.
///
/// Every method ends within a bound of its own. An error other than `store_unavailable` is final.
pub(crate) trait Registry: RowChanges + Send + Sync + 'static {
    /// Names the database, without credentials.
    fn database(&self) -> &str;

    /// Says what kind of thing it is that processes share.
    fn kind(&self) -> &'static str {
        "database"
    }

    /// Returns whether the application connects. Then the name need not lead to the same tables after a restart.
    fn is_lent(&self) -> bool {
        false
    }

    /// Names the tables in the state files of this host. Two processes that might use different tables, for instance
    /// through another search path, get different names.
    fn tables(&self) -> String {
        self.database().to_owned()
    }

    /// Creates the tables that are missing. Returns whether there are any: nodes need none.
    fn init_schema(&self) -> Answer<'_, bool> {
        Box::pin(std::future::ready(Ok(false)))
    }

    /// Names the host of a fail-over list that is in use, with its port; `None` without a list.
    fn host(&self) -> Option<String> {
        None
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
pub(crate) struct Assigned {
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
