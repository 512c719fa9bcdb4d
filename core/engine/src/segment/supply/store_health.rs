//! The health of a store, as the tags of one generator see it: a state machine on times that the caller passes in. Its
//! table is in `mod.rs`. Until a store is known to be quick, one tag at a time asks it. How long the store is then left
//! to other processes is in `fairness.rs`.

use super::fairness::{Fairness, can_be_put_off};
use crate::backoff::Backoff;
use leafmint_ids::error::{Error, Reason};
use std::time::{Duration, Instant};

/// An attempt that takes longer shows a store that is overloaded, or frozen: a round trip to another continent is
/// quicker.
const SLOW: Duration = Duration::from_millis(500);

/// A store that comes back leaves no time for others if it takes longer than this for an answer.
const BUSY: Duration = Duration::from_millis(100);

/// If this many tags in a row are refused for now, the cause may be the table: one tag at a time asks then.
const MOST_REFUSALS: u32 = 4;

/// Bounds of the longest pause that all tags share while a call waits: a twentieth of the outage so far.
const LONGEST_PAUSE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(5)];

/// The same while no call waits: as long as all refills can be put off. So the processes of a fleet find out one after
/// another that their store is back.
const LONGEST_IDLE_PAUSE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(120)];

enum StoreState {
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

/// The health of a store, and when it may be asked again.
pub(super) struct StoreHealth {
    state: StoreState,
    /// Slow attempts in a row, answered or not.
    slow: u32,
    /// Attempts in a row that failed for one tag alone.
    refusals: u32,
    answered: Option<Instant>,
    /// Why the last attempt was refused, if every other one would be.
    refusal: Option<Error>,
    pub(super) fairness: Fairness,
}

impl StoreHealth {
    /// `budget` is the longest outage that supply is meant to last for.
    pub(super) fn new(budget: Duration) -> Self {
        let fairness = Fairness::new(budget);
        Self { state: StoreState::Unproven, slow: 0, refusals: 0, answered: None, refusal: None, fairness }
    }

    /// Returns whether every tag may ask, not only one at a time.
    pub(super) fn is_well(&self) -> bool {
        matches!(self.state, StoreState::Well)
    }

    /// Returns the last error if the last attempt failed.
    pub(super) fn error(&self) -> Option<&Error> {
        if let StoreState::Away { error, .. } = &self.state { Some(error) } else { None }
    }

    /// Returns why the last attempt was refused, if every other one would be: there is no table, for example.
    pub(super) fn refusal(&self) -> Option<&Error> {
        self.refusal.as_ref()
    }

    /// Records what the store refused an attempt for, if it did.
    pub(super) fn note_end(&mut self, refusal: Option<&Error>) {
        self.refusal = refusal.filter(|error| error.reason().is_some_and(holds_for_every_tag)).cloned();
    }

    /// Returns whether the last attempt took long.
    pub(super) fn is_slow(&self) -> bool {
        self.slow > 0
    }

    /// Returns how long the store must still be left alone; `None` if it may be asked. `supply` is the least that a tag
    /// in the queue has, or `None` if a call waits. `is_owed` says whether a tag is owed ids.
    pub(super) fn left(&self, now: Instant, supply: Option<Duration>, is_owed: bool) -> Option<Duration> {
        let rest = self.fairness.rest_left(now, is_owed);
        let StoreState::Away { since, pauses, .. } = &self.state else { return rest };
        let longest = match supply {
            None => (now.saturating_duration_since(*since) / 20).clamp(LONGEST_PAUSE[0], LONGEST_PAUSE[1]),
            Some(lasts) => can_be_put_off(lasts).clamp(LONGEST_IDLE_PAUSE[0], LONGEST_IDLE_PAUSE[1]),
        };
        pauses.left(now, longest).max(rest)
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
        self.slow = 0;
        self.fairness.end_rest();
        self.state = match self.state {
            _ if !queued => StoreState::Well,
            StoreState::Recovering => StoreState::Recovering,
            _ => StoreState::Unproven,
        };
        if self.is_well() {
            self.fairness.note_well(now);
        }
        if matches!(self.state, StoreState::Recovering) && now - began > BUSY {
            self.fairness.rest(now - began, now, jitter);
        }
    }

    /// Records that the store answered, and failed for one tag alone, such as one whose row is locked. How long that
    /// took says nothing about other tags.
    pub(super) fn note_refusal(&mut self, now: Instant) {
        self.refusals += 1;
        self.note_presence(now);
        if self.is_well() && self.refusals >= MOST_REFUSALS {
            self.state = StoreState::Unproven;
        }
    }

    /// Ends an outage: the store has answered.
    fn note_presence(&mut self, now: Instant) {
        self.answered = Some(now);
        if let StoreState::Away { since, .. } = self.state {
            self.fairness.end_outage(since..now);
            self.state = StoreState::Recovering;
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
            StoreState::Away { pauses, .. } => pauses.failed_at().is_none_or(|failed| began >= failed),
            _ => true,
        };
        if counts && now - began > SLOW {
            self.note_slow(began, now, jitter);
        }
        if !matches!(self.state, StoreState::Away { .. }) {
            let since = self.fairness.begin_outage(began);
            self.state = StoreState::Away { since, pauses: Backoff::default(), error: failure.clone() };
        }
        if let StoreState::Away { pauses, error, .. } = &mut self.state {
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
        let is_overloaded = self.slow > 0 || matches!(self.state, StoreState::Away { .. } | StoreState::Recovering);
        if self.is_well() {
            self.state = StoreState::Unproven;
        }
        self.slow = self.slow.saturating_add(1);
        self.fairness.note_slow(now);
        if is_overloaded {
            self.fairness.rest(now - began, now, jitter);
        }
    }

    fn has_answered_since(&self, began: Instant) -> bool {
        self.answered.is_some_and(|answered| answered > began)
    }
}

/// Returns whether a store that refuses one tag for this reason refuses all of them.
fn holds_for_every_tag(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::MissingTable
            | Reason::MissingSchema
            | Reason::ImpossibleTable
            | Reason::Denied
            | Reason::LogInRefused
            | Reason::LogInUnsupported
            | Reason::ClearPassword
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use leafmint_ids::error::ErrorKind;

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

    /// How long the store is left alone while a call waits.
    fn left(health: &StoreHealth, now: Instant) -> Option<Duration> {
        health.left(now, None, true)
    }

    #[test]
    fn a_store_that_answers_may_always_be_asked() {
        let (mut health, start) = (new(), Instant::now());
        assert_eq!(left(&health, start), None);
        health.note_answer(start, start, 0.0, false);
        assert!(health.is_well());
        assert_eq!(left(&health, start), None);
    }

    #[test]
    fn failures_of_attempts_that_were_under_way_together_count_once() {
        let (mut health, start) = (new(), Instant::now());
        for tag in 0..10 {
            assert!(health.note_failure(start + ms(tag), start + ms(100), 0.0, &failure()));
        }
        assert_eq!(left(&health, start + ms(100)), Some(ms(20)));
        assert_eq!(left(&health, start + ms(120)), None);
        assert!(health.note_failure(start + ms(120), start + ms(130), 0.0, &failure()));
        assert_eq!(left(&health, start + ms(130)), Some(ms(40)));
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
        assert_eq!(left(&health, now), None);
        now += ms(1);
        health.note_failure(now, now, 0.0, &failure());
        assert_eq!(left(&health, now), Some(ms(20)));
    }

    #[test]
    fn a_failure_while_other_tags_get_answers_does_not_mean_that_the_store_is_away() {
        let (mut health, start) = (new(), Instant::now());
        health.note_answer(start, start + ms(5), 0.0, false);
        assert!(!health.note_failure(start, start + ms(1000), 0.0, &failure()), "a locked row");
        assert_eq!(left(&health, start + ms(1000)), None);
        assert!(health.note_failure(start + ms(1000), start + ms(2000), 0.0, &failure()));
    }

    #[test]
    fn a_store_that_answers_that_a_row_is_locked_is_as_well_as_before() {
        let (mut health, start) = (new(), Instant::now());
        health.note_refusal(start + ms(2000));
        assert!(!health.is_well() && health.error().is_none() && !health.is_slow());
        assert_eq!(left(&health, start + ms(2000)), None);
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
        assert_eq!(left(&health, start + ms(2000)), None, "it may have been a locked row");
        health.note_answer(start + ms(2000), start + ms(4000), 0.5, false);
        assert_eq!(left(&health, start + ms(4000)), Some(ms(4000)));
        health.note_failure(start + ms(8000), start + ms(11_000), 0.5, &failure());
        assert_eq!(left(&health, start + ms(11_000)), Some(ms(6000)), "the same without an answer");
        health.note_answer(start + ms(15_000), start + ms(15_500), 0.5, true);
        assert!(!health.is_well(), "another tag waits for its turn");
        health.note_answer(start + ms(15_500), start + ms(15_500), 0.5, false);
        assert_eq!((health.is_well(), left(&health, start + ms(15_500))), (true, None));
    }

    #[test]
    fn a_store_that_was_away_is_left_alone_after_its_first_slow_answer() {
        let (mut health, start) = (new(), Instant::now());
        health.note_answer(start, start + ms(2000), 0.5, false);
        assert_eq!(left(&health, start + ms(2000)), None, "its first host is frozen, and the next one is quick");
        health.note_answer(start + ms(3000), start + ms(3001), 0.5, false);
        health.note_failure(start + ms(4000), start + ms(4001), 0.0, &failure());
        health.note_answer(start + ms(5000), start + ms(7000), 0.5, false);
        assert_eq!(left(&health, start + ms(7000)), Some(ms(4000)));
    }

    #[test]
    fn a_store_that_comes_back_is_left_alone_for_about_twice_as_long_as_an_answer_took_while_tags_wait_for_their_turn()
    {
        let (mut health, start) = (new(), Instant::now());
        health.note_answer(start, start + ms(200), 0.5, true);
        assert_eq!(left(&health, start + ms(200)), None, "it was not away");
        health.note_failure(start + ms(1000), start + ms(1001), 0.0, &failure());
        health.note_answer(start + ms(2000), start + ms(2050), 0.5, true);
        assert_eq!(left(&health, start + ms(2050)), None, "a round trip to a host far away");
        health.note_answer(start + ms(3000), start + ms(3200), 0.5, true);
        assert_eq!(left(&health, start + ms(3200)), Some(ms(400)));
        health.note_answer(start + ms(4000), start + ms(4200), 0.5, false);
        assert_eq!((health.is_well(), left(&health, start + ms(4200))), (true, None), "no tag waits");
        health.note_answer(start + ms(5000), start + ms(5200), 0.5, true);
        assert_eq!(left(&health, start + ms(5200)), None, "it is back");
    }

    #[test]
    fn a_process_that_was_stopped_for_an_hour_asks_again_within_seconds() {
        let (mut health, start) = (new(), Instant::now());
        health.note_answer(start, start + ms(2000), 1.0, false);
        health.note_answer(start + ms(2000), start + ms(3_602_000), 1.0, false);
        assert_eq!(left(&health, start + ms(3_602_000)), Some(ms(9000)));
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
                now += left(&health, start + now).unwrap_or_default();
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
                now += left(&health, start + now).unwrap_or_default();
            }
        }
        assert!(asked[0] >= 1000, "every process fails at once");
        // Each asks every 1.5 s on average: 67 in a tenth of a second.
        let most = asked[300..].iter().max().unwrap();
        assert!(*most < 120, "{most} of 1000 processes ask within a tenth of a second");
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
            assert_eq!(left(&health, now), Some(secs(longest)));
            let idle = [0, 60, 120, 600].map(|supply| health.left(now, Some(secs(supply)), true).unwrap().as_secs());
            assert_eq!(idle, [2, 15, 60, 120]);
        }
    }
}
