//! A worker id that this process is about to take.

use super::state_dir::{Kept, RowFile};
use crate::holder::row_state::RowState;
use std::sync::Arc;

/// A worker id that may be taken, and from when on.
#[derive(Clone)]
pub(super) struct ClaimPlan {
    pub(super) worker_id: i64,
    /// The first Unix millisecond that no earlier lease may have stamped.
    pub(super) floor: i64,
    pub(super) file: Option<Arc<RowFile>>,
    /// What this host knows about the row, if it continues a lease of its own.
    pub(super) row: RowState,
    /// The horizon that was reserved under the row. Filled in by the claim.
    pub(super) horizon: i64,
}

impl ClaimPlan {
    /// Plans to take a row over.
    pub(super) fn new(worker_id: i64, floor: i64, file: Option<Arc<RowFile>>) -> Self {
        Self { worker_id, floor, file, row: RowState::default(), horizon: i64::MIN }
    }

    /// Plans to continue a lease of this host.
    pub(super) fn restart(worker_id: i64, file: Arc<RowFile>, kept: Kept) -> Self {
        Self { row: kept.row, ..Self::new(worker_id, kept.horizon, Some(file)) }
    }
}
