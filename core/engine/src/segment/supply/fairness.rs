//! How a process shares its store with other processes: when it leaves the store to them, and when the refills come
//! that an outage delayed. Plain arithmetic on times that the caller passes in.
//!
//! **An overloaded store rests.** Thousands of processes that start together ask for more than a store has time for,
//! and calls that exceed their deadline there are wasted work. So each process pauses for about twice as long as a slow
//! answer took.
//!
//! **A process whose tags have all leased lets others go first.** If others lease from the same tags meanwhile, its
//! pause is longer. The last tag of a fleet that starts then has its first id in half the time.
//!
//! **Refills come in the order in which they became due.** All that became due during an outage would come when it
//! ends, from every process at once. Instead each comes in two thirds of the time between them, and those that become
//! due meanwhile are put off too: the store has one and a half times its steady load until each tag has its usual
//! supply.

use std::ops::Range;
use std::time::{Duration, Instant};

/// An attempt that seems to take longer was interrupted: the process was stopped meanwhile.
const LONGEST_TAKEN: Duration = Duration::from_secs(3);

/// A process that is owed no ids rests this many times as long for each lease that others had of one tag during an
/// answer, and at most five times. The simulator of fleets chose the numbers: they serve the last tag soonest, and cost
/// a process that is alone least.
const RESTS_FOR_OTHERS: f64 = 4.0;
const MOST_RESTS: f64 = 5.0;

/// Leases a second that others have of a tag, before a second lease of the same tag shows how many they are.
const OTHERS_AT_FIRST: f64 = 1.0;

/// The longest such rest.
const LONGEST_FOR_OTHERS: Duration = Duration::from_secs(15);

/// A store that has been slow for longer is left to others no more: it is slow for another reason.
const LONGEST_START: Duration = Duration::from_secs(90);

/// A tag that failed this many times in a row is no longer let before others: its row may be locked for long.
const MOST_TURNS: u64 = 3;

/// The share of the time for which supply lasts by which a refill can be put off.
const SPARE: f64 = 0.75;

/// Supply that lasts longer is no reason to put a refill off for longer.
const LONGEST_SUPPLY: Duration = Duration::from_secs(600);

/// A refill is put off for less than it could be by this much: an application may take ids for many seconds at once.
const RESERVE: Duration = Duration::from_secs(30);

/// The load while processes recover, in multiples of the steady load.
const LOAD: f64 = 1.5;

/// What decides whether a tag is owed ids.
#[derive(Default)]
pub(super) struct Standing {
    /// When its last lease landed.
    pub(super) landed: Option<Instant>,
    /// Attempts that have failed since.
    pub(super) failures: u64,
    /// Its leases can grow.
    pub(super) grows: bool,
}

/// Until when the store is left alone.
struct Rest {
    /// By a tag that is owed ids.
    ends: Instant,
    /// By a process whose tags are owed none.
    ends_for_others: Instant,
}

/// What a process knows of the others that use its store.
pub(super) struct Fairness {
    rest: Option<Rest>,
    /// Leases a second that others had of one tag, between the last two of this process.
    others: f64,
    /// The last answer while the store was well.
    last_well: Option<Instant>,
    /// The first slow attempt since then.
    slow_since: Option<Instant>,
    /// The last outage, once it is over.
    outage: Option<Range<Instant>>,
    /// The longest outage that supply is meant to last for.
    budget: Duration,
}

impl Fairness {
    pub(super) fn new(budget: Duration) -> Self {
        Self { rest: None, others: OTHERS_AT_FIRST, last_well: None, slow_since: None, outage: None, budget }
    }

    /// Returns what is left of a rest; `None` if it is over, or there is none. `is_owed` says whether a tag is owed
    /// ids.
    pub(super) fn rest_left(&self, now: Instant, is_owed: bool) -> Option<Duration> {
        let Rest { ends, ends_for_others } = self.rest.as_ref()?;
        let ends = if is_owed { *ends } else { *ends_for_others };
        (now < ends).then(|| ends - now)
    }

    /// Rests for one to three times as long as an attempt took. `jitter` is a random number from 0 to 1.
    pub(super) fn rest(&mut self, taken: Duration, now: Instant, jitter: f64) {
        let taken = taken.min(LONGEST_TAKEN);
        let rest = taken.mul_f64(1.0 + 2.0 * jitter);
        let rests = (RESTS_FOR_OTHERS * self.others * taken.as_secs_f64()).clamp(1.0, MOST_RESTS);
        let is_start = self.slow_since.is_none_or(|since| now - since < LONGEST_START);
        let for_others = if is_start { rest.mul_f64(rests).min(LONGEST_FOR_OTHERS.max(rest)) } else { rest };
        self.rest = Some(Rest { ends: now + rest, ends_for_others: now + for_others });
    }

    pub(super) fn end_rest(&mut self) {
        self.rest = None;
    }

    /// Records that an attempt was slow.
    pub(super) fn note_slow(&mut self, now: Instant) {
        self.slow_since.get_or_insert(now);
        self.end_rest();
    }

    /// Records that the store is well.
    pub(super) fn note_well(&mut self, now: Instant) {
        (self.last_well, self.slow_since) = (Some(now), None);
    }

    /// Records how many leases a second others had of a tag since its last one.
    pub(super) fn note_others(&mut self, a_second: f64) {
        self.others = a_second;
    }

    /// Returns whether a tag is owed ids: it has leased none since the store was last well, and has failed seldom. One
    /// whose leases cannot grow always is: with fewer of them it would have fewer ids.
    pub(super) fn owes(&self, standing: &Standing) -> bool {
        let has_leased = standing.landed.is_some_and(|landed| self.last_well.is_none_or(|well| landed > well));
        !standing.grows || (standing.failures < MOST_TURNS && !has_leased)
    }

    /// Returns until when a refill that became due at `due` should be put off, if supply lasts for this long. `share`,
    /// from 0 to 1, is how much of what it can be put off by it must be.
    pub(super) fn put_off(&self, due: Instant, now: Instant, lasts: Duration, share: f64) -> Instant {
        let lasts = lasts.min(LONGEST_SUPPLY);
        let turn = self.turn_after_outage(due).unwrap_or(now);
        turn.min(now + can_be_put_off(lasts)).max(now + lasts.mul_f64(SPARE).mul_f64(share))
    }

    /// Begins an outage. Returns since when refills are late: earlier if those of the outage before were not made up
    /// for.
    pub(super) fn begin_outage(&mut self, began: Instant) -> Instant {
        let since = began.checked_sub(self.behind(began)).unwrap_or(began);
        self.outage = None;
        since
    }

    /// Ends an outage.
    pub(super) fn end_outage(&mut self, outage: Range<Instant>) {
        self.outage = Some(outage);
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
pub(super) fn can_be_put_off(lasts: Duration) -> Duration {
    lasts.mul_f64(SPARE).saturating_sub(RESERVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn new() -> Fairness {
        Fairness::new(Duration::from_secs(600))
    }

    #[test]
    fn a_process_that_is_owed_no_ids_leaves_a_slow_store_to_others_for_as_long_as_they_lease_and_at_most_15_seconds() {
        for (others_a_second, longer) in [(0.0, 600), (-1.0, 600), (0.5, 720), (1.0, 1440), (100.0, 3000)] {
            let (mut fairness, now) = (new(), Instant::now());
            fairness.note_others(others_a_second);
            fairness.note_slow(now);
            assert_eq!(fairness.rest_left(now, false), None);
            fairness.rest(ms(600), now, 0.0);
            assert_eq!(fairness.rest_left(now, true), Some(ms(600)));
            assert_eq!(fairness.rest_left(now, false), Some(ms(longer)), "{others_a_second} a second");
            assert_eq!(fairness.rest_left(now + ms(longer), false), None);
            let now = now + ms(9000);
            fairness.rest(ms(3000), now, 1.0);
            let longest = if longer > 700 { 15_000 } else { 9000 };
            assert_eq!(fairness.rest_left(now, false), Some(ms(longest)), "{others_a_second} a second");
        }
    }

    #[test]
    fn a_tag_is_owed_ids_if_it_has_leased_none_since_the_store_was_last_well() {
        let (mut fairness, start) = (new(), Instant::now());
        fairness.note_well(start);
        fairness.note_well(start + ms(1000));
        let standing = |landed| Standing { landed, failures: 2, grows: true };
        assert!(fairness.owes(&standing(None)) && fairness.owes(&standing(Some(start + ms(1000)))));
        assert!(!fairness.owes(&standing(Some(start + ms(3001)))));
    }

    #[test]
    fn a_tag_that_failed_three_times_in_a_row_is_owed_no_ids() {
        assert!(!new().owes(&Standing { landed: None, failures: 3, grows: true }));
    }

    #[test]
    fn a_tag_whose_leases_cannot_grow_is_always_owed_ids() {
        assert!(new().owes(&Standing { landed: Some(Instant::now()), failures: 3, grows: false }));
    }

    #[test]
    fn a_store_that_is_slow_for_longer_than_a_start_is_left_to_others_no_more() {
        let (mut fairness, start) = (new(), Instant::now());
        fairness.note_others(100.0);
        for (seconds, longer) in [(0, 5000), (80, 5000), (100, 1000)] {
            let now = start + secs(seconds);
            fairness.note_slow(now);
            fairness.rest(ms(1000), now, 0.0);
            assert_eq!(fairness.rest_left(now, false), Some(ms(longer)));
        }
    }

    /// A recovery from an outage of this many seconds, and the moment at which it ended.
    fn after(outage: u64) -> (Fairness, Instant) {
        let (mut fairness, began) = (new(), Instant::now() + secs(3600));
        let ended = began + secs(outage);
        fairness.end_outage(began..ended);
        (fairness, ended)
    }

    #[test]
    fn without_an_outage_and_during_one_nothing_is_put_off() {
        let (mut fairness, now) = (new(), Instant::now());
        assert_eq!(fairness.turn_after_outage(now), None);
        fairness.begin_outage(now);
        assert_eq!(fairness.turn_after_outage(now), None);
    }

    #[test]
    fn refills_come_in_the_order_in_which_they_became_due_at_one_and_a_half_times_the_steady_load() {
        let (fairness, ended) = after(600);
        let began = ended - secs(600);
        let comes = |due: Instant| (fairness.turn_after_outage(due).unwrap() - ended).as_secs();
        assert_eq!(comes(began - secs(1)), 0, "the one whose attempt failed first");
        assert_eq!([began, began + secs(300), ended].map(comes), [0, 200, 400]);
        // The last of them come 800 s later, as they became due: 1200 s of the steady load in 1200 s less 400.
        assert_eq!([ended + secs(300), ended + secs(900)].map(comes), [600, 1000]);
        assert_eq!([ended + secs(1200), ended + secs(5000)].map(comes), [1200, 5000], "nothing is put off any more");
    }

    #[test]
    fn after_an_outage_longer_than_the_budget_refills_that_become_due_later_are_put_off_by_no_more() {
        let (fairness, ended) = after(3600);
        let due = ended + secs(300);
        assert_eq!(fairness.turn_after_outage(due), Some(due + secs(300)));
    }

    #[test]
    fn an_outage_during_a_recovery_continues_the_one_before() {
        let (mut fairness, ended) = after(600);
        // 500 s later refills are still 350 s late.
        let again = ended + secs(500);
        let since = fairness.begin_outage(again);
        fairness.end_outage(since..again + secs(10));
        assert_eq!(fairness.turn_after_outage(again - secs(350)), Some(again + secs(10)));
        assert_eq!(fairness.turn_after_outage(again - secs(200)), Some(again + secs(10 + 100)));
        // 720 s after that they are not late any more.
        let last = again + secs(10 + 720);
        let since = fairness.begin_outage(last);
        assert_eq!(since, last);
        fairness.end_outage(since..last + secs(3));
        assert_eq!(fairness.turn_after_outage(last), Some(last + secs(3)));
        assert_eq!(fairness.turn_after_outage(last + secs(3)), Some(last + secs(3 + 2)));
    }
}
