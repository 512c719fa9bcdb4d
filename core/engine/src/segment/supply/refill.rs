//! The state of a tag's refill: what was leased and used so far, and what to do next. The task that works on it is in
//! `refiller.rs`.

use super::fairness::Standing;
use super::step_policy::{Density, Rate, StepPolicy, TagUse};
use crate::backoff::Backoff;
use crate::round_trip::RoundTrip;
use crate::runtime::progress::Progress;
use crate::segment::buffer::Counts;
use leafmint_ids::error::{Error, ErrorKind};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The `step` column and the gene bits are read again after this long.
const STALE: Duration = Duration::from_secs(60);

/// Leases that a call for contiguous ids waits for, if others draw ids in between.
pub(super) const MOST_SHORT_LEASES: u32 = 8;

/// The longest rest of a tag that was refused: while a call waits, and while none does.
const LONGEST_REST: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(5)];

/// Leases that land within a shorter time, in seconds, show nothing of the pace of others.
const MOMENT: f64 = 0.1;

/// The state of a tag's refill.
#[derive(Default)]
pub(crate) struct Refill {
    pub progress: Progress,
    /// How densely the ids are used.
    density: Density,
    /// Number of ids that a waiting call needs, and how many of them contiguous; until the next lease lands.
    pub(super) wanted: i64,
    pub(super) wanted_run: i64,
    /// Leases in a row that brought no run as long as a waiting call needs.
    short_leases: u32,
    /// Calls that are waiting.
    pub waiting: u64,
    /// An error that only reopening the generator clears.
    pub stuck: Option<Error>,
    /// The store leased a range again: nothing is leased before it is above this end of an earlier one.
    pub(super) regressed_below: Option<i64>,
    /// The `step` column; 0 before it is known.
    pub step: i64,
    /// When `step` and the gene bits were last read.
    checked: Option<Instant>,
    rate: Rate,
    rated: Option<Instant>,
    round_trip: RoundTrip,
    last_lease: i64,
    landed: Option<Instant>,
    /// A call was waiting when the last lease landed.
    starved: bool,
    /// When a call first found too few ids in hand since then.
    ran_short: Option<Instant>,
    pub refills: i64,
    pub failures: i64,
    failures_in_a_row: u64,
    /// Rests after attempts that failed for this tag alone.
    rest: Backoff,
    /// Work that looks again after a refusal is under way.
    pub(super) looks_again: bool,
    pub given_back: i64,
    /// Ids that were drawn to be given back, so that no call got them.
    pub taken_back: i64,
    /// What the tag of the period before leaves to the first lease.
    before: Option<Pace>,
}

/// How fast the tag of a period is used, for that of the next one.
pub(crate) struct Pace {
    step: i64,
    rate: Rate,
    round_trip: RoundTrip,
    used: i64,
    /// The share of the segment duration after which the second lease is due, at random: the processes of a fleet begin
    /// a period together.
    share: f64,
    /// Until when the next period goes by this pace, once it has begun.
    holds_until: Option<Instant>,
}

/// A tag that is used more than this many times as fast as in the period before goes by its own pace at once.
const MUCH_FASTER: f64 = 1.5;

/// Averages that differ by less than this factor are the same pace.
const ABOUT: f64 = 1.25;

/// The next step of a refill.
pub(super) enum RefillPlan {
    /// Nothing: there is enough supply.
    Enough,
    /// Lease this number of ids, or as many as the `step` column says if `None`; and read that column and the gene
    /// bits.
    Checked(Option<i64>),
    /// Lease this number of ids.
    Lease(i64),
    /// Read the `step` column, since the number of ids depends on it.
    ReadStep,
}

impl AsMut<Progress> for Refill {
    fn as_mut(&mut self) -> &mut Progress {
        &mut self.progress
    }
}

impl Refill {
    /// Returns the state of a tag that has leased nothing.
    pub(crate) fn new(density: Density) -> Self {
        Self { density, ..Self::default() }
    }

    /// Returns whether a refill may be started.
    pub(super) fn can_start(&self) -> bool {
        !self.progress.running && !self.progress.closed && self.stuck.is_none()
    }

    /// Returns whether a call found too few ids in hand since the last lease landed.
    pub(super) fn is_wanted(&self) -> bool {
        self.waiting > 0 || self.wanted > 0
    }

    /// Records a call that found too few ids in hand: it needs `count` of them, `run` of which contiguous. `supply` is
    /// what is in hand now.
    pub(super) fn note_demand(&mut self, count: i64, run: i64, supply: i64, now: Instant) {
        self.wanted = self.wanted.max(count);
        self.wanted_run = self.wanted_run.max(run);
        // A lease may have landed since the call looked.
        if supply < count || run > 0 {
            self.ran_short.get_or_insert(now);
        }
    }

    /// Returns the next step of the refill.
    pub(super) fn plan(&self, policy: &StepPolicy, counts: &Counts, now: Instant) -> RefillPlan {
        if self.progress.closed {
            return RefillPlan::Enough;
        }
        if self.step == 0 {
            let takes_a_step = policy.begins_with_a_step(self.wanted_run);
            return if takes_a_step { RefillPlan::Checked(None) } else { RefillPlan::ReadStep };
        }
        match (policy.lease(&self.usage(counts, now)), self.checked) {
            (0, _) => RefillPlan::Enough,
            (amount, Some(checked)) if now - checked <= STALE => RefillPlan::Lease(amount),
            (amount, _) => RefillPlan::Checked(Some(amount)),
        }
    }

    /// Describes the tag for the step policy.
    pub(super) fn usage(&self, counts: &Counts, now: Instant) -> TagUse {
        TagUse {
            density: self.density,
            step: self.step,
            used: self.used(counts),
            supply: counts.supply,
            ready: counts.ready,
            in_stripes: counts.in_stripes,
            rate: self.pace_now(now),
            round_trip: self.round_trip.seconds(),
            last_lease: self.last_lease,
            lasted: self.landed.map_or(0.0, |landed| (self.ran_short.unwrap_or(now) - landed).as_secs_f64()),
            starved: self.starved,
            // Each call that waits wants one at least.
            wanted: if self.wanted > 0 { self.wanted.max(self.waiting.cast_signed()) } else { 0 },
            wanted_run: self.wanted_run,
            jitter: self
                .before
                .as_ref()
                .filter(|_| self.refills == 0)
                .map_or_else(fastrand::f64, |before| before.share),
        }
    }

    /// Returns how many ids are evidence of how many will be used.
    fn used(&self, counts: &Counts) -> i64 {
        counts.issued - self.taken_back + self.before.as_ref().map_or(0, |before| before.used)
    }

    /// Returns what a tag that is packed leaves to the next one: the ids used and the step.
    pub(crate) fn used_by(&self, counts: &Counts) -> (i64, i64) {
        (self.used(counts), self.step)
    }

    /// Updates the rate with the number of ids handed out so far.
    pub(super) fn note_use(&mut self, issued: i64, now: Instant) {
        match self.rated {
            None => self.rated = Some(now),
            // While there is nothing to use, time says nothing about how much would be used.
            Some(_) if self.waiting > 0 && issued == self.rate.used() => self.rated = Some(now),
            // Back-to-back samples carry no rate information.
            Some(rated) if now - rated > Duration::from_micros(10) => {
                self.rate.update(issued, (now - rated).as_secs_f64());
                self.rated = Some(now);
            }
            Some(_) => {}
        }
    }

    /// Returns how fast the tag is used, which has handed out `used` ids.
    pub(crate) fn pace(&self, used: i64) -> Pace {
        Pace {
            step: self.step,
            rate: self.rate.again(),
            round_trip: self.round_trip.expected(),
            used,
            share: fastrand::f64(),
            holds_until: None,
        }
    }

    /// Expects a pace before the first lease. Does nothing later.
    pub(crate) fn expect(&mut self, pace: Pace) {
        if self.step == 0 {
            (self.step, self.rate, self.round_trip) = (pace.step, pace.rate, pace.round_trip);
            self.before = Some(pace);
        }
    }

    /// Goes on as a tag that was packed, which had handed out `used` ids. Of its pace nothing is known.
    pub(crate) fn go_on(&mut self, step: i64, used: i64, now: Instant) {
        let pace = Pace {
            step,
            used,
            rate: Rate::default(),
            round_trip: RoundTrip::default(),
            share: 0.0,
            holds_until: Some(now),
        };
        self.expect(pace);
    }

    /// Begins a period whose pace was expected. Returns after how much of the segment duration the second lease is due,
    /// once.
    pub(crate) fn begin(&mut self, now: Instant, duration: Duration) -> Option<Duration> {
        let before = self.before.as_mut().filter(|before| before.holds_until.is_none())?;
        let lasts = duration.mul_f64(before.share);
        before.holds_until = Some(now + lasts);
        // Until now there was nothing to count.
        self.rated = Some(now);
        Some(lasts)
    }

    /// Returns the number of ids used per second. Little is known of a period that has just begun, so its second lease
    /// is put off until its moment, and is due then.
    fn pace_now(&self, now: Instant) -> f64 {
        let rate = self.rate.per_second();
        let Some(before) = self.before.as_ref().filter(|_| self.refills <= 1) else { return rate };
        let past = before.rate.per_second();
        match before.holds_until {
            _ if rate > MUCH_FASTER * past => rate,
            None => past,
            Some(until) if now < until => past / ABOUT,
            Some(_) => rate * ABOUT,
        }
    }

    /// Records ids that were drawn to be given back.
    pub(crate) fn note_taken_back(&mut self, count: i64) {
        self.taken_back += count;
    }

    /// Records that the `step` column and the gene bits were read.
    pub(super) fn note_checked(&mut self, step: i64, now: Instant) {
        self.step = step;
        self.checked = Some(now);
    }

    /// Records the ranges of a lease. Returns the number of contiguous ids that a call waits for, if none of several
    /// leases had a range of that length.
    pub(super) fn note_run(&mut self, ranges: &[Range<i64>]) -> Option<i64> {
        let is_short = !ranges.iter().any(|range| range.end - range.start >= self.wanted_run);
        self.short_leases = if is_short { self.short_leases + 1 } else { 0 };
        (self.short_leases == MOST_SHORT_LEASES).then(|| {
            self.short_leases = 0;
            self.wanted_run
        })
    }

    /// Returns how many leases a second other processes have had since the last lease landed; `None` before the first
    /// one. They took the `gap` ids between it and this lease. Each of theirs is taken to be as large as this one.
    pub(super) fn others(&self, gap: i64, count: i64, now: Instant) -> Option<f64> {
        let passed = now - self.landed?;
        Some(gap as f64 / count as f64 / passed.as_secs_f64().max(MOMENT))
    }

    /// Records a lease that landed. Returns the number of attempts in a row that had failed before it.
    pub(super) fn note_landing(&mut self, count: i64, round_trip: Duration, now: Instant) -> u64 {
        self.round_trip.note(round_trip);
        self.starved = self.waiting > 0;
        self.refills += 1;
        self.last_lease = count;
        self.landed = Some(now);
        self.wanted = 0;
        self.wanted_run = 0;
        self.ran_short = None;
        self.rest.note_success();
        std::mem::take(&mut self.failures_in_a_row)
    }

    /// Returns what decides whether other tags and processes come first.
    pub(super) fn standing(&self, policy: &StepPolicy) -> Standing {
        Standing { landed: self.landed, failures: self.failures_in_a_row, grows: policy.grows(self.step) }
    }

    /// Records a failed attempt.
    pub(super) fn note_failure(&mut self, error: Error) {
        self.failures += 1;
        self.failures_in_a_row += 1;
        if !error.kind().retryable() {
            // The next lease reads the row first, so that nothing is leased from a row that is wrong.
            self.checked = None;
        }
        self.progress.fail_attempt(error);
    }

    /// Records that the last attempt failed for this tag alone: the store answers other tags.
    pub(super) fn note_refusal(&mut self, now: Instant) {
        self.rest.note_failure(now, fastrand::f64());
    }

    /// Returns how long the tag must still rest after a refusal.
    pub(super) fn rest_left(&self, now: Instant) -> Option<Duration> {
        self.rest.left(now, LONGEST_REST[usize::from(self.waiting == 0)])
    }

    /// Returns how many attempts failed since the last lease; 0 if the last one was refused for this tag alone, which
    /// then rests until a call asks for it.
    pub(crate) fn failures_in_a_row(&self) -> i64 {
        let is_refused = self.progress.last_error.as_ref().is_some_and(|error| !error.kind().retryable());
        if is_refused && !self.has_regressed() && !self.is_refused_by_server() {
            return 0;
        }
        self.failures_in_a_row.cast_signed()
    }

    /// Returns whether attempts fail until an operator has changed something, which only another attempt shows.
    pub(super) fn is_blocked(&self) -> bool {
        let may_end = self.regressed_below.is_some() || self.is_refused_by_server();
        self.failures_in_a_row > 0 && self.stuck.is_none() && may_end
    }

    fn has_regressed(&self) -> bool {
        self.stuck.is_some() || self.regressed_below.is_some()
    }

    /// Returns whether the last failure was the server's own and not about the row: there is no table, for example.
    fn is_refused_by_server(&self) -> bool {
        let refused = self.progress.last_error.as_ref().filter(|error| error.kind() == ErrorKind::InvalidConfig);
        refused.is_some_and(|error| error.reason().is_some() || error.server().is_some())
    }

    /// Returns how long this supply lasts at the current rate, in seconds; `None` if the tag is not in use.
    pub(crate) fn supply_seconds(&self, supply: i64) -> Option<f64> {
        let rate = self.rate.per_second();
        (rate > 0.0).then(|| supply as f64 / rate)
    }

    /// Returns the average round trip of a lease in milliseconds; `None` before the first lease.
    pub(crate) fn refill_millis(&self) -> Option<f64> {
        self.round_trip.millis()
    }
}
