//! A call that may have to wait, in slices, with a deadline.

use super::buffer::{Draw, DrawMany};
use super::generator::closed;
use super::tag::Tag;
use crate::background;
use crate::error::{Error, ErrorKind, Result};
use crate::id::with_gene;
use crate::want::Want;
use std::ops::Range;
use std::sync::Arc;
use std::task::Waker;
use std::time::{Duration, Instant};

/// The gene that goes below a number, and its bits.
#[derive(Clone, Copy)]
pub(super) struct Gene {
    pub(super) gene: i64,
    pub(super) bits: i64,
}

/// A call in progress. Poll it, park, poll again; dropping it gives the call up.
pub struct Wait {
    tag: Arc<Tag>,
    /// Where the caller's block is, if the order is relaxed.
    place: Option<usize>,
    want: Want,
    /// With `Want::One` only.
    gene: Option<Gene>,
    /// How many of `Want::Many` are still to be had.
    missing: i64,
    ranges: Vec<Range<i64>>,
    timeout: Duration,
    started: Instant,
    /// Failures of attempts up to this one happened before the call.
    attempts: u64,
    /// What had happened to the tag at the last poll.
    events: u64,
    waited: bool,
    /// The number of the waker, if there is one.
    waker: Option<u64>,
}

impl Wait {
    pub(super) fn new(tag: Arc<Tag>, place: Option<usize>, want: Want, gene: Option<Gene>, timeout: Option<Duration>) -> Self {
        let timeout = timeout.unwrap_or(tag.shared.behaviour.timeout);
        let attempts = tag.refill.lock().attempts;
        let missing = match want {
            Want::Many(count) => count,
            Want::One | Want::Run(_) | Want::InHand => 0,
        };
        let (ranges, started) = (Vec::new(), Instant::now());
        Self { tag, place, want, gene, missing, ranges, timeout, started, attempts, events: 0, waited: false, waker: None }
    }

    /// Returns the ranges once they are in hand, `None` while there is something to wait for. Never blocks.
    ///
    /// Raises what the call raises, `segment_unavailable` once the timeout is over.
    pub fn poll(&mut self) -> Result<Option<Vec<Range<i64>>>> {
        if self.tag.shared.is_inherited() {
            return Err(background::begun_by_parent());
        }
        self.events = self.tag.refill.lock().events;
        if self.draw()? {
            return Ok(Some(std::mem::take(&mut self.ranges)));
        }
        self.check_failure()?;
        if self.started.elapsed() >= self.timeout {
            return Err(self.timed_out());
        }
        let (count, run) = match self.want {
            Want::One | Want::InHand => (1, 0),
            Want::Many(_) => (self.missing, 0),
            Want::Run(count) => (count, count),
        };
        if !self.waited {
            self.begin_to_wait();
        }
        self.tag.demand(count, run)?;
        Ok(None)
    }

    /// Counts the call among those that wait, which shortens pauses.
    fn begin_to_wait(&mut self) {
        self.waited = true;
        let mut refill = self.tag.refill.lock();
        refill.waiting += 1;
        refill.waits += 1;
        self.tag.nudge.notify_one();
        self.tag.shared.turns.note_waiting();
    }

    /// Blocks until something happened to the tag since the last poll, the slice is over, or the timeout is.
    pub fn park(&self, slice: Duration) {
        if self.tag.shared.is_inherited() {
            return;
        }
        let until = background::deadline(slice.min(self.left()));
        self.tag.changed.wait_while(self.tag.refill.lock(), until, |refill| refill.events == self.events);
    }

    /// Wakes `waker` whenever the call may have come further, until it ends: for a binding that parks by itself. Poll once more after this.
    pub fn wake(&mut self, waker: Waker) {
        if self.waker.is_none() && !self.tag.shared.is_inherited() {
            self.waker = Some(self.tag.changed.add(waker));
        }
    }

    /// Returns how much of the timeout is left.
    pub fn left(&self) -> Duration {
        self.timeout.saturating_sub(self.started.elapsed())
    }

    /// Waits to the end of the call.
    pub fn finish(mut self) -> Result<Vec<Range<i64>>> {
        loop {
            if let Some(ranges) = self.poll()? {
                return Ok(ranges);
            }
            self.park(self.timeout);
        }
    }

    pub(super) fn finish_one(self) -> Result<i64> {
        self.finish().map(|ranges| ranges[0].start)
    }

    /// Waits to the end of the call on the background runtime.
    pub(super) async fn ready(mut self) -> Result<()> {
        while self.poll()?.is_none() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<bool> {
        let drawn = match self.want {
            Want::Many(0) | Want::Run(0) if self.tag.refill.lock().shut => DrawMany::Closed,
            Want::Many(0) | Want::Run(0) => {
                self.ranges.push(0..0);
                DrawMany::Done { crossed: false }
            }
            Want::One => match self.tag.look(self.place) {
                Draw::Id { id, crossed } => {
                    let id = match self.gene {
                        Some(Gene { gene, bits }) => with_gene(id, gene, bits)?,
                        None => id,
                    };
                    self.ranges.push(id..id.saturating_add(1));
                    DrawMany::Done { crossed }
                }
                Draw::Dry => DrawMany::Dry,
                Draw::Closed => DrawMany::Closed,
            },
            Want::Many(count) => {
                let drawn = match self.place {
                    None => self.tag.buffer.next_many(self.missing, &mut self.ranges),
                    Some(place) => self.tag.blocks().next_many(place, &self.tag.buffer, self.missing, &mut self.ranges),
                };
                self.missing = count - self.ranges.iter().map(|range| range.end - range.start).sum::<i64>();
                drawn
            }
            Want::Run(count) => match self.place {
                None => self.tag.buffer.next_run(count, &mut self.ranges),
                Some(place) => self.tag.blocks().next_run(place, &self.tag.buffer, count, &mut self.ranges),
            },
            Want::InHand if self.tag.buffer.counts().supply > 0 => DrawMany::Done { crossed: false },
            Want::InHand => DrawMany::Dry,
        };
        match drawn {
            DrawMany::Done { crossed } => {
                if crossed {
                    self.tag.look_after_refill();
                }
                Ok(true)
            }
            DrawMany::Dry => Ok(false),
            DrawMany::Closed => Err(closed()),
        }
    }

    /// Ends the call where an attempt that began after it failed for good.
    fn check_failure(&self) -> Result<()> {
        let refill = self.tag.refill.lock();
        match &refill.last_error {
            _ if refill.shut => Err(closed()),
            Some(error) if refill.failed_attempt > self.attempts && !error.kind().retryable() => Err(error.clone()),
            _ => Ok(()),
        }
    }

    fn timed_out(&self) -> Error {
        let (name, shared) = (&self.tag.name, &self.tag.shared);
        let last_error = {
            let refill = self.tag.refill.lock();
            if let Some(refusal) = refill.refusal() {
                return refusal.clone();
            }
            shared.turns.error().or_else(|| refill.last_error.clone())
        };
        let scope = shared.store.scope();
        let cause = match last_error {
            Some(error) => format!("last error: {error}; leafmint goes on trying in the background"),
            None => "the store has not answered yet; a longer timeout may help".into(),
        };
        Error::new(
            ErrorKind::SegmentUnavailable,
            format!("no id of biz_tag {name:?} within {:?} from {scope}: {cause}", self.timeout),
        )
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        if self.tag.shared.is_inherited() {
            return;
        }
        if self.waited {
            self.tag.refill.lock().waiting -= 1;
            self.tag.shared.turns.note_waited();
        }
        if let Some(waker) = self.waker {
            self.tag.changed.remove(waker);
        }
    }
}
