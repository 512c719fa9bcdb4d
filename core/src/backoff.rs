//! When to try again after a failure, in both modes: plain arithmetic on times that the caller passes in.

use std::time::{Duration, Instant};

/// The pause after the first failure. It doubles with each further one.
const FIRST: Duration = Duration::from_millis(20);

/// Failures in a row, each followed by a longer pause than the one before.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
    last: Option<Instant>,
    /// From 0 to 1: it takes up to half of the pause off, so that processes that failed together do not retry together.
    jitter: f64,
}

impl Backoff {
    /// Returns whether the last attempt failed.
    pub(crate) fn is_on(&self) -> bool {
        self.failures > 0
    }

    /// Returns the pause after the last failure, at most `longest`.
    pub(crate) fn pause(&self, longest: Duration) -> Duration {
        let doubled = FIRST.saturating_mul(1 << self.failures.saturating_sub(1).min(20));
        doubled.min(longest).mul_f64(1.0 - self.jitter.clamp(0.0, 1.0) / 2.0)
    }

    /// Returns what is left of a pause of at most `longest`; `None` if the next attempt is due.
    pub(crate) fn left(&self, now: Instant, longest: Duration) -> Option<Duration> {
        let due = self.last? + self.pause(longest);
        (self.is_on() && now < due).then(|| due - now)
    }

    /// Counts a failed attempt. `jitter` is a random number from 0 to 1.
    pub(crate) fn note_failure(&mut self, now: Instant, jitter: f64) {
        self.failures = self.failures.saturating_add(1);
        self.last = Some(now);
        self.jitter = jitter;
    }

    /// Ends the pauses. Returns whether the last attempt had failed.
    pub(crate) fn note_success(&mut self) -> bool {
        std::mem::take(&mut self.failures) > 0
    }
}

/// Whether a store answers, as seen by all tags that use it, and if not, when it may be asked again.
///
/// While it is away one tag at a time asks it. The callers choose which.
#[derive(Debug, Default)]
pub(crate) struct Outage {
    backoff: Backoff,
    answered: Option<Instant>,
}

impl Outage {
    /// Returns whether the store is away.
    pub(crate) fn is_on(&self) -> bool {
        self.backoff.is_on()
    }

    /// Returns how long the store must still be left alone if a pause takes at most `longest`; `None` if it may be
    /// asked.
    pub(crate) fn left(&self, now: Instant, longest: Duration) -> Option<Duration> {
        self.backoff.left(now, longest)
    }

    /// Records an answer. Returns whether the store had been away.
    pub(crate) fn note_answer(&mut self, now: Instant) -> bool {
        self.answered = Some(now);
        self.backoff.note_success()
    }

    /// Records a failure of an attempt that began at `began`. Returns false if another tag had an answer since then:
    /// the failure then concerns the caller alone, which has to pause by itself.
    pub(crate) fn note_failure(&mut self, began: Instant, now: Instant, jitter: f64) -> bool {
        if self.answered.is_some_and(|answered| answered > began) {
            return false;
        }
        // Of attempts that were under way together, only the first failure counts.
        if !self.backoff.is_on() || self.backoff.last.is_none_or(|failed| began >= failed) {
            self.backoff.note_failure(now, jitter);
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
    fn pauses_double_up_to_the_longest_and_jitter_spreads_them_over_their_second_half() {
        let pause = |failures, jitter| Backoff { failures, last: None, jitter }.pause(LONGEST);
        let pauses = |jitter| (1..=9).map(|failures| pause(failures, jitter)).collect::<Vec<_>>();
        assert_eq!(pauses(0.0), [20, 40, 80, 160, 320, 640, 1280, 2000, 2000].map(ms));
        assert_eq!(pauses(1.0), [10, 20, 40, 80, 160, 320, 640, 1000, 1000].map(ms));
        assert_eq!(pause(u32::MAX, 0.5), ms(1500));
    }

    #[test]
    fn a_success_ends_the_pauses_and_the_next_failure_begins_with_the_shortest() {
        let (mut backoff, start) = (Backoff::default(), Instant::now());
        assert!(!backoff.note_success());
        for _ in 0..5 {
            backoff.note_failure(start, 0.0);
        }
        assert_eq!(backoff.left(start, LONGEST), Some(ms(320)));
        assert!(backoff.note_success());
        assert_eq!(backoff.left(start, LONGEST), None);
        backoff.note_failure(start, 0.0);
        assert_eq!(backoff.left(start + ms(5), LONGEST), Some(ms(15)));
        assert_eq!(backoff.left(start + ms(20), LONGEST), None);
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
    fn after_an_answer_every_tag_may_ask_at_once_and_the_next_failure_begins_with_the_shortest_pause() {
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
    fn a_failure_while_other_tags_get_answers_does_not_mean_that_the_store_is_away() {
        let (mut outage, start) = (Outage::default(), Instant::now());
        outage.note_answer(start + ms(5));
        assert!(!outage.note_failure(start, start + ms(1000), 0.0), "a locked row");
        assert_eq!(outage.left(start + ms(1000), LONGEST), None);
        assert!(outage.note_failure(start + ms(1000), start + ms(2000), 0.0));
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
