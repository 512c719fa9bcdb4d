//! The refill: leasing ahead of need, one attempt at a time per tag, on the background runtime.

use super::buffer::Counts;
use super::step::{Rate, Usage};
use super::tag::Tag;
use super::turns::Turn;
use crate::answer::Answer;
use crate::backoff::pause;
use crate::error::{Error, ErrorKind, Result};
use crate::events::{self, EventKind};
use crate::panics::caught;
use crate::store::{NewTag, check_step, check_stored_gene_bits};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The `step` column and the gene bits are looked at again after this long.
const STALE: Duration = Duration::from_secs(60);

/// The longest rest of a tag that was refused while a caller waits, and while none does.
const LONGEST_REST: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(5)];

/// What is known about the refill of a tag.
#[derive(Default)]
pub(super) struct Refill {
    pub(super) in_flight: bool,
    /// The tag was closed.
    pub(super) shut: bool,
    /// Ids that a waiting caller needs, and in one piece; until the next lease lands.
    pub(super) wanted: i64,
    pub(super) wanted_run: i64,
    /// Callers that wait now, and that had to wait so far.
    pub(super) waiting: u64,
    pub(super) waits: u64,
    /// Counts whatever a waiting caller should look at.
    pub(super) events: u64,
    /// Attempts begun, and the last one that failed.
    pub(super) attempts: u64,
    pub(super) failed_attempt: u64,
    pub(super) last_error: Option<Error>,
    /// An error that only reopening mends.
    pub(super) stuck: Option<Error>,
    /// 0 before it is known.
    pub(super) step: i64,
    checked: Option<Instant>,
    rate: Rate,
    rated: Option<Instant>,
    /// A running average, in seconds.
    round_trip: f64,
    last_lease: i64,
    landed: Option<Instant>,
    /// Callers were waiting when the last lease landed.
    starved: bool,
    pub(super) refills: i64,
    pub(super) refill_failures: i64,
    failures_in_a_row: u64,
    /// Attempts in a row that failed for this tag alone, when the last one did, and how its rest is spread.
    refusals: u32,
    refused: Option<Instant>,
    spread: f64,
    pub(super) given_back: i64,
}

impl Refill {
    pub(super) fn can_start(&self) -> bool {
        !self.in_flight && !self.shut && self.stuck.is_none()
    }

    pub(super) fn usage(&self, counts: &Counts, now: Instant) -> Usage {
        Usage {
            step: self.step,
            used: counts.issued,
            supply: counts.supply,
            ready: counts.ready,
            in_blocks: counts.in_blocks,
            rate: self.rate.per_second(),
            round_trip: self.round_trip,
            last_lease: self.last_lease,
            lasted: self.landed.map_or(0.0, |landed| (now - landed).as_secs_f64()),
            starved: self.starved,
            wanted: self.wanted,
            wanted_run: self.wanted_run,
        }
    }

    /// Says what to do next.
    fn next(&self, tag: &Tag) -> Plan {
        if self.shut {
            return Plan::Enough;
        }
        if self.step == 0 {
            let policy = &tag.shared.behaviour.policy;
            return if policy.begins_with_a_step(self.wanted, self.wanted_run) { Plan::Checked(None) } else { Plan::ReadStep };
        }
        let amount = tag.plan(self);
        match self.checked {
            _ if amount == 0 => Plan::Enough,
            Some(checked) if checked.elapsed() <= STALE => Plan::Lease(amount),
            _ => Plan::Checked(Some(amount)),
        }
    }

    /// Takes in how many ids were handed out by now.
    pub(super) fn note_use(&mut self, issued: i64, now: Instant) {
        match self.rated {
            None => self.rated = Some(now),
            // Looks that follow on one another at once say nothing about a rate.
            Some(rated) if now - rated > Duration::from_micros(10) => {
                self.rate.update(issued, (now - rated).as_secs_f64());
                self.rated = Some(now);
            }
            Some(_) => {}
        }
    }

    /// Notes a lease that landed, and returns how many attempts in a row had failed before it.
    pub(super) fn note_landing(&mut self, count: i64, round_trip: Duration, now: Instant) -> u64 {
        let seconds = round_trip.as_secs_f64();
        self.round_trip = if self.refills == 0 { seconds } else { self.round_trip + 0.25 * (seconds - self.round_trip) };
        self.starved = self.waiting > 0;
        self.refills += 1;
        self.last_lease = count;
        self.landed = Some(now);
        self.wanted = 0;
        self.wanted_run = 0;
        self.events += 1;
        self.refused = None;
        self.refusals = 0;
        std::mem::take(&mut self.failures_in_a_row)
    }

    /// Notes that the store answers, and refuses this tag.
    fn note_refusal(&mut self) {
        self.refusals = self.refusals.saturating_add(1);
        self.refused = Some(Instant::now());
        self.spread = fastrand::f64();
    }

    /// Returns how long the tag has to rest yet after a refusal.
    fn rest_left(&self) -> Option<Duration> {
        let rest = pause(self.refusals, LONGEST_REST[usize::from(self.waiting == 0)], self.spread);
        rest.checked_sub(self.refused?.elapsed()).filter(|left| !left.is_zero())
    }

    /// Returns the last failure, if no attempt was made since.
    pub(super) fn refusal(&self) -> Option<&Error> {
        let is_last = self.failed_attempt == self.attempts;
        self.last_error.as_ref().filter(|error| is_last && !error.kind().retryable())
    }

    pub(super) fn note_failure(&mut self, error: Error) {
        self.refill_failures += 1;
        self.failures_in_a_row += 1;
        self.failed_attempt = self.attempts;
        if !error.kind().retryable() {
            // The next lease looks at the row first, so that what makes no sense is not leased from again.
            self.checked = None;
        }
        self.last_error = Some(error);
        self.events += 1;
    }

    /// Returns how long the ids in hand last at the present rate, in seconds; `None` where nobody uses the tag.
    pub(super) fn supply_seconds(&self, supply: i64) -> Option<f64> {
        let rate = self.rate.per_second();
        (rate > 0.0).then(|| supply as f64 / rate)
    }

    /// Returns the average round trip of a lease in milliseconds; `None` before the first.
    pub(super) fn refill_millis(&self) -> Option<f64> {
        (self.refills > 0).then_some(self.round_trip * 1000.0)
    }
}

/// Leases until the policy is content, the tag is closed, or the store refuses for good.
pub(super) async fn refill(tag: Arc<Tag>) {
    let mut flight = Flight { tag: &tag, landed: false };
    while let Some(turn) = next_turn(&tag).await {
        let turns = &tag.shared.turns;
        match caught(attempt(&tag)).await {
            Ok(true) => turns.note_answer(),
            Ok(false) => {
                flight.landed = true;
                return;
            }
            Err(error) => {
                let is_the_stores = error.kind().retryable() && turns.note_failure(&turn, &error);
                if !error.kind().retryable() {
                    turns.note_answer();
                }
                if !flight.fail(error, is_the_stores) {
                    return;
                }
            }
        }
    }
}

/// Waits until this tag may ask the store. `None` if the tag is closed before.
async fn next_turn(tag: &Tag) -> Option<Turn<'_>> {
    loop {
        let (is_shut, left) = {
            let refill = tag.refill.lock();
            (refill.shut, refill.rest_left())
        };
        match left {
            _ if is_shut => return None,
            None => break,
            // A caller who begins to wait shortens the rest.
            Some(left) => tokio::select! {
                () = tokio::time::sleep(left) => {}
                () = tag.nudge.notified() => {}
            },
        }
    }
    let mut turn = pin!(tag.shared.turns.take());
    loop {
        tokio::select! {
            turn = &mut turn => return Some(turn),
            () = tag.nudge.notified() => {
                if tag.refill.lock().shut {
                    return None;
                }
            }
        }
    }
}

/// What an attempt sends.
enum Plan {
    /// Nothing: nobody needs more.
    Enough,
    /// So many ids; as many as the `step` column says where it is `None`. The column and the gene bits are looked at too.
    Checked(Option<i64>),
    /// So many ids.
    Lease(i64),
    /// The question what the `step` column says, since the amount depends on it.
    ReadStep,
}

/// Leases once. Returns false where nothing is needed any more; the flight has then ended, under the same lock.
async fn attempt(tag: &Arc<Tag>) -> Result<bool> {
    let plan = {
        let mut refill = tag.refill.lock();
        refill.attempts += 1;
        refill.note_use(tag.counts().issued, Instant::now());
        let plan = refill.next(tag);
        refill.in_flight = !matches!(plan, Plan::Enough);
        plan
    };
    let store = &tag.shared.store;
    let sent = Instant::now();
    let (range, round_trip) = match plan {
        Plan::Enough => return Ok(false),
        Plan::Lease(amount) => {
            let range = store.lease(&tag.name, amount).await?;
            (range, sent.elapsed())
        }
        Plan::ReadStep => {
            let step = with_row(tag, || store.step(&tag.name)).await?;
            check_step(&tag.name, step, &store.scope())?;
            tag.refill.lock().step = step;
            return Ok(true);
        }
        Plan::Checked(amount) => {
            let checked = with_row(tag, || store.lease_checked(&tag.name, tag.gene_bits, amount)).await?;
            let mut refill = tag.refill.lock();
            refill.step = checked.step;
            refill.checked = Some(Instant::now());
            (checked.range, checked.round_trip)
        }
    };
    tag.land(range, round_trip)?;
    Ok(true)
}

/// Tells that the store answers again.
pub(super) fn tell_recovered(tag: &Tag, failures: u64) {
    let (scope, name) = (tag.shared.store.scope(), &tag.name);
    events::clear_in(EventKind::RefillFailed, &scope, name);
    let text = format_args!("the refill of biz_tag {name:?} works again after {failures} failed attempts: {scope}");
    events::emit_in(EventKind::RefillRecovered, &scope, name, text);
}

/// Asks the store, and once more where the tag was missing and could be created.
async fn with_row<'a, T>(tag: &'a Tag, ask: impl Fn() -> Answer<'a, T>) -> Result<T> {
    let behaviour = &tag.shared.behaviour;
    match ask().await {
        Err(error) if error.kind() == ErrorKind::UnknownTag && behaviour.auto_create => {
            create(tag).await?;
            ask().await
        }
        Err(error) if error.kind() == ErrorKind::UnknownTag && tag.gene_bits != 0 => {
            let (name, bits, scope) = (&tag.name, tag.gene_bits, tag.shared.store.scope());
            let text = format!("biz_tag {name:?} is not in {scope}: call create_tag with gene_bits={bits}, or set auto_create");
            Err(Error::new(ErrorKind::UnknownTag, text))
        }
        answer => answer,
    }
}

async fn create(tag: &Tag) -> Result<()> {
    let (store, behaviour) = (&tag.shared.store, &tag.shared.behaviour);
    if tag.gene_bits == 0 {
        check_stored_gene_bits(&tag.name, store.gene_bits(&tag.name).await?, 0)?;
    }
    let new = NewTag {
        tag: tag.name.clone(),
        step: behaviour.default_step,
        start: behaviour.default_start,
        description: String::new(),
        gene_bits: tag.gene_bits,
    };
    store.create_tag(&new).await.map(drop)
}

/// A refill under way. However it ends, even in a panic, the next one can start.
struct Flight<'a> {
    tag: &'a Tag,
    landed: bool,
}

impl Flight<'_> {
    /// Notes a failed attempt and says whether to go on.
    fn fail(&mut self, error: Error, is_the_stores: bool) -> bool {
        {
            let mut refill = self.tag.refill.lock();
            let goes_on = error.kind().retryable() && !refill.shut;
            refill.note_failure(error.clone());
            if !is_the_stores {
                refill.note_refusal();
            }
            if !goes_on {
                refill.in_flight = false;
                self.landed = true;
                // A failure after which the refill goes on changes nothing for those who wait.
                self.tag.changed.notify_all();
            }
        }
        let kind = match error.kind() {
            ErrorKind::StoreRegressed => EventKind::StoreRegressed,
            _ => EventKind::RefillFailed,
        };
        let (scope, name) = (self.tag.shared.store.scope(), &self.tag.name);
        events::emit_in(kind, &scope, name, format_args!("the refill of biz_tag {name:?} failed: {error}"));
        !self.landed
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        if !self.landed {
            let mut refill = self.tag.refill.lock();
            refill.in_flight = false;
            refill.events += 1;
            self.tag.changed.notify_all();
        }
    }
}
