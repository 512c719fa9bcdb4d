//! The counters of the blocks of past ticks.
//!
//! Each change compares the row with what was read, and only the statement that changed it has leased what it moved
//! over. What a lost answer may have leased is lost. It also demands the mark of the worker id's own counters: those
//! that were deleted would begin again.

use crate::sessions::Outcome;
use leafmint_engine::answer::Answer;
use leafmint_engine::holder::past::{BlockLease, PastWorker};
use leafmint_engine::holder::{Generation, PastBlock};
use leafmint_ids::error::{Error, ErrorKind};

/// Maximum number of lost races before giving up.
const MOST_ATTEMPTS: u32 = 100;

/// The block of no tick, whose row is the mark of the counters of a worker id: it shows their generation.
pub(crate) const MARK: i64 = -1;

/// The blocks of the worker ids for the past, in a database.
pub(crate) trait PastBlocks: Send + Sync {
    /// Marks the counters of a worker id, and returns the generation that they are marked with: this one, or another
    /// process's. Makes the tables that are missing.
    fn mark(&self, worker_id: i64, generation: Generation) -> Answer<'_, Generation>;

    /// Runs [`lease`] on a session, again on another one if the session fails.
    fn lease(&self, worker: PastWorker, block: PastBlock, least: i64) -> Answer<'_, BlockLease>;
}

/// What the counters of a worker id show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShownBlock {
    /// The counters have the mark of the generation.
    pub is_marked: bool,
    /// The first sequence number of the block that is not leased; `None` if there is no row.
    pub next: Option<i64>,
}

/// The statements on the row of one block, on one session with a database. Each is a transaction of its own.
pub(crate) trait BlockStatements: Send {
    /// Makes the row of the mark, unless there is one. Returns the generation that it shows then.
    fn mark(&mut self) -> impl Future<Output = Outcome<Generation>> + Send;

    /// Reads the mark and the row.
    fn read(&mut self) -> impl Future<Output = Outcome<ShownBlock>> + Send;

    /// Makes `to` the next sequence number if the row shows `from`, or if there is none, and if the counters have the
    /// mark. Returns whether it did, and the row keeps it.
    fn move_on(&mut self, from: Option<i64>, to: i64) -> impl Future<Output = Outcome<bool>> + Send;
}

/// Leases sequence numbers of a block, if at least `least` are left.
pub(crate) async fn lease(mut row: impl BlockStatements, block: PastBlock, least: i64) -> Outcome<BlockLease> {
    for _ in 0..MOST_ATTEMPTS {
        let ShownBlock { is_marked, next } = row.read().await?;
        if !is_marked {
            return Ok(BlockLease::Unmarked);
        }
        let sequences = match block.after(next.unwrap_or(0), least) {
            Ok(sequences) => sequences,
            Err(left) => return Ok(BlockLease::Left(left)),
        };
        if row.move_on(next, sequences.end).await? {
            return Ok(BlockLease::Leased(sequences));
        }
    }
    let text = format!("other processes leased block {} of the past {MOST_ATTEMPTS} times meanwhile", block.block);
    Err(Error::new(ErrorKind::StoreUnavailable, text).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// A row in memory, and what other processes lease before each of the next statements that move it on.
    struct MemoryBlock {
        is_marked: bool,
        next: Option<i64>,
        before: Vec<i64>,
    }

    impl BlockStatements for &mut MemoryBlock {
        async fn mark(&mut self) -> Outcome<Generation> {
            self.is_marked = true;
            Ok(Generation::of(1).unwrap())
        }

        async fn read(&mut self) -> Outcome<ShownBlock> {
            Ok(ShownBlock { is_marked: self.is_marked, next: self.next })
        }

        async fn move_on(&mut self, from: Option<i64>, to: i64) -> Outcome<bool> {
            if let Some(other) = self.before.pop() {
                self.next = Some(self.next.unwrap_or(0) + other);
            }
            let changes = self.is_marked && self.next == from;
            if changes {
                self.next = Some(to);
            }
            Ok(changes)
        }
    }

    fn marked() -> MemoryBlock {
        MemoryBlock { is_marked: true, next: None, before: Vec::new() }
    }

    fn leased(row: &mut MemoryBlock, count: i64, least: i64) -> BlockLease {
        let block = PastBlock { block: 0, count, limit: 10 };
        match pin!(lease(row, block, least)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(leased) => leased.map_err(|failure| failure.into_error("memory")).unwrap(),
            Poll::Pending => panic!("it waits"),
        }
    }

    #[test]
    fn leases_of_a_block_follow_one_another_up_to_its_last_sequence_number() {
        let mut row = marked();
        let all: Vec<_> = (0..4).map(|_| leased(&mut row, 4, 1)).collect();
        let [first, second, last] = [0..4, 4..8, 8..10].map(BlockLease::Leased);
        assert_eq!(all, [first, second, last, BlockLease::Left(0)]);
    }

    #[test]
    fn a_lease_that_others_overtake_begins_behind_theirs() {
        let mut row = MemoryBlock { before: vec![2, 3], ..marked() };
        assert_eq!(leased(&mut row, 4, 4), BlockLease::Leased(5..9));
        row.before = vec![1];
        assert_eq!(leased(&mut row, 4, 1), BlockLease::Left(0));
    }

    #[test]
    fn too_few_are_left_alone_and_counters_without_the_mark_too() {
        let mut row = MemoryBlock { next: Some(7), ..marked() };
        assert_eq!((leased(&mut row, 4, 4), row.next), (BlockLease::Left(3), Some(7)));
        row.is_marked = false;
        assert_eq!((leased(&mut row, 2, 2), row.next), (BlockLease::Unmarked, Some(7)));
    }
}
