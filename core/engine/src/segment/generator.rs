//! The generator: the tags of one store, opened and closed together.

use super::biz_tag::BizTag;
use super::shared::SegmentSettings;
use super::sources::Sources;
use super::state::GeneratorState;
use super::stats::SegmentStats;
use super::tag_options::TagOptions;
use super::{close, lifecycle};
use crate::runtime::background::{Pending, Timeline, in_time};
use crate::runtime::process::PerProcess;
use crate::store::SegmentStore;
use crate::want::Want;
use leafmint_ids::error::{ErrorKind, Result};
use leafmint_ids::text::printable;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

/// Mints ids of many tags from segments that one store leases.
///
/// Ids of one tag are unique within the store's scope (see [`SegmentGenerator::scope`]), 0 or more, and strictly
/// increase within one generator (with relaxed [`Order`](super::Order): for each thread). Segments are leased ahead of
/// need in the background, so that an id in hand costs no I/O.
///
/// Handles are cheap to clone. When the last handle is dropped the generator is closed in the background;
/// [`SegmentGenerator::close`] closes it at once.
///
/// A forked child may keep using its parent's generators: on first use it forgets the ids in hand, which remain the
/// parent's, and leases its own.
#[derive(Clone)]
pub struct SegmentGenerator {
    pub(super) generator: Arc<PerProcess<GeneratorState>>,
}

impl SegmentGenerator {
    /// Makes a generator over a store, without I/O. `eager` names the tags that [`SegmentGenerator::make_ready`]
    /// supplies.
    pub fn new(
        store: Arc<dyn SegmentStore>,
        settings: SegmentSettings,
        eager: Option<Vec<String>>,
        timeline: Arc<dyn Timeline>,
    ) -> Self {
        let state = GeneratorState::new(store, Arc::new(settings), eager, timeline);
        Self { generator: Arc::new(PerProcess::new(state)) }
    }

    /// Reports that the generator is open.
    pub fn report_open(&self) {
        lifecycle::opened(&self.state().shared);
    }

    /// Returns the state of this process.
    pub(super) fn state(&self) -> &GeneratorState {
        self.generator.get(GeneratorState::in_child)
    }

    /// Returns whether this process is a forked child that has not used the generator. There is nothing to close then.
    pub fn is_unused_child(&self) -> bool {
        self.generator.get_if_set().is_none()
    }

    /// Returns the tag of that name. Without I/O: the first id leases the first segment.
    ///
    /// A tag that has handed out ids is kept as long as the generator; any other is forgotten with its last handle.
    ///
    /// A name has 1 to 128 code points and no NUL. Raises `invalid_argument` and `closed`.
    pub fn biz_tag(&self, name: &str) -> Result<BizTag> {
        self.biz_tag_with(name, TagOptions::new())
    }

    /// Returns the tag of that name, with options.
    ///
    /// Raises `invalid_argument`, also if this generator knows the tag with other gene bits, and `closed`.
    pub fn biz_tag_with(&self, name: &str, options: TagOptions) -> Result<BizTag> {
        options.check(name)?;
        let tag = self.state().tag(name, options.gene_bits)?;
        Ok(BizTag::new(Sources::new(tag, options.order), self.generator.clone()))
    }

    /// Connects, checks the tags and leases their first segments if the option `eager` is set; else does nothing.
    ///
    /// Each tag has the option `timeout` to become ready. Raises what its first id would raise.
    pub fn make_ready(&self) -> Result<Pending<()>> {
        let store = self.state().open_store()?;
        let Some(names) = &self.state().eager else { return Ok(Pending::done(())) };
        let tags = names.iter().map(|name| self.biz_tag(name)).collect::<Result<Vec<_>>>()?;
        // Any tag will do: that it is unknown is an answer too.
        let answer = self.in_time("the first query", async move { store.step("leafmint").await });
        let longest = self.state().shared.settings.timeout * (tags.len() as u32 + 1);
        Pending::spawn(longest, async move {
            if tags.is_empty()
                && let Err(error) = answer.await
                && error.kind() != ErrorKind::UnknownTag
            {
                return Err(error);
            }
            for tag in tags {
                tag.begin(Want::InHand, None)?.ready().await?;
            }
            Ok(())
        })
    }

    /// Closes the generator: gives unused ids back to the store, once, and closes its connections.
    ///
    /// Afterwards every call raises `closed`. Ends within the option `timeout`; a second call does nothing.
    pub fn close(&self) -> Result<()> {
        self.begin_close()?.wait()
    }

    /// Does the same as [`SegmentGenerator::close`], without waiting. No id is handed out after it returns.
    pub fn begin_close(&self) -> Result<Pending<()>> {
        Ok(close::begin(self.state()))
    }

    /// Returns the option `close_at_exit`, which the language binding obeys.
    pub fn closes_at_exit(&self) -> bool {
        self.state().shared.settings.close_at_exit
    }

    /// Returns the statistics of each tag used so far, sorted by tag. A series has one entry for all its periods and
    /// keys, `invoice@day`.
    ///
    /// With more than a thousand names, tags that have never leased are left out once they have no handle.
    pub fn stats(&self) -> SegmentStats {
        let (mut tags, outlooks) = (self.state().tags.figures(), self.state().series.lock().outlooks());
        for (name, stats) in &mut tags {
            if let Some(outlook) = outlooks.get(name) {
                (stats.numbers_left, stats.numbers_last_seconds) = (Some(outlook.left), outlook.lasts);
            }
        }
        let state = self.state();
        // A generator that is closed asks for nothing more.
        let store_up = state.shared.queue.error().is_none() || state.shared.known.lock().is_none();
        let host = state.shared.store.host().map(printable);
        SegmentStats { scope: self.scope(), store_up, host, failures: state.shared.failures.counts(), tags }
    }

    /// Returns the store's name, without credentials, and the scope of its ids.
    pub fn scope(&self) -> String {
        printable(self.state().shared.store.scope())
    }

    /// Returns whether ids come from sequences, and not from a table.
    pub fn draws_from_sequences(&self) -> bool {
        self.state().shared.store.sequence("").is_some()
    }

    /// Asks the store something, for at most the option `timeout`.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        call: &'static str,
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<Pending<T>> {
        Pending::spawn(self.state().shared.settings.timeout, self.in_time(call, work))
    }

    /// Waits for work of the store, for at most the option `timeout`.
    fn in_time<T: Send + 'static>(
        &self,
        call: &'static str,
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> impl Future<Output = Result<T>> + Send + 'static {
        let shared = &self.state().shared;
        in_time(call, shared.settings.timeout, shared.store.scope(), work)
    }
}

impl fmt::Debug for SegmentGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SegmentGenerator").field(&self.scope()).finish()
    }
}
