//! When to try again after a failure, in both modes: plain arithmetic on times that the caller passes in.

use std::time::{Duration, Instant};

/// The pause after the first failure. It doubles with each further one.
const FIRST: Duration = Duration::from_millis(20);

/// The longest pause before another look at a refusal, while no call asks.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// Returns the pause before another look at a refusal that an operator may have ended. `jitter` is a random number from
/// 0 to 1.
pub(crate) fn pause_after_refusal(jitter: f64) -> Duration {
    LOOK_AGAIN.mul_f64(1.0 - jitter / 2.0)
}

/// Failures in a row, each followed by a longer pause than the one before.
#[derive(Debug, Default)]
pub struct Backoff {
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

    /// Returns when the last attempt failed that did.
    pub(crate) fn failed_at(&self) -> Option<Instant> {
        self.last
    }

    /// Returns the pause after the last failure, at most `longest`.
    pub fn pause(&self, longest: Duration) -> Duration {
        let doubled = FIRST.saturating_mul(1 << self.failures.saturating_sub(1).min(20));
        doubled.min(longest).mul_f64(1.0 - self.jitter.clamp(0.0, 1.0) / 2.0)
    }

    /// Returns what is left of a pause of at most `longest`; `None` if the next attempt is due.
    pub fn left(&self, now: Instant, longest: Duration) -> Option<Duration> {
        let due = self.last? + self.pause(longest);
        (self.is_on() && now < due).then(|| due - now)
    }

    /// Counts a failed attempt. `jitter` is a random number from 0 to 1.
    pub fn note_failure(&mut self, now: Instant, jitter: f64) {
        self.failures = self.failures.saturating_add(1);
        self.last = Some(now);
        self.jitter = jitter;
    }

    /// Ends the pauses. Returns whether the last attempt had failed.
    pub fn note_success(&mut self) -> bool {
        std::mem::take(&mut self.failures) > 0
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
}
