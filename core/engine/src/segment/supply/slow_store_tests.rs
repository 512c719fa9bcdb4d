//! What callers see of a slow store, on simulated time: the real buffer, refill state and step policy, and a store
//! whose answers take as long as the simulation says.

use super::refill::Refill;
use super::step_policy::{Density, StepPolicy};
use crate::segment::buffer::{FromBuffer, Landed, SegmentBuffer};
use std::ops::Range;
use std::time::{Duration, Instant};

/// One tag, one caller and a store that answers after `round_trip`.
struct Simulation {
    policy: StepPolicy,
    buffer: SegmentBuffer,
    refill: Refill,
    round_trip: Duration,
    began: Instant,
    now: Instant,
    /// When the lease in flight lands, and how many ids it brings.
    in_flight: Option<(Instant, i64)>,
    max_id: i64,
    waits: Vec<Wait>,
}

/// A call that had to wait.
struct Wait {
    /// Since the start.
    ended: Duration,
    took: Duration,
    /// Leases that had landed when it ended.
    refills: i64,
}

impl Simulation {
    /// A tag with supply in hand, as `eager` opens it.
    fn open(step: i64, round_trip: Duration) -> Self {
        Self::open_as(Density::Ids, step, round_trip)
    }

    /// The first period of a series with supply in hand.
    fn open_series(round_trip: Duration) -> Self {
        Self::open_as(Density::Numbers, 1, round_trip)
    }

    fn open_as(density: Density, step: i64, round_trip: Duration) -> Self {
        let policy = StepPolicy {
            max_step: 1_000_000,
            max_unused: None,
            segment_duration: Duration::from_secs(900),
            outage_budget: Duration::from_secs(600),
        };
        let now = Instant::now();
        let mut refill = Refill::new(density);
        refill.step = step;
        let (buffer, in_flight) = (SegmentBuffer::new(), None);
        let mut simulation =
            Self { policy, buffer, refill, round_trip, began: now, now, in_flight, max_id: 1, waits: Vec::new() };
        simulation.in_flight = Some((now + round_trip, step));
        simulation.land();
        simulation.began = simulation.now;
        simulation
    }

    /// Takes `count` ids, waiting for the store if too few are in hand.
    fn take(&mut self, count: i64) {
        self.land_if_due();
        let (asked, mut ranges) = (self.now, Vec::new());
        loop {
            let missing = count - ranges.iter().map(|range: &Range<i64>| range.end - range.start).sum::<i64>();
            match self.buffer.next_many(missing, &mut ranges) {
                FromBuffer::Got { crossed, .. } => {
                    if crossed && self.in_flight.is_none() {
                        self.refill_if_needed();
                    }
                    break;
                }
                FromBuffer::Dry => self.wait(missing),
                FromBuffer::Closed => unreachable!("it is never closed"),
            }
        }
        if self.now > asked {
            let (ended, took) = (self.now - self.began, self.now - asked);
            self.waits.push(Wait { ended, took, refills: self.refill.refills });
        }
    }

    /// Waits until the next lease lands.
    fn wait(&mut self, missing: i64) {
        self.refill.note_demand(missing, 0, 0, self.now);
        self.refill.waiting = 1;
        if self.in_flight.is_none() {
            self.refill_if_needed();
        }
        self.now = self.in_flight.expect("a caller that waits has a lease in flight").0;
        self.land();
        self.refill.waiting = 0;
    }

    /// Lets time pass.
    fn advance(&mut self, by: Duration) {
        let until = self.now + by;
        while let Some((at, _)) = self.in_flight.filter(|(at, _)| *at <= until) {
            self.now = at;
            self.land();
        }
        self.now = until;
    }

    fn land_if_due(&mut self) {
        if self.in_flight.is_some_and(|(at, _)| at <= self.now) {
            self.land();
        }
    }

    /// Takes in the lease in flight, and asks for the next one if the policy wants it.
    fn land(&mut self) {
        let (at, amount) = self.in_flight.take().expect("a lease is in flight");
        assert_eq!(self.buffer.land(self.max_id..self.max_id + amount), Landed::Kept);
        self.max_id += amount;
        self.refill.note_landing(amount, self.round_trip, at.max(self.now));
        self.refill_if_needed();
    }

    fn refill_if_needed(&mut self) {
        let counts = self.buffer.counts();
        self.refill.note_use(counts.issued, self.now);
        let amount = self.policy.lease(&self.refill.usage(&counts, self.now));
        if amount > 0 {
            self.in_flight = Some((self.now + self.round_trip, amount));
        }
    }

    fn leased_per_id_used(&self) -> f64 {
        let counts = self.buffer.counts();
        counts.leased as f64 / counts.issued as f64
    }
}

#[test]
fn a_tight_loop_runs_at_full_speed_after_a_few_refills() {
    for (milliseconds, seconds) in [(5, 2), (50, 5), (200, 10)] {
        let mut tag = Simulation::open(1000, Duration::from_millis(milliseconds));
        while tag.now - tag.began < Duration::from_secs(seconds) {
            // A loop of single calls, a few at a time to save the simulation's own time.
            let count = (tag.buffer.counts().supply / 64).clamp(1, 1000);
            tag.take(count);
            tag.advance(Duration::from_nanos(4 * count.unsigned_abs()));
        }
        let last = tag.waits.last().expect("a cold tag waits");
        assert!(last.refills <= 20, "{milliseconds} ms: a call waited for refill {}", last.refills);
        assert!(
            last.ended < Duration::from_secs(seconds) / 2,
            "{milliseconds} ms: a call waited {:?} after the start",
            last.ended
        );
        assert!(tag.refill.refills >= last.refills + 10, "{milliseconds} ms: {} refills in all", tag.refill.refills);
    }
}

#[test]
fn a_cold_start_at_100_000_ids_a_second_waits_for_two_and_a_half_round_trips_at_the_longest() {
    let mut tag = Simulation::open(1000, Duration::from_millis(100));
    let mut due = tag.now;
    while tag.now - tag.began < Duration::from_secs(6) {
        tag.advance(due.saturating_duration_since(tag.now));
        tag.take(1);
        due += Duration::from_micros(10);
    }
    let longest = tag.waits.iter().map(|wait| wait.took).max().expect("a cold tag waits");
    assert!(longest <= Duration::from_millis(250), "{longest:?}");
    let last = tag.waits.last().map(|wait| wait.ended).expect("a cold tag waits");
    assert!(last < Duration::from_secs(3), "a call waited {last:?} after the start");
}

#[test]
fn a_lease_lasts_until_a_call_finds_too_few_ids_however_long_that_call_waits_for_its_turn() {
    let mut tag = Simulation::open(1000, Duration::ZERO);
    let lasted = |tag: &Simulation, seconds| {
        tag.refill.usage(&tag.buffer.counts(), tag.now + Duration::from_secs(seconds)).lasted
    };
    for short_after in [2, 3] {
        tag.refill.note_demand(1, 0, 0, tag.now + Duration::from_secs(short_after));
    }
    assert_eq!(lasted(&tag, 50), 2.0);
    tag.refill.note_landing(1000, tag.round_trip, tag.now);
    assert_eq!(lasted(&tag, 50), 50.0);
}

#[test]
fn a_call_that_looked_before_a_lease_landed_does_not_end_that_lease() {
    let mut tag = Simulation::open(1000, Duration::ZERO);
    let later = tag.now + Duration::from_secs(50);
    let lasted = |tag: &Simulation| tag.refill.usage(&tag.buffer.counts(), later).lasted;
    tag.refill.note_demand(1, 0, 1000, tag.now);
    assert_eq!(lasted(&tag), 50.0);
    tag.refill.note_demand(2000, 0, 1000, tag.now);
    assert_eq!(lasted(&tag), 0.0);
}

#[test]
fn what_others_lease_is_counted_in_leases_a_second_since_the_last_one() {
    let mut tag = Simulation::open(1000, Duration::ZERO);
    let after = |milliseconds| tag.now + Duration::from_millis(milliseconds);
    assert_eq!(tag.refill.others(6000, 2000, after(1500)), Some(2.0));
    assert_eq!(tag.refill.others(0, 2000, after(1500)), Some(0.0));
    assert_eq!(tag.refill.others(2000, 2000, after(0)), Some(10.0), "at once");
    tag.refill = Refill::default();
    assert_eq!(tag.refill.others(6000, 2000, tag.now), None, "before the first lease");
}

#[test]
fn bursts_never_wait_from_the_second_one_on_and_lease_at_most_two_and_a_half_ids_per_id_used() {
    let mut tag = Simulation::open(100, Duration::from_millis(5));
    for burst in 0..10_u32 {
        let due = tag.began + Duration::from_secs(burst.into());
        tag.advance(due.saturating_duration_since(tag.now));
        let before = tag.waits.len();
        for _ in 0..20_000 {
            tag.take(1);
            tag.advance(Duration::from_nanos(5));
        }
        assert!(burst == 0 || tag.waits.len() == before, "{} calls waited in burst {burst}", tag.waits.len() - before);
        tag.advance(Duration::from_millis(200));
        let ratio = tag.leased_per_id_used();
        assert!(burst == 0 || ratio <= 2.5, "{ratio:.2} ids leased per id used after burst {burst}");
    }
}

#[test]
fn the_first_million_ids_at_full_speed_lease_at_most_two_and_a_half_ids_per_id_used() {
    // A store in the same process answers within the time that a thread takes to wake up.
    for (microseconds, waits) in [(20, 2), (50, 2), (100, 4), (200, 5)] {
        let mut tag = Simulation::open(1000, Duration::from_micros(microseconds));
        for _ in 0..1_000_000 {
            tag.take(1);
            tag.advance(Duration::from_nanos(3));
        }
        let (ratio, refills) = (tag.leased_per_id_used(), tag.refill.refills);
        assert!(ratio <= 2.5, "{microseconds} us: {ratio:.2} ids leased per id used");
        assert!(tag.waits.len() <= waits, "{microseconds} us: {} calls waited", tag.waits.len());
        assert!(refills <= 100, "{microseconds} us: {refills} store calls");
    }
}

#[test]
fn a_series_holds_a_tenth_of_the_numbers_used_or_ten_at_any_moment_of_a_burst() {
    // Within a process, a local server, and another region.
    for (microseconds, calls) in [(20, 150), (1_000, 150), (100_000, 150)] {
        let mut series = Simulation::open_series(Duration::from_micros(microseconds));
        for used in 1..=100_000 {
            series.take(1);
            let held = series.buffer.counts().supply + series.in_flight.map_or(0, |(_, amount)| amount);
            assert!(held <= (used / 10).max(10), "{microseconds} us: {held} held after {used} were used");
            assert!(used != 5 || held <= 4, "{microseconds} us: {held} held after five were used");
            series.advance(Duration::from_nanos(30));
        }
        let refills = series.refill.refills;
        assert!(refills <= calls, "{microseconds} us: {refills} store calls");
    }
}

#[test]
fn numbers_of_a_series_are_in_hand_at_the_pace_of_people() {
    // A number each second, from a server in another region.
    let mut series = Simulation::open_series(Duration::from_millis(100));
    for _ in 0..10_000 {
        series.take(1);
        series.advance(Duration::from_secs(1));
    }
    let (waits, refills) = (series.waits.len(), series.refill.refills);
    assert!(waits <= 4 && refills <= 150, "{waits} calls waited, {refills} store calls");
}

#[test]
fn a_tag_that_has_run_for_ten_minutes_survives_ten_more_without_the_store_whenever_it_goes_away() {
    const IDS_A_SECOND: u32 = 50;
    for (step, milliseconds) in [(500, 1), (777, 20), (1000, 1), (1000, 200), (1500, 20), (2222, 200)] {
        let mut tag = Simulation::open(step, Duration::from_millis(milliseconds));
        for second in 0..3000 {
            for _ in 0..IDS_A_SECOND {
                tag.take(1);
                tag.advance(Duration::from_secs(1) / IDS_A_SECOND);
            }
            let lasts = tag.buffer.counts().supply / i64::from(IDS_A_SECOND);
            assert!(second < 600 || lasts >= 600, "step {step}: supply for {lasts} s after {second} s");
            assert!(second < 10 || 5 * lasts >= 4 * second.min(600), "step {step}: {lasts} s after {second} s");
        }
    }
}
