//! Limits how often the same event is reported, and how many events of one kind are.

use super::kind::EventKind;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Pause after the first report of an event of one subject; it doubles while the event goes on. The events of one kind
/// and scope have the same pauses together: beyond [`MOST_AT_ONCE`] they are only counted.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(320);

/// Time without an event after which it is news again.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// Most events of one kind and scope in a row. An outage of a store hits all of its tags, and a few of them say it all.
const MOST_AT_ONCE: u32 = 32;

const MOST_SUBJECTS: usize = 1024;

/// Most scopes with a budget of their own; further ones share one.
const MOST_SCOPES: usize = 64;

/// What was reported, and when. The subject of an event is a scope (a store, a holder) and a name within it (a tag).
pub(super) struct Limit {
    reported: BTreeMap<(EventKind, String, String), Reported>,
    budgets: BTreeMap<(EventKind, String), Budget>,
}

struct Reported {
    at: Instant,
    pause: Duration,
    /// When the event last happened, reported or not.
    seen: Instant,
    left_out: u64,
}

/// How many events of one kind and scope may still be reported.
struct Budget {
    began: Instant,
    window: Duration,
    /// When an event last happened, reported or not.
    seen: Instant,
    spent: u32,
    left_out: u64,
}

/// An event that may be reported.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Passed {
    /// Events like it that were left out before, in the same incident.
    pub(super) left_out: u64,
    /// Set if all others like it, of whatever name in this scope, are left out for this long.
    pub(super) last_for: Option<Duration>,
}

impl Limit {
    pub(super) const fn new() -> Self {
        Self { reported: BTreeMap::new(), budgets: BTreeMap::new() }
    }

    /// Decides whether to report an event; `None` leaves it out.
    pub(super) fn pass(&mut self, kind: EventKind, scope: &str, name: &str, now: Instant) -> Option<Passed> {
        let subject = (kind, scope.to_owned(), name.to_owned());
        if let Some(reported) = self.reported.get_mut(&subject) {
            if now - reported.seen >= FORGOTTEN {
                (reported.pause, reported.left_out) = (Duration::ZERO, 0);
            }
            if now - reported.at < reported.pause {
                reported.seen = now;
                reported.left_out += 1;
                return None;
            }
        }
        let mut passed = self.budget(kind, scope, now).spend(now)?;
        if let Some(reported) = self.reported.get_mut(&subject) {
            reported.pause = (reported.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
            (reported.at, reported.seen) = (now, now);
            passed.left_out += std::mem::take(&mut reported.left_out);
        } else {
            self.make_room();
            self.reported.insert(subject, Reported { at: now, pause: FIRST_PAUSE, seen: now, left_out: 0 });
        }
        Some(passed)
    }

    /// Notes that a condition has ended: the next event is news again, and counting starts anew.
    pub(super) fn end(&mut self, kind: EventKind, scope: &str, name: &str) {
        if let Some(reported) = self.reported.get_mut(&(kind, scope.to_owned(), name.to_owned())) {
            (reported.pause, reported.left_out) = (FIRST_PAUSE, 0);
        }
        if let Some(budget) = self.budgets.get_mut(&(kind, scope.to_owned())) {
            (budget.window, budget.left_out) = (FIRST_PAUSE, 0);
        }
    }

    fn budget(&mut self, kind: EventKind, scope: &str, now: Instant) -> &mut Budget {
        let mut key = (kind, scope.to_owned());
        if !self.budgets.contains_key(&key) && self.budgets.len() >= MOST_SCOPES {
            self.budgets.retain(|_, budget| now - budget.began < budget.window);
            if self.budgets.len() >= MOST_SCOPES {
                key.1.clear();
            }
        }
        self.budgets.entry(key).or_insert(Budget::new(now))
    }

    /// Forgets the subject that was quiet the longest.
    fn make_room(&mut self) {
        if self.reported.len() >= MOST_SUBJECTS
            && let Some(quiet) =
                self.reported.iter().min_by_key(|(_, reported)| reported.seen).map(|(subject, _)| subject.clone())
        {
            self.reported.remove(&quiet);
        }
    }
}

impl Budget {
    fn new(now: Instant) -> Self {
        Self { began: now, window: FIRST_PAUSE, seen: now, spent: 0, left_out: 0 }
    }

    fn spend(&mut self, now: Instant) -> Option<Passed> {
        if now - std::mem::replace(&mut self.seen, now) >= FORGOTTEN {
            *self = Self::new(now);
        }
        if now - self.began >= self.window {
            self.window = if self.spent < MOST_AT_ONCE { FIRST_PAUSE } else { (self.window * 2).min(LONGEST_PAUSE) };
            (self.began, self.spent) = (now, 0);
        }
        if self.spent == MOST_AT_ONCE {
            self.left_out += 1;
            return None;
        }
        self.spent += 1;
        let last_for = (self.spent == MOST_AT_ONCE).then(|| self.window - (now - self.began));
        Some(Passed { left_out: std::mem::take(&mut self.left_out), last_for })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EventKind::{LeaseLost, RefillFailed};

    const STORE: &str = "mysql://host/ids";

    /// Offers the same event at these seconds, and returns those that passed.
    fn pass(limit: &mut Limit, began: Instant, seconds: impl IntoIterator<Item = u64>) -> Vec<(u64, u64)> {
        let passed =
            |at| Some((at, limit.pass(RefillFailed, STORE, "order", began + Duration::from_secs(at))?.left_out));
        seconds.into_iter().filter_map(passed).collect()
    }

    /// Lets these tags of a store fail every 5 seconds, and returns how many events passed, in each second with any.
    fn outage(limit: &mut Limit, began: Instant, store: &str, tags: usize, seconds: u64) -> Vec<(u64, u64)> {
        let mut passed: Vec<(u64, u64)> = Vec::new();
        for at in (0..seconds).step_by(5) {
            let now = began + Duration::from_secs(at);
            let count =
                (0..tags).filter(|tag| limit.pass(RefillFailed, store, &tag.to_string(), now).is_some()).count();
            if count > 0 {
                passed.push((at, count as u64));
            }
        }
        passed
    }

    #[test]
    fn a_lasting_event_is_reported_after_ever_longer_pauses_with_the_number_left_out() {
        let passed = pass(&mut Limit::new(), Instant::now(), 0..100);
        assert_eq!(passed, [(0, 0), (10, 9), (30, 19), (70, 39)]);
    }

    #[test]
    fn an_event_that_was_forgotten_or_has_ended_is_news_again() {
        let (mut limit, began) = (Limit::new(), Instant::now());
        assert_eq!(pass(&mut limit, began, [0, 10, 20, 80, 90]), [(0, 0), (10, 0), (80, 0), (90, 0)]);
        assert_eq!(pass(&mut limit, began, [100]), []);
        limit.end(RefillFailed, STORE, "order");
        assert_eq!(pass(&mut limit, began, [101]), [(101, 0)]);
    }

    #[test]
    fn what_was_left_out_of_one_incident_is_not_counted_in_the_next() {
        let (mut limit, began) = (Limit::new(), Instant::now());
        assert_eq!(pass(&mut limit, began, 0..5), [(0, 0)]);
        limit.end(RefillFailed, STORE, "order");
        assert_eq!(pass(&mut limit, began, 7..12), [(10, 3)], "those of this incident");
        assert_eq!(pass(&mut limit, began, [12, 80]), [(80, 0)], "after a minute without any");

        let mut limit = Limit::new();
        assert_eq!(outage(&mut limit, began, STORE, 100, 6), [(0, 32)]);
        limit.end(RefillFailed, STORE, "7");
        assert_eq!(pass(&mut limit, began, [10]), [(10, 0)], "of other tags of that store");
        assert_eq!(outage(&mut limit, began + Duration::from_secs(40), STORE, 100, 6), [(0, 32)]);
        assert_eq!(pass(&mut limit, began, [110]), [(110, 0)], "of other tags, after a minute without any");
    }

    #[test]
    fn each_kind_tag_and_store_is_news_of_its_own() {
        let (mut limit, now) = (Limit::new(), Instant::now());
        let events = [(RefillFailed, STORE, "order"), (RefillFailed, STORE, "user"), (LeaseLost, STORE, "order")];
        let events = events.into_iter().chain([(RefillFailed, "sqlite:///ids.db", "order")]);
        for (kind, scope, name) in events.clone() {
            assert_eq!(limit.pass(kind, scope, name, now), Some(Passed { left_out: 0, last_for: None }));
        }
        assert!(events.into_iter().all(|(kind, scope, name)| limit.pass(kind, scope, name, now).is_none()));
    }

    #[test]
    fn an_outage_of_fifteen_hundred_tags_is_reported_by_a_few_of_them() {
        let (mut limit, began) = (Limit::new(), Instant::now());
        let hour = outage(&mut limit, began, STORE, 1500, 3600);
        assert_eq!(hour[..4], [(0, 32), (10, 32), (30, 32), (70, 32)]);
        assert_eq!(hour.iter().map(|(_, count)| count).sum::<u64>(), 512);
        let now = began + Duration::from_secs(3600);
        let other = limit.pass(RefillFailed, "sqlite:///ids.db", "order", now);
        assert_eq!(other, Some(Passed { left_out: 0, last_for: None }), "the second store is news");
    }

    #[test]
    fn the_last_event_says_how_long_others_are_left_out_and_the_next_one_how_many_were() {
        let (mut limit, began) = (Limit::new(), Instant::now());
        let mut pass =
            |tag: u32, second| limit.pass(RefillFailed, STORE, &tag.to_string(), began + Duration::from_secs(second));
        let quiet = Some(Passed { left_out: 0, last_for: None });
        assert!((0..31).all(|tag| pass(tag, 0) == quiet));
        assert_eq!(pass(31, 4), Some(Passed { left_out: 0, last_for: Some(Duration::from_secs(6)) }));
        assert!((32..100).all(|tag| pass(tag, 5).is_none()));
        assert_eq!(pass(50, 10), Some(Passed { left_out: 68, last_for: None }));
    }

    #[test]
    fn after_the_end_of_an_outage_the_next_one_is_reported_within_ten_seconds() {
        let (mut limit, began) = (Limit::new(), Instant::now());
        assert_eq!(outage(&mut limit, began, STORE, 100, 200).last(), Some(&(150, 32)));
        limit.end(RefillFailed, STORE, "7");
        assert_eq!(outage(&mut limit, began + Duration::from_secs(200), STORE, 100, 10), [(0, 32)]);
    }

    #[test]
    fn the_number_of_subjects_and_scopes_is_bounded() {
        let (mut limit, now) = (Limit::new(), Instant::now());
        let passed =
            (0..5000).filter(|number| limit.pass(RefillFailed, &number.to_string(), "order", now).is_some()).count();
        assert_eq!(passed, MOST_SCOPES + MOST_AT_ONCE as usize);
        for second in 0..50 {
            outage(&mut limit, now + Duration::from_secs(1000 * second), STORE, 100, 1);
        }
        assert!(limit.reported.len() <= MOST_SUBJECTS);
        assert!(limit.budgets.len() <= MOST_SCOPES + 1);
    }
}
