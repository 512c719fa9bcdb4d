//! When tags that have ids in hand refill after an outage of their store: plain arithmetic on times that the caller
//! passes in.
//!
//! Refills that became due during an outage would all come when it ends, and those of thousands of processes at once.
//! So each comes in the order in which it became due, and in two thirds of the time between them, while those that
//! become due meanwhile are put off too: the store has one and a half times its steady load, until each tag has its
//! usual supply again.

use std::time::{Duration, Instant};

/// The load while processes recover, in multiples of the steady load.
const LOAD: f64 = 1.5;

/// The last outage of a store, as one process saw it.
#[derive(Debug)]
pub(super) struct Recovery {
    /// The longest outage that supply is meant to last for.
    budget: Duration,
    /// The first failure. Earlier if the recovery from the outage before was not over.
    began: Option<Instant>,
    /// The first answer after it.
    ended: Option<Instant>,
}

impl Recovery {
    pub(super) fn new(budget: Duration) -> Self {
        Self { budget, began: None, ended: None }
    }

    /// Records a failure of an attempt that began at `began`, while the store is away.
    pub(super) fn note_failure(&mut self, began: Instant) {
        if self.began.is_none() || self.ended.is_some() {
            self.began = Some(began.checked_sub(self.behind(began)).unwrap_or(began));
            self.ended = None;
        }
    }

    /// Records an answer.
    pub(super) fn note_answer(&mut self, now: Instant) {
        if self.began.is_some() && self.ended.is_none() {
            self.ended = Some(now);
        }
    }

    /// Returns how long the outage has lasted; zero if there is none.
    pub(super) fn lasted(&self, now: Instant) -> Duration {
        self.began.filter(|_| self.ended.is_none()).map_or(Duration::ZERO, |began| now.saturating_duration_since(began))
    }

    /// Returns when a refill should come that became due at `due`; `None` if there was no outage, or it is not over.
    pub(super) fn comes_at(&self, due: Instant) -> Option<Instant> {
        let (began, ended) = self.began.zip(self.ended)?;
        if due <= ended {
            return Some(ended + due.saturating_duration_since(began).div_f64(LOAD));
        }
        Some(due + self.behind(due).div_f64(LOAD))
    }

    /// Returns by how much refills are late at this moment after an outage.
    fn behind(&self, now: Instant) -> Duration {
        let Some((began, ended)) = self.began.zip(self.ended) else { return Duration::ZERO };
        (ended - began).min(self.budget).saturating_sub(now.saturating_duration_since(ended).mul_f64(LOAD - 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Duration = Duration::from_secs(600);

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// A recovery from an outage of this many seconds, and the moment at which it ended.
    fn after(outage: u64) -> (Recovery, Instant) {
        let (mut recovery, began) = (Recovery::new(BUDGET), Instant::now() + secs(3600));
        recovery.note_failure(began);
        recovery.note_failure(began + secs(outage / 2));
        recovery.note_answer(began + secs(outage));
        recovery.note_answer(began + secs(outage + 1));
        (recovery, began + secs(outage))
    }

    #[test]
    fn without_an_outage_and_during_one_nothing_is_put_off() {
        let (mut recovery, now) = (Recovery::new(BUDGET), Instant::now());
        recovery.note_answer(now);
        assert_eq!((recovery.comes_at(now), recovery.lasted(now)), (None, Duration::ZERO));
        recovery.note_failure(now);
        assert_eq!((recovery.comes_at(now), recovery.lasted(now + secs(5))), (None, secs(5)));
        recovery.note_answer(now + secs(6));
        assert_eq!(recovery.lasted(now + secs(7)), Duration::ZERO);
    }

    #[test]
    fn refills_come_in_the_order_in_which_they_became_due_at_one_and_a_half_times_the_steady_load() {
        let (recovery, ended) = after(600);
        let began = ended - secs(600);
        let comes = |due: Instant| (recovery.comes_at(due).unwrap() - ended).as_secs();
        assert_eq!(comes(began - secs(1)), 0, "the one whose attempt failed first");
        assert_eq!([began, began + secs(300), ended].map(comes), [0, 200, 400]);
        // The last of them come 800 s later, as they became due: 1200 s of the steady load in 1200 s less 400.
        assert_eq!([ended + secs(300), ended + secs(900)].map(comes), [600, 1000]);
        assert_eq!([ended + secs(1200), ended + secs(5000)].map(comes), [1200, 5000], "nothing is put off any more");
    }

    #[test]
    fn after_an_outage_longer_than_the_budget_refills_that_become_due_later_are_put_off_by_no_more() {
        let (recovery, ended) = after(3600);
        let due = ended + secs(300);
        assert_eq!(recovery.comes_at(due), Some(due + secs(300)));
    }

    #[test]
    fn an_outage_during_a_recovery_continues_the_one_before() {
        let (mut recovery, ended) = after(600);
        // 500 s later refills are still 350 s late.
        let again = ended + secs(500);
        recovery.note_failure(again);
        recovery.note_answer(again + secs(10));
        assert_eq!(recovery.comes_at(again - secs(350)), Some(again + secs(10)));
        assert_eq!(recovery.comes_at(again - secs(200)), Some(again + secs(10 + 100)));
        // 720 s after that they are not late any more.
        let last = again + secs(10 + 720);
        recovery.note_failure(last);
        recovery.note_answer(last + secs(3));
        assert_eq!(recovery.comes_at(last), Some(last + secs(3)));
        assert_eq!(recovery.comes_at(last + secs(3)), Some(last + secs(3 + 2)));
    }
}
