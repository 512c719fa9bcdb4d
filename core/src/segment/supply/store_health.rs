//! The health of a store, as the tags of one generator see it: a state machine on times that the caller passes in. Its
//! table is in `mod.rs`.
//!
//! Until a store is known to be quick one tag at a time asks it, and leaves it alone for about twice as long as a slow
//! answer took. So thousands of processes do not ask for more than the store has time for: calls that wait there for
//! longer than their deadline cost it as much as others, and are wasted.
//!
//! If others lease from the same tags meanwhile, a process whose tags have all leased since the store was last well
//! leaves it to them for longer. So a fleet that starts has the first id of its last tag after half the time.
//!
//! Refills that became due during an outage would all come when it ends, and those of thousands of processes at once.
//! So each comes in the order in which it became due, and in two thirds of the time between them, while those that
//! become due meanwhile are put off too: the store has one and a half times its steady load, until each tag has its
//! usual supply again.

use crate::backoff::Backoff;
use crate::error::Error;
use std::ops::Range;
use std::time::{Duration, Instant};

/// An attempt that takes longer shows a store that is overloaded, or frozen: a round trip to another continent is
/// quicker.
const SLOW: Duration = Duration::from_millis(500);

/// A store that comes back leaves no time for others if it takes longer than this for an answer.
const BUSY: Duration = Duration::from_millis(100);

/// An attempt that seems to take longer was interrupted: the process was stopped meanwhile.
const LONGEST_TAKEN: Duration = Duration::from_secs(3);

/// A process that is owed no ids rests this many times for each lease that others had of one tag during an answer, and
/// at most this many times. Of what the simulator of fleets was given this serves the last tag soonest, and costs a
/// process that is alone least.
const RESTS_FOR_OTHERS: f64 = 4.0;
const MOST_RESTS: f64 = 5.0;

/// Leases a second that others have of a tag, before a second lease of the same tag shows how many they are.
const OTHERS_AT_FIRST: f64 = 1.0;

/// The longest time for which such a process leaves the store to others.
const LONGEST_FOR_OTHERS: Duration = Duration::from_secs(15);

/// A store that has been slow for longer is left to others no more: it is slow for another reason.
const LONGEST_START: Duration = Duration::from_secs(90);

/// If this many tags in a row are refused for now, the cause may be the table: one tag at a time asks then.
const MOST_REFUSALS: u32 = 4;

/// A tag that failed this many times in a row is no longer let before others: its row may be locked for long.
const MOST_TURNS: u64 = 3;

/// Bounds of the longest pause that all tags share while a call waits: a twentieth of the outage so far.
const LONGEST_PAUSE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(5)];

/// The same while no call waits: as long as all refills can be put off. So the processes of a fleet find out one after
/// another that their store is back.
const LONGEST_IDLE_PAUSE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(120)];

/// The share of the time for which supply lasts by which a refill can be put off.
const SPARE: f64 = 0.75;

/// Supply that lasts longer is no reason to put a refill off for longer.
const LONGEST_SUPPLY: Duration = Duration::from_secs(600);

/// A refill is put off for less than it could be by this much: an application may take ids for many seconds at once.
const RESERVE: Duration = Duration::from_secs(30);

/// The load while processes recover, in multiples of the steady load.
const LOAD: f64 = 1.5;

enum State {
    /// New, or its last attempts were slow.
    Unproven,
    /// Quick.
    Well,
    /// The last attempt failed.
    Away {
        /// The first failure. Earlier if the recovery from the outage before was not over.
        since: Instant,
        pauses: Backoff,
        error: Error,
    },
    /// It was away, and has not been quick since.
    Recovering,
}

/// What decides whether a tag is owed ids.
#[derive(Default)]
pub(super) struct Turn {
    /// When its last lease landed.
    pub(super) landed: Option<Instant>,
    /// Attempts that have failed since.
    pub(super) failures: u64,
    /// Its leases can grow.
    pub(super) grows: bool,
}

/// The health of a store, and when it may be asked again.
pub(super) struct StoreHealth {
    state: State,
    /// Slow attempts in a row, answered or not.
    slow: u32,
    /// Attempts in a row that failed for one tag alone.
    refusals: u32,
    /// The first slow attempt since it was last well.
    slow_since: Option<Instant>,
    /// The store is left alone until then.
    rests_until: Option<Instant>,
    /// The store is left to other processes until then.
    others_until: Option<Instant>,
    /// Leases a second that others had of one tag, between the last two of this process.
    others: f64,
    /// The last answer while it was well.
    last_well: Option<Instant>,
    answered: Option<Instant>,
    /// The last outage, once it is over.
    outage: Option<Range<Instant>>,
    /// The longest outage that supply is meant to last for.
    budget: Duration,
}

impl StoreHealth {
    pub(super) fn new(budget: Duration) -> Self {
        Self {
            state: State::Unproven,
            slow: 0,
            refusals: 0,
            slow_since: None,
            rests_until: None,
            others_until: None,
            others: OTHERS_AT_FIRST,
            last_well: None,
            answered: None,
            outage: None,
            budget,
        }
    }

    /// Returns whether every tag may ask, not only one at a time.
    pub(super) fn is_well(&self) -> bool {
        matches!(self.state, State::Well)
    }

    /// Returns the last error if the last attempt failed.
    pub(super) fn error(&self) -> Option<&Error> {
        if let State::Away { error, .. } = &self.state { Some(error) } else { None }
    }

    /// Returns whether the last attempt took long.
    pub(super) fn is_slow(&self) -> bool {
        self.slow > 0
    }

    /// Returns how long the store must still be left alone; `None` if it may be asked. `supply` is the least that a tag
    /// in the queue has, or `None` if a call waits.
    pub(super) fn left(&self, now: Instant, supply: Option<Duration>) -> Option<Duration> {
        let rest = time_left(self.rests_until, now);
        let State::Away { since, pauses, .. } = &self.state else { return rest };
        let longest = match supply {
            None => (now.saturating_duration_since(*since) / 20).clamp(LONGEST_PAUSE[0], LONGEST_PAUSE[1]),
            Some(lasts) => can_be_put_off(lasts).clamp(LONGEST_IDLE_PAUSE[0], LONGEST_IDLE_PAUSE[1]),
        };
        pauses.left(now, longest).max(rest)
    }

    /// Returns how long the store must still be left to other processes; `None` if a rest is over, or there is none.
    pub(super) fn left_to_others(&self, now: Instant) -> Option<Duration> {
        time_left(self.others_until, now)
    }

    /// Records how many leases a second others had of a tag since its last one.
    pub(super) fn note_others(&mut self, a_second: f64) {
        self.others = a_second;
    }

    /// Returns whether a tag is owed ids: it has leased none since the store was last well, and has failed seldom. One
    /// whose leases cannot grow always is: with fewer of them it would have fewer ids.
    pub(super) fn owes(&self, turn: &Turn) -> bool {
        let has_leased = turn.landed.is_some_and(|landed| self.last_well.is_none_or(|well| landed > well));
        !turn.grows || (turn.failures < MOST_TURNS && !has_leased)
    }

    /// Returns until when a refill that became due at `due` should be put off, if supply lasts for this long. `share`,
    /// from 0 to 1, is how much of what it can be put off by it must be.
    pub(super) fn put_off(&self, due: Instant, now: Instant, lasts: Duration, share: f64) -> Instant {
        let lasts = lasts.min(LONGEST_SUPPLY);
        let turn = self.turn_after_outage(due).unwrap_or(now);
        turn.min(now + can_be_put_off(lasts)).max(now + lasts.mul_f64(SPARE).mul_f64(share))
    }

    /// Records the answer to an attempt that began at `began`. `jitter` is a random number from 0 to 1, and `queued`
    /// whether other tags are in the queue.
    pub(super) fn note_answer(&mut self, began: Instant, now: Instant, jitter: f64, queued: bool) {
        let is_of_one_tag = self.has_answered_since(began);
        self.refusals = 0;
        self.note_presence(now);
        if now - began > SLOW && !is_of_one_tag {
            self.note_slow(began, now, jitter);
            return;
        }
        (self.slow, self.rests_until, self.others_until) = (0, None, None);
        self.state = match self.state {
            _ if !queued => State::Well,
            State::Recovering => State::Recovering,
            _ => State::Unproven,
        };
        if self.is_well() {
            (self.last_well, self.slow_since) = (Some(now), None);
        }
        if matches!(self.state, State::Recovering) && now - began > BUSY {
            self.rest(began, now, jitter);
        }
    }

    /// Records that the store answered, and failed for one tag alone, such as one whose row is locked. How long that
    /// took says nothing about other tags.
    pub(super) fn note_refusal(&mut self, now: Instant) {
        self.refusals += 1;
        self.note_presence(now);
        if self.is_well() && self.refusals >= MOST_REFUSALS {
            self.state = State::Unproven;
        }
    }

    /// Ends an outage: the store has answered.
    fn note_presence(&mut self, now: Instant) {
        self.answered = Some(now);
        if let State::Away { since, .. } = self.state {
            self.outage = Some(since..now);
            self.state = State::Recovering;
        }
    }

    /// Records a failure of an attempt that began at `began`. Returns false if another tag had an answer since then:
    /// the failure then concerns the caller alone, which has to pause by itself.
    pub(super) fn note_failure(&mut self, began: Instant, now: Instant, jitter: f64, failure: &Error) -> bool {
        if self.has_answered_since(began) {
            return false;
        }
        // Of attempts that were under way together, only the first failure counts.
        let counts = match &self.state {
            State::Away { pauses, .. } => pauses.failed_at().is_none_or(|failed| began >= failed),
            _ => true,
        };
        if counts && now - began > SLOW {
            self.note_slow(began, now, jitter);
        }
        if !matches!(self.state, State::Away { .. }) {
            let since = began.checked_sub(self.behind(began)).unwrap_or(began);
            self.state = State::Away { since, pauses: Backoff::default(), error: failure.clone() };
            self.outage = None;
        }
        if let State::Away { pauses, error, .. } = &mut self.state {
            if counts {
                pauses.note_failure(now, jitter);
            }
            error.clone_from(failure);
        }
        true
    }

    /// Leaves the store alone after a slow attempt. After a first one only if the store was away: it may be due to a
    /// locked row, or to a host that is passed over.
    fn note_slow(&mut self, began: Instant, now: Instant, jitter: f64) {
        let is_overloaded = self.slow > 0 || matches!(self.state, State::Away { .. } | State::Recovering);
        if self.is_well() {
            self.state = State::Unproven;
        }
        self.slow = self.slow.saturating_add(1);
        self.slow_since.get_or_insert(now);
        (self.rests_until, self.others_until) = (None, None);
        if is_overloaded {
            self.rest(began, now, jitter);
        }
    }

    /// Leaves the store alone for one to three times as long as an attempt took.
    fn rest(&mut self, began: Instant, now: Instant, jitter: f64) {
        let taken = (now - began).min(LONGEST_TAKEN);
        let rest = taken.mul_f64(1.0 + 2.0 * jitter);
        let rests = (RESTS_FOR_OTHERS * self.others * taken.as_secs_f64()).clamp(1.0, MOST_RESTS);
        let is_start = self.slow_since.is_none_or(|since| now - since < LONGEST_START);
        let to_others = if is_start { rest.mul_f64(rests).min(LONGEST_FOR_OTHERS.max(rest)) } else { rest };
        (self.rests_until, self.others_until) = (Some(now + rest), Some(now + to_others));
    }

    fn has_answered_since(&self, began: Instant) -> bool {
        self.answered.is_some_and(|answered| answered > began)
    }

    /// Returns when a refill should come that became due at `due`; `None` if there was no outage, or it is not over.
    fn turn_after_outage(&self, due: Instant) -> Option<Instant> {
        let outage = self.outage.as_ref()?;
        if due <= outage.end {
            return Some(outage.end + due.saturating_duration_since(outage.start).div_f64(LOAD));
        }
        Some(due + self.behind(due).div_f64(LOAD))
    }

    /// Returns by how much refills are late at this moment after an outage.
    fn behind(&self, now: Instant) -> Duration {
        let Some(outage) = &self.outage else { return Duration::ZERO };
        let made_up = now.saturating_duration_since(outage.end).mul_f64(LOAD - 1.0);
        (outage.end - outage.start).min(self.budget).saturating_sub(made_up)
    }
}

/// Returns how long a refill can be put off if supply lasts for this long.
fn can_be_put_off(lasts: Duration) -> Duration {
    lasts.mul_f64(SPARE).saturating_sub(RESERVE)
}

/// Returns how long it is until a moment that may have passed.
fn time_left(until: Option<Instant>, now: Instant) -> Option<Duration> {
    until.filter(|until| now < *until).map(|until| until - now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    const BUDGET: Duration = Duration::from_secs(600);

    /// The longest pause at the beginning of an outage.
    const LONGEST: Duration = LONGEST_PAUSE[0];

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn new() -> StoreHealth {
        StoreHealth::new(BUDGET)
    }

    fn failure() -> Error {
        Error::new(ErrorKind::StoreUnavailable, "it is away")
    }

    fn fail(health: &mut StoreHealth, at: Instant) {
        health.note_failure(at, at, 0.0, &failure());
    }

    fn answer(health: &mut StoreHealth, at: Instant) {
        health.note_answer(at, at, 0.0, false);
    }

    #[test]
    fn a_store_that_answers_may_always_be_asked() {
        let (mut health, start) = (new(), Instant::now());
        assert_eq!(health.left(start, None), None);
        health.note_answer(start, start, 0.0, false);
        assert!(health.is_well());
        assert_eq!(health.left(start, None), None);
    }

    #[test]
    fn failures_of_attempts_that_were_under_way_together_count_once() {
        let (mut health, start) = (new(), Instant::now());
        for tag in 0..10 {
            assert!(health.note_failure(start + ms(tag), start + ms(100), 0.0, &failure()));
        }
        assert_eq!(health.left(start + ms(100), None), Some(ms(20)));
        assert_eq!(health.left(start + ms(120), None), None);
        assert!(health.note_failure(start + ms(120), start + ms(130), 0.0, &failure()));
        assert_eq!(health.left(start + ms(130), None), Some(ms(40)));
    }

    #[test]
    fn after_an_answer_every_tag_may_ask_at_once_and_the_next_failure_begins_with_the_shortest_pause() {
        let (mut health, start) = (new(), Instant::now());
        let mut now = start;
        for _ in 0..20 {
            health.note_failure(now, now, 0.0, &failure());
            now += LONGEST;
        }
        health.note_answer(now, now, 0.0, false);
        assert!(health.is_well());
        assert_eq!(health.left(now, None), None);
        now += ms(1);
        health.note_failure(now, now, 0.0, &failure());
        assert_eq!(health.left(now, None), Some(ms(20)));
    }

    #[test]
    fn a_failure_while_other_tags_get_answers_does_not_mean_that_the_store_is_away() {
        let (mut health, start) = (new(), Instant::now());
        health.note_answer(start, start + ms(5), 0.0, false);
        assert!(!health.note_failure(start, start + ms(1000), 0.0, &failure()), "a locked row");
        assert_eq!(health.left(start + ms(1000), None), None);
        assert!(health.note_failure(start + ms(1000), start + ms(2000), 0.0, &failure()));
    }

    #[test]
    fn a_store_that_answers_that_a_row_is_locked_is_as_well_as_before() {
        let (mut health, start) = (new(), Instant::now());
        health.note_refusal(start + ms(2000));
        assert!(!health.is_well() && health.error().is_none() && !health.is_slow());
        assert_eq!(health.left(start + ms(2000), None), None);
        answer(&mut health, start + ms(2000));
        health.note_refusal(start + ms(4000));
        assert!(health.is_well(), "every tag may ask");
        assert!(!health.note_failure(start + ms(3000), start + ms(5000), 0.0, &failure()), "it has answered since");
    }

    #[test]
    fn four_locked_rows_in_a_row_may_be_a_locked_table() {
        let (mut health, start) = (new(), Instant::now());
        answer(&mut health, start);
        for refusal in 1..=4 {
            assert!(health.is_well(), "{refusal}");
            health.note_refusal(start + secs(refusal));
        }
        assert!(!health.is_well() && health.error().is_none(), "one tag at a time asks");
        answer(&mut health, start + secs(5));
        assert!(health.is_well());
    }

    #[test]
    fn a_store_that_was_away_is_back_if_it_answers_that_a_row_is_locked() {
        let (mut health, start) = (new(), Instant::now());
        fail(&mut health, start);
        health.note_refusal(start + secs(1));
        assert!(health.error().is_none() && !health.is_well());
    }

    #[test]
    fn a_store_that_answers_slowly_twice_is_left_alone_for_about_twice_as_long_as_the_answer_took() {
        let (mut health, start) = (new(), Instant::now());
        health.note_answer(start, start, 0.0, false);
        health.note_answer(start, start + ms(2000), 0.5, false);
        assert!(!health.is_well() && health.error().is_none(), "one tag at a time asks");
        assert_eq!(health.left(start + ms(2000), None), None, "it may have been a locked row");
        health.note_answer(start + ms(2000), start + ms(4000), 0.5, false);
        assert_eq!(health.left(start + ms(4000), None), Some(ms(4000)));
        health.note_failure(start + ms(8000), start + ms(11_000), 0.5, &failure());
        assert_eq!(health.left(start + ms(11_000), None), Some(ms(6000)), "the same without an answer");
        health.note_answer(start + ms(15_000), start + ms(15_500), 0.5, true);
        assert!(!health.is_well(), "another tag waits for its turn");
        health.note_answer(start + ms(15_500), start + ms(15_500), 0.5, false);
        assert_eq!((health.is_well(), health.left(start + ms(15_500), None)), (true, None));
    }

    #[test]
    fn a_process_that_is_owed_no_ids_leaves_a_slow_store_to_others_for_as_long_as_they_lease_and_at_most_15_seconds() {
        for (others_a_second, longer) in [(0.0, 600), (-1.0, 600), (0.5, 720), (1.0, 1440), (100.0, 3000)] {
            let (mut health, start) = (new(), Instant::now());
            health.note_others(others_a_second);
            health.note_answer(start, start + ms(600), 0.0, true);
            assert_eq!(health.left_to_others(start + ms(600)), None);
            health.note_answer(start + ms(600), start + ms(1200), 0.0, true);
            assert_eq!(health.left(start + ms(1200), None), Some(ms(600)));
            assert_eq!(health.left_to_others(start + ms(1200)), Some(ms(longer)), "{others_a_second} a second");
            assert_eq!(health.left_to_others(start + ms(1200 + longer)), None);
            health.note_answer(start + ms(7000), start + ms(10_000), 1.0, true);
            let longest = if longer > 700 { 15_000 } else { 9000 };
            assert_eq!(health.left_to_others(start + ms(10_000)), Some(ms(longest)), "{others_a_second} a second");
        }
    }

    #[test]
    fn a_tag_is_owed_ids_if_it_has_leased_none_since_the_store_was_last_well() {
        let (mut health, start) = (new(), Instant::now());
        answer(&mut health, start);
        answer(&mut health, start + ms(1000));
        fail(&mut health, start + ms(2000));
        health.note_answer(start + ms(3000), start + ms(3001), 0.0, true);
        let turn = |landed| Turn { landed, failures: 2, grows: true };
        assert!(health.owes(&turn(None)) && health.owes(&turn(Some(start + ms(1000)))));
        assert!(!health.owes(&turn(Some(start + ms(3001)))));
    }

    #[test]
    fn a_tag_that_failed_three_times_in_a_row_is_owed_no_ids() {
        assert!(!new().owes(&Turn { landed: None, failures: 3, grows: true }));
    }

    #[test]
    fn a_tag_whose_leases_cannot_grow_is_always_owed_ids() {
        assert!(new().owes(&Turn { landed: Some(Instant::now()), failures: 3, grows: false }));
    }

    #[test]
    fn a_store_that_is_slow_for_longer_than_a_start_is_left_to_others_no_more() {
        let (mut health, start) = (new(), Instant::now());
        for (seconds, longer) in [(0, None), (80, Some(5000)), (100, Some(1000))] {
            let now = start + secs(seconds);
            health.note_others(100.0);
            health.note_answer(now, now + ms(1000), 0.0, true);
            assert_eq!(health.left_to_others(now + ms(1000)), longer.map(ms));
        }
    }

    #[test]
    fn a_store_that_was_away_is_left_alone_after_its_first_slow_answer() {
        let (mut health, start) = (new(), Instant::now());
        health.note_answer(start, start + ms(2000), 0.5, false);
        assert_eq!(health.left(start + ms(2000), None), None, "its first host is frozen, and the next one is quick");
        health.note_answer(start + ms(3000), start + ms(3001), 0.5, false);
        health.note_failure(start + ms(4000), start + ms(4001), 0.0, &failure());
        health.note_answer(start + ms(5000), start + ms(7000), 0.5, false);
        assert_eq!(health.left(start + ms(7000), None), Some(ms(4000)));
    }

    #[test]
    fn a_store_that_comes_back_is_left_alone_for_about_twice_as_long_as_an_answer_took_while_tags_wait_for_their_turn()
    {
        let (mut health, start) = (new(), Instant::now());
        health.note_answer(start, start + ms(200), 0.5, true);
        assert_eq!(health.left(start + ms(200), None), None, "it was not away");
        health.note_failure(start + ms(1000), start + ms(1001), 0.0, &failure());
        health.note_answer(start + ms(2000), start + ms(2050), 0.5, true);
        assert_eq!(health.left(start + ms(2050), None), None, "a round trip to a host far away");
        health.note_answer(start + ms(3000), start + ms(3200), 0.5, true);
        assert_eq!(health.left(start + ms(3200), None), Some(ms(400)));
        health.note_answer(start + ms(4000), start + ms(4200), 0.5, false);
        assert_eq!((health.is_well(), health.left(start + ms(4200), None)), (true, None), "no tag waits");
        health.note_answer(start + ms(5000), start + ms(5200), 0.5, true);
        assert_eq!(health.left(start + ms(5200), None), None, "it is back");
    }

    #[test]
    fn a_process_that_was_stopped_for_an_hour_asks_again_within_seconds() {
        let (mut health, start) = (new(), Instant::now());
        health.note_answer(start, start + ms(2000), 1.0, false);
        health.note_answer(start + ms(2000), start + ms(3_602_000), 1.0, false);
        assert_eq!(health.left(start + ms(3_602_000), None), Some(ms(9000)));
    }

    #[test]
    fn a_slow_answer_while_other_tags_get_quick_ones_does_not_mean_that_the_store_is_slow() {
        let (mut health, start) = (new(), Instant::now());
        health.note_answer(start + ms(500), start + ms(501), 0.0, false);
        health.note_answer(start, start + ms(2000), 0.0, false);
        assert!(health.is_well(), "a locked row");
    }

    #[test]
    fn an_outage_of_a_minute_costs_a_process_about_40_attempts_however_many_tags_it_has() {
        for seed in 0..20 {
            let (mut health, mut random) = (new(), fastrand::Rng::with_seed(seed));
            let (start, mut now, mut attempts) = (Instant::now(), Duration::ZERO, 0);
            while now < Duration::from_secs(60) {
                // The first tag in the queue asks, at once if no attempt has failed yet.
                now += health.left(start + now, None).unwrap_or_default();
                health.note_failure(start + now, start + now, random.f64(), &failure());
                attempts += 1;
            }
            assert!((30..70).contains(&attempts), "{attempts} attempts");
        }
    }

    #[test]
    fn a_fleet_that_lost_its_store_at_one_moment_does_not_retry_at_one_moment() {
        let (start, mut asked) = (Instant::now(), [0; 600]);
        for seed in 0..1000 {
            let (mut health, mut random, mut now) = (new(), fastrand::Rng::with_seed(seed), Duration::ZERO);
            while now < Duration::from_secs(60) {
                asked[now.as_millis() as usize / 100] += 1;
                health.note_failure(start + now, start + now, random.f64(), &failure());
                now += health.left(start + now, None).unwrap_or_default();
            }
        }
        assert!(asked[0] >= 1000, "every process fails at once");
        // Each asks every 1.5 s on average: 67 in a tenth of a second.
        let most = asked[300..].iter().max().unwrap();
        assert!(*most < 120, "{most} of 1000 processes ask within a tenth of a second");
    }

    /// A recovery from an outage of this many seconds, and the moment at which it ended.
    fn after(outage: u64) -> (StoreHealth, Instant) {
        let (mut health, began) = (new(), Instant::now() + secs(3600));
        fail(&mut health, began);
        fail(&mut health, began + secs(outage / 2));
        answer(&mut health, began + secs(outage));
        answer(&mut health, began + secs(outage + 1));
        (health, began + secs(outage))
    }

    #[test]
    fn without_an_outage_and_during_one_nothing_is_put_off() {
        let (mut health, now) = (new(), Instant::now());
        answer(&mut health, now);
        assert_eq!(health.turn_after_outage(now), None);
        fail(&mut health, now);
        assert_eq!(health.turn_after_outage(now), None);
    }

    #[test]
    fn refills_come_in_the_order_in_which_they_became_due_at_one_and_a_half_times_the_steady_load() {
        let (health, ended) = after(600);
        let began = ended - secs(600);
        let comes = |due: Instant| (health.turn_after_outage(due).unwrap() - ended).as_secs();
        assert_eq!(comes(began - secs(1)), 0, "the one whose attempt failed first");
        assert_eq!([began, began + secs(300), ended].map(comes), [0, 200, 400]);
        // The last of them come 800 s later, as they became due: 1200 s of the steady load in 1200 s less 400.
        assert_eq!([ended + secs(300), ended + secs(900)].map(comes), [600, 1000]);
        assert_eq!([ended + secs(1200), ended + secs(5000)].map(comes), [1200, 5000], "nothing is put off any more");
    }

    #[test]
    fn after_an_outage_longer_than_the_budget_refills_that_become_due_later_are_put_off_by_no_more() {
        let (health, ended) = after(3600);
        let due = ended + secs(300);
        assert_eq!(health.turn_after_outage(due), Some(due + secs(300)));
    }

    #[test]
    fn an_outage_during_a_recovery_continues_the_one_before() {
        let (mut health, ended) = after(600);
        // 500 s later refills are still 350 s late.
        let again = ended + secs(500);
        fail(&mut health, again);
        answer(&mut health, again + secs(10));
        assert_eq!(health.turn_after_outage(again - secs(350)), Some(again + secs(10)));
        assert_eq!(health.turn_after_outage(again - secs(200)), Some(again + secs(10 + 100)));
        // 720 s after that they are not late any more.
        let last = again + secs(10 + 720);
        fail(&mut health, last);
        answer(&mut health, last + secs(3));
        assert_eq!(health.turn_after_outage(last), Some(last + secs(3)));
        assert_eq!(health.turn_after_outage(last + secs(3)), Some(last + secs(3 + 2)));
    }

    #[test]
    fn the_longest_pause_grows_with_the_outage_while_a_call_waits_and_with_the_supply_while_none_does() {
        let (mut health, start) = (new(), Instant::now());
        fail(&mut health, start);
        for (seconds, longest) in [(10, 2), (60, 3), (600, 5)] {
            let now = start + secs(seconds);
            for _ in 0..20 {
                fail(&mut health, now);
            }
            assert_eq!(health.left(now, None), Some(secs(longest)));
            let idle = [0, 60, 120, 600].map(|supply| health.left(now, Some(secs(supply))).unwrap().as_secs());
            assert_eq!(idle, [2, 15, 60, 120]);
        }
    }
}
