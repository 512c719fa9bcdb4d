//! Leases for past moments. A worker id whose row shows [`Token::past`] is reserved for the past: the horizon of its
//! row is the end of time, so no process can hold it. Any number of processes share it, by leases of its blocks.
//!
//! Its counters are marked with the generation that its row shows, before the row is claimed. A lease counts only while
//! the counters have that mark: counters made anew would begin again.

use super::PastBlocks;
use super::compare_and_set::{Claim, NewRow};
use super::holder_state::HolderState;
use super::row::{Survey, WorkerRow};
use crate::worker_files::worker_state::RowVersion;
use leafmint_engine::holder::past::{BlockLease, END_OF_TIME, PAST_OWNER, PastWorker, refused, without_counters};
use leafmint_engine::holder::{Generation, PastBlock, PastLease, Token, Workers};
use leafmint_ids::error::Result;
use std::sync::Arc;

impl HolderState {
    /// Leases sequence numbers of a block: all that it needs of one worker id for the past if one has them, else what
    /// the highest one has left, else those of one that is taken for this.
    pub(super) async fn lease_past(self: Arc<Self>, block: PastBlock) -> Result<Option<PastLease>> {
        let may_fill = self.registry.past().filter(|_| self.settings.workers.only().is_none());
        let blocks = may_fill.ok_or_else(|| refused(&self.name()))?;
        let known = self.past_workers.lock().clone();
        let mut left = Vec::new();
        for worker in &known {
            match self.lease_of(blocks, *worker, block, block.count).await? {
                Ok(lease) => return Ok(Some(lease)),
                Err(numbers) => left.push((*worker, numbers)),
            }
        }
        self.registry.prepare().await?;
        let survey = self.registry.survey().await?;
        for worker in self.others_for_the_past(&survey, &known) {
            match self.lease_of(blocks, worker, block, block.count).await? {
                Ok(lease) => return Ok(Some(lease)),
                Err(numbers) => left.push((worker, numbers)),
            }
        }
        let free = self.never_held(&survey).await?;
        let numbers = left.iter().map(|(_, numbers)| numbers).sum();
        block.check_capacity(numbers, free.count, &self.settings.workers, &self.name())?;
        for (worker, _) in left.into_iter().filter(|(_, numbers)| *numbers > 0) {
            if let Ok(lease) = self.lease_of(blocks, worker, block, 1).await? {
                return Ok(Some(lease));
            }
        }
        self.lease_of_another(blocks, block, free).await
    }

    /// Takes a worker id for the past, and leases of it. `None` if another process has taken it meanwhile.
    async fn lease_of_another(
        &self,
        blocks: &dyn PastBlocks,
        block: PastBlock,
        free: NeverHeld,
    ) -> Result<Option<PastLease>> {
        let is_free = |worker_id: &i64| free.taken.binary_search(worker_id).is_err();
        let Some(worker_id) = free.workers.descending().find(is_free) else { return Ok(None) };
        match self.take(blocks, worker_id).await? {
            Some(worker) => Ok(self.lease_of(blocks, worker, block, 1).await?.ok()),
            None => Ok(None),
        }
    }

    /// Leases of a worker id for the past, or returns how many sequence numbers it has left if they are fewer than
    /// `least`. Raises `store_regressed` if it has lost its counters.
    async fn lease_of(
        &self,
        blocks: &dyn PastBlocks,
        worker: PastWorker,
        block: PastBlock,
        least: i64,
    ) -> Result<std::result::Result<PastLease, i64>> {
        let PastWorker { worker_id, generation } = worker;
        let leased = match blocks.lease(worker, block, least).await? {
            BlockLease::Leased(sequences) => Ok(PastLease { worker_id, generation, sequences }),
            BlockLease::Left(numbers) => Err(numbers),
            BlockLease::Unmarked => return Err(without_counters(worker_id, &self.name())),
        };
        let mut known = self.past_workers.lock();
        if !known.contains(&worker) {
            known.push(worker);
        }
        Ok(leased)
    }

    /// Returns the worker ids for the past that are not known here yet, the highest one first.
    fn others_for_the_past(&self, survey: &Survey, known: &[PastWorker]) -> Vec<PastWorker> {
        let allowed = survey.rows.iter().rev().filter(|row| self.settings.workers.contains(row.worker_id));
        allowed.filter_map(WorkerRow::past_worker).filter(|worker| !known.contains(worker)).collect()
    }

    /// Finds the worker ids that may be taken for the past.
    async fn never_held(&self, survey: &Survey) -> Result<NeverHeld> {
        let workers = self.settings.workers.upper_half();
        // A state file is left of a lease whose row is gone.
        let with_state = self.workers_with_state().await?;
        let held = survey.rows.iter().map(|row| row.worker_id).chain(with_state);
        let mut taken: Vec<i64> = held.filter(|worker_id| workers.contains(*worker_id)).collect();
        taken.sort_unstable();
        taken.dedup();
        Ok(NeverHeld { count: workers.count() - taken.len() as i64, workers, taken })
    }

    /// Takes a worker id that has no row for the past. `None` if another process has taken it for itself. If one has
    /// taken it for the past, the row shows the generation of the same mark.
    async fn take(&self, blocks: &dyn PastBlocks, worker_id: i64) -> Result<Option<PastWorker>> {
        let generation = blocks.mark(worker_id, Generation::fresh()?).await?;
        let version = RowVersion { token: Token::past(generation), horizon: END_OF_TIME };
        let to = NewRow { version, reported: self.clock.wall(), endpoint: PAST_OWNER.to_owned() };
        let is_taken = self.registry.claim(&Claim { worker_id, from: None, to }).await?;
        Ok(is_taken.then_some(PastWorker { worker_id, generation }))
    }
}

/// The worker ids that may be taken for the past: the upper half of those allowed, without `taken`.
struct NeverHeld {
    workers: Workers,
    taken: Vec<i64>,
    count: i64,
}
