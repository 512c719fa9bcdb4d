//! What this process has leased of the past: it is compared with each further lease, and waits here for the calls that
//! make ids of it.
//!
//! It is locked for moments only. What the calls hold is locked for as long as they make ids, and the background thread
//! must not wait for that.

use crate::holder::{Generation, PastBlock, PastLease};
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::layout::{Layout, TicketEncoder};
use leafmint_ids::room;
use leafmint_ids::room::room;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What this process has leased of the past.
#[derive(Default)]
pub(super) struct LeasedPast {
    /// The leases that no call has yet, each with its block.
    arrived: Vec<(i64, PastLease)>,
    /// The generation of the counters of each worker id.
    generations: HashMap<i64, Generation>,
    /// The ends of the leases of each block, also of one that is forgotten.
    ends: HashMap<i64, Ends>,
    /// Why nothing is leased any more.
    regressed: Option<Error>,
}

/// For each worker id, the end of what this process has leased of a block. A lease that begins later lies behind it.
pub(super) type Ends = HashMap<i64, i64>;

impl LeasedPast {
    /// Returns the ends of a block's leases. Raises `store_regressed` if one began below them at any time.
    pub(super) fn ends(&self, block: i64) -> Result<Ends> {
        self.regressed.clone().map_or_else(|| Ok(self.ends.get(&block).cloned().unwrap_or_default()), Err)
    }

    /// Adds a lease. Raises `store_regressed` if it begins below the ends at its beginning, or is of other counters
    /// than before: what other processes have leased is leased again too, and no process knows how much that is.
    pub(super) fn add(&mut self, block: i64, lease: PastLease, ends: &Ends, scope: &str) -> Result<()> {
        let known = ends.get(&lease.worker_id).copied().unwrap_or(0);
        let generation = *self.generations.entry(lease.worker_id).or_insert(lease.generation);
        if lease.sequences.start < known || lease.generation != generation {
            let error = regressed(block, &lease, known, scope);
            self.regressed = Some(error.clone());
            return Err(error);
        }
        let end = self.ends.entry(block).or_default().entry(lease.worker_id).or_default();
        *end = lease.sequences.end.max(*end);
        self.arrived.push((block, lease));
        Ok(())
    }

    /// Takes the leases that no call has yet.
    pub(super) fn arrived(&mut self) -> Vec<(i64, PastLease)> {
        std::mem::take(&mut self.arrived)
    }
}

fn regressed(block: i64, lease: &PastLease, known: i64, scope: &str) -> Error {
    let (worker_id, start) = (lease.worker_id, lease.sequences.start);
    let text = format!(
        "{scope}: block {block} of worker id {worker_id} for past moments leased sequence numbers from {start} on, but this \
         process has leased those below {known}, or of other counters: they were deleted or restored from a backup, or a \
         stale replica answered; nothing was handed out. Keep such worker ids out of the option workers, then open the \
         generator again"
    );
    Error::new(ErrorKind::StoreRegressed, text)
}

/// Number of ticks of a block, as a power of two: 37 hours of milliseconds. A restart costs each block that it touches
/// a few sequence numbers, so a block should be short; a column costs a lease for each block that it touches, so it
/// should be long.
const BLOCK_BITS: u32 = 27;

/// Least number of sequence numbers to lease: 1,024 leases use up a block of Leaf's layout.
const LEAST: i64 = 4;

/// Maximum number of ticks that are remembered between two calls. What is forgotten costs sequence numbers.
const MOST_TICKS: usize = 1 << 21;

/// What this process holds of the past.
#[derive(Default)]
pub(super) struct HeldPast {
    blocks: HashMap<i64, HeldBlock>,
    /// Number of ticks that the blocks remember.
    ticks: usize,
    calls: u64,
    /// For each block, the number of calls under way that need it: none of them could end if it were forgotten.
    wanted: HashMap<i64, usize>,
}

/// What this process holds of one block.
#[derive(Default)]
struct HeldBlock {
    leases: Vec<(TicketEncoder, i64, i64)>,
    /// Number of sequence numbers that the leases have for each tick.
    held: i64,
    /// Number of them that a tick has used.
    used: HashMap<i64, i64>,
    last_call: u64,
}

/// The ticks of a call, in ascending order, and the place of each in the call.
pub(super) struct Ticks {
    ticks: Vec<i64>,
    /// `None` if they came in ascending order.
    places: Option<Vec<u32>>,
}

impl Ticks {
    /// Sorts ticks. Those that are the same keep their order.
    pub(super) fn new(mut ticks: Vec<i64>) -> Result<Self> {
        if ticks.is_sorted() {
            return Ok(Self { ticks, places: None });
        }
        let mut sorted: Vec<(i64, u32)> = room(ticks.len())?;
        sorted.extend(ticks.iter().copied().zip(0..));
        sorted.sort_unstable();
        for (tick, (sorted, _)) in ticks.iter_mut().zip(&sorted) {
            *tick = *sorted;
        }
        let places = room::all(sorted.iter().map(|(_, place)| *place))?;
        Ok(Self { ticks, places: Some(places) })
    }

    fn blocks(&self) -> impl Iterator<Item = &[i64]> {
        self.ticks.chunk_by(|one, other| block_of(*one) == block_of(*other))
    }

    /// Returns ids of the ticks in the order in which these were given.
    fn in_order(&self, ids: Vec<i64>, mut placed: Vec<i64>) -> Vec<i64> {
        let Some(places) = &self.places else { return ids };
        for (id, place) in ids.into_iter().zip(places) {
            placed[*place as usize] = id;
        }
        placed
    }

    /// Returns room for the ids that [`Ticks::in_order`] places.
    fn places(&self) -> Result<Vec<i64>> {
        room::zeros(self.places.as_ref().map_or(0, Vec::len))
    }
}

const fn block_of(tick: i64) -> i64 {
    tick >> BLOCK_BITS
}

impl HeldPast {
    /// Returns what has to be leased before the ticks can be filled.
    pub(super) fn missing(&self, ticks: &Ticks, layout: &Layout) -> Vec<PastBlock> {
        let limit = 1 << layout.bits().sequence;
        let missing = |ticks: &[i64]| {
            let block = block_of(*ticks.first()?);
            let held = self.blocks.get(&block);
            let needs = |same: &[i64]| held.map_or(0, |held| held.used(same[0])) + same.len() as i64;
            let needed = ticks.chunk_by(i64::eq).map(needs).max()?;
            let count = needed - held.map_or(0, |held| held.held);
            (count > 0).then_some(PastBlock { block, count: count.max(LEAST), limit })
        };
        ticks.blocks().filter_map(missing).collect()
    }

    /// Keeps the blocks of these ticks until [`HeldPast::want_no_more`].
    pub(super) fn want(&mut self, ticks: &Ticks) {
        for of_block in ticks.blocks() {
            *self.wanted.entry(block_of(of_block[0])).or_default() += 1;
        }
    }

    /// Ends what [`HeldPast::want`] began.
    pub(super) fn want_no_more(&mut self, ticks: &Ticks) {
        for of_block in ticks.blocks() {
            if let Entry::Occupied(mut calls) = self.wanted.entry(block_of(of_block[0])) {
                *calls.get_mut() -= 1;
                if *calls.get() == 0 {
                    calls.remove();
                }
            }
        }
    }

    /// Adds a lease of a block. Raises what the encoder raises.
    pub(super) fn add(&mut self, block: i64, lease: PastLease, datacenter: i64, layout: &Layout) -> Result<()> {
        let encoder = layout.ticket_encoder(datacenter, lease.worker_id)?;
        let (count, held) = (lease.sequences.end - lease.sequences.start, self.blocks.entry(block).or_default());
        held.leases.push((encoder, lease.sequences.start, count));
        held.held += count;
        Ok(())
    }

    /// Takes an id for each tick, of which none may be missing. Raises `out_of_memory`; then it has taken none.
    pub(super) fn take(&mut self, ticks: &Ticks, gene: i64, layout: &Layout) -> Result<Vec<i64>> {
        let (mut ids, placed) = (room(ticks.ticks.len())?, ticks.places()?);
        for of_block in ticks.blocks() {
            let held = self.blocks.entry(block_of(of_block[0])).or_default();
            let count = of_block.chunk_by(i64::eq).count();
            held.used.try_reserve(count).map_err(|_| room::out_of_memory(count, size_of::<[i64; 2]>()))?;
        }
        self.calls += 1;
        for of_block in ticks.blocks() {
            let held = self.blocks.entry(block_of(of_block[0])).or_default();
            held.last_call = self.calls;
            let before = held.used.len();
            for same in of_block.chunk_by(i64::eq) {
                held.take(same[0], same.len() as i64, |encoder, sequence| {
                    ids.push(encoder.encode(layout.ticket(same[0], sequence), gene));
                });
            }
            self.ticks += held.used.len() - before;
        }
        self.forget();
        Ok(ticks.in_order(ids, placed))
    }

    /// Forgets the blocks that were used least recently and that no call needs, while too many ticks are remembered.
    fn forget(&mut self) {
        if self.ticks <= MOST_TICKS {
            return;
        }
        let unwanted = self.blocks.iter().filter(|(block, _)| !self.wanted.contains_key(block));
        let mut blocks: Vec<(u64, i64)> = unwanted.map(|(block, held)| (held.last_call, *block)).collect();
        blocks.sort_unstable();
        for (_, block) in blocks {
            if self.ticks <= MOST_TICKS {
                break;
            }
            self.ticks -= self.blocks.remove(&block).map_or(0, |held| held.used.len());
        }
    }
}

impl HeldBlock {
    fn used(&self, tick: i64) -> i64 {
        self.used.get(&tick).copied().unwrap_or(0)
    }

    /// Takes the next `count` sequence numbers of a tick.
    fn take(&mut self, tick: i64, count: i64, mut id: impl FnMut(&TicketEncoder, i64)) {
        let used = self.used.entry(tick).or_default();
        let (mut from, to) = (*used, *used + count);
        *used = to;
        let mut before = 0;
        for (encoder, first, held) in &self.leases {
            let end = to.min(before + held);
            (from..end).for_each(|number| id(encoder, first + number - before));
            from = from.max(end);
            before += held;
        }
        assert!(from == to, "{} ids of a past tick are not leased", to - from);
    }
}
