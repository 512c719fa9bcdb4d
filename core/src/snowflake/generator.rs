//! The generator: tickets of the present lease, spliced with its worker id.

use super::clock_policy::ClockPolicy;
use super::keeper::{self, Keeping};
use super::present::Present;
use super::stats::SnowflakeStats;
use super::tickets::{Drawn, Tickets};
use super::time::GeneratorTime;
use super::wait::SnowflakeWait;
use crate::background::Pending;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::{WorkerIdHolder, WorkerLease};
use crate::id::{DecodedId, Layout, Splice};
use crate::printable::printable;
use crate::process::{self, PerProcess};
use crate::sync::Mutex;
use crate::waiters::Waiters;
use crate::want::Want;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

/// How a generator behaves.
pub(crate) struct Behaviour {
    pub(crate) layout: Layout,
    pub(crate) datacenter_id: i64,
    pub(crate) timeout: Duration,
    pub(crate) clock: ClockPolicy,
    /// A tick that is entered begins at a random sequence below this.
    pub(crate) jitter: i64,
    pub(crate) eager: bool,
    pub(crate) close_at_exit: bool,
}

/// Mints snowflakes: time, worker id and sequence in one number, laid out by a [`Layout`].
///
/// Ids are positive, unique among everyone who shares the holder and namespace (see [`SnowflakeGenerator::scope`]), and strictly
/// increase within one generator. The worker id and a range of time are leased before the first id and kept by a heartbeat in the
/// background; an id costs one look at the clock and one atomic instruction. Handles are cheap to clone. The last handle to go
/// closes the generator in the background; [`SnowflakeGenerator::close`] does it now.
///
/// The child of a fork may go on with its parent's generators: on first use it forgets the lease, which stays the parent's, and
/// takes one of its own.
///
/// ```
/// let folder = tempfile::tempdir().unwrap();
/// let flakes = leafmint::SnowflakeGenerator::open(&format!("local:///{}", folder.path().display()), [])?;
/// let id = flakes.next_id()?;
/// assert_eq!(flakes.decode(id)?.worker_id, 0);
/// flakes.close()?;
/// # Ok::<(), leafmint::Error>(())
/// ```
#[derive(Clone)]
pub struct SnowflakeGenerator {
    /// Closes when the last handle goes. The keeper holds the inner part alone.
    generations: Arc<PerProcess<Handle>>,
}

struct Handle {
    inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub(super) behaviour: Arc<Behaviour>,
    pub(super) holder: Arc<dyn WorkerIdHolder>,
    pub(super) time: GeneratorTime,
    pub(super) held: Present,
    pub(super) keeping: Mutex<Keeping>,
    /// Told whenever a waiting caller should look again.
    pub(super) changed: Waiters,
    /// Ends the keeper's sleep early.
    pub(super) nudge: Notify,
    /// Once true, never false again: what the child of a fork may read.
    closed: AtomicBool,
    forks: u32,
}

/// The present lease with its tickets: a ticket is judged by, and spliced with, the lease that it was drawn from.
pub(super) struct Held {
    pub(super) tickets: Tickets,
    pub(super) splice: Splice,
    pub(super) lease: Mutex<WorkerLease>,
}

impl SnowflakeGenerator {
    /// Makes a generator over a holder, without I/O.
    pub(crate) fn new(holder: Arc<dyn WorkerIdHolder>, behaviour: Behaviour, clock: Arc<dyn Clock>) -> Self {
        let inner = Arc::new(Inner::new(holder, Arc::new(behaviour), GeneratorTime::new(clock), false));
        Self { generations: Arc::new(PerProcess::new(Handle { inner })) }
    }

    /// Returns the state of this process. One comparison on the hot path.
    #[inline]
    pub(super) fn inner(&self) -> &Arc<Inner> {
        &self.generations.get(|inherited| Handle { inner: Arc::new(inherited.inner.in_child()) }).inner
    }

    /// Tells whether this process is the child of a fork that has not used the generator: there is nothing to close then.
    pub fn is_unused_child(&self) -> bool {
        self.generations.get_if_set().is_none()
    }

    /// Returns the next id, waiting for at most the option `timeout`: for a worker id, for the tick of the id, or for time to be
    /// reserved.
    ///
    /// Raises `worker_id_unavailable`, `lease_lost`, `clock_moved_backwards`, `rate_exceeded`, `id_space_exhausted`, `store_unavailable`,
    /// `invalid_config` and `closed`.
    #[inline]
    pub fn next_id(&self) -> Result<i64> {
        match self.inner().draw() {
            Some(id) => Ok(id),
            None => self.next_id_later(None),
        }
    }

    /// Returns the next id, waiting for at most `timeout`. Raises what [`SnowflakeGenerator::next_id`] raises.
    pub fn next_id_within(&self, timeout: Duration) -> Result<i64> {
        match self.inner().draw() {
            Some(id) => Ok(id),
            None => self.next_id_later(Some(timeout)),
        }
    }

    #[cold]
    fn next_id_later(&self, timeout: Option<Duration>) -> Result<i64> {
        self.inner().demand()?;
        self.begin(Want::One, None, timeout)?.finish_one()
    }

    /// Returns the next id if one can be had in the present tick. Never waits.
    #[inline]
    pub fn try_next_id(&self) -> Result<Option<i64>> {
        let inner = self.inner();
        match inner.draw() {
            Some(id) => Ok(Some(id)),
            None => inner.demand().map(|()| None),
        }
    }

    /// Returns `count` ids, ascending. `count` is 0 to 2^20; a layout's full rate is a tick's sequence numbers per tick.
    ///
    /// Raises `invalid_argument` and what [`SnowflakeGenerator::next_id`] raises.
    pub fn next_ids(&self, count: i64) -> Result<Vec<i64>> {
        self.begin(Want::Many(count), None, None)?.finish()
    }

    /// Returns the next id of a layout with gene bits, with this gene in its lowest bits.
    ///
    /// Raises `invalid_argument` where the gene does not fit, and what [`SnowflakeGenerator::next_id`] raises.
    pub fn next_id_with_gene(&self, gene: i64) -> Result<i64> {
        self.begin(Want::One, Some(gene), None)?.finish_one()
    }

    /// Begins a call that may wait, for a face that looks after signals or interrupts in between.
    ///
    /// Without a gene it is 0. Raises `invalid_argument` for a gene that does not fit the layout, a count that is not from 0 to
    /// 2^20, and [`Want::Run`]: snowflakes do not come in one piece.
    pub fn begin(&self, want: Want, gene: Option<i64>, timeout: Option<Duration>) -> Result<SnowflakeWait> {
        let inner = self.inner();
        SnowflakeWait::new(inner.clone(), want, gene, timeout.unwrap_or(inner.behaviour.timeout))
    }

    /// Takes an id of this generator's layout apart. Raises `invalid_id`.
    pub fn decode(&self, id: i64) -> Result<DecodedId> {
        self.layout().decode(id)
    }

    /// Returns the layout.
    pub fn layout(&self) -> &Layout {
        &self.inner().behaviour.layout
    }

    /// Returns the present worker id; `None` before the first id and while a lost lease is replaced.
    pub fn worker_id(&self) -> Option<i64> {
        self.inner().held.look(|held| held.lease.lock().worker_id)
    }

    /// Takes a worker id, if the option `eager` says so; else does nothing. Raises what the first id would raise.
    pub fn make_ready(&self) -> Result<Pending<()>> {
        if !self.inner().behaviour.eager {
            return Ok(Pending::done(()));
        }
        let wait = self.begin(Want::InHand, None, None)?;
        Pending::spawn(wait.ready())
    }

    /// Ends the generator: writes the last stamped time back, so that the next owner of the worker id need not wait.
    ///
    /// Afterwards every call raises `closed`. Ends within the option `timeout`; a second call does nothing.
    pub fn close(&self) -> Result<()> {
        self.begin_close()?.wait()
    }

    /// Does the same as [`SnowflakeGenerator::close`], without waiting. From here on no id is handed out.
    pub fn begin_close(&self) -> Result<Pending<()>> {
        Ok(match self.inner().shut() {
            Some(inner) => Pending::ending(keeper::close(inner)),
            None => Pending::done(()),
        })
    }

    /// Returns the option `close_at_exit`, which the language binding obeys.
    pub fn closes_at_exit(&self) -> bool {
        self.inner().behaviour.close_at_exit
    }

    /// Returns how the generator is doing.
    pub fn stats(&self) -> SnowflakeStats {
        self.inner().stats()
    }

    /// Names the holder, without credentials, and says who shares its worker ids.
    pub fn scope(&self) -> String {
        printable(self.inner().holder.scope())
    }
}

impl Inner {
    fn new(holder: Arc<dyn WorkerIdHolder>, behaviour: Arc<Behaviour>, time: GeneratorTime, closed: bool) -> Self {
        Self {
            behaviour,
            holder,
            time,
            held: Present::none(),
            keeping: Mutex::new(Keeping { closed, ..Keeping::default() }),
            changed: Waiters::new(),
            nudge: Notify::new(),
            closed: AtomicBool::new(closed),
            forks: process::count_forks(),
        }
    }

    /// Makes the state of the child of a fork, out of what never changes. The child's ids need not lie above its parent's: they
    /// carry another worker id, or come after the parent's lease.
    fn in_child(&self) -> Self {
        let closed = self.closed.load(Ordering::Acquire);
        Self::new(self.holder.in_child(), self.behaviour.clone(), self.time.anew(), closed)
    }

    /// Tells whether this process is another one now: the child of a fork, in the middle of a call of its parent's.
    pub(super) fn is_inherited(&self) -> bool {
        process::forks() != self.forks
    }

    /// Draws an id of the present tick. `None` where there is no lease, or none of its tickets now.
    #[inline]
    fn draw(&self) -> Option<i64> {
        self.held.look(|held| match held.tickets.draw_present(self.tick(), || self.sequence()) {
            Drawn::Ticket(ticket) => Some(held.splice.id(ticket, 0)),
            Drawn::TooFar(_) | Drawn::AtLimit => None,
        })?
    }

    /// Returns the present tick of the generator's clock.
    #[inline]
    pub(super) fn tick(&self) -> i64 {
        self.behaviour.layout.tick_at(self.time.now())
    }

    /// Returns the sequence that a tick begins at: random, so that slow traffic does not land on one shard.
    #[inline]
    pub(super) fn sequence(&self) -> i64 {
        if self.behaviour.jitter > 1 { fastrand::i64(0..self.behaviour.jitter) } else { 0 }
    }

    /// Makes sure that the keeper runs, and says why no id can be had where that is final.
    #[cold]
    pub(super) fn demand(self: &Arc<Self>) -> Result<()> {
        let mut keeping = self.keeping.lock();
        if keeping.closed {
            return Err(closed());
        }
        if !keeping.running {
            let runtime = crate::background::runtime()?;
            keeping.running = true;
            runtime.spawn(keeper::keep(self.clone()));
        }
        Ok(())
    }

    /// Shuts the present lease. Returns `None` where that was done before.
    fn shut(self: &Arc<Self>) -> Option<Arc<Self>> {
        let mut keeping = self.keeping.lock();
        if keeping.closed {
            return None;
        }
        keeping.closed = true;
        self.closed.store(true, Ordering::Release);
        keeping.events += 1;
        self.held.look(|held| held.tickets.hold_back());
        self.nudge.notify_one();
        self.changed.notify_all();
        Some(self.clone())
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.shut() {
            let _ = Pending::ending(keeper::close(inner));
        }
    }
}

pub(super) fn closed() -> Error {
    Error::new(ErrorKind::Closed, "this generator was closed: open another one")
}

impl fmt::Debug for SnowflakeGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SnowflakeGenerator").field(&self.scope()).finish()
    }
}
