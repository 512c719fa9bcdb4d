//! What this process has leased of the past: it is compared with each further lease, and waits here for the calls that
//! make ids of it.
//!
//! It is locked for moments only. What the calls hold is locked for as long as they make ids, and the background thread
//! must not wait for that.

use crate::error::{Error, ErrorKind, Result};
use crate::holder::{Generation, PastLease};
use std::collections::HashMap;

/// What this process has leased of the past.
#[derive(Default)]
pub(super) struct LeasedPast {
    /// The leases that no call has yet, each with its block.
    arrived: Vec<(i64, PastLease)>,
    /// The generation of the counters of each worker id.
    generations: HashMap<i64, Generation>,
    /// The ends of the leases of each block, also of one that is forgotten.
    ends: HashMap<i64, Ends>,
    /// Why nothing is leased any more.
    regressed: Option<Error>,
}

/// For each worker id, the end of what this process has leased of a block. A lease that begins later lies behind it.
pub(super) type Ends = HashMap<i64, i64>;

impl LeasedPast {
    /// Returns the ends of a block's leases. Raises `store_regressed` if one began below them at any time.
    pub(super) fn ends(&self, block: i64) -> Result<Ends> {
        self.regressed.clone().map_or_else(|| Ok(self.ends.get(&block).cloned().unwrap_or_default()), Err)
    }

    /// Adds a lease. Raises `store_regressed` if it begins below the ends at its beginning, or is of other counters
    /// than before: what other processes have leased is leased again too, and no process knows how much that is.
    pub(super) fn add(&mut self, block: i64, lease: PastLease, ends: &Ends, scope: &str) -> Result<()> {
        let known = ends.get(&lease.worker_id).copied().unwrap_or(0);
        let generation = *self.generations.entry(lease.worker_id).or_insert(lease.generation);
        if lease.sequences.start < known || lease.generation != generation {
            let error = regressed(block, &lease, known, scope);
            self.regressed = Some(error.clone());
            return Err(error);
        }
        let end = self.ends.entry(block).or_default().entry(lease.worker_id).or_default();
        *end = lease.sequences.end.max(*end);
        self.arrived.push((block, lease));
        Ok(())
    }

    /// Takes the leases that no call has yet.
    pub(super) fn arrived(&mut self) -> Vec<(i64, PastLease)> {
        std::mem::take(&mut self.arrived)
    }
}

fn regressed(block: i64, lease: &PastLease, known: i64, scope: &str) -> Error {
    let (worker_id, start) = (lease.worker_id, lease.sequences.start);
    let text = format!(
        "{scope}: block {block} of worker id {worker_id} for past moments leased sequence numbers from {start} on, but this \
         process has leased those below {known}, or of other counters: they were deleted or restored from a backup, or a \
         stale replica answered; nothing was handed out. Keep such worker ids out of the option workers, then open the \
         generator again"
    );
    Error::new(ErrorKind::StoreRegressed, text)
}
