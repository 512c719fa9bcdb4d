//! The generator: ids from the tickets of the current lease, encoded with its worker id.

use super::generator_clock::GeneratorClock;
use super::settings::Settings;
use super::state::GeneratorState;
use super::stats::SnowflakeStats;
use super::wait::SnowflakeWait;
use super::{keepalive, lifecycle, virtual_time};
use crate::clock::{Clock, VirtualClock};
use crate::holder::{SnowflakeCheck, WorkerIdHolder, WorkerInfo};
use crate::runtime::background::{Pending, Timeline, in_time, real_time};
use crate::runtime::process::PerProcess;
use crate::want::Want;
use leafmint_ids::error::Result;
use leafmint_ids::layout::{DecodedId, Layout};
use leafmint_ids::text::printable;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// Mints snowflakes: 63-bit ids built from a timestamp, a worker id and a sequence number, as a [`Layout`] says.
///
/// Ids are positive, unique among all processes that share the holder and the namespace (see
/// [`SnowflakeGenerator::scope`]), and strictly increase within one generator. The worker id and a range of time are
/// leased before the first id, and a heartbeat in the background keeps them. An id costs one clock read and one atomic
/// instruction.
///
/// Handles are cheap to clone. When the last handle is dropped the generator is closed in the background;
/// [`SnowflakeGenerator::close`] closes it at once.
///
/// A forked child may keep using its parent's generators: on first use it forgets the lease, which remains the
/// parent's, and takes its own.
#[derive(Clone)]
pub struct SnowflakeGenerator {
    generator: Arc<PerProcess<Handle>>,
}

/// Closes the generator when the last handle is dropped. The keepalive task holds the state alone.
struct Handle {
    state: Arc<GeneratorState>,
}

impl SnowflakeGenerator {
    /// Makes a generator over a holder, without I/O.
    pub fn new(
        holder: Arc<dyn WorkerIdHolder>,
        settings: Settings,
        clock: Arc<dyn Clock>,
        timeline: Arc<dyn Timeline>,
    ) -> Self {
        let state = GeneratorState::new(holder, Arc::new(settings), GeneratorClock::new(clock), timeline, false);
        Self { generator: Arc::new(PerProcess::new(Handle { state: Arc::new(state) })) }
    }

    /// Makes a generator over a holder in memory, on a clock that only a test moves. Raises what the first id would
    /// raise.
    pub fn in_virtual_time(
        holder: Arc<dyn WorkerIdHolder>,
        settings: Settings,
        clock: &Arc<VirtualClock>,
    ) -> Result<Self> {
        let generator = Self::new(holder, settings, clock.clone(), real_time());
        virtual_time::attend(generator.state())?;
        let watching = Arc::downgrade(&generator.generator);
        clock.watch(move || {
            let Some(generator) = watching.upgrade() else { return false };
            // A call raises what keeps the worker id from being taken.
            let _ = virtual_time::attend(Self { generator }.state());
            true
        });
        Ok(generator)
    }

    /// Reports that the generator is open.
    pub fn report_open(&self) {
        lifecycle::opened(self.state());
    }

    /// Returns the state of this process. One comparison on the hot path.
    #[inline]
    pub(super) fn state(&self) -> &Arc<GeneratorState> {
        &self.generator.get(|inherited| Handle { state: Arc::new(inherited.state.in_child()) }).state
    }

    /// Returns whether ids are stamped by the processor's counter.
    pub fn stamps_by_counter(&self) -> bool {
        self.state().clock.counts()
    }

    /// Returns whether this process is a forked child that has not used the generator. There is nothing to close then.
    pub fn is_unused_child(&self) -> bool {
        self.generator.get_if_set().is_none()
    }

    /// Returns the next id. Waits for a worker id, for the id's tick, or for time to be reserved; at most for the
    /// option `timeout`.
    ///
    /// Raises `worker_id_unavailable`, `lease_lost`, `clock_moved_backwards`, `rate_exceeded`, `id_space_exhausted`,
    /// `store_unavailable`, `invalid_config` and `closed`.
    #[inline]
    pub fn next_id(&self) -> Result<i64> {
        match self.state().draw() {
            Some(id) => Ok(id),
            None => self.next_id_cold(None),
        }
    }

    /// Returns the next id, waiting for at most `timeout`. Raises what [`SnowflakeGenerator::next_id`] raises.
    pub fn next_id_within(&self, timeout: Duration) -> Result<i64> {
        match self.state().draw() {
            Some(id) => Ok(id),
            None => self.next_id_cold(Some(timeout)),
        }
    }

    #[cold]
    fn next_id_cold(&self, timeout: Option<Duration>) -> Result<i64> {
        let state = self.state();
        if let Some(id) = state.draw_checked() {
            return Ok(id);
        }
        keepalive::demand(state)?;
        self.begin(Want::One, None, timeout)?.finish_one()
    }

    /// Returns the next id if the current tick has one left. Never waits.
    #[inline]
    pub fn try_next_id(&self) -> Result<Option<i64>> {
        let state = self.state();
        match state.draw() {
            Some(id) => Ok(Some(id)),
            None => match state.draw_checked() {
                Some(id) => Ok(Some(id)),
                None => keepalive::demand(state).map(|()| None),
            },
        }
    }

    /// Returns `count` ids, ascending. `count` is 0 to 2^26. The layout's sequence bits limit the number of ids per
    /// tick. If the call times out, the ids that it drew are dropped: no call gets them.
    ///
    /// Raises `invalid_argument` and what [`SnowflakeGenerator::next_id`] raises.
    pub fn next_ids(&self, count: i64) -> Result<Vec<i64>> {
        self.begin(Want::Many(count), None, None)?.finish()
    }

    /// Returns the next id of a layout with gene bits, with this gene in its lowest bits.
    ///
    /// Raises `invalid_argument` if the gene does not fit, and what [`SnowflakeGenerator::next_id`] raises.
    pub fn next_id_with_gene(&self, gene: i64) -> Result<i64> {
        self.begin(Want::One, Some(gene), None)?.finish_one()
    }

    /// Begins a call that may wait, for a binding that handles signals or interrupts in between.
    ///
    /// `None` as the gene means 0. Raises `invalid_argument` for a gene that does not fit the layout, a count that is
    /// not from 0 to 2^26, and [`Want::Run`]: snowflakes are not contiguous.
    pub fn begin(&self, want: Want, gene: Option<i64>, timeout: Option<Duration>) -> Result<SnowflakeWait> {
        let state = self.state();
        SnowflakeWait::new(state.clone(), want, gene, timeout.unwrap_or(state.settings.timeout))
    }

    /// Takes an id of this generator's layout apart. Raises `invalid_id`.
    pub fn decode(&self, id: i64) -> Result<DecodedId> {
        self.layout().decode(id)
    }

    /// Returns the layout.
    pub fn layout(&self) -> &Layout {
        &self.state().settings.layout
    }

    /// Returns the current worker id; `None` before the first id and while a lost lease is replaced.
    pub fn worker_id(&self) -> Option<i64> {
        self.state().current_lease.with(|active| active.lease().worker_id)
    }

    /// Takes a worker id if the option `eager` is set. Raises what the first id would raise.
    pub fn make_ready(&self) -> Result<Pending<()>> {
        if !self.state().settings.eager {
            return Ok(Pending::done(()));
        }
        let wait = self.begin(Want::InHand, None, None)?;
        Pending::spawn(self.state().settings.timeout, wait.ready())
    }

    /// Closes the generator and gives the worker id back with the time of its last id, so that its next owner need not
    /// wait.
    ///
    /// Afterwards every call that mints raises `closed`. Takes at most the option `timeout`; a second call does
    /// nothing.
    pub fn close(&self) -> Result<()> {
        self.begin_close()?.wait()
    }

    /// Begins [`SnowflakeGenerator::close`] without waiting for its end. From here on no id is handed out.
    pub fn begin_close(&self) -> Result<Pending<()>> {
        let state = self.state();
        Ok(if state.close() { begin_close(state) } else { Pending::done(()) })
    }

    /// Returns the option `close_at_exit`, which the bindings follow.
    pub fn closes_at_exit(&self) -> bool {
        self.state().settings.close_at_exit
    }

    /// Returns the statistics.
    pub fn stats(&self) -> SnowflakeStats {
        SnowflakeStats::of(self.state())
    }

    /// Describes the holder, without credentials, and which processes share its worker ids.
    pub fn scope(&self) -> String {
        printable(self.state().holder.scope())
    }
}

/// Begins to give the worker id of a closed generator back.
fn begin_close(state: &Arc<GeneratorState>) -> Pending<()> {
    if !state.timeline.is_started() {
        // No worker id was taken.
        lifecycle::closed(state, None);
        return Pending::done(());
    }
    Pending::ending(&*state.timeline, keepalive::longest_close(state), keepalive::close(state.clone()))
}

impl Drop for Handle {
    fn drop(&mut self) {
        if self.state.close() {
            drop(begin_close(&self.state));
        }
    }
}

impl fmt::Debug for SnowflakeGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SnowflakeGenerator").field(&self.scope()).finish()
    }
}

impl SnowflakeGenerator {
    /// Lists the worker ids that were taken at least once, in ascending order.
    ///
    /// Raises `invalid_config`, also if they belong to another layout, `store_unavailable` and `closed`.
    pub fn list_workers(&self) -> Result<Pending<Vec<WorkerInfo>>> {
        self.ask("list_workers", |holder| async move { holder.list_workers().await })
    }

    /// Creates the tables that are missing. Returns whether the holder needs any.
    ///
    /// Raises `invalid_config` if the account may not, `store_unavailable` and `closed`.
    pub fn init_schema(&self) -> Result<Pending<bool>> {
        self.ask("init_schema", |holder| async move { holder.init_schema().await })
    }

    /// Frees a worker id whose owner is gone: its horizon has passed, or `force` says so. Returns whether a lease had
    /// it.
    ///
    /// No id can repeat: the next owner begins behind the time that was reserved, even if the owner lives, which then
    /// loses its lease. In a directory a living owner's worker id cannot be freed. Raises `worker_id_unavailable`,
    /// `invalid_argument`, `invalid_config`, `store_unavailable` and `closed`.
    pub fn release_worker(&self, worker_id: i64, force: bool) -> Result<Pending<bool>> {
        self.ask("release_worker", move |holder| async move { holder.release_worker(worker_id, force).await })
    }

    /// Checks the holder: connects, and compares the layout and the clocks, without taking a worker id.
    ///
    /// Raises what the first id would raise, as far as that can be told without one, and `closed`.
    pub fn check(&self) -> Result<Pending<SnowflakeCheck>> {
        let layout = self.layout();
        let (scope, fingerprint, runs_out) = (self.scope(), layout.fingerprint(), layout.runs_out());
        self.ask("check", move |holder| async move {
            let found = holder.check().await?;
            Ok(SnowflakeCheck { scope, holder: holder.name(), layout: fingerprint, runs_out, ..found })
        })
    }

    /// Asks the holder something, for at most the option `timeout`.
    fn ask<T: Send + 'static, F: Future<Output = Result<T>> + Send + 'static>(
        &self,
        call: &'static str,
        ask: impl FnOnce(Arc<dyn WorkerIdHolder>) -> F,
    ) -> Result<Pending<T>> {
        let state = self.state();
        state.check_open()?;
        let timeout = state.settings.timeout;
        Pending::spawn(timeout, in_time(call, timeout, self.scope(), ask(state.holder.clone())))
    }
}
