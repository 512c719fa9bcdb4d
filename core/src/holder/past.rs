//! What is leased for ids of past moments: sequence numbers of blocks of ticks, with worker ids of which no process has
//! ever had a lease.

use crate::error::{Error, ErrorKind};
use std::ops::Range;

/// The horizon of a worker id for the past. It never passes, so no other lease of that worker id ever begins.
pub(super) const END_OF_TIME: i64 = i64::MAX;

/// The owner of a worker id for the past, as an operator sees it.
pub(super) const PAST_OWNER: &str = "backfill";

/// A block of ticks, and what a process needs of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastBlock {
    /// The number of the block: the ticks of one block share one counter of sequence numbers.
    pub block: i64,
    /// Number of sequence numbers that each tick of the block needs.
    pub count: i64,
    /// Number of sequence numbers that a tick has.
    pub limit: i64,
}

/// Sequence numbers that no other process uses with this worker id and a tick of the block. There may be fewer than
/// were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastLease {
    /// The worker id.
    pub worker_id: i64,
    /// The sequence numbers, each for one id of every tick.
    pub sequences: Range<i64>,
}

impl PastBlock {
    /// Returns what to lease if the sequence numbers below `next` are leased; `None` if none is left.
    pub(super) fn after(&self, next: i64) -> Option<Range<i64>> {
        let end = next.saturating_add(self.count).min(self.limit);
        (0 <= next && next < end).then_some(next..end)
    }
}

/// Describes that a holder keeps no worker ids for the past: a single one is that of a process, which would lose it.
pub(super) fn refused(scope: &str) -> Error {
    let text = format!(
        "{scope} keeps no worker ids for past moments: open the generator that fills them in with local:, or with mysql:, \
         postgresql: or zookeeper: and worker_mode=lease, and with more than one worker id"
    );
    Error::new(ErrorKind::InvalidConfig, text)
}

/// Describes that no worker id is left for the past.
pub(super) fn none_left(scope: &str) -> Error {
    let text = format!(
        "{scope} has no worker id left for past moments: each one that the layout and the option workers allow was held \
         by a process, or has no sequence number left for this block of ticks; allow more with the option workers"
    );
    Error::new(ErrorKind::WorkerIdUnavailable, text)
}

/// Describes that a worker id for the past is never free again.
pub(super) fn is_for_the_past(worker_id: i64, scope: &str) -> Error {
    let text = format!(
        "worker id {worker_id} of {scope} is for past moments, whose ids carry it: no process can have it, now or later"
    );
    Error::new(ErrorKind::WorkerIdUnavailable, text)
}

/// Says for how long a worker id is reserved.
pub(super) fn reserved(horizon: i64, now: i64) -> String {
    match horizon {
        END_OF_TIME => "reserved for good".to_owned(),
        _ => format!("reserved for another {} ms", horizon.saturating_sub(now).max(0)),
    }
}
