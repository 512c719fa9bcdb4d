//! A call that may have to wait: for a worker id, for a tick, or for time to be reserved.

use super::generator::{Held, Inner, closed};
use super::tickets::{Drawn, DrawnRun};
use crate::background;
use crate::error::{Error, ErrorKind, Result};
use crate::mutants::weaken;
use crate::want::Want;
use std::sync::Arc;
use std::task::Waker;
use std::time::{Duration, Instant};

/// The tick that a call has come to which has not waited for one.
const NONE: i64 = i64::MAX;

/// A call in progress. Poll it, park, poll again; dropping it gives the call up.
pub struct SnowflakeWait {
    inner: Arc<Inner>,
    /// How many ids are wanted; 0 for a worker id alone.
    count: usize,
    /// A batch of no ids.
    nothing: bool,
    gene: i64,
    ids: Vec<i64>,
    /// A ticket that is ours, of a tick that has yet to come.
    ticket: Option<(Arc<Held>, i64)>,
    timeout: Duration,
    started: Instant,
    /// Failures of attempts up to this one happened before the call.
    attempts: u64,
    /// What had happened at the last poll.
    events: u64,
    /// The tick that the next ticket lies in, where that is what the call waits for.
    next_tick: Option<i64>,
    /// The tick that a batch has come to: this and the later ones came during the call, however late it wakes. At first none.
    reached: i64,
    waited: bool,
    /// The number of the waker, if there is one.
    waker: Option<u64>,
}

impl SnowflakeWait {
    pub(super) fn new(inner: Arc<Inner>, want: Want, gene: Option<i64>, timeout: Duration) -> Result<Self> {
        want.check()?;
        let count = match want {
            Want::One => 1,
            Want::Many(count) => count as usize,
            Want::InHand => 0,
            Want::Run(_) => return Err(invalid("snowflakes do not come in one piece: ask for so many ids instead".into())),
        };
        let bits = inner.behaviour.layout.bits().gene;
        let gene = match gene {
            None => 0,
            Some(gene) if bits == 0 => {
                return Err(invalid(format!("gene={gene}, but the layout has no gene bits: choose one that has, as in gene:4")));
            }
            Some(gene) if (0..1 << bits).contains(&gene) => gene,
            Some(gene) => return Err(invalid(format!("gene={gene} is not from 0 to {} ({bits} bits)", (1 << bits) - 1))),
        };
        let attempts = inner.keeping.lock().attempts;
        Ok(Self {
            inner,
            nothing: want == Want::Many(0),
            count,
            gene,
            ids: Vec::with_capacity(count),
            ticket: None,
            timeout,
            started: Instant::now(),
            attempts,
            events: 0,
            next_tick: None,
            reached: NONE,
            waited: false,
            waker: None,
        })
    }

    /// Returns the ids once they can be had, `None` while there is something to wait for. Never blocks.
    ///
    /// Raises what the call raises.
    pub fn poll(&mut self) -> Result<Option<Vec<i64>>> {
        if self.inner.is_inherited() {
            return Err(background::begun_by_parent());
        }
        {
            let keeping = self.inner.keeping.lock();
            if keeping.closed {
                return Err(closed());
            }
            self.events = keeping.events;
        }
        self.next_tick = None;
        if self.nothing || self.draw() {
            return Ok(Some(std::mem::take(&mut self.ids)));
        }
        self.check_failure()?;
        let waited = self.started.elapsed();
        if waited >= self.timeout {
            return Err(self.timed_out());
        }
        if self.next_tick.is_none() {
            self.inner.demand()?;
        }
        if !self.waited {
            self.waited = true;
            self.inner.keeping.lock().waits += 1;
        }
        Ok(None)
    }

    /// Blocks until the tick waited for, until something happened since the last poll, or until the slice or the timeout is over.
    pub fn park(&self, slice: Duration) {
        if self.inner.is_inherited() {
            return;
        }
        let left = slice.min(self.left());
        if let Some(until) = self.next_tick_in() {
            std::thread::sleep(until.min(left));
            return;
        }
        let until = background::deadline(left);
        self.inner.changed.wait_while(self.inner.keeping.lock(), until, |keeping| keeping.events == self.events);
    }

    /// Returns how far off the tick is that the call waits for, where it waits for one: for a face that parks by itself.
    pub fn next_tick_in(&self) -> Option<Duration> {
        self.next_tick.map(|tick| self.inner.time.until(self.inner.behaviour.layout.start_of(tick)))
    }

    /// Wakes `waker` whenever the call may have come further, until it ends: for a binding that parks by itself. Poll once more after this.
    /// That a tick has come wakes nobody, see [`SnowflakeWait::next_tick_in`].
    pub fn wake(&mut self, waker: Waker) {
        if self.waker.is_none() && !self.inner.is_inherited() {
            self.waker = Some(self.inner.changed.add(waker));
        }
    }

    /// Returns how much of the timeout is left.
    pub fn left(&self) -> Duration {
        self.timeout.saturating_sub(self.started.elapsed())
    }

    /// Waits to the end of the call.
    pub fn finish(mut self) -> Result<Vec<i64>> {
        loop {
            if let Some(ids) = self.poll()? {
                return Ok(ids);
            }
            self.park(self.timeout);
        }
    }

    pub(super) fn finish_one(self) -> Result<i64> {
        self.finish().map(|ids| ids[0])
    }

    /// Waits to the end of the call on the background runtime.
    pub(super) async fn ready(mut self) -> Result<()> {
        while self.poll()?.is_none() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }

    /// Draws what is wanted, as far as it can be had in the present tick.
    fn draw(&mut self) -> bool {
        let layout = self.inner.behaviour.layout;
        loop {
            let now = layout.tick_at(self.inner.time.now());
            if let Some((held, ticket)) = self.ticket.take() {
                if layout.tick_of(ticket) > now {
                    self.next_tick = Some(layout.tick_of(ticket));
                    self.ticket = Some((held, ticket));
                    return false;
                }
                let of = weaken!("ticket-with-another-leases-worker-id", held, without = self.inner.held.get().unwrap_or(held));
                self.ids.push(of.splice.id(ticket, self.gene));
            }
            if self.count > 0 && self.ids.len() == self.count {
                return true;
            }
            let Some(held) = self.inner.held.get() else { return false };
            if self.count == 0 {
                return true;
            }
            // One id is waited for with its ticket in hand, so that callers are served in turn. A batch waits without one.
            let tick = if self.count == 1 {
                match held.tickets.draw(now, self.furthest(), self.inner.sequence()) {
                    Drawn::Ticket(ticket) => {
                        self.ticket = Some((held, ticket));
                        continue;
                    }
                    Drawn::TooFar(tick) => tick,
                    Drawn::AtLimit => return false,
                }
            } else {
                match self.draw_run(&held, now) {
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

    /// Takes what one tick has left of a batch, or as much as is missing.
    fn draw_run(&mut self, held: &Held, now: i64) -> DrawnRun {
        // Whoever comes from a tick that is used up is no slow traffic, and has no ids to give up.
        let sequence = if self.reached == NONE { self.inner.sequence() } else { 0 };
        let drawn = held.tickets.draw_run(self.reached, now, (self.count - self.ids.len()) as i64, sequence);
        if let DrawnRun::Run(run) = &drawn {
            self.ids.extend(run.clone().map(|ticket| held.splice.id(ticket, self.gene)));
        }
        drawn
    }

    /// Returns the last tick that comes within the timeout.
    fn furthest(&self) -> i64 {
        let left = self.timeout.saturating_sub(self.started.elapsed()).as_millis();
        let left = i64::try_from(left).unwrap_or(i64::MAX);
        self.inner.behaviour.layout.tick_at(self.inner.time.now().saturating_add(left))
    }

    /// Ends the call where an attempt that began after it failed for good, where the clock policy holds ids back, or where the
    /// layout's time is over.
    fn check_failure(&self) -> Result<()> {
        let keeping = self.inner.keeping.lock();
        if let Some(refusal) = &keeping.refusal {
            return Err(refusal.clone());
        }
        let layout = &self.inner.behaviour.layout;
        if self.inner.held.get().is_some() && layout.tick_at(self.inner.time.now()) > layout.last_tick() {
            return Err(self.inner.exhausted());
        }
        match &keeping.last_error {
            Some(error) if keeping.failed_attempt > self.attempts && !error.kind().retryable() => Err(error.clone()),
            _ => Ok(()),
        }
    }

    fn timed_out(&self) -> Error {
        let (timeout, scope) = (self.timeout, self.inner.holder.scope());
        let layout = &self.inner.behaviour.layout;
        if let Some(tick) = self.next_tick {
            return Error::new(
                ErrorKind::RateExceeded,
                format!(
                    "no id within {timeout:?}: all ids before {} (Unix ms) are used up, {} per tick of the layout, and the clock is at \
                     {}: allow a longer timeout, or choose a layout with more sequence bits",
                    layout.start_of(tick),
                    1_i64 << layout.bits().sequence,
                    self.inner.time.now(),
                ),
            );
        }
        let keeping = self.inner.keeping.lock();
        let (kind, cause) = match &keeping.last_error {
            Some(error) => (error.kind(), format!("last error: {error}; leafmint goes on trying in the background")),
            None => (
                ErrorKind::WorkerIdUnavailable,
                format!(
                    "a worker id is being taken; what an owner that crashed had reserved is waited for first, usually up to {} ms; \
                     a longer timeout may help",
                    self.inner.holder.pace().reserved(),
                ),
            ),
        };
        Error::new(kind, format!("no id within {timeout:?} from {scope}: {cause}"))
    }
}

impl Drop for SnowflakeWait {
    fn drop(&mut self) {
        if let Some(waker) = self.waker
            && !self.inner.is_inherited()
        {
            self.inner.changed.remove(waker);
        }
    }
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}
