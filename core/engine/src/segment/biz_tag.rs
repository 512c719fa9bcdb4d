//! The handle of one tag, which mints its ids.

use super::sources::{Sources, in_hand};
use super::state::GeneratorState;
use super::stats::TagStats;
use super::tag_options::Order;
use super::thread_number::thread_number;
use super::wait::{Dry, Wait};
use crate::limit_cell::Rejected;
use crate::runtime::process::PerProcess;
use crate::want::{MAX_BATCH, Want};
use leafmint_ids::error::Result;
use leafmint_ids::gene::{join, with_gene};
use leafmint_ids::room::room;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// One tag (`biz_tag`) of a [`SegmentGenerator`](super::SegmentGenerator). Resolve it once, then use it from any
/// thread.
///
/// Its ids strictly increase; if its [`Order`] is relaxed, they do so for each thread.
///
/// Every call that may wait takes a timeout; the default is the generator's option `timeout`.
pub struct BizTag {
    pub(super) sources: PerProcess<Sources>,
    generator: Arc<PerProcess<GeneratorState>>,
}

impl BizTag {
    pub(super) fn new(sources: Sources, generator: Arc<PerProcess<GeneratorState>>) -> Self {
        Self { sources: sources.in_this_process(), generator }
    }

    /// Returns the sources of this process.
    #[inline]
    pub(super) fn sources(&self) -> &Sources {
        self.sources.get(|inherited| {
            let tag = &inherited.raw;
            let generator = self.generator.get(GeneratorState::in_child);
            Sources::new(generator.tag_in_child(tag), inherited.order)
        })
    }

    /// Returns the tag's name.
    pub fn name(&self) -> &str {
        &self.sources().raw.name
    }

    /// Returns the number of gene bits in its ids: 1 to 12, or 0 for none.
    pub fn gene_bits(&self) -> i64 {
        self.sources().raw.gene_bits
    }

    /// Returns the order of its ids.
    pub fn order(&self) -> Order {
        self.sources().order
    }

    /// Returns the statistics of the tag. Works after the close too.
    pub fn stats(&self) -> TagStats {
        self.sources().leased().stats()
    }

    /// Returns the next id, waiting for at most the option `timeout` if supply has run out.
    ///
    /// Raises `segment_unavailable` (with the store's last error), `unknown_tag`, `store_regressed`,
    /// `id_space_exhausted`, `invalid_config` and `closed`. If the tag has gene bits, it raises `invalid_argument`, as
    /// does every call without a gene.
    #[inline]
    pub fn next_id(&self) -> Result<i64> {
        match self.draw() {
            Ok(id) => Ok(id),
            Err(dry) => self.one_cold(dry, None, None),
        }
    }

    /// Returns the next id, waiting for at most `timeout`. Raises what [`BizTag::next_id`] raises.
    pub fn next_id_within(&self, timeout: Duration) -> Result<i64> {
        match self.draw() {
            Ok(id) => Ok(id),
            Err(dry) => self.one_cold(dry, None, Some(timeout)),
        }
    }

    /// Returns the next id if one is in hand. Never waits; if none is in hand, a refill is under way when it returns.
    ///
    /// Polling an empty tag consumes no numbers. Raises `store_regressed`, `invalid_argument` and `closed`.
    #[inline]
    pub fn try_next_id(&self) -> Result<Option<i64>> {
        let drawn = match self.sources.get_fast() {
            Some(sources) => sources.raw.buffer.cell.next_unless_dry(),
            None => Err(None),
        };
        match drawn {
            Ok(id) => Ok(Some(id)),
            Err(rejected) => self.try_next_id_cold(rejected),
        }
    }

    /// Returns the next id if one is in hand, after a draw was rejected, if the cell is dry, for relaxed order, and in
    /// the child of a fork.
    #[inline(never)]
    fn try_next_id_cold(&self, rejected: Option<Rejected>) -> Result<Option<i64>> {
        let sources = self.sources();
        in_hand(&sources.raw, sources.of_this_thread().redraw(&sources.raw, rejected))
    }

    /// Returns the next id, or the call that waits for it, for a binding that handles signals or interrupts while it
    /// waits. Raises what [`BizTag::next_id`] raises.
    #[inline]
    pub fn next_id_or_wait(&self, timeout: Option<Duration>) -> Result<std::result::Result<i64, Wait>> {
        match self.draw() {
            Ok(id) => Ok(Ok(id)),
            Err(dry) => self.after_dry(dry, None, timeout),
        }
    }

    /// Draws an id that is in hand, for a binding that passes a dry draw to [`BizTag::after_dry`].
    ///
    /// It is faster than [`BizTag::try_next_id`], since it draws without looking first. So it is not for polling: each
    /// call on an empty tag consumes a number.
    #[inline]
    pub fn draw(&self) -> std::result::Result<i64, Dry> {
        match self.sources.get_fast() {
            Some(sources) => sources.raw.buffer.next().map_err(|rejected| Dry(Some(rejected))),
            None => self.draw_from_stripe().ok_or(Dry(None)),
        }
    }

    /// Draws an id from this thread's stripe, if the order is relaxed and the stripe has one.
    #[inline]
    fn draw_from_stripe(&self) -> Option<i64> {
        let cells = self.sources.get_if_own()?.cells.as_ref()?;
        cells[thread_number() & (cells.len() - 1)].next().ok()
    }

    /// Returns the next id after a dry draw, waiting if need be.
    #[cold]
    fn one_cold(&self, dry: Dry, gene: Option<i64>, timeout: Option<Duration>) -> Result<i64> {
        self.after_dry(dry, gene, timeout)?.or_else(Wait::finish_one)
    }

    /// Returns the next id after a dry draw, or the call that waits for it. It draws once, and the call, which has
    /// begun a refill, not again before something has changed.
    ///
    /// A binding passes [`Dry::default`] for an id with a gene, which it has not drawn for. Raises what
    /// [`BizTag::next_id`] and [`BizTag::next_id_with_gene`] raise.
    #[cold]
    pub fn after_dry(
        &self,
        Dry(rejected): Dry,
        gene: Option<i64>,
        timeout: Option<Duration>,
    ) -> Result<std::result::Result<i64, Wait>> {
        let sources = self.sources();
        let tag = gene.map_or(Ok(&sources.raw), |gene| sources.for_gene(gene))?;
        let source = sources.of_this_thread();
        // Counted before the draw, so that the call wakes up for a lease that lands right after it.
        let changes = tag.refill.changes();
        match in_hand(tag, source.redraw(tag, rejected))? {
            Some(number) => gene.map_or(Ok(number), |gene| with_gene(number, gene, tag.gene_bits)).map(Ok),
            None => Ok(Err(Wait::after_dry(tag.clone(), source, gene, timeout, changes))),
        }
    }

    /// Returns the next id with a gene in its lowest bits, waiting for at most `timeout`, by default the option of that
    /// name.
    ///
    /// Raises `invalid_argument` if the gene does not fit the tag's gene bits or the tag has none, and what
    /// [`BizTag::next_id`] raises.
    #[inline]
    pub fn next_id_with_gene(&self, gene: i64, timeout: Option<Duration>) -> Result<i64> {
        // No number is drawn for a gene that does not fit.
        match self.sources.get_fast().and_then(|sources| sources.with_gene.as_ref()) {
            Some(tag) if join(0, gene, tag.gene_bits).is_some() => match tag.buffer.next() {
                Ok(number) => with_gene(number, gene, tag.gene_bits),
                Err(rejected) => self.one_cold(Dry(Some(rejected)), Some(gene), timeout),
            },
            _ => self.one_cold(Dry(None), Some(gene), timeout),
        }
    }

    /// Returns the next id with a gene if one is in hand, as [`BizTag::try_next_id`] does without a gene.
    pub fn try_next_id_with_gene(&self, gene: i64) -> Result<Option<i64>> {
        let sources = self.sources();
        let tag = sources.for_gene(gene)?;
        let number = in_hand(tag, sources.of_this_thread().draw(tag))?;
        number.map(|number| with_gene(number, gene, tag.gene_bits)).transpose()
    }

    /// Returns `count` contiguous ids, 1 to 2^26, if that takes neither a lock nor a wait.
    ///
    /// If it returns `None`, call [`BizTag::begin`]: the ids may cross a limit, the order may be relaxed, the count may
    /// be out of range, or the generator may be closed.
    #[inline]
    pub fn run_in_hand(&self, count: i64) -> Option<Range<i64>> {
        let sources = self.sources.get_fast()?;
        if count <= MAX_BATCH { sources.raw.buffer.run(count) } else { None }
    }

    /// Returns `count` ids, ascending, with a gap between segments. `count` is 0 to 2^26.
    ///
    /// What is missing is leased at once, however much it is, and drawn when all of it is in hand: ids that are leased
    /// for a call that times out serve later calls. Raises `invalid_argument` and what [`BizTag::next_id`] raises.
    pub fn next_ids(&self, count: i64) -> Result<Vec<i64>> {
        let wait = self.begin(Want::Many(count), None)?;
        let mut ids = room(count as usize)?;
        ids.extend(wait.finish()?.into_iter().flatten());
        Ok(ids)
    }

    /// Returns `count` contiguous ids. `count` is 0 to 2^30, the most that one lease holds.
    ///
    /// Segments in hand that are too short are skipped, and their ids counted as unused.
    /// Raises `invalid_argument` and what [`BizTag::next_id`] raises.
    pub fn next_range(&self, count: i64) -> Result<Range<i64>> {
        Ok(self.begin(Want::Run(count), None)?.finish()?.remove(0))
    }

    /// Begins a call that may wait, for a binding that handles signals or interrupts while it waits.
    pub fn begin(&self, want: Want, timeout: Option<Duration>) -> Result<Wait> {
        want.check()?;
        let sources = self.sources();
        Ok(Wait::new(sources.for_want(want).clone(), sources.of_this_thread(), want, None, timeout))
    }

    /// Begins a call for one id with a gene, as [`BizTag::begin`] does. The id is the start of the one range that it
    /// returns.
    pub fn begin_with_gene(&self, gene: i64, timeout: Option<Duration>) -> Result<Wait> {
        let sources = self.sources();
        let tag = sources.for_gene(gene)?.clone();
        Ok(Wait::new(tag, sources.of_this_thread(), Want::One, Some(gene), timeout))
    }
}

impl Clone for BizTag {
    fn clone(&self) -> Self {
        Self::new(self.sources().clone(), self.generator.clone())
    }
}

/// Tags are equal if generator, name, gene bits and order are the same.
impl PartialEq for BizTag {
    fn eq(&self, other: &Self) -> bool {
        let key = |tag: &Self| (tag.gene_bits(), tag.order());
        Arc::ptr_eq(&self.generator, &other.generator) && self.name() == other.name() && key(self) == key(other)
    }
}

impl Eq for BizTag {}

impl Hash for BizTag {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.generator).hash(state);
        self.name().hash(state);
    }
}

impl fmt::Debug for BizTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BizTag").field(&self.name()).finish()
    }
}
