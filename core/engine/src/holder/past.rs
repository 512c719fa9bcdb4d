//! Leases for ids of past moments. Each lease is a range of sequence numbers in a block of ticks. Its worker id has
//! never been leased to a process for the present.

use super::worker_ids::Workers;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::ops::Range;

/// The horizon of a worker id for the past. It never passes, so no other lease of that worker id ever begins.
pub const END_OF_TIME: i64 = i64::MAX;

/// The owner of a worker id for the past, as an operator sees it.
pub const PAST_OWNER: &str = "backfill";

/// A worker id for the past, and the counters that belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastWorker {
    pub worker_id: i64,
    pub generation: Generation,
}

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
    /// The generation of its counters: another one counts from 0 again.
    pub generation: Generation,
    /// The sequence numbers, each for one id of every tick.
    pub sequences: Range<i64>,
}

/// The result of an attempt to lease of one worker id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockLease {
    Leased(Range<i64>),
    /// Number of sequence numbers that are left: fewer than the least that was asked for.
    Left(i64),
    /// The counters do not belong to the worker id: its own are gone.
    Unmarked,
}

impl PastBlock {
    /// Returns what to lease if the sequence numbers below `next` are leased. `Err` has the number of those that are
    /// left, if they are fewer than `least`.
    pub fn after(&self, next: i64, least: i64) -> std::result::Result<Range<i64>, i64> {
        let left = if next < 0 { 0 } else { self.limit.saturating_sub(next).max(0) };
        if left < least.max(1) { Err(left) } else { Ok(next..next + self.count.min(left)) }
    }

    /// Refuses a block that needs more than `left`, the sequence numbers that the worker ids for the past have, and all
    /// those of `free` further worker ids. Raises `worker_id_unavailable`.
    pub fn check_capacity(&self, left: i64, free: i64, workers: &Workers, scope: &str) -> Result<()> {
        let missing = self.count.saturating_sub(left);
        if missing <= free.saturating_mul(self.limit) {
            return Ok(());
        }
        let needed = missing / self.limit + i64::from(missing % self.limit > 0);
        let (allowed, share) = (workers.count(), workers.upper_half().count());
        let text = format!(
            "{scope}: {} more ids of one tick need {needed} more worker ids for past moments, of {} ids each, and {free} may \
             still be taken: of the {allowed} that the layout and the option workers allow, the highest {share} that no \
             process has ever held, as the others are left to processes; nothing was taken. Spread the moments, or allow \
             more with the option workers",
            self.count, self.limit
        );
        Err(Error::new(ErrorKind::WorkerIdUnavailable, text))
    }
}

/// Describes that a holder keeps no worker ids for the past: a single one is that of a process, which would lose it.
pub fn refused(scope: &str) -> Error {
    let text = format!(
        "{scope} keeps no worker ids for past moments: open the generator that fills them in with local:, or with mysql:, \
         postgresql: or zookeeper: and worker_mode=lease, and with more than one worker id"
    );
    Error::new(ErrorKind::InvalidConfig, text)
}

/// Describes that the counters of a worker id for the past are gone, or others than those it was claimed with.
pub fn without_counters(worker_id: i64, scope: &str) -> Error {
    let text = format!(
        "{scope}: worker id {worker_id} is for past moments, but its counters are gone, deleted or not restored: its ids \
         would repeat. Keep it out of the option workers"
    );
    Error::new(ErrorKind::StoreRegressed, text)
}

/// Describes that a worker id for the past is never free again.
pub fn is_for_the_past(worker_id: i64, scope: &str) -> Error {
    let text = format!(
        "worker id {worker_id} of {scope} is for past moments, whose ids carry it: no process can have it, now or later"
    );
    Error::new(ErrorKind::WorkerIdUnavailable, text)
}

/// Says for how long a worker id is reserved.
pub fn reserved(horizon: i64, now: i64) -> String {
    match horizon {
        END_OF_TIME => "reserved for good".to_owned(),
        _ => format!("reserved for another {} ms", horizon.saturating_sub(now).max(0)),
    }
}

/// What distinguishes the counters of a worker id for the past from others that were made for it before or later:
/// random, from 1 to 2^63 - 1. It is stored with the counters, as their mark, and where the worker id is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation(i64);

impl Generation {
    /// That of counters in memory, which are never others.
    pub(super) const IN_MEMORY: Self = Self(1);

    /// Draws a generation. Raises `worker_id_unavailable` if the system provides no random bits.
    pub fn fresh() -> Result<Self> {
        random().map(|bits| Self((i64::from_ne_bytes(bits) & i64::MAX).max(1)))
    }

    /// Reads a generation as it was stored; `None` if the number is not one.
    pub fn of(number: i64) -> Option<Self> {
        (number > 0).then_some(Self(number))
    }

    pub fn number(self) -> i64 {
        self.0
    }
}

/// Draws random bytes. Raises `worker_id_unavailable` if the system provides none.
pub(super) fn random<const SIZE: usize>() -> Result<[u8; SIZE]> {
    let mut bytes = [0; SIZE];
    getrandom::fill(&mut bytes).map_err(|error| {
        let text = format!("the system provides no random bits for a token: {error}");
        Error::new(ErrorKind::WorkerIdUnavailable, text)
    })?;
    Ok(bytes)
}
