//! One tag of a generator.

use super::blocks::Blocks;
use super::buffer::{Counts, Draw, Landed, SegmentBuffer};
use super::generator::{SegmentGenerator, Shared, closed};
use super::order::Order;
use super::place;
use super::refill::{self, Refill};
use super::stats::TagStats;
use super::wait::{Gene, Wait};
use crate::error::{Error, ErrorKind, Result};
use crate::id::{join, with_gene};
use crate::limit_cell::{LimitCell, Rejected};
use crate::mutants::weaken;
use crate::process::PerProcess;
use crate::sync::Mutex;
use crate::waiters::Waiters;
use crate::want::{MAX_BATCH, Want};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// One tag (`biz_tag`) of a [`SegmentGenerator`]. Resolve it once, use it for ever, from any thread.
///
/// Its ids strictly increase, or only for each thread where its [`Order`] is relaxed.
///
/// Every call that may wait takes a timeout; without one it is the generator's option `timeout`.
///
/// ```
/// let ids = leafmint::SegmentGenerator::open("memory://tag", [])?;
/// let order = ids.biz_tag("order")?;
/// let first = order.next_id()?;
/// assert_eq!(order.next_range(10)?, first + 1..first + 11);
/// # Ok::<(), leafmint::Error>(())
/// ```
pub struct BizTag {
    sources: PerProcess<Sources>,
    generator: SegmentGenerator,
}

/// What the calls of one tag draw from.
struct Sources {
    /// Without a gene; always empty where the tag has gene bits, so that the hot path need not ask.
    tag: Arc<Tag>,
    /// With a gene, where the tag has gene bits.
    numbers: Option<Arc<Tag>>,
    order: Order,
    /// The cells of the tag's blocks where the order is relaxed, so that the hot path finds them at once.
    cells: Option<Arc<[LimitCell]>>,
}

pub(crate) struct Tag {
    pub(super) name: String,
    pub(super) gene_bits: i64,
    pub(super) shared: Arc<Shared>,
    pub(super) buffer: SegmentBuffer,
    /// Made when a handle with relaxed order is.
    blocks: OnceLock<Blocks>,
    pub(super) refill: Mutex<Refill>,
    /// Told whenever a lease landed, an attempt failed or the tag was shut.
    pub(super) changed: Waiters,
    /// Ends a back-off early.
    pub(super) nudge: Notify,
}

impl BizTag {
    pub(super) fn new(tag: Arc<Tag>, order: Order, generator: SegmentGenerator) -> Self {
        Self { sources: Sources::new(tag, order).in_this_process(), generator }
    }

    /// Returns what this process draws from. One comparison on the hot path.
    #[inline]
    fn sources(&self) -> &Sources {
        self.sources.get(|inherited| {
            let tag = &inherited.tag;
            Sources::new(self.generator.tag_in_child(&tag.name, tag.gene_bits), inherited.order)
        })
    }

    #[inline]
    pub(super) fn tag(&self) -> &Arc<Tag> {
        &self.sources().tag
    }

    /// Returns the tag's name.
    pub fn name(&self) -> &str {
        &self.tag().name
    }

    /// Returns the generator that the tag belongs to.
    pub fn generator(&self) -> &SegmentGenerator {
        &self.generator
    }

    /// Returns how many gene bits its ids carry: 1 to 12, or 0 for none.
    pub fn gene_bits(&self) -> i64 {
        self.tag().gene_bits
    }

    /// Returns how its ids follow on one another.
    pub fn order(&self) -> Order {
        self.sources().order
    }

    /// Returns where this thread's block is, if the order is relaxed.
    fn place(&self) -> Option<usize> {
        match self.order() {
            Order::Strict => None,
            Order::Relaxed => Some(place::of_this_thread()),
        }
    }

    /// Returns what became of the tag's ids. It works after the close too.
    pub fn stats(&self) -> TagStats {
        let Sources { tag, numbers, .. } = self.sources();
        numbers.as_ref().unwrap_or(tag).stats()
    }

    /// Returns the next id, waiting for at most the option `timeout` where supply has run out.
    ///
    /// Raises `segment_unavailable` (with the store's last error), `unknown_tag`, `store_regressed`, `id_space_exhausted`,
    /// `invalid_config` and `closed`; `invalid_argument` where the tag has gene bits, as does every call without a gene.
    #[inline]
    pub fn next_id(&self) -> Result<i64> {
        match self.try_next_id()? {
            Some(id) => Ok(id),
            None => self.begin(Want::One, None)?.finish_one(),
        }
    }

    /// Returns the next id, waiting for at most `timeout`. Raises what [`BizTag::next_id`] raises.
    pub fn next_id_within(&self, timeout: Duration) -> Result<i64> {
        match self.try_next_id()? {
            Some(id) => Ok(id),
            None => self.begin(Want::One, Some(timeout))?.finish_one(),
        }
    }

    /// Returns the next id with a gene in its lowest bits, waiting for at most `timeout`, or else the option of that name.
    ///
    /// Raises `invalid_argument` where the gene does not fit the tag's gene bits, or the tag has none, and what
    /// [`BizTag::next_id`] raises.
    #[inline]
    pub fn next_id_with_gene(&self, gene: i64, timeout: Option<Duration>) -> Result<i64> {
        match self.try_next_id_with_gene(gene)? {
            Some(id) => Ok(id),
            None => self.begin_with_gene(gene, timeout)?.finish_one(),
        }
    }

    /// Returns the next id with a gene if one is in hand, as [`BizTag::try_next_id`] does without one.
    #[inline]
    pub fn try_next_id_with_gene(&self, gene: i64) -> Result<Option<i64>> {
        // No number is drawn for a gene that does not fit.
        match self.sources.get_fast().and_then(|sources| sources.numbers.as_ref()) {
            Some(numbers) if join(0, gene, numbers.gene_bits).is_some() => match numbers.buffer.next() {
                Ok(number) => with_gene(number, gene, numbers.gene_bits).map(Some),
                Err(rejected) => numbers.next_with_gene_cold(rejected, gene),
            },
            _ => self.try_next_with_gene_aside(gene),
        }
    }

    /// Does the same where the order is relaxed, in the child of a fork, and for a gene that does not fit.
    #[inline(never)]
    fn try_next_with_gene_aside(&self, gene: i64) -> Result<Option<i64>> {
        let (numbers, bits) = self.numbers(gene)?;
        let number = match self.place() {
            None => numbers.try_next(),
            Some(place) => numbers.try_next_at(place),
        }?;
        number.map(|number| with_gene(number, gene, bits)).transpose()
    }

    /// Returns the next id if one is in hand. Never waits; where none is, a refill is under way when it returns.
    #[inline]
    pub fn try_next_id(&self) -> Result<Option<i64>> {
        match self.sources.get_fast() {
            Some(sources) => sources.tag.try_next(),
            None => match self.draw_at_place() {
                Some(id) => Ok(Some(id)),
                None => self.try_next_aside(),
            },
        }
    }

    /// Returns the next id of this thread's block, if the order is relaxed and the block has one.
    #[inline]
    fn draw_at_place(&self) -> Option<i64> {
        let cells = self.sources.get_if_own()?.cells.as_ref()?;
        cells[place::of_this_thread() & (cells.len() - 1)].next().ok()
    }

    /// Returns the next id where the block has none, and in the child of a fork.
    #[cold]
    fn try_next_aside(&self) -> Result<Option<i64>> {
        let Sources { tag, order, .. } = self.sources();
        match order {
            Order::Strict => tag.try_next(),
            Order::Relaxed => tag.try_next_at(place::of_this_thread()),
        }
    }

    /// Returns the next id if one is in hand, as [`BizTag::try_next_id`], but looks before it draws: for polling.
    pub fn poll_next_id(&self) -> Result<Option<i64>> {
        self.tag().poll_next(self.place())
    }

    /// Returns `count` ids in one piece, 1 to 2^20, if that is as simple as one id is: it takes no lock and does not wait.
    ///
    /// `None` says nothing but that [`BizTag::begin`] has to be asked: also where the count is refused, the generator is closed, the
    /// order is relaxed or the ids cross a limit.
    #[inline]
    pub fn run_in_hand(&self, count: i64) -> Option<Range<i64>> {
        let sources = self.sources.get_fast()?;
        if count <= MAX_BATCH { sources.tag.buffer.run(count) } else { None }
    }

    /// Returns `count` ids, ascending, with a gap where a segment ends. `count` is 0 to 2^20.
    ///
    /// Raises `invalid_argument` and what [`BizTag::next_id`] raises.
    pub fn next_ids(&self, count: i64) -> Result<Vec<i64>> {
        Ok(self.begin(Want::Many(count), None)?.finish()?.into_iter().flatten().collect())
    }

    /// Returns `count` ids in one piece. `count` is 0 to 2^20.
    ///
    /// Where the segments in hand are too short, what is left of them is passed over, and counted as unused.
    /// Raises `invalid_argument` and what [`BizTag::next_id`] raises.
    pub fn next_range(&self, count: i64) -> Result<Range<i64>> {
        Ok(self.begin(Want::Run(count), None)?.finish()?.remove(0))
    }

    /// Begins a call that may wait, for a face that looks after signals or interrupts in between.
    pub fn begin(&self, want: Want, timeout: Option<Duration>) -> Result<Wait> {
        want.check()?;
        Ok(Wait::new(self.tag().clone(), self.place(), want, None, timeout))
    }

    /// Begins a call for one id with a gene, as [`BizTag::begin`]; the id is the start of the one range that comes of it.
    pub fn begin_with_gene(&self, gene: i64, timeout: Option<Duration>) -> Result<Wait> {
        self.begin_with_gene_in(self.place(), gene, timeout)
    }

    pub(super) fn begin_with_gene_in(&self, place: Option<usize>, gene: i64, timeout: Option<Duration>) -> Result<Wait> {
        let (numbers, bits) = self.numbers(gene)?;
        Ok(Wait::new(numbers.clone(), place, Want::One, Some(Gene { gene, bits }), timeout))
    }

    /// Returns what a call with this gene draws from, and the gene bits.
    fn numbers(&self, gene: i64) -> Result<(&Arc<Tag>, i64)> {
        let Some(numbers) = &self.sources().numbers else {
            let text =
                format!("biz_tag {:?} has no gene bits: leave the gene out, or open another biz_tag with gene_bits", self.name());
            return Err(Error::new(ErrorKind::InvalidArgument, text));
        };
        // No number is drawn for a gene that does not fit.
        with_gene(0, gene, numbers.gene_bits)?;
        Ok((numbers, numbers.gene_bits))
    }
}

impl Sources {
    fn new(tag: Arc<Tag>, order: Order) -> Self {
        let (tag, numbers) = match tag.gene_bits {
            0 => (tag, None),
            _ => (Arc::new(tag.without_gene()), Some(tag)),
        };
        let cells = (order == Order::Relaxed).then(|| tag.blocks().cells().clone());
        Self { tag, numbers, order, cells }
    }

    /// Keeps the hot path for strict order: it asks for the process, and so for the order, in one comparison.
    fn in_this_process(self) -> PerProcess<Self> {
        match self.order {
            Order::Strict => PerProcess::new(self),
            Order::Relaxed => PerProcess::new_slow_path(self),
        }
    }
}

impl Clone for BizTag {
    fn clone(&self) -> Self {
        let Sources { tag, numbers, order, cells } = self.sources();
        let sources = Sources { tag: tag.clone(), numbers: numbers.clone(), order: *order, cells: cells.clone() };
        Self { sources: sources.in_this_process(), generator: self.generator.clone() }
    }
}

impl Tag {
    pub(super) fn new(name: &str, gene_bits: i64, shared: Arc<Shared>) -> Self {
        Self {
            name: name.to_owned(),
            gene_bits,
            shared,
            buffer: SegmentBuffer::new(),
            blocks: OnceLock::new(),
            refill: Mutex::default(),
            changed: Waiters::new(),
            nudge: Notify::new(),
        }
    }

    /// Makes the tag that calls without a gene draw from: it is never supplied, and says to pass one.
    fn without_gene(&self) -> Self {
        let tag = Self::new(&self.name, self.gene_bits, self.shared.clone());
        let text = format!("biz_tag {:?} has gene_bits={}: pass a gene", self.name, self.gene_bits);
        tag.refuse(Error::new(ErrorKind::InvalidArgument, text));
        tag
    }

    /// Makes every call fail with this error.
    pub(super) fn refuse(&self, error: Error) {
        self.refill.lock().stuck = Some(error);
    }

    /// Returns the blocks of a tag with relaxed order.
    #[inline]
    pub(super) fn blocks(&self) -> &Blocks {
        self.blocks.get_or_init(|| Blocks::new(place::count()))
    }

    #[inline]
    fn try_next(self: &Arc<Self>) -> Result<Option<i64>> {
        match self.buffer.next() {
            Ok(id) => Ok(Some(id)),
            Err(rejected) => self.next_cold(rejected),
        }
    }

    #[inline]
    fn try_next_at(self: &Arc<Self>, place: usize) -> Result<Option<i64>> {
        match self.blocks().next(place) {
            Ok(id) => Ok(Some(id)),
            Err(_) => self.next_cold_at(place),
        }
    }

    #[cold]
    pub(super) fn next_cold_at(self: &Arc<Self>, place: usize) -> Result<Option<i64>> {
        let draw = self.blocks().next_cold(place, &self.buffer);
        self.settle(draw)
    }

    pub(super) fn poll_next(self: &Arc<Self>, place: Option<usize>) -> Result<Option<i64>> {
        let draw = self.look(place);
        self.settle(draw)
    }

    /// Draws one id, looking first.
    pub(super) fn look(&self, place: Option<usize>) -> Draw {
        match place {
            None => self.buffer.try_next(),
            Some(place) => self.blocks().try_next(place, &self.buffer),
        }
    }

    /// Counts what was leased, handed out and is in hand, blocks and all.
    pub(super) fn counts(&self) -> Counts {
        match self.blocks.get() {
            None => self.buffer.counts(),
            Some(blocks) => blocks.counts(&self.buffer),
        }
    }

    #[cold]
    pub(super) fn next_cold(self: &Arc<Self>, rejected: Rejected) -> Result<Option<i64>> {
        let draw = self.buffer.next_cold(rejected);
        self.settle(draw)
    }

    #[cold]
    fn next_with_gene_cold(self: &Arc<Self>, rejected: Rejected, gene: i64) -> Result<Option<i64>> {
        let number = self.next_cold(rejected)?;
        number.map(|number| with_gene(number, gene, self.gene_bits)).transpose()
    }

    /// Turns a draw under the mutex into an answer, and looks after the refill.
    pub(super) fn settle(self: &Arc<Self>, draw: Draw) -> Result<Option<i64>> {
        match draw {
            Draw::Id { id, crossed } => {
                if crossed {
                    self.look_after_refill();
                }
                Ok(Some(id))
            }
            Draw::Dry => self.demand(1, 0).map(|()| None),
            Draw::Closed => Err(closed()),
        }
    }

    /// Starts a refill where the policy wants one. Called by whoever crosses a soft limit.
    pub(super) fn look_after_refill(self: &Arc<Self>) {
        let mut refill = self.refill.lock();
        refill.note_use(self.counts().issued, Instant::now());
        if refill.can_start() && self.plan(&refill) > 0 {
            // Ids are still in hand: whoever runs dry is told.
            let _ = self.start(&mut refill);
        }
    }

    /// Says that a caller has run dry: `count` ids are needed, `run` of them in one piece.
    pub(super) fn demand(self: &Arc<Self>, count: i64, run: i64) -> Result<()> {
        let mut refill = self.refill.lock();
        if let Some(error) = &refill.stuck {
            return Err(error.clone());
        }
        refill.note_use(self.counts().issued, Instant::now());
        refill.wanted = refill.wanted.max(count);
        refill.wanted_run = refill.wanted_run.max(run);
        if refill.can_start() {
            self.start(&mut refill)?;
        }
        Ok(())
    }

    /// Asks the policy how much to lease now; 0 for nothing.
    pub(super) fn plan(&self, refill: &Refill) -> i64 {
        let counts = self.counts();
        self.shared.behaviour.policy.lease(&refill.usage(&counts, Instant::now()))
    }

    fn start(self: &Arc<Self>, refill: &mut Refill) -> Result<()> {
        let runtime = crate::background::runtime().inspect_err(|error| refill.note_failure(error.clone()))?;
        refill.in_flight = true;
        runtime.spawn(refill::refill(self.clone()));
        Ok(())
    }

    /// Takes in a leased range, and wakes whoever waits for it.
    pub(super) fn land(&self, range: Range<i64>, round_trip: Duration) -> Result<()> {
        let landed = self.buffer.land(range.clone());
        let mut refill = self.refill.lock();
        if let Landed::Refused { end } = landed {
            let error = self.regressed(&range, end);
            refill.stuck = weaken!("regression-not-remembered", Some(error.clone()), without = None);
            return Err(error);
        }
        let failures = refill.note_landing(range.end - range.start, round_trip, Instant::now());
        self.changed.notify_all();
        drop(refill);
        if failures > 0 {
            refill::tell_recovered(self, failures);
        }
        Ok(())
    }

    /// Ends all draws; what is in hand is left to the close.
    pub(super) fn shut(&self) {
        self.buffer.close();
        if let Some(blocks) = self.blocks.get() {
            blocks.close();
        }
        let mut refill = self.refill.lock();
        refill.shut = true;
        refill.events += 1;
        self.nudge.notify_one();
        self.changed.notify_all();
    }

    fn regressed(&self, range: &Range<i64>, end: i64) -> Error {
        let (name, table) = (&self.name, &self.shared.behaviour.table);
        let quoted = name.replace('\'', "''");
        Error::new(
            ErrorKind::StoreRegressed,
            format!(
                "{}: biz_tag {name:?} leased ids from {} on, but this generator already holds ids up to {}: the table was restored \
                 from a backup, or a stale replica answered; nothing was handed out. Raise max_id above every id that is in use, \
                 at least: UPDATE {table} SET max_id = {end} WHERE biz_tag = '{quoted}' AND max_id < {end}; then reopen",
                self.shared.store.scope(),
                range.start,
                end - 1,
            ),
        )
    }
}

impl fmt::Debug for BizTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BizTag").field(&self.name()).finish()
    }
}
