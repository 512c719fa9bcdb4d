//! The keeper: takes a lease, moves its horizon ahead at every heartbeat, replaces it where it is lost, gives it back at the end.
//!
//! A horizon is durable before any id may use it: the limit of the tickets is raised only by what the holder has answered.

use super::clock_policy::{ClockWatch, ForwardSteps};
use super::generator::{Held, Inner, closed};
use super::tickets::Tickets;
use crate::error::{Error, ErrorKind, Result};
use crate::events::{self, EventKind};
use crate::holder::WorkerLease;
use crate::mutants::weaken;
use crate::panics::caught;
use crate::sync::Mutex;
use std::sync::Arc;
use std::time::Duration;

const FIRST_BACK_OFF: Duration = Duration::from_millis(20);
const LONGEST_BACK_OFF: Duration = Duration::from_secs(1);

/// How long a close waits for the keeper, which may be about to give back a lease that it was just taking.
const KEEPER_WAIT: Duration = Duration::from_secs(1);

/// In milliseconds.
const A_DAY: i64 = 86_400_000;
/// Whoever takes a worker id is told that the time bits end when less than this is left.
const A_YEAR: i64 = 365 * A_DAY;

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
    let mut watch = ClockWatch::default();
    let mut failed = false;
    while !inner.keeping.lock().closed {
        let held = inner.held.get();
        let pause = match held {
            None => match caught(acquire(inner)).await {
                Ok(()) => {
                    back_off = FIRST_BACK_OFF;
                    watch = ClockWatch::default();
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
            Some(held) => match caught(beat(inner, &held, &mut steps, &mut watch)).await {
                Ok(()) => {
                    if std::mem::take(&mut failed) {
                        tell_extended(&held);
                    }
                    inner.holder.pace().heartbeat
                }
                Err(error) if error.kind() == ErrorKind::LeaseLost => {
                    failed = false;
                    inner.lose(&held, error);
                    continue;
                }
                Err(error) => {
                    failed = true;
                    tell_not_extended(&held, &error);
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
        Ok(()) => {
            inner.tell_taken(&lease);
            Ok(())
        }
        Err(error) => {
            // Nothing was stamped with it.
            let _ = inner.holder.release(&lease, lease.floor).await;
            Err(error)
        }
    }
}

/// Renews the reservation and judges the clock.
async fn beat(inner: &Inner, held: &Held, steps: &mut ForwardSteps, watch: &mut ClockWatch) -> Result<()> {
    let lease = held.lease.lock().clone();
    // In this order: a pause in between must not look like a wall clock that was set back.
    let now = inner.time.now();
    let wall = inner.time.wall();
    let step = wall - now;
    let shared = if ForwardSteps::is_bold(step) { inner.holder.shared_clock().await.unwrap_or(None) } else { None };
    let forward = step > 0 && steps.accept(step, wall, shared);
    let refusal = inner.behaviour.clock.judge(-step, wall).err();
    if let Some((kind, text)) = watch.look(step, forward, refusal.as_ref()) {
        // All generators of a process look at one clock.
        events::emit(kind, "", format_args!("{text}"));
    }
    if refusal.is_some() {
        held.tickets.hold_back();
    }
    let aim = inner.holder.pace().aim(if forward { wall } else { now }, lease.floor);
    weaken!("tickets-before-the-horizon-is-durable", without = held.tickets.allow_before(inner.limit_tick(aim)));
    let horizon = inner.holder.extend(&lease, aim).await?;
    held.lease.lock().horizon = horizon;
    if refusal.is_none() {
        held.tickets.allow_before(inner.limit_tick(horizon));
    }
    if forward && horizon > wall {
        inner.time.advance_to(wall);
        watch.followed();
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
    let began = std::time::Instant::now();
    let given_back = give_back(&inner).await;
    let until = (began + inner.behaviour.timeout).min(std::time::Instant::now() + KEEPER_WAIT);
    while inner.keeping.lock().running && std::time::Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    given_back
}

async fn give_back(inner: &Inner) -> Result<()> {
    let Some(held) = inner.held.take() else { return Ok(()) };
    let used = inner.behaviour.layout.start_of(held.tickets.shut());
    let lease = held.lease.lock().clone();
    let timeout = inner.behaviour.timeout.max(Duration::from_millis(100));
    match tokio::time::timeout(timeout, inner.holder.release(&lease, used)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tell_not_released(lease.worker_id, &error),
        Err(_) => tell_not_released(lease.worker_id, &format_args!("no answer within {timeout:?}")),
    }
    Ok(())
}

fn tell_not_released(worker_id: i64, why: &dyn std::fmt::Display) {
    let subject = subject(worker_id);
    let text = format_args!("{subject} could not be given back, and is free once its reservation has passed: {why}");
    events::emit(EventKind::ReleaseFailed, &subject, text);
}

fn tell_not_extended(held: &Held, error: &Error) {
    let (subject, horizon) = of(held);
    let text = format_args!("{subject}: no more time could be reserved, ids can be had until {horizon} (Unix ms): {error}");
    events::emit(EventKind::LeaseExtensionFailed, &subject, text);
}

fn tell_extended(held: &Held) {
    let (subject, horizon) = of(held);
    events::clear(EventKind::LeaseExtensionFailed, &subject);
    let text = format_args!("{subject}: time is reserved again, until {horizon} (Unix ms) for now");
    events::emit(EventKind::LeaseExtensionRecovered, &subject, text);
}

fn of(held: &Held) -> (String, i64) {
    let lease = held.lease.lock();
    (subject(lease.worker_id), lease.horizon)
}

fn subject(worker_id: i64) -> String {
    format!("worker id {worker_id}")
}

impl Inner {
    /// Begins to mint with a lease, where clock and layout allow it.
    fn admit(&self, lease: WorkerLease) -> Result<()> {
        let (behaviour, wall) = (&self.behaviour, self.time.wall());
        let layout = &behaviour.layout;
        behaviour.clock.judge(lease.floor.saturating_sub(wall), wall)?;
        let splice = layout.splice(behaviour.datacenter_id, lease.worker_id)?;
        let mut keeping = self.keeping.lock();
        if keeping.closed {
            return Err(closed());
        }
        // The tick that holds the floor may have been stamped in part, unless the floor is its very beginning.
        let touched = weaken!("next-lease-below-the-last-one", keeping.next_tick, without = 0);
        let allowed = weaken!("tickets-below-the-floor", layout.tick_at(lease.floor.saturating_sub(1)) + 1, without = 0);
        let first = allowed.max(touched).max(0);
        if first > layout.last_tick() || layout.tick_at(wall) > layout.last_tick() {
            return Err(self.exhausted());
        }
        // A clock that was wrong until now is forgotten, as far as no tick was touched on it.
        let touched = self.time.now().min(layout.start_of(keeping.next_tick));
        self.time.begin_at(wall.max(lease.floor).max(touched));
        let held = Held { tickets: Tickets::new(first, layout.bits().sequence), splice, lease: Mutex::new(lease) };
        held.tickets.allow_before(self.limit_tick(held.lease.lock().horizon));
        self.held.set(Arc::new(held));
        keeping.refusal = None;
        keeping.events += 1;
        self.changed.notify_all();
        Ok(())
    }

    /// Says that the layout's time is over.
    pub(super) fn exhausted(&self) -> Error {
        let end = self.behaviour.layout.runs_out();
        Error::new(ErrorKind::IdSpaceExhausted, format!("the time bits of the layout ran out at {end} (Unix ms)"))
    }

    /// Tells which worker id was taken, and where the layout's time nears its end.
    fn tell_taken(&self, lease: &WorkerLease) {
        let (scope, layout) = (self.holder.scope(), &self.behaviour.layout);
        events::clear(EventKind::LeaseFailed, &scope);
        let subject = format!("worker id {} of {scope}", lease.worker_id);
        events::emit(EventKind::LeaseTaken, &subject, format_args!("{subject} is taken"));
        let left = layout.runs_out() - self.time.wall();
        if left < A_YEAR {
            let (days, end) = (left / A_DAY, layout.runs_out());
            let text = format_args!(
                "the time bits of the layout run out in {days} days, at {end} (Unix ms): plan for another layout or epoch"
            );
            events::emit(EventKind::TimeBitsEnd, &layout.fingerprint(), text);
        }
    }

    /// Returns the first tick that does not lie below a horizon as a whole, or that the time bits cannot tell any more.
    fn limit_tick(&self, horizon: i64) -> i64 {
        self.behaviour.layout.tick_at(horizon).clamp(0, self.behaviour.layout.last_tick() + 1)
    }

    /// Ends a lease that is somebody else's now. Its tickets are shut before the next lease begins, above them.
    fn lose(&self, held: &Held, error: Error) {
        let next_tick = held.tickets.shut();
        let subject = subject(held.lease.lock().worker_id);
        events::emit(
            EventKind::LeaseLost,
            &subject,
            format_args!("the lease of {subject} is lost and will be replaced: {error}"),
        );
        let mut keeping = self.keeping.lock();
        keeping.next_tick = keeping.next_tick.max(next_tick);
        keeping.leases_lost += 1;
        keeping.last_error = Some(error);
        keeping.events += 1;
        self.held.take();
    }

    /// Notes that taking a lease failed, and says whether to go on trying.
    fn note_failure(&self, error: Error) -> bool {
        let goes_on = error.kind().retryable();
        if error.kind() != ErrorKind::Closed {
            let scope = self.holder.scope();
            events::emit(EventKind::LeaseFailed, &scope, format_args!("no worker id of {scope} could be taken: {error}"));
        }
        self.note(error);
        let mut keeping = self.keeping.lock();
        keeping.failed_attempt = keeping.attempts;
        // A caller that comes now starts another keeper.
        keeping.running = goes_on;
        goes_on
    }

    fn note(&self, error: Error) {
        let mut keeping = self.keeping.lock();
        keeping.last_error = Some(error);
        keeping.events += 1;
        self.changed.notify_all();
    }
}
