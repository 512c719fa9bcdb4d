//! When to try again after a failure: plain arithmetic on times that the caller passes in.

use std::time::{Duration, Instant};

/// The pause after a first failure; it doubles with each further one.
const FIRST: Duration = Duration::from_millis(20);

/// Returns how long to wait after this number of failures in a row, at most `longest`.
///
/// `spread`, from 0 to 1, takes up to half of it off: processes that failed together do not try again together.
pub(crate) fn pause(failures: u32, longest: Duration, spread: f64) -> Duration {
    let doubled = FIRST.saturating_mul(1 << failures.saturating_sub(1).min(20));
    doubled.min(longest).mul_f64(1.0 - spread.clamp(0.0, 1.0) / 2.0)
}

/// What all who use one store know of it: whether it answers, and if not, when it may be asked again.
///
/// While it is away one of them asks at a time. Who that is, is the callers' business.
#[derive(Debug, Default)]
pub(crate) struct Outage {
    /// Failures in a row; 0 while the store answers.
    failures: u32,
    failed: Option<Instant>,
    answered: Option<Instant>,
    spread: f64,
}

impl Outage {
    /// Returns whether the store is away.
    pub(crate) fn is_on(&self) -> bool {
        self.failures > 0
    }

    /// Returns how long the store has to be left alone yet, if pauses last for `longest` at the most; `None` if it may be asked.
    pub(crate) fn left(&self, now: Instant, longest: Duration) -> Option<Duration> {
        let due = self.failed? + pause(self.failures, longest, self.spread);
        (self.is_on() && now < due).then(|| due - now)
    }

    /// Notes an answer. Returns whether the store had been away.
    pub(crate) fn note_answer(&mut self, now: Instant) -> bool {
        self.answered = Some(now);
        std::mem::take(&mut self.failures) > 0
    }

    /// Notes a failure of an attempt that began at `began`. Returns false if somebody else had an answer since then: so the failure
    /// is the caller's alone, and he has to pause by himself.
    pub(crate) fn note_failure(&mut self, began: Instant, now: Instant, spread: f64) -> bool {
        if self.answered.is_some_and(|answered| answered > began) {
            return false;
        }
        // Of attempts that were under way together, the first failure counts.
        if !self.is_on() || self.failed.is_none_or(|failed| began >= failed) {
            self.failures += 1;
            self.failed = Some(now);
            self.spread = spread;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: Duration = Duration::from_secs(2);

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn pauses_double_up_to_the_longest_and_are_spread_over_their_second_half() {
        let pauses = |spread| (1..=9).map(|failures| pause(failures, LONGEST, spread)).collect::<Vec<_>>();
        assert_eq!(pauses(0.0), [20, 40, 80, 160, 320, 640, 1280, 2000, 2000].map(ms));
        assert_eq!(pauses(1.0), [10, 20, 40, 80, 160, 320, 640, 1000, 1000].map(ms));
        assert_eq!(pause(u32::MAX, LONGEST, 0.5), ms(1500));
    }

    #[test]
    fn a_store_that_answers_may_always_be_asked() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        assert_eq!(outage.left(start, LONGEST), None);
        assert!(!outage.note_answer(start));
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
    fn after_an_answer_everybody_may_ask_at_once_and_pauses_begin_anew() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        let mut now = start;
        for _ in 0..20 {
            outage.note_failure(now, now, 0.0);
            now += LONGEST;
        }
        assert!(outage.note_answer(now));
        assert_eq!(outage.left(now, LONGEST), None);
        now += ms(1);
        outage.note_failure(now, now, 0.0);
        assert_eq!(outage.left(now, LONGEST), Some(ms(20)));
    }

    #[test]
    fn a_failure_in_the_middle_of_other_peoples_answers_is_not_the_stores() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        outage.note_answer(start + ms(5));
        assert!(!outage.note_failure(start, start + ms(1000), 0.0), "a locked row");
        assert_eq!(outage.left(start + ms(1000), LONGEST), None);
        assert!(outage.note_failure(start + ms(1000), start + ms(2000), 0.0));
    }

    #[test]
    fn an_outage_of_a_minute_costs_a_process_some_40_attempts_whatever_the_number_of_its_tags() {
        for seed in 0..20 {
            let (mut outage, mut random) = (Outage::default(), fastrand::Rng::with_seed(seed));
            let (start, mut now, mut attempts) = (Instant::now(), Duration::ZERO, 0);
            while now < Duration::from_secs(60) {
                // Whoever is first in the queue asks, at once where nobody has failed yet.
                now += outage.left(start + now, LONGEST).unwrap_or_default();
                outage.note_failure(start + now, start + now, random.f64());
                attempts += 1;
            }
            assert!((30..70).contains(&attempts), "{attempts} attempts");
        }
    }

    #[test]
    fn a_fleet_that_lost_its_store_at_one_moment_does_not_come_back_at_one() {
        let (start, mut asked) = (Instant::now(), [0; 600]);
        for seed in 0..1000 {
            let (mut outage, mut random, mut now) = (Outage::default(), fastrand::Rng::with_seed(seed), Duration::ZERO);
            while now < Duration::from_secs(60) {
                asked[now.as_millis() as usize / 100] += 1;
                outage.note_failure(start + now, start + now, random.f64());
                now += outage.left(start + now, LONGEST).unwrap_or_default();
            }
        }
        assert!(asked[0] >= 1000, "all fail at once");
        // Each asks every 1.5 s on average: 67 in a tenth of a second.
        let most = asked[300..].iter().max().unwrap();
        assert!(*most < 120, "{most} of 1000 processes ask within a tenth of a second");
    }
}
