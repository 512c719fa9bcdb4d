//! A call that may have to wait, in slices, with a deadline.

use super::sources::{Source, taken};
use super::supply;
use super::tag::Tag;
use crate::limit_cell::Rejected;
use crate::runtime::background::{LOST, has_lost_runtime, nudge};
use crate::runtime::progress::{Call, Progress};
use crate::want::Want;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::gene::with_gene;
use std::ops::Range;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

/// A draw that found no id: the number that the tag's limit cell rejected, if it drew from that.
#[derive(Default)]
pub struct Dry(pub(super) Option<Rejected>);

/// A call in progress. Poll it, park, poll again; dropping it gives the call up.
pub struct Wait {
    tag: Arc<Tag>,
    source: Source,
    want: Want,
    /// The gene to put below the number. Only with `Want::One`.
    gene: Option<i64>,
    /// Number of ids of `Want::Many` that have not been drawn yet.
    missing: i64,
    ranges: Vec<Range<i64>>,
    call: Call,
    /// The largest number that the call may return.
    largest: i64,
    /// The number of changes before a draw that found nothing, and demanded a refill, right before the call: it need do
    /// neither again to begin.
    dry_since: Option<u64>,
}

impl Wait {
    pub(super) fn new(tag: Arc<Tag>, source: Source, want: Want, gene: Option<i64>, timeout: Option<Duration>) -> Self {
        let timeout = timeout.unwrap_or(tag.shared.settings.timeout);
        let call = Call::new(timeout, tag.shared.timeline.now(), &tag.refill.lock().progress);
        let missing = match want {
            Want::Many(count) => count,
            Want::One | Want::Run(_) | Want::InHand => 0,
        };
        Self { tag, source, want, gene, missing, ranges: Vec::new(), call, largest: i64::MAX, dry_since: None }
    }

    /// Lets the call take nothing, and raise `id_space_exhausted`, unless all its numbers are at most this one.
    pub(super) fn up_to(mut self, largest: i64) -> Self {
        self.largest = largest;
        self
    }

    /// Begins a call for one id that has just drawn in vain and demanded a refill, when this number of changes had been
    /// announced.
    pub(super) fn after_dry(
        tag: Arc<Tag>,
        source: Source,
        gene: Option<i64>,
        timeout: Option<Duration>,
        changes: u64,
    ) -> Self {
        let mut wait = Self::new(tag, source, Want::One, gene, timeout);
        wait.dry_since = Some(changes);
        wait
    }

    /// Returns the ranges once they are in hand, `None` while there is something to wait for. Never blocks.
    ///
    /// Raises what the call raises, and `segment_unavailable` once the timeout is over.
    pub fn poll(&mut self) -> Result<Option<Vec<Range<i64>>>> {
        let polled = self.look();
        Progress::counted(&self.tag.refill, polled)
    }

    fn look(&mut self) -> Result<Option<Vec<Range<i64>>>> {
        let dry_since = self.dry_since.take();
        if let Some(changes) = dry_since {
            self.call.has_looked_at(changes);
        } else {
            self.call.look(&self.tag.refill)?;
            if self.draw()? {
                return Ok(Some(std::mem::take(&mut self.ranges)));
            }
        }
        self.call.check(&self.tag.refill.lock().progress)?;
        if self.left().is_zero() {
            return Err(self.timed_out());
        }
        self.begin_to_wait();
        if dry_since.is_some() {
            return Ok(None);
        }
        let (count, run) = match self.want {
            Want::One | Want::InHand => (1, 0),
            Want::Many(_) => (self.missing, 0),
            Want::Run(count) => (count, count),
        };
        supply::demand(&self.tag, count, run)?;
        Ok(None)
    }

    /// Counts the call among those that wait, which shortens the pauses of the refill.
    fn begin_to_wait(&mut self) {
        let mut refill = self.tag.refill.lock();
        if self.call.begin_to_wait(&mut refill.progress) {
            refill.waiting += 1;
            nudge(&self.tag.nudge);
            self.tag.shared.queue.note_waiting();
        }
    }

    /// Blocks until the tag has changed since the last poll, or until the slice or the timeout is over.
    pub fn park(&self, slice: Duration) {
        self.call.park(&self.tag.refill, slice);
    }

    /// Wakes `waker` whenever the tag has changed, until the call ends: for a binding that parks by itself. Poll once
    /// more after this.
    pub fn wake(&mut self, waker: Waker) {
        self.call.wake(&self.tag.refill, waker);
    }

    /// Returns how much of the timeout is left.
    pub fn left(&self) -> Duration {
        self.call.left(self.tag.shared.timeline.now())
    }

    /// Waits until the call ends.
    pub fn finish(mut self) -> Result<Vec<Range<i64>>> {
        loop {
            if let Some(ranges) = self.poll()? {
                return Ok(ranges);
            }
            self.park(self.call.timeout());
        }
    }

    pub(super) fn finish_one(self) -> Result<i64> {
        self.finish().map(|ranges| ranges[0].start)
    }

    /// Waits until the call ends, on the background runtime.
    pub(super) async fn ready(mut self) -> Result<()> {
        while self.poll()?.is_none() {
            self.tag.shared.timeline.sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }

    /// Draws what is wanted. Returns false if too few ids are in hand.
    fn draw(&mut self) -> Result<bool> {
        let drawn = match self.want {
            Want::Many(0) | Want::Run(0) => {
                self.ranges.push(0..0);
                return Ok(true);
            }
            Want::One => {
                let Some(id) = taken(&self.tag, self.source.draw(&self.tag))? else { return Ok(false) };
                let id = self.gene.map_or(Ok(id), |gene| with_gene(id, gene, self.tag.gene_bits))?;
                self.ranges.push(id..id.saturating_add(1));
                return Ok(true);
            }
            Want::Many(count) => {
                self.check_room(count)?;
                let drawn = self.source.draw_many(&self.tag, self.missing, &mut self.ranges);
                self.missing = count - self.ranges.iter().map(|range| range.end - range.start).sum::<i64>();
                drawn
            }
            Want::Run(count) => self.source.draw_run(&self.tag, count, &mut self.ranges),
            Want::InHand => return Ok(self.tag.buffer.counts().supply > 0),
        };
        Ok(taken(&self.tag, drawn)?.is_some())
    }

    /// Refuses numbers that are too large before the first of them is drawn.
    fn check_room(&self, count: i64) -> Result<()> {
        let is_first = self.largest < i64::MAX && self.missing == count;
        let last = if is_first { self.tag.buffer.last_of(count).or(Some(count)) } else { None };
        match last {
            Some(last) if last > self.largest => {
                let (name, largest) = (&self.tag.name, self.largest);
                let text = format!(
                    "{count} numbers of {name:?} would go up to {last} at least, and its format has room for numbers up to \
                     {largest}: none was taken; ask for fewer"
                );
                Err(Error::new(ErrorKind::IdSpaceExhausted, text))
            }
            _ => Ok(()),
        }
    }

    fn timed_out(&self) -> Error {
        let (name, shared) = (&self.tag.name, &self.tag.shared);
        let last_error = {
            let refill = self.tag.refill.lock();
            if let Some(refusal) = refill.progress.refusal() {
                return refusal.clone();
            }
            shared.queue.error().or_else(|| refill.progress.last_error.clone())
        };
        let what = match self.want {
            Want::One | Want::InHand | Want::Many(1) | Want::Run(1) => "id".to_owned(),
            Want::Many(count) => format!("batch of {count} ids"),
            Want::Run(count) => format!("range of {count} ids"),
        };
        let failed =
            format!("no {what} of tag {name:?} within {:?} from {}", self.call.timeout(), shared.store.scope());
        match last_error {
            _ if has_lost_runtime() => Error::new(ErrorKind::SegmentUnavailable, format!("{failed}: {LOST}")),
            Some(error) => {
                let text = format!("{failed}: last error: {error}; leafmint keeps trying in the background");
                Error::new(ErrorKind::SegmentUnavailable, text).with_source(error)
            }
            None => {
                let text = format!("{failed}: the store has not answered yet; a longer timeout may help");
                Error::new(ErrorKind::SegmentUnavailable, text)
            }
        }
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        if self.tag.refill.is_inherited() {
            return;
        }
        if self.call.has_waited() {
            self.tag.refill.lock().waiting -= 1;
            self.tag.shared.queue.note_done_waiting();
        }
        self.call.end(&self.tag.refill);
    }
}
