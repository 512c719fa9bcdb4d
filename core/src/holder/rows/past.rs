//! Leases for past moments. A worker id whose row shows [`Token::PAST`] was never held, and never will be: its row was
//! made with a horizon at the end of time. Any number of processes share it, by leases of its blocks.
//!
//! Its counters are marked before it is claimed. A worker id for the past without the mark has lost them: they would
//! begin again.

use super::PastBlocks;
use super::compare_and_set::{Claim, NewRow};
use super::holder_state::HolderState;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::Token;
use crate::holder::past::{END_OF_TIME, PAST_OWNER, PastBlock, PastLease, none_left, refused};
use crate::holder::row_state::RowVersion;
use std::sync::Arc;

/// The mark: a block of no tick, with one number, which is leased.
const MARK: PastBlock = PastBlock { block: -1, count: 1, limit: 1 };

impl HolderState {
    /// Leases sequence numbers of a block, with the highest worker id for the past that has some left.
    pub(super) async fn lease_past(self: Arc<Self>, block: PastBlock) -> Result<PastLease> {
        let may_fill = self.registry.past().filter(|_| self.settings.workers.only().is_none());
        let blocks = may_fill.ok_or_else(|| refused(&self.name()))?;
        let known = self.past_workers.lock().clone();
        for &worker_id in &known {
            if let Some(sequences) = blocks.lease(worker_id, block).await? {
                return Ok(PastLease { worker_id, sequences });
            }
        }
        self.registry.prepare().await?;
        let (survey, with_state) = (self.registry.survey().await?, self.workers_with_state().await?);
        for worker_id in self.settings.workers.descending().filter(|worker_id| !known.contains(worker_id)) {
            let is_for_the_past = match survey.row(worker_id) {
                Some(row) => row.is_for_the_past() && self.has_counters(blocks, worker_id).await?,
                // A state file is left of a lease whose row is gone.
                None => with_state.binary_search(&worker_id).is_err() && self.take(blocks, worker_id).await?,
            };
            if is_for_the_past && let Some(sequences) = blocks.lease(worker_id, block).await? {
                self.past_workers.lock().push(worker_id);
                return Ok(PastLease { worker_id, sequences });
            }
        }
        Err(none_left(&self.name()))
    }

    /// Raises `store_regressed` if a worker id for the past has lost its counters, else returns true.
    async fn has_counters(&self, blocks: &dyn PastBlocks, worker_id: i64) -> Result<bool> {
        match blocks.next(worker_id, MARK.block).await? {
            Some(_) => Ok(true),
            None => Err(without_counters(worker_id, &self.name())),
        }
    }

    /// Takes a worker id that has no row for the past. Returns false if another process has taken it for itself. If one
    /// has taken it for the past, the row shows the same token.
    async fn take(&self, blocks: &dyn PastBlocks, worker_id: i64) -> Result<bool> {
        blocks.lease(worker_id, MARK).await?;
        let version = RowVersion { token: Token::PAST, horizon: END_OF_TIME };
        let to = NewRow { version, reported: self.clock.wall(), endpoint: PAST_OWNER.to_owned() };
        self.registry.claim(&Claim { worker_id, from: None, to }).await
    }
}

fn without_counters(worker_id: i64, scope: &str) -> Error {
    let text = format!(
        "{scope}: worker id {worker_id} is for past moments, but its counters are gone, deleted or not restored: its ids \
         would repeat. Restore them, or keep it out of the option workers"
    );
    Error::new(ErrorKind::StoreRegressed, text)
}
