//! Whether a store is away or slow, and when it may be asked again: plain arithmetic on times that are passed in.

use crate::backoff::Backoff;
use std::time::{Duration, Instant};

/// An attempt that takes longer shows a store that is overloaded, or frozen: a round trip to another continent is
/// quicker.
const SLOW: Duration = Duration::from_millis(500);

/// A store that comes back leaves no time for others if it takes longer than this for an answer.
const BUSY: Duration = Duration::from_millis(100);

/// An attempt that seems to take longer was interrupted: the process was stopped meanwhile.
const LONGEST_TAKEN: Duration = Duration::from_secs(3);

/// Whether a store answers, and how quickly, as seen by all tags that use it, and when it may be asked again.
///
/// Until it is known to be quick one tag at a time asks it, and leaves it alone for about twice as long as a slow
/// answer took. So thousands of processes do not ask for more than the store has time for: calls that wait there for
/// longer than their deadline cost it as much as others, and are wasted. The callers choose which tag asks.
#[derive(Debug, Default)]
pub(super) struct Outage {
    backoff: Backoff,
    answered: Option<Instant>,
    /// The last answer came soon, and no tag was waiting for its turn.
    is_quick: bool,
    /// It was away, and has not been quick since.
    is_returning: bool,
    /// Slow attempts in a row, answered or not.
    slow: u32,
    /// The store is left alone until then.
    rests_until: Option<Instant>,
}

impl Outage {
    /// Returns whether one tag at a time may ask.
    pub(super) fn is_on(&self) -> bool {
        !self.is_quick
    }

    /// Returns whether the last attempt failed.
    pub(super) fn is_away(&self) -> bool {
        self.backoff.is_on()
    }

    /// Returns whether the last attempt took long.
    pub(super) fn is_slow(&self) -> bool {
        self.slow > 0
    }

    /// Returns how long the store must still be left alone if a pause takes at most `longest`; `None` if it may be
    /// asked.
    pub(super) fn left(&self, now: Instant, longest: Duration) -> Option<Duration> {
        let rest = self.rests_until.filter(|until| now < *until).map(|until| until - now);
        self.backoff.left(now, longest).max(rest)
    }

    /// Records the answer to an attempt that began at `began`. `jitter` is a random number from 0 to 1, and `waiting`
    /// whether other tags wait for their turn.
    pub(super) fn note_answer(&mut self, began: Instant, now: Instant, jitter: f64, waiting: bool) {
        let is_of_one_tag = self.answered.is_some_and(|answered| answered > began);
        self.answered = Some(now);
        self.backoff.note_success();
        if now - began > SLOW && !is_of_one_tag {
            self.rest(began, now, jitter);
            return;
        }
        (self.is_quick, self.slow, self.rests_until) = (!waiting, 0, None);
        self.is_returning &= waiting;
        if self.is_returning && now - began > BUSY {
            self.rests_until = Some(rest_after(began, now, jitter));
        }
    }

    /// Records a failure of an attempt that began at `began`. Returns false if another tag had an answer since then:
    /// the failure then concerns the caller alone, which has to pause by itself.
    pub(super) fn note_failure(&mut self, began: Instant, now: Instant, jitter: f64) -> bool {
        if self.answered.is_some_and(|answered| answered > began) {
            return false;
        }
        // Of attempts that were under way together, only the first failure counts.
        if !self.backoff.is_on() || self.backoff.failed_at().is_none_or(|failed| began >= failed) {
            self.backoff.note_failure(now, jitter);
            if now - began > SLOW {
                self.rest(began, now, jitter);
            }
            (self.is_quick, self.is_returning) = (false, true);
        }
        true
    }

    /// Leaves the store alone after a slow attempt. After a first one only if the store was away: it may be due to a
    /// locked row, or to a host that is passed over.
    fn rest(&mut self, began: Instant, now: Instant, jitter: f64) {
        let is_overloaded = self.slow > 0 || self.is_returning;
        self.is_quick = false;
        self.slow = self.slow.saturating_add(1);
        self.rests_until = is_overloaded.then(|| rest_after(began, now, jitter));
    }
}

/// Returns until when the store is left alone: for one to three times as long as an attempt took.
fn rest_after(began: Instant, now: Instant, jitter: f64) -> Instant {
    now + (now - began).min(LONGEST_TAKEN).mul_f64(1.0 + 2.0 * jitter)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: Duration = Duration::from_secs(2);

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_store_that_answers_may_always_be_asked() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        assert_eq!(outage.left(start, LONGEST), None);
        outage.note_answer(start, start, 0.0, false);
        assert!(!outage.is_on());
        assert_eq!(outage.left(start, LONGEST), None);
    }

    #[test]
    fn failures_of_attempts_that_were_under_way_together_count_once() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        for tag in 0..10 {
            assert!(outage.note_failure(start + ms(tag), start + ms(100), 0.0));
        }
        assert_eq!(outage.left(start + ms(100), LONGEST), Some(ms(20)));
        assert_eq!(outage.left(start + ms(120), LONGEST), None);
        assert!(outage.note_failure(start + ms(120), start + ms(130), 0.0));
        assert_eq!(outage.left(start + ms(130), LONGEST), Some(ms(40)));
    }

    #[test]
    fn after_an_answer_every_tag_may_ask_at_once_and_the_next_failure_begins_with_the_shortest_pause() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        let mut now = start;
        for _ in 0..20 {
            outage.note_failure(now, now, 0.0);
            now += LONGEST;
        }
        outage.note_answer(now, now, 0.0, false);
        assert!(!outage.is_on());
        assert_eq!(outage.left(now, LONGEST), None);
        now += ms(1);
        outage.note_failure(now, now, 0.0);
        assert_eq!(outage.left(now, LONGEST), Some(ms(20)));
    }

    #[test]
    fn a_failure_while_other_tags_get_answers_does_not_mean_that_the_store_is_away() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        outage.note_answer(start, start + ms(5), 0.0, false);
        assert!(!outage.note_failure(start, start + ms(1000), 0.0), "a locked row");
        assert_eq!(outage.left(start + ms(1000), LONGEST), None);
        assert!(outage.note_failure(start + ms(1000), start + ms(2000), 0.0));
    }

    #[test]
    fn a_store_that_answers_slowly_twice_is_left_alone_for_about_twice_as_long_as_the_answer_took() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        outage.note_answer(start, start, 0.0, false);
        outage.note_answer(start, start + ms(2000), 0.5, false);
        assert!(outage.is_on() && !outage.is_away(), "one tag at a time asks");
        assert_eq!(outage.left(start + ms(2000), LONGEST), None, "it may have been a locked row");
        outage.note_answer(start + ms(2000), start + ms(4000), 0.5, false);
        assert_eq!(outage.left(start + ms(4000), LONGEST), Some(ms(4000)));
        outage.note_failure(start + ms(8000), start + ms(11_000), 0.5);
        assert_eq!(outage.left(start + ms(11_000), LONGEST), Some(ms(6000)), "the same without an answer");
        outage.note_answer(start + ms(15_000), start + ms(15_500), 0.5, true);
        assert!(outage.is_on(), "another tag waits for its turn");
        outage.note_answer(start + ms(15_500), start + ms(15_500), 0.5, false);
        assert_eq!((outage.is_on(), outage.left(start + ms(15_500), LONGEST)), (false, None));
    }

    #[test]
    fn a_store_that_was_away_is_left_alone_after_its_first_slow_answer() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        outage.note_answer(start, start + ms(2000), 0.5, false);
        assert_eq!(outage.left(start + ms(2000), LONGEST), None, "its first host is frozen, and the next one is quick");
        outage.note_answer(start + ms(3000), start + ms(3001), 0.5, false);
        outage.note_failure(start + ms(4000), start + ms(4001), 0.0);
        outage.note_answer(start + ms(5000), start + ms(7000), 0.5, false);
        assert_eq!(outage.left(start + ms(7000), LONGEST), Some(ms(4000)));
    }

    #[test]
    fn a_store_that_comes_back_is_left_alone_for_about_twice_as_long_as_an_answer_took_while_tags_wait_for_their_turn()
    {
        let (mut outage, start) = (Outage::default(), Instant::now());
        outage.note_answer(start, start + ms(200), 0.5, true);
        assert_eq!(outage.left(start + ms(200), LONGEST), None, "it was not away");
        outage.note_failure(start + ms(1000), start + ms(1001), 0.0);
        outage.note_answer(start + ms(2000), start + ms(2050), 0.5, true);
        assert_eq!(outage.left(start + ms(2050), LONGEST), None, "a round trip to a host far away");
        outage.note_answer(start + ms(3000), start + ms(3200), 0.5, true);
        assert_eq!(outage.left(start + ms(3200), LONGEST), Some(ms(400)));
        outage.note_answer(start + ms(4000), start + ms(4200), 0.5, false);
        assert_eq!((outage.is_on(), outage.left(start + ms(4200), LONGEST)), (false, None), "no tag waits");
        outage.note_answer(start + ms(5000), start + ms(5200), 0.5, true);
        assert_eq!(outage.left(start + ms(5200), LONGEST), None, "it is back");
    }

    #[test]
    fn a_process_that_was_stopped_for_an_hour_asks_again_within_seconds() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        outage.note_answer(start, start + ms(2000), 1.0, false);
        outage.note_answer(start + ms(2000), start + ms(3_602_000), 1.0, false);
        assert_eq!(outage.left(start + ms(3_602_000), LONGEST), Some(ms(9000)));
    }

    #[test]
    fn a_slow_answer_while_other_tags_get_quick_ones_does_not_mean_that_the_store_is_slow() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        outage.note_answer(start + ms(500), start + ms(501), 0.0, false);
        outage.note_answer(start, start + ms(2000), 0.0, false);
        assert!(!outage.is_on(), "a locked row");
    }

    #[test]
    fn an_outage_of_a_minute_costs_a_process_about_40_attempts_however_many_tags_it_has() {
        for seed in 0..20 {
            let (mut outage, mut random) = (Outage::default(), fastrand::Rng::with_seed(seed));
            let (start, mut now, mut attempts) = (Instant::now(), Duration::ZERO, 0);
            while now < Duration::from_secs(60) {
                // The first tag in the queue asks, at once if no attempt has failed yet.
                now += outage.left(start + now, LONGEST).unwrap_or_default();
                outage.note_failure(start + now, start + now, random.f64());
                attempts += 1;
            }
            assert!((30..70).contains(&attempts), "{attempts} attempts");
        }
    }

    #[test]
    fn a_fleet_that_lost_its_store_at_one_moment_does_not_retry_at_one_moment() {
        let (start, mut asked) = (Instant::now(), [0; 600]);
        for seed in 0..1000 {
            let (mut outage, mut random, mut now) = (Outage::default(), fastrand::Rng::with_seed(seed), Duration::ZERO);
            while now < Duration::from_secs(60) {
                asked[now.as_millis() as usize / 100] += 1;
                outage.note_failure(start + now, start + now, random.f64());
                now += outage.left(start + now, LONGEST).unwrap_or_default();
            }
        }
        assert!(asked[0] >= 1000, "every process fails at once");
        // Each asks every 1.5 s on average: 67 in a tenth of a second.
        let most = asked[300..].iter().max().unwrap();
        assert!(*most < 120, "{most} of 1000 processes ask within a tenth of a second");
    }
}
