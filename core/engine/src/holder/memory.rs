//! A worker id in memory, for tests of applications. Nothing keeps another process from using it.

use super::lease::{Token, WorkerLease};
use super::past::{Generation, PastBlock, PastLease};
use super::worker_ids::{Workers, check_allowed};
use super::{Pace, SnowflakeCheck, WorkerIdHolder, WorkerInfo};
use crate::answer::Answer;
use crate::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind};
use std::collections::HashMap;
use std::future::ready;
use std::sync::Arc;

/// One worker id for one generator, for tests of applications. Its leases have no end.
pub struct MemoryHolder {
    worker_id: i64,
    /// The highest worker id of the layout.
    highest: i64,
    /// The next sequence number of each block of past ticks.
    past: Mutex<HashMap<i64, i64>>,
}

impl MemoryHolder {
    /// Makes a holder of a worker id of a layout, whose highest one is given too.
    pub fn new(worker_id: i64, highest: i64) -> Self {
        Self { worker_id, highest, past: Mutex::default() }
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

    /// Leases with the worker id that is as far from the highest one as this one is from 0: those of tests are low.
    fn lease_past(&self, block: PastBlock) -> Answer<'_, Option<PastLease>> {
        let (mut past, worker_id) = (self.past.lock(), self.highest - self.worker_id);
        let next = past.entry(block.block).or_default();
        let leased = match block.after(*next, block.count) {
            Ok(sequences) => {
                *next = sequences.end;
                Ok(Some(PastLease { worker_id, generation: Generation::IN_MEMORY, sequences }))
            }
            Err(left) => Err(too_few(block, left, worker_id, &self.scope())),
        };
        Box::pin(ready(leased))
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
        Arc::new(Self { past: Mutex::default(), ..*self })
    }
}

fn too_few(block: PastBlock, left: i64, worker_id: i64, scope: &str) -> Error {
    let text = format!(
        "{scope}: {} more ids of one tick are more than the {left} that worker id {worker_id} has left for past moments",
        block.count
    );
    Error::new(ErrorKind::WorkerIdUnavailable, text)
}
