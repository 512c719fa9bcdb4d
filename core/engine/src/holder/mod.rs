//! Holders lease worker ids.
//!
//! A holder keeps one promise (H1): the leases of one worker id, each from its floor up to its horizon, never overlap,
//! whichever processes ask and whatever the clocks show. A new horizon is durable before `acquire` or `extend` answers.

pub mod lease;
mod memory;
pub mod past;
pub mod worker_ids;

use crate::answer::Answer;
use leafmint_ids::error::Error;
pub use lease::{Pace, SnowflakeCheck, Token, WorkerInfo, WorkerLease};
pub use memory::MemoryHolder;
pub use past::{Generation, PastBlock, PastLease};
use std::sync::Arc;
pub use worker_ids::Workers;

/// Attempts to move a row on that failed while its lease went on.
#[derive(Clone, Debug, Default)]
pub struct KeptFailures {
    /// How many there were.
    pub count: i64,
    /// The last one.
    pub last: Option<Error>,
    /// No attempt has succeeded since.
    pub is_away: bool,
}

/// Leases worker ids. Every method ends within a bound of its own, or if it has to wait for a floor, within that wait.
pub trait WorkerIdHolder: Send + Sync + 'static {
    /// Takes a free worker id, with a fresh token, and reserves time for it: from the floor, which is the stored
    /// horizon of the lease before, up to [`Pace::aim`].
    ///
    /// Raises `worker_id_unavailable` (with the owners, and until when they have reserved), `invalid_config`,
    /// `store_unavailable`.
    fn acquire(&self) -> Answer<'_, WorkerLease>;

    /// Moves the horizon of a lease on, to `horizon` or less, and returns the horizon that holds now. Never moves it
    /// back.
    ///
    /// Raises `lease_lost` if another process has the lease now. After any other error the call may be tried again.
    fn extend<'a>(&'a self, lease: &'a WorkerLease, horizon: i64) -> Answer<'a, i64>;

    /// Ends a lease: nothing at or after `used` was stamped, so that the next owner need not wait for the horizon.
    fn release<'a>(&'a self, lease: &'a WorkerLease, used: i64) -> Answer<'a, ()>;

    /// Leases sequence numbers of past ticks, with a worker id of which no process ever has another lease. `None` if
    /// another process is leasing just now: ask again.
    ///
    /// Raises `worker_id_unavailable` if fewer are left than the block needs, before a worker id is taken,
    /// `store_regressed` if the counters of a worker id are gone, `store_unavailable`, and `invalid_config` if this
    /// holder keeps no worker ids for the past.
    fn lease_past(&self, _block: PastBlock) -> Answer<'_, Option<PastLease>> {
        Box::pin(std::future::ready(Err(past::refused(&self.scope()))))
    }

    /// Lists the worker ids that may be taken and were taken at least once, in ascending order. Takes none.
    fn list_workers(&self) -> Answer<'_, Vec<WorkerInfo>>;

    /// Frees a worker id whose horizon has passed, or with `force` any whose owner this holder can displace. Returns
    /// whether a lease had it. The floor of the next lease stays the stored horizon.
    ///
    /// Raises `worker_id_unavailable` if it is still held, and `invalid_argument` if it is none of the holder's.
    fn release_worker(&self, worker_id: i64, force: bool) -> Answer<'_, bool>;

    /// Checks the layout, the clocks and the account as far as that can be done without taking a worker id. The
    /// generator adds the scope, the kind of holder and the layout.
    fn check(&self) -> Answer<'_, SnowflakeCheck>;

    /// Returns the clock that all users of this holder share, in Unix milliseconds; `None` if there is only this
    /// host's.
    fn shared_clock(&self) -> Answer<'_, Option<i64>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Creates the tables that are missing. Returns whether the holder needs any.
    fn init_schema(&self) -> Answer<'_, bool> {
        Box::pin(std::future::ready(Ok(false)))
    }

    /// Names the host of a fail-over list that is in use, with its port; `None` without a list.
    fn host(&self) -> Option<String> {
        None
    }

    /// Returns how far ahead horizons are kept, and how often they are moved.
    fn pace(&self) -> Pace;

    /// Returns the pace of the lease that other processes see, for messages: another one than [`WorkerIdHolder::pace`]
    /// if a state file reserves the time of a row piece by piece.
    fn lease_pace(&self) -> Pace {
        self.pace()
    }

    /// Returns until when ids can be had if the registry goes away now, in Unix milliseconds: the horizon of the lease,
    /// or of its row if a state file reserves the time below that.
    fn leased_until(&self, lease: &WorkerLease) -> i64 {
        lease.horizon
    }

    /// Returns the failures of the registry that [`WorkerIdHolder::extend`] does not raise, since a state file reserves
    /// the time meanwhile.
    fn kept_failures(&self) -> KeptFailures {
        KeptFailures::default()
    }

    /// Returns the average round trip of what moves a horizon on, in milliseconds: in the registry, or without one in a
    /// state file; `None` before the first one.
    fn heartbeat_millis(&self) -> Option<f64> {
        None
    }

    /// Names the kind of holder, for `stats`.
    fn name(&self) -> &'static str;

    /// Returns the namespace that the worker ids are unique within; empty if the holder has none.
    fn namespace(&self) -> &str {
        ""
    }

    /// Names the holder, without credentials, and says which processes share its worker ids.
    fn scope(&self) -> String;

    /// Makes the same holder again for the child of a fork: without a lease, with connections and a name of its own. It
    /// reads nothing but settings.
    fn in_child(&self) -> Arc<dyn WorkerIdHolder>;
}
