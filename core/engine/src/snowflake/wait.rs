//! A call that may have to wait: for a worker id, for a tick, or for time to be reserved.

use super::current_lease::ActiveLease;
use super::state::GeneratorState;
use super::tickets::{Drawn, DrawnRun};
use super::{keepalive, virtual_time};
use crate::runtime::background::{LOST, has_lost_runtime};
use crate::runtime::progress::{Call, Progress};
use crate::want::Want;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::layout::date;
use leafmint_ids::room::room;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

/// The tick awaited by a call that has not waited for one.
const NONE: i64 = i64::MAX;

/// Longest sleep until a tick. Nothing ends a sleep, so a longer wait is one for a change, which a close is too.
const LONGEST_SLEEP: Duration = Duration::from_millis(20);

/// The shortest wait in virtual time.
const MILLISECOND: Duration = Duration::from_millis(1);

/// A call in progress. Poll it, park, poll again. Dropping it cancels the call.
pub struct SnowflakeWait {
    state: Arc<GeneratorState>,
    /// Number of ids wanted; 0 for a worker id alone.
    count: usize,
    /// A batch of no ids.
    is_empty: bool,
    gene: i64,
    ids: Vec<i64>,
    /// A ticket that the call has drawn, of a tick that has not come yet.
    ticket: Option<(Arc<ActiveLease>, i64)>,
    /// The tick of the next ticket, if the call waits for a tick.
    next_tick: Option<i64>,
    /// The tick that a batch last waited for. This tick and later ones came during the call, however late the thread
    /// wakes.
    reached: i64,
    call: Call,
}

impl SnowflakeWait {
    pub(super) fn new(state: Arc<GeneratorState>, want: Want, gene: Option<i64>, timeout: Duration) -> Result<Self> {
        want.check()?;
        let count = match want {
            Want::One => 1,
            Want::Many(count) => count as usize,
            Want::InHand => 0,
            Want::Run(_) => return Err(invalid("snowflakes are not contiguous: ask for a batch instead".into())),
        };
        let gene = state.settings.gene(gene)?;
        let ids = room(count)?;
        let call = Call::new(timeout, state.timeline.now(), &state.keepalive.lock().progress);
        Ok(Self {
            state,
            is_empty: want == Want::Many(0),
            count,
            gene,
            ids,
            ticket: None,
            next_tick: None,
            reached: NONE,
            call,
        })
    }

    /// Returns the ids once they are drawn, `None` while there is something to wait for. Never blocks.
    ///
    /// Raises what the call raises.
    pub fn poll(&mut self) -> Result<Option<Vec<i64>>> {
        let polled = self.look();
        Progress::counted(&self.state.keepalive, polled)
    }

    fn look(&mut self) -> Result<Option<Vec<i64>>> {
        self.call.look(&self.state.keepalive)?;
        self.next_tick = None;
        if self.is_empty || self.draw() || self.draw_in_virtual_time()? {
            return Ok(Some(std::mem::take(&mut self.ids)));
        }
        self.check_failure()?;
        if self.left().is_zero() {
            return Err(self.timed_out());
        }
        if self.next_tick.is_none() {
            keepalive::demand(&self.state)?;
        }
        self.call.begin_to_wait(&mut self.state.keepalive.lock().progress);
        Ok(None)
    }

    /// Blocks until the awaited tick, until a change since the last poll, or until the slice or the timeout is over.
    pub fn park(&self, slice: Duration) {
        match self.next_tick_in() {
            Some(until) if until <= LONGEST_SLEEP && !self.state.keepalive.is_inherited() => {
                std::thread::sleep(until.min(slice).min(self.left()))
            }
            until => self.call.park(&self.state.keepalive, until.map_or(slice, |until| until.min(slice))),
        }
    }

    /// Returns the time left until the awaited tick, if the call waits for one: for a binding that parks by itself.
    pub fn next_tick_in(&self) -> Option<Duration> {
        self.next_tick.map(|tick| self.state.clock.until(self.state.settings.layout.start_of(tick)))
    }

    /// Wakes `waker` whenever the state has changed, until the call ends: for a binding that parks by itself. Poll once
    /// more after this. It is not woken when a tick comes, see [`SnowflakeWait::next_tick_in`].
    pub fn wake(&mut self, waker: Waker) {
        self.call.wake(&self.state.keepalive, waker);
    }

    /// Returns how much of the timeout is left.
    pub fn left(&self) -> Duration {
        self.call.left(self.state.timeline.now())
    }

    /// Waits until the call ends.
    pub fn finish(mut self) -> Result<Vec<i64>> {
        loop {
            if let Some(ids) = self.poll()? {
                return Ok(ids);
            }
            self.park(self.call.timeout());
        }
    }

    pub(super) fn finish_one(self) -> Result<i64> {
        self.finish().map(|ids| ids[0])
    }

    /// Waits until the call ends, on the background runtime.
    pub(super) async fn ready(mut self) -> Result<()> {
        while self.poll()?.is_none() {
            self.state.timeline.sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }

    /// Draws what is wanted and still missing. Returns false if the current tick has too few tickets left.
    fn draw(&mut self) -> bool {
        let layout = self.state.settings.layout;
        loop {
            let now = layout.tick_at(self.state.clock.now());
            if let Some((active, ticket)) = self.ticket.take() {
                if layout.tick_of(ticket) > now {
                    self.next_tick = Some(layout.tick_of(ticket));
                    self.ticket = Some((active, ticket));
                    return false;
                }
                self.ids.push(active.encoder.encode(ticket, self.gene));
            }
            if self.count > 0 && self.ids.len() == self.count {
                return true;
            }
            let Some(active) = self.state.current_lease.get() else { return false };
            if self.count == 0 {
                return true;
            }
            // A call for one id waits with its ticket drawn, so that callers are served in turn. A batch waits without
            // one.
            let tick = if self.count == 1 {
                match active.tickets.draw(active.limit(), now, self.furthest(), self.state.first_sequence()) {
                    Drawn::Ticket(ticket) => {
                        self.ticket = Some((active, ticket));
                        continue;
                    }
                    Drawn::TooFar(tick) => tick,
                    Drawn::AtLimit => return false,
                }
            } else {
                match self.draw_run(&active, now) {
                    DrawnRun::Run(_) => continue,
                    DrawnRun::TooFar(tick) => tick,
                    DrawnRun::AtLimit => return false,
                }
            };
            self.next_tick = Some(tick);
            self.reached = tick;
            return false;
        }
    }

    /// Draws on a clock that only a test moves: the ticks that the call would wait for pass at once. Returns false on
    /// any other clock.
    fn draw_in_virtual_time(&mut self) -> Result<bool> {
        if !self.state.clock.is_virtual() {
            return Ok(false);
        }
        virtual_time::attend(&self.state)?;
        let mut waited = Duration::ZERO;
        while !self.draw() {
            self.check_failure()?;
            let until = self.next_tick_in().unwrap_or(Duration::MAX);
            waited = waited.saturating_add(until.max(MILLISECOND));
            if waited > self.call.timeout() {
                return Err(self.timed_out());
            }
            self.state.clock.let_pass(until);
        }
        Ok(true)
    }

    /// Draws the missing ids of a batch, or as many as one tick has left.
    fn draw_run(&mut self, active: &ActiveLease, now: i64) -> DrawnRun {
        // The jitter is for slow traffic. A batch that has used up a tick skips no ids of the next one.
        let sequence = if self.reached == NONE { self.state.first_sequence() } else { 0 };
        let missing = (self.count - self.ids.len()) as i64;
        let drawn = active.tickets.draw_run(active.limit(), self.reached, now, missing, sequence);
        if let DrawnRun::Run(run) = &drawn {
            self.ids.extend(run.clone().map(|ticket| active.encoder.encode(ticket, self.gene)));
        }
        drawn
    }

    /// Returns the last tick that comes within the timeout.
    fn furthest(&self) -> i64 {
        let left = i64::try_from(self.left().as_millis()).unwrap_or(i64::MAX);
        self.state.settings.layout.tick_at(self.state.clock.now().saturating_add(left))
    }

    /// Returns an error if an attempt that began after the call failed for good, if the clock policy refuses ids, or if
    /// the time bits of the layout are used up.
    fn check_failure(&self) -> Result<()> {
        let keepalive = self.state.keepalive.lock();
        if let Some(refusal) = &keepalive.clock_refusal {
            return Err(refusal.clone());
        }
        let layout = &self.state.settings.layout;
        if let Some(active) = self.state.current_lease.get() {
            let used_up = active.used_up_before().map_or(0, |limit| layout.tick_of(limit));
            layout.check_tick(used_up.max(layout.tick_at(self.state.clock.now())))?;
        }
        self.call.check(&keepalive.progress)
    }

    /// Returns the first tick that is not reserved yet, if it has not come and all earlier ones are used up.
    fn used_up_before(&self) -> Option<i64> {
        let (state, layout) = (&self.state, &self.state.settings.layout);
        let tick = layout.tick_of(state.current_lease.get()?.used_up_before()?);
        (tick > layout.tick_at(state.clock.now())).then_some(tick)
    }

    fn timed_out(&self) -> Error {
        let (timeout, scope) = (self.call.timeout(), self.state.holder.scope());
        let failed = match (self.ids.len(), self.count) {
            (0, _) => format!("no id within {timeout:?}"),
            (drawn, count) => format!("only {drawn} of {count} ids, which are dropped, within {timeout:?}"),
        };
        let layout = &self.state.settings.layout;
        if let Some(tick) = self.next_tick.or_else(|| self.used_up_before()) {
            return Error::new(
                ErrorKind::RateExceeded,
                format!(
                    "{failed}: all ids before {} are used up, {} per tick of the layout, and the clock shows \
                     {}: allow a longer timeout, or choose a layout with more sequence bits",
                    date(layout.start_of(tick)),
                    1_i64 << layout.bits().sequence,
                    date(self.state.clock.now()),
                ),
            );
        }
        let keepalive = self.state.keepalive.lock();
        let failed = format!("{failed} from {scope}");
        match &keepalive.progress.last_error {
            _ if has_lost_runtime() => Error::new(ErrorKind::LeaseLost, format!("{failed}: {LOST}")),
            Some(error) => {
                let text = format!("{failed}: last error: {error}; leafmint keeps trying in the background");
                Error::new(error.kind(), text).with_source(error.clone())
            }
            None => {
                let text = format!(
                    "{failed}: no worker id has been taken yet: {scope} has not answered, or the time that a crashed owner had \
                     reserved must pass first, usually at most {} ms; a longer timeout may help",
                    self.state.holder.pace().reserved(),
                );
                Error::new(ErrorKind::WorkerIdUnavailable, text)
            }
        }
    }
}

impl Drop for SnowflakeWait {
    fn drop(&mut self) {
        self.call.end(&self.state.keepalive);
    }
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}
