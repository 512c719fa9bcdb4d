//! A worker id that this process is about to take.

use super::memo::Memo;
use super::state_dir::Slot;
use std::sync::Arc;

/// A worker id that may be taken, and from when on.
#[derive(Clone)]
pub(super) struct ClaimPlan {
    pub(super) worker_id: i64,
    /// The first Unix millisecond that no earlier lease may have stamped.
    pub(super) floor: i64,
    pub(super) slot: Option<Arc<Slot>>,
    /// What this host wrote about the lease before, if it continues with that.
    pub(super) memo: Option<Memo>,
    /// The horizon that was reserved under the row. Filled in by the claim.
    pub(super) horizon: i64,
}

impl ClaimPlan {
    pub(super) fn new(worker_id: i64, floor: i64, slot: Option<Arc<Slot>>, memo: Option<Memo>) -> Self {
        Self { worker_id, floor, slot, memo, horizon: i64::MIN }
    }
}
