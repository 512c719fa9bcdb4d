//! The keepalive task: takes a lease, extends its horizon at every heartbeat, replaces it if it is lost, gives it back
//! at the close.
//!
//! A horizon is durable before any id may use it: the limit of the tickets is raised only to a horizon that the holder
//! has confirmed.

use super::clock_policy::{ClockWatch, ForwardSteps};
use super::counter_time::MEASUREMENT;
use super::current_lease::ActiveLease;
use super::state::GeneratorState;
use super::{lifecycle, report, virtual_time};
use crate::backoff::{Backoff, pause_after_refusal};
use crate::holder::WorkerLease;
use crate::runtime::background::within;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::panics::caught;
use std::sync::Arc;
use std::time::Duration;

/// The longest pause between attempts to take or to extend a lease.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause while all worker ids are held: finding that out reads all rows, and it may stay so for long.
const LONGEST_PAUSE_WITHOUT_ID: Duration = Duration::from_secs(10);

/// How long a close waits for the task to end, which may be about to give back a lease that it was just taking.
const TASK_WAIT: Duration = Duration::from_secs(1);

/// The shortest time that a close tries to give a lease back, however short the option `timeout` is.
const SHORTEST_RELEASE: Duration = Duration::from_millis(100);

/// Makes sure that the task runs, for a caller that found no id. Raises `closed`, and an error if the task cannot be
/// started.
#[cold]
pub(super) fn demand(state: &Arc<GeneratorState>) -> Result<()> {
    let mut keepalive = state.keepalive.lock();
    if keepalive.progress.closed {
        return Err(Error::closed());
    }
    if state.clock.is_virtual() {
        drop(keepalive);
        return virtual_time::attend(state);
    }
    if !keepalive.progress.running {
        state.timeline.spawn(Box::pin(run(state.clone())))?;
        keepalive.progress.running = true;
    }
    Ok(())
}

/// Keeps a lease until the generator is closed, or until taking one fails for good.
async fn run(state: Arc<GeneratorState>) {
    {
        let _running = Running(&state);
        keep(&state).await;
    }
    look_again(&state);
}

/// Begins to look, after a pause, whether an operator has ended what the holder refused for, unless the generator is
/// closed. Without that, an instance that gets no calls because it reports that it can serve none would never serve
/// again.
fn look_again(state: &Arc<GeneratorState>) {
    let mut keepalive = state.keepalive.lock();
    if keepalive.looks_again || keepalive.progress.closed {
        return;
    }
    let (timeline, refused) = (state.timeline.clone(), Arc::downgrade(state));
    let look = async move {
        timeline.sleep(pause_after_refusal(fastrand::f64())).await;
        let Some(state) = refused.upgrade() else { return };
        state.keepalive.lock().looks_again = false;
        // If no task can be started, the next call says so.
        let _ = demand(&state);
    };
    keepalive.looks_again = state.timeline.spawn(Box::pin(look)).is_ok();
}

/// Records that the task has ended, by a panic too: the next caller can start another one, and a close does not wait
/// for it.
struct Running<'a>(&'a GeneratorState);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let progress = &mut self.0.keepalive.lock().progress;
        if progress.closed || std::thread::panicking() {
            progress.running = false;
        }
    }
}

async fn keep(state: &GeneratorState) {
    let mut backoff = Backoff::default();
    let mut steps = ForwardSteps::default();
    let mut watch = ClockWatch::default();
    let mut failed = false;
    let mut lost = None;
    while !state.keepalive.lock().progress.closed {
        let pause = match state.current_lease.get() {
            None => match caught(acquire(state, lost)).await {
                Ok(()) => {
                    lost = None;
                    state.keepalive.lock().is_away = false;
                    backoff.note_success();
                    watch = ClockWatch::default();
                    continue;
                }
                Err(error) => {
                    let longest = longest_pause(&error);
                    let error = error.during(format_args!("taking a worker id of {}", state.holder.scope()));
                    if !fail_attempt(state, error) {
                        return;
                    }
                    backoff.note_failure(state.timeline.now(), fastrand::f64());
                    backoff.pause(longest)
                }
            },
            Some(active) => match caught(beat(state, &active, &mut steps, &mut watch)).await {
                Ok(()) => {
                    state.note_extension(state.holder.kept_failures());
                    if std::mem::take(&mut failed) {
                        report::extended(&active.lease());
                    }
                    state.holder.pace().heartbeat
                }
                Err(error) if error.kind() == ErrorKind::LeaseLost => {
                    failed = false;
                    let next_tick = active.tickets.shut();
                    lost = Some(active.lease().worker_id);
                    report::lost(active.lease().worker_id, &error);
                    state.lose(next_tick, error);
                    continue;
                }
                Err(error) => {
                    failed = true;
                    let error =
                        error.during(format_args!("extending the lease of worker id {}", active.lease().worker_id));
                    report::not_extended(&active.lease(), &error);
                    state.note(error);
                    state.holder.pace().heartbeat.min(LONGEST_PAUSE)
                }
            },
        };
        tokio::select! {
            biased;
            () = state.timeline.sleep(pause) => {}
            () = measure_counter(state) => {}
            () = state.nudge.notified() => {}
        }
    }
}

/// Measures the counter that may tell the time, so that ids need not be stamped with the system's clock until the next
/// heartbeat. Does not end.
async fn measure_counter(state: &GeneratorState) {
    while state.clock.is_measuring() {
        state.timeline.sleep(MEASUREMENT).await;
        state.check_clock();
    }
    std::future::pending().await
}

fn longest_pause(error: &Error) -> Duration {
    if error.kind() == ErrorKind::WorkerIdUnavailable { LONGEST_PAUSE_WITHOUT_ID } else { LONGEST_PAUSE }
}

/// Takes a worker id, in place of the `lost` one if there is one, and makes its lease the current one.
async fn acquire(state: &GeneratorState, lost: Option<i64>) -> Result<()> {
    state.keepalive.lock().progress.begin_attempt();
    // In the child of a fork, whose parent opened the generator.
    lifecycle::opened(state);
    state.check_epoch()?;
    let lease = state.holder.acquire().await?;
    match state.activate(lease.clone()) {
        Ok(()) => {
            report::taken(&*state.holder, &lease, lost);
            report::end_of_time_bits(&state.settings.layout, state.clock.wall());
            Ok(())
        }
        Err(error) => {
            // Nothing was stamped with it.
            let _ = state.holder.release(&lease, lease.floor).await;
            Err(error)
        }
    }
}

/// Records a failed attempt to take a lease. Returns whether the task should try again.
fn fail_attempt(state: &GeneratorState, error: Error) -> bool {
    let tries_again = error.kind().retryable();
    if error.kind() != ErrorKind::Closed {
        report::not_taken(&state.holder.scope(), &error);
    }
    let mut keepalive = state.keepalive.lock();
    keepalive.note_failure();
    keepalive.progress.fail_attempt(error);
    // Otherwise the next call starts another task.
    keepalive.progress.running = tries_again;
    state.keepalive.announce(&mut keepalive);
    tries_again
}

/// Extends the horizon and judges the clock.
async fn beat(
    state: &GeneratorState,
    active: &ActiveLease,
    steps: &mut ForwardSteps,
    watch: &mut ClockWatch,
) -> Result<()> {
    let lease = active.lease();
    state.check_clock();
    // In this order: a pause between the two reads must not look like a wall clock that was set back.
    let now = state.clock.now();
    let wall = state.clock.wall();
    let step = wall - now;
    let shared = if ForwardSteps::is_large(step) { state.holder.shared_clock().await.unwrap_or(None) } else { None };
    let forward = step > 0 && steps.accept(step, wall, shared);
    let refusal = state.settings.clock.judge(-step, wall).err();
    if let Some((kind, text)) = watch.look(step, forward, refusal.as_ref()) {
        report::clock_step(kind, &text);
    }
    if refusal.is_some() {
        active.hold_back();
    }
    let aim = state.holder.pace().aim(if forward { wall } else { now }, lease.floor);
    let horizon = state.holder.extend(&lease, aim).await?;
    active.set_horizon(horizon);
    if refusal.is_none() {
        active.reserve_before(state.limit_tick(horizon));
    }
    if forward && horizon > wall {
        state.clock.advance_to(wall);
        watch.followed();
    } else if step < 0 {
        state.clock.slew(-step);
    }
    let mut keepalive = state.keepalive.lock();
    if keepalive.progress.closed {
        active.hold_back();
    }
    keepalive.clock_refusal = refusal;
    state.keepalive.announce(&mut keepalive);
    Ok(())
}

/// Gives the lease back, within the generator's timeout, and lets the task end what it has begun.
pub(super) async fn close(state: Arc<GeneratorState>) -> Result<()> {
    let timeline = &*state.timeline;
    let began = timeline.now();
    let freed = give_back(&state).await;
    let until = (began + state.settings.timeout).min(timeline.now() + TASK_WAIT);
    while state.keepalive.lock().progress.running && timeline.now() < until {
        timeline.sleep(Duration::from_millis(1)).await;
    }
    lifecycle::closed(&state, freed);
    Ok(())
}

/// Returns how long a close takes at most.
pub(super) fn longest_close(state: &GeneratorState) -> Duration {
    state.settings.timeout.max(SHORTEST_RELEASE) + TASK_WAIT
}

/// Gives the lease back. Returns it, and whether that worked.
async fn give_back(state: &GeneratorState) -> Option<(WorkerLease, bool)> {
    let active = state.current_lease.take()?;
    let used = state.settings.layout.start_of(active.tickets.shut());
    let lease = active.lease();
    let timeout = state.settings.timeout.max(SHORTEST_RELEASE);
    match within(&*state.timeline, timeout, state.holder.release(&lease, used)).await {
        Some(Ok(())) => return Some((lease, true)),
        Some(Err(error)) => report::not_released(lease.worker_id, &error),
        None => {
            let error = Error::new(ErrorKind::StoreUnavailable, format!("no answer within {timeout:?}"));
            report::not_released(lease.worker_id, &error);
        }
    }
    Some((lease, false))
}
