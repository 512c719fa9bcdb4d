//! The counters of the blocks of past ticks.
//!
//! Each change compares the row with what was read, and only the statement that changed it has leased what it moved
//! over. What a lost answer may have leased is lost.

use crate::answer::Answer;
use crate::database::Outcome;
use crate::error::{Error, ErrorKind};
use crate::holder::past::PastBlock;
use std::ops::Range;

/// Maximum number of lost races before giving up.
const MOST_ATTEMPTS: u32 = 100;

/// The blocks of the worker ids for the past, in a database.
pub(in crate::holder) trait PastBlocks: Send + Sync {
    /// Runs [`lease`] on a session, again on another one if the session fails.
    fn lease(&self, worker_id: i64, block: PastBlock) -> Answer<'_, Option<Range<i64>>>;

    /// Reads the first sequence number of a block that is not leased; `None` if there is no row, or no table.
    fn next(&self, worker_id: i64, block: i64) -> Answer<'_, Option<i64>>;
}

/// The statements on the row of one block, on one session with a database. Each is a transaction of its own.
pub(in crate::holder) trait BlockStatements: Send {
    /// Reads the first sequence number that is not leased; `None` if there is no row.
    fn next(&mut self) -> impl Future<Output = Outcome<Option<i64>>> + Send;

    /// Makes `to` the next sequence number if the row shows `from`, or if there is none. Returns whether it did, and
    /// the row keeps it.
    fn move_on(&mut self, from: Option<i64>, to: i64) -> impl Future<Output = Outcome<bool>> + Send;
}

/// Leases sequence numbers of a block; `None` if none is left.
pub(in crate::holder) async fn lease(mut row: impl BlockStatements, block: PastBlock) -> Outcome<Option<Range<i64>>> {
    for _ in 0..MOST_ATTEMPTS {
        let next = row.next().await?;
        let Some(sequences) = block.after(next.unwrap_or(0)) else { return Ok(None) };
        if row.move_on(next, sequences.end).await? {
            return Ok(Some(sequences));
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
    #[derive(Default)]
    struct MemoryBlock {
        next: Option<i64>,
        before: Vec<i64>,
    }

    impl BlockStatements for &mut MemoryBlock {
        async fn next(&mut self) -> Outcome<Option<i64>> {
            Ok(self.next)
        }

        async fn move_on(&mut self, from: Option<i64>, to: i64) -> Outcome<bool> {
            if let Some(other) = self.before.pop() {
                self.next = Some(self.next.unwrap_or(0) + other);
            }
            let changes = self.next == from;
            if changes {
                self.next = Some(to);
            }
            Ok(changes)
        }
    }

    fn leased(row: &mut MemoryBlock, count: i64) -> Option<Range<i64>> {
        let block = PastBlock { block: 0, count, limit: 10 };
        match pin!(lease(row, block)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(leased) => leased.map_err(|failure| failure.into_error("memory")).unwrap(),
            Poll::Pending => panic!("it waits"),
        }
    }

    #[test]
    fn leases_of_a_block_follow_one_another_up_to_its_last_sequence_number() {
        let mut row = MemoryBlock::default();
        let all: Vec<_> = std::iter::from_fn(|| leased(&mut row, 4)).collect();
        assert_eq!(all, [0..4, 4..8, 8..10]);
    }

    #[test]
    fn a_lease_that_others_overtake_begins_behind_theirs() {
        let mut row = MemoryBlock { next: None, before: vec![2, 3] };
        assert_eq!(leased(&mut row, 4), Some(5..9));
        row.before = vec![1];
        assert_eq!(leased(&mut row, 4), None);
    }
}
