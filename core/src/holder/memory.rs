//! A worker id in memory, for tests of applications. Nothing keeps another process from using it.

use super::lease::{Token, WorkerLease};
use super::past::{PastBlock, PastLease, none_left};
use super::workers::{Workers, check_allowed};
use super::{Pace, SnowflakeCheck, WorkerIdHolder, WorkerInfo};
use crate::answer::Answer;
use crate::sync::Mutex;
use std::collections::HashMap;
use std::future::ready;
use std::sync::Arc;

/// One worker id for one generator, for tests of applications. Its leases have no end.
pub struct MemoryHolder {
    worker_id: i64,
    /// The next sequence number of each block of past ticks.
    past: Mutex<HashMap<i64, i64>>,
}

impl MemoryHolder {
    /// Makes a holder of a worker id.
    pub fn new(worker_id: i64) -> Self {
        Self { worker_id, past: Mutex::default() }
    }
}

impl WorkerIdHolder for MemoryHolder {
    fn acquire(&self) -> Answer<'_, WorkerLease> {
        let worker_id = self.worker_id;
        let lease = |token| WorkerLease { worker_id, token, floor: i64::MIN, horizon: i64::MAX };
        Box::pin(ready(Token::fresh().map(lease)))
    }

    fn extend<'a>(&'a self, lease: &'a WorkerLease, _horizon: i64) -> Answer<'a, i64> {
        Box::pin(ready(Ok(lease.horizon)))
    }

    fn release<'a>(&'a self, _lease: &'a WorkerLease, _used: i64) -> Answer<'a, ()> {
        Box::pin(ready(Ok(())))
    }

    /// Leases with a neighbour of the worker id.
    fn lease_past(&self, block: PastBlock) -> Answer<'_, PastLease> {
        let mut past = self.past.lock();
        let next = past.entry(block.block).or_default();
        let leased = block.after(*next).ok_or_else(|| none_left(&self.scope()));
        Box::pin(ready(leased.map(|sequences| {
            *next = sequences.end;
            PastLease { worker_id: self.worker_id ^ 1, sequences }
        })))
    }

    /// Nothing is known of other generators, and this one's lease has no end.
    fn list_workers(&self) -> Answer<'_, Vec<WorkerInfo>> {
        Box::pin(ready(Ok(Vec::new())))
    }

    fn release_worker(&self, worker_id: i64, _force: bool) -> Answer<'_, bool> {
        Box::pin(ready(check_allowed(&Workers::from(self.worker_id), worker_id).map(|()| false)))
    }

    fn check(&self) -> Answer<'_, SnowflakeCheck> {
        Box::pin(ready(Ok(SnowflakeCheck { workers: 1, free_workers: 1, ..SnowflakeCheck::default() })))
    }

    fn pace(&self) -> Pace {
        Pace::LOCAL
    }

    fn name(&self) -> &'static str {
        "memory"
    }

    fn scope(&self) -> String {
        format!("worker id {} in memory, for tests (scope: this generator)", self.worker_id)
    }

    /// The child has memory of its own, so its ids start again.
    fn in_child(&self) -> Arc<dyn WorkerIdHolder> {
        Arc::new(Self::new(self.worker_id))
    }
}
