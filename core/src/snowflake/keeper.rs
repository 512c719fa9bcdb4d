//! The keeper: takes a lease, moves its horizon ahead at every heartbeat, replaces it where it is lost, gives it back at the end.
//!
//! A horizon is durable before any id may use it: the limit of the tickets is raised only by what the holder has answered.

use super::clock_policy::ForwardSteps;
use super::generator::{Held, Inner, closed};
use super::tickets::Tickets;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::WorkerLease;
use crate::panics::caught;
use crate::sync::Mutex;
use std::sync::Arc;
use std::time::Duration;

const FIRST_BACK_OFF: Duration = Duration::from_millis(20);
const LONGEST_BACK_OFF: Duration = Duration::from_secs(1);

/// How long a close waits for the keeper, which may be about to give back a lease that it was just taking.
const KEEPER_WAIT: Duration = Duration::from_secs(1);

/// What is known about the keeping of a lease.
#[derive(Default)]
pub(super) struct Keeping {
    pub(super) running: bool,
    pub(super) closed: bool,
    /// Counts whatever a waiting caller should look at.
    pub(super) events: u64,
    /// Attempts to take a lease begun, and the last one that failed.
    pub(super) attempts: u64,
    pub(super) failed_attempt: u64,
    /// Why tickets are held back, by the clock policy.
    pub(super) refusal: Option<Error>,
    pub(super) last_error: Option<Error>,
    pub(super) waits: i64,
    pub(super) leases_lost: i64,
    /// The first tick that no lease of this generator has touched.
    pub(super) next_tick: i64,
}

/// Keeps a lease until the generator is closed, or taking one fails for good.
pub(super) async fn keep(inner: Arc<Inner>) {
    let _running = Running(&inner);
    keep_on(&inner).await;
}

/// However a keeper ends, in a panic too, the next caller can start another one, and a close does not wait for it.
struct Running<'a>(&'a Inner);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut keeping = self.0.keeping.lock();
        if keeping.closed || std::thread::panicking() {
            keeping.running = false;
        }
    }
}

async fn keep_on(inner: &Arc<Inner>) {
    let mut back_off = FIRST_BACK_OFF;
    let mut steps = ForwardSteps::default();
    while !inner.keeping.lock().closed {
        let held = inner.held.load_full();
        let pause = match held {
            None => match caught(acquire(inner)).await {
                Ok(()) => {
                    back_off = FIRST_BACK_OFF;
                    continue;
                }
                Err(error) => {
                    if !inner.note_failure(error) {
                        return;
                    }
                    back_off = (back_off * 2).min(LONGEST_BACK_OFF);
                    back_off.mul_f64(0.5 + fastrand::f64() / 2.0)
                }
            },
            Some(held) => match caught(beat(inner, &held, &mut steps)).await {
                Ok(()) => inner.holder.pace().heartbeat,
                Err(error) if error.kind() == ErrorKind::LeaseLost => {
                    inner.lose(&held, error);
                    continue;
                }
                Err(error) => {
                    inner.note(error);
                    inner.holder.pace().heartbeat.min(LONGEST_BACK_OFF)
                }
            },
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = inner.nudge.notified() => {}
        }
    }
}

async fn acquire(inner: &Arc<Inner>) -> Result<()> {
    inner.keeping.lock().attempts += 1;
    let layout = &inner.behaviour.layout;
    if inner.time.wall() < layout.epoch() {
        return Err(Error::new(
            ErrorKind::ClockMovedBackwards,
            format!("the wall clock stands at {} (Unix ms), before the layout's epoch {}", inner.time.wall(), layout.epoch()),
        ));
    }
    let lease = inner.holder.acquire().await?;
    match inner.admit(lease.clone()) {
        Ok(()) => Ok(()),
        Err(error) => {
            // Nothing was stamped with it.
            let _ = inner.holder.release(&lease, lease.floor).await;
            Err(error)
        }
    }
}

/// Renews the reservation and judges the clock.
async fn beat(inner: &Inner, held: &Held, steps: &mut ForwardSteps) -> Result<()> {
    let lease = held.lease.lock().clone();
    let (wall, now) = (inner.time.wall(), inner.time.now());
    let step = wall - now;
    let shared = if ForwardSteps::is_bold(step) { inner.holder.shared_clock().await.unwrap_or(None) } else { None };
    let forward = step > 0 && steps.accept(step, wall, shared);
    let refusal = inner.behaviour.clock.judge(-step, wall).err();
    if refusal.is_some() {
        held.tickets.hold_back();
    }
    let aim = inner.holder.pace().aim(if forward { wall } else { now }, lease.floor);
    let horizon = inner.holder.extend(&lease, aim).await?;
    held.lease.lock().horizon = horizon;
    if refusal.is_none() {
        held.tickets.allow_before(inner.limit_tick(horizon));
    }
    if forward && horizon > wall {
        inner.time.advance_to(wall);
    } else if step < 0 {
        inner.time.crawl_back(-step);
    }
    let mut keeping = inner.keeping.lock();
    if keeping.closed {
        held.tickets.hold_back();
    }
    keeping.refusal = refusal;
    keeping.events += 1;
    inner.changed.notify_all();
    Ok(())
}

/// Gives the lease back, within the generator's timeout, and lets the keeper end what it has begun.
pub(super) async fn close(inner: Arc<Inner>) -> Result<()> {
    let given_back = give_back(&inner).await;
    let began = std::time::Instant::now();
    while inner.keeping.lock().running && began.elapsed() < KEEPER_WAIT {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    given_back
}

async fn give_back(inner: &Inner) -> Result<()> {
    let Some(held) = inner.held.swap(None) else { return Ok(()) };
    let used = inner.behaviour.layout.start_of(held.tickets.shut());
    let lease = held.lease.lock().clone();
    let timeout = inner.behaviour.timeout.max(Duration::from_millis(100));
    match tokio::time::timeout(timeout, inner.holder.release(&lease, used)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => log::warn!("worker id {} could not be given back: {error}", lease.worker_id),
        Err(_) => log::warn!("worker id {} could not be given back within {timeout:?}", lease.worker_id),
    }
    Ok(())
}

impl Inner {
    /// Begins to mint with a lease, where clock and layout allow it.
    fn admit(&self, lease: WorkerLease) -> Result<()> {
        let (behaviour, wall) = (&self.behaviour, self.time.wall());
        let layout = &behaviour.layout;
        behaviour.clock.judge(lease.floor.saturating_sub(wall), wall)?;
        let datacenter_worker = layout.datacenter_worker(behaviour.datacenter_id, lease.worker_id)?;
        let mut keeping = self.keeping.lock();
        if keeping.closed {
            return Err(closed());
        }
        // The tick that holds the floor may have been stamped in part, unless the floor is its very beginning.
        let first = (layout.tick_at(lease.floor.saturating_sub(1)) + 1).max(keeping.next_tick).max(0);
        if first > layout.last_tick() || layout.tick_at(wall) > layout.last_tick() {
            return Err(Error::new(
                ErrorKind::IdSpaceExhausted,
                format!("the time bits of the layout ran out at {} (Unix ms)", layout.runs_out()),
            ));
        }
        self.time.advance_to(wall.max(lease.floor));
        let held = Held { tickets: Tickets::new(first, layout.bits().sequence), datacenter_worker, lease: Mutex::new(lease) };
        held.tickets.allow_before(self.limit_tick(held.lease.lock().horizon));
        self.held.store(Some(Arc::new(held)));
        keeping.refusal = None;
        keeping.events += 1;
        self.changed.notify_all();
        Ok(())
    }

    /// Returns the first tick that does not lie below a horizon as a whole, or that the time bits cannot tell any more.
    fn limit_tick(&self, horizon: i64) -> i64 {
        self.behaviour.layout.tick_at(horizon).clamp(0, self.behaviour.layout.last_tick() + 1)
    }

    /// Ends a lease that is somebody else's now. Its tickets are shut before the next lease begins, above them.
    fn lose(&self, held: &Held, error: Error) {
        let next_tick = held.tickets.shut();
        log::warn!("the lease of worker id {} is lost and will be replaced: {error}", held.lease.lock().worker_id);
        let mut keeping = self.keeping.lock();
        keeping.next_tick = keeping.next_tick.max(next_tick);
        keeping.leases_lost += 1;
        keeping.last_error = Some(error);
        keeping.events += 1;
        self.held.store(None);
    }

    /// Notes that taking a lease failed, and says whether to go on trying.
    fn note_failure(&self, error: Error) -> bool {
        let goes_on = error.kind().retryable();
        self.note(error);
        let mut keeping = self.keeping.lock();
        keeping.failed_attempt = keeping.attempts;
        // A caller that comes now starts another keeper.
        keeping.running = goes_on;
        goes_on
    }

    fn note(&self, error: Error) {
        let mut keeping = self.keeping.lock();
        if keeping.last_error.as_ref() != Some(&error) {
            log::warn!("keeping a worker id of {}: {error}", self.holder.scope());
        }
        keeping.last_error = Some(error);
        keeping.events += 1;
        self.changed.notify_all();
    }
}
