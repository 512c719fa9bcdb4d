//! The limit on how often the same thing is told.

use super::EventKind;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The same event of the same subject is told once in this time; while it goes on, after twice as long each time.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(320);

/// After so long without it, it is told at once again.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// So many subjects are kept apart.
const MOST_SUBJECTS: usize = 1024;

/// What was told, and when.
pub(super) struct Limit {
    told: BTreeMap<(EventKind, String), Told>,
}

struct Told {
    at: Instant,
    pause: Duration,
    /// When it happened last, told or not.
    seen: Instant,
    left_out: u64,
}

impl Limit {
    pub(super) const fn new() -> Self {
        Self { told: BTreeMap::new() }
    }

    /// Says whether to tell of an event, and how many like it were left out before; `None` leaves it out.
    pub(super) fn pass(&mut self, kind: EventKind, subject: &str, now: Instant) -> Option<u64> {
        self.make_room(now);
        let Some(told) = self.told.get_mut(&(kind, subject.to_owned())) else {
            let told = Told { at: now, pause: FIRST_PAUSE, seen: now, left_out: 0 };
            self.told.insert((kind, subject.to_owned()), told);
            return Some(0);
        };
        let again = now - told.seen >= FORGOTTEN;
        told.seen = now;
        if !again && now - told.at < told.pause {
            told.left_out += 1;
            return None;
        }
        told.pause = if again { FIRST_PAUSE } else { (told.pause * 2).min(LONGEST_PAUSE) };
        told.at = now;
        Some(std::mem::take(&mut told.left_out))
    }

    /// Says that what went on has ended: the next one is news again.
    pub(super) fn end(&mut self, kind: EventKind, subject: &str) {
        if let Some(told) = self.told.get_mut(&(kind, subject.to_owned())) {
            told.pause = FIRST_PAUSE;
        }
    }

    fn make_room(&mut self, now: Instant) {
        if self.told.len() >= MOST_SUBJECTS {
            self.told.retain(|_, told| now - told.seen < FORGOTTEN);
        }
        if self.told.len() >= MOST_SUBJECTS {
            self.told.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EventKind::{LeaseLost, RefillFailed};
    use super::*;

    /// Tells of the same event at these seconds, and returns what passed.
    fn pass(limit: &mut Limit, began: Instant, seconds: impl IntoIterator<Item = u64>) -> Vec<(u64, u64)> {
        let told = |at| Some((at, limit.pass(RefillFailed, "order", began + Duration::from_secs(at))?));
        seconds.into_iter().filter_map(told).collect()
    }

    #[test]
    fn what_goes_on_is_told_after_ever_longer_pauses_with_what_was_left_out() {
        let told = pass(&mut Limit::new(), Instant::now(), 0..100);
        assert_eq!(told, [(0, 0), (10, 9), (30, 19), (70, 39)]);
    }

    #[test]
    fn what_was_forgotten_or_has_ended_is_news_again() {
        let (mut limit, began) = (Limit::new(), Instant::now());
        assert_eq!(pass(&mut limit, began, [0, 10, 20, 80, 90]), [(0, 0), (10, 0), (80, 1), (90, 0)]);
        assert_eq!(pass(&mut limit, began, [100]), []);
        limit.end(RefillFailed, "order");
        assert_eq!(pass(&mut limit, began, [101]), [(101, 1)]);
    }

    #[test]
    fn another_name_and_another_subject_are_another_matter() {
        let (mut limit, now) = (Limit::new(), Instant::now());
        let asked = [(RefillFailed, "order"), (RefillFailed, "user"), (LeaseLost, "order")];
        assert!(asked.iter().all(|&(kind, subject)| limit.pass(kind, subject, now) == Some(0)));
        assert!(asked.iter().all(|&(kind, subject)| limit.pass(kind, subject, now).is_none()));
    }

    #[test]
    fn no_more_subjects_are_kept_than_there_is_room_for() {
        let (mut limit, now) = (Limit::new(), Instant::now());
        for number in 0..5000 {
            assert_eq!(limit.pass(RefillFailed, &number.to_string(), now), Some(0));
            assert!(limit.told.len() <= MOST_SUBJECTS);
        }
    }
}
