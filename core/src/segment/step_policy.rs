//! The step policy: when to lease and how much, as plain arithmetic.
//!
//! Supply is refilled when it falls below *latency cover + evidence*. The cover is the number of ids used during four
//! round trips. The evidence is the number of ids used so far, at most as many as the current rate uses within the
//! outage budget, and a quarter more. So a tag that has run for T survives an outage of about T, and the ids leased
//! stay in proportion to the ids used. A refill may also come late by the delay of a thread in this process. The
//! evidence allows for that; what it lacks for that is added to the cover.

use crate::store::MAX_STEP;
use crate::want::MAX_RUN;
use std::time::Duration;

const _: () = assert!(MAX_RUN == MAX_STEP, "one lease holds the largest contiguous range");

/// The time over which the rate is averaged, in seconds.
const RATE_WINDOW: f64 = 30.0;

/// The time by which a refill may come late because a thread of this process is not scheduled, in seconds.
const DELAY: f64 = 0.002;

/// Growth per refill while a cold tag uses up a lease faster than the store answers.
const COLD_GROWTH: i64 = 8;

/// The step policy and its options.
#[derive(Clone, Debug)]
pub(crate) struct StepPolicy {
    /// The steady-state ceiling of one lease, in ids.
    pub(crate) max_step: i64,
    /// The hard cap on ids leased and not used, in ids; none by default.
    pub(crate) max_unused: Option<i64>,
    /// How long a segment should last.
    pub(crate) segment_duration: Duration,
    /// The longest outage of the store that should be survived.
    pub(crate) outage_budget: Duration,
}

/// The state of a tag, as the policy sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// The `step` column.
    pub(crate) step: i64,
    /// Ids handed out so far.
    pub(crate) used: i64,
    /// Ids in hand.
    pub(crate) supply: i64,
    /// Ids in hand behind the live segment.
    pub(crate) ready: i64,
    /// Ids in stripes, which only some threads can draw.
    pub(crate) in_stripes: i64,
    /// Recent average of ids used per second.
    pub(crate) rate: f64,
    /// Round trip to the store, in seconds.
    pub(crate) round_trip: f64,
    /// Size of the last lease; 0 before the first.
    pub(crate) last_lease: i64,
    /// Seconds since the last lease landed.
    pub(crate) lasted: f64,
    /// A call was waiting when the last lease landed.
    pub(crate) starved: bool,
    /// Ids that a waiting call needs at once.
    pub(crate) wanted: i64,
    /// Contiguous ids that a waiting call needs.
    pub(crate) wanted_run: i64,
}

impl StepPolicy {
    /// Returns whether the first lease takes as many ids as the `step` column says, whatever it says.
    pub(crate) fn begins_with_a_step(&self, wanted: i64, wanted_run: i64) -> bool {
        self.max_unused.is_none() && wanted <= 1 && wanted_run <= 1
    }

    /// Returns how many ids to lease now; 0 for none.
    pub(crate) fn lease(&self, usage: &Usage) -> i64 {
        let missing = usage.wanted.saturating_sub(usage.supply).max(usage.wanted_run).max(0);
        let planned = if self.max_step <= usage.step { self.leaf(usage) } else { self.adaptive(usage, missing > 0) };
        let room = self.max_unused.map_or(i64::MAX, |cap| (cap - usage.supply - usage.in_stripes).max(0));
        let amount = if self.max_step <= usage.step {
            // Whole steps only, except that a run must be contiguous.
            if missing > 0 { usage.step.max(usage.wanted_run) } else { planned.min(room) }
        } else {
            planned.min(room).max(missing)
        };
        amount.min(MAX_STEP)
    }

    /// Leaf's own rule: one ready segment, leased once a tenth of the live one is used.
    fn leaf(&self, usage: &Usage) -> i64 {
        let live = usage.supply - usage.ready;
        if usage.ready == 0 && usage.last_lease > 0 && live <= usage.step - usage.step / 10 { usage.step } else { 0 }
    }

    fn adaptive(&self, usage: &Usage, dry: bool) -> i64 {
        let evidence = usage.used.min(ids(usage.rate * self.outage_budget.as_secs_f64()));
        // What outlasts an outage outlasts a delay. At full speed a million ids take less than two delays, so counting
        // both would waste what one of them uses. After a wait both count: the average rate includes the wait, so it is
        // too low.
        let delay = ids(usage.rate * DELAY);
        let delay = if dry || usage.starved { delay } else { (delay - evidence).max(0) };
        let cover = ids(usage.rate * 4.0 * usage.round_trip) + delay;
        // Supply is looked at when another tenth of what a lease brought is used, so it has fallen lower by then.
        let margin = evidence / 4;
        // A slow tag leases ahead too, when a tenth of its last lease is left.
        let low = (cover + evidence + margin).max(usage.used.min(usage.last_lease / 10).max(1));
        if usage.used == 0 || (usage.supply > low && !dry) {
            return if dry { usage.step } else { 0 };
        }
        // After a wait, this lease may be used up within a round trip too. Another lease now would be as small, and
        // callers would wait for it too; a lease once this one has run dry is larger. The first tenth shows how fast
        // the ids are used.
        let spent = (usage.last_lease - usage.supply) as f64;
        let is_too_early = 10.0 * spent < usage.last_lease as f64;
        if usage.starved
            && !dry
            && (is_too_early || usage.lasted * (usage.last_lease as f64) < usage.round_trip * spent)
        {
            return 0;
        }
        // Cover and margin count towards the half, so that at most 2.5 ids are leased per id used.
        let on_top = (usage.used / 2)
            .saturating_sub(cover + margin)
            .clamp(0, ids(usage.rate * self.segment_duration.as_secs_f64()));
        let most = self.max_step.max(usage.step);
        let growth = usage.last_lease.saturating_mul(COLD_GROWTH).max(usage.step).min(most.max(usage.used));
        let amount = low.saturating_sub(usage.supply).saturating_add(on_top);
        // A lease that lasts for less than a few round trips leaves no supply, so max_step is exceeded in that case.
        let amount = amount.clamp(usage.step, most.max(cover.saturating_mul(2))).min(growth.max(most));
        // The average rate includes waits, so it is too low while callers wait. How long the last lease lasted says
        // more.
        if dry && usage.lasted < 4.0 * usage.round_trip + DELAY { amount.max(growth) } else { amount }
    }
}

fn ids(count: f64) -> i64 {
    count.ceil().clamp(0.0, MAX_STEP as f64) as i64
}

/// A running average of ids per second over about half a minute.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rate {
    per_second: f64,
    age: f64,
    used: i64,
}

impl Rate {
    /// Updates the average: `used` ids were handed out in all, `elapsed` seconds after the last update.
    pub(crate) fn update(&mut self, used: i64, elapsed: f64) {
        // A shorter time carries no information, and dividing by it gives nonsense.
        if elapsed < 1e-6 {
            return;
        }
        self.age += elapsed;
        let share = (1.0 - (-elapsed / RATE_WINDOW).exp()).max(elapsed / self.age);
        let recent = (used - self.used).max(0) as f64 / elapsed;
        self.per_second += share * (recent - self.per_second);
        self.used = used;
    }

    /// Returns the average.
    pub(crate) fn per_second(&self) -> f64 {
        self.per_second
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> StepPolicy {
        StepPolicy {
            max_step: 1_000_000,
            max_unused: None,
            segment_duration: Duration::from_secs(900),
            outage_budget: Duration::from_secs(600),
        }
    }

    /// A tag with step 1000 that hands out `rate` ids per second, `used` so far.
    fn running(rate: f64, used: i64, supply: i64) -> Usage {
        Usage { step: 1000, used, supply, rate, round_trip: 0.001, last_lease: 1000, lasted: 60.0, ..Usage::default() }
    }

    #[test]
    fn a_tag_that_was_never_used_leases_nothing_ahead() {
        assert_eq!(policy().lease(&running(0.0, 0, 1000)), 0);
    }

    #[test]
    fn the_first_caller_gets_one_step() {
        let first = Usage { step: 1000, wanted: 1, ..Usage::default() };
        assert_eq!(policy().lease(&first), 1000);
    }

    #[test]
    fn supply_covers_the_ids_used_so_far_up_to_the_outage_budget() {
        assert_eq!(policy().lease(&running(1000.0, 50_000, 63_000)), 0, "63,000 in hand cover 50,000 used");
        let lease = policy().lease(&running(1000.0, 50_000, 50_000));
        assert!((25_000..30_000).contains(&lease), "half of the ids used so far on top: {lease}");
        let long_running = running(1000.0, 100_000_000, 750_000);
        assert_eq!(policy().lease(&long_running), 900_000 + 4, "ten minutes in hand, a quarter of an hour on top");
    }

    #[test]
    fn the_delay_of_a_thread_is_not_added_to_supply_that_outlasts_it_except_after_a_wait() {
        // 200,000 ids within the delay, and 400,000 within four round trips.
        let running = running(1e8, 1_000_000, 1_700_000);
        assert_eq!(policy().lease(&running), 0, "a million ids outlast the delay");
        assert!(policy().lease(&Usage { used: 100_000, supply: 600_000, ..running }) > 0, "a hundred thousand do not");
        assert!(policy().lease(&Usage { starved: true, lasted: 1.0, last_lease: 2_000_000, ..running }) > 0);
    }

    #[test]
    fn at_most_two_and_a_half_ids_are_leased_per_id_used() {
        let (mut used, mut supply, mut leased) = (0_i64, 1000_i64, 1000_i64);
        while used < 10_000_000 {
            used += 100;
            supply -= 100;
            let lease = policy().lease(&running(10_000.0, used, supply));
            supply += lease;
            leased += lease;
            assert!(used < 10_000 || leased as f64 / used as f64 <= 2.5, "{leased} leased for {used} used");
        }
    }

    #[test]
    fn a_cold_tag_that_runs_dry_faster_than_the_store_answers_grows_eightfold() {
        let dry = Usage { wanted: 1, lasted: 0.0001, ..running(10_000.0, 1000, 0) };
        assert_eq!(policy().lease(&dry), 8000);
    }

    #[test]
    fn a_tag_that_uses_up_the_largest_step_faster_than_the_store_answers_outgrows_it() {
        let dry = Usage { wanted: 1, lasted: 0.001, last_lease: 1_000_000, ..running(1e7, 5_000_000, 0) };
        assert_eq!(
            policy().lease(&dry),
            5_000_000,
            "as many as were used, so that large batches lease at most twice that"
        );
        let slower = Usage { lasted: 1.0, ..dry };
        assert_eq!(policy().lease(&slower), 1_000_000);
    }

    #[test]
    fn supply_builds_up_even_if_the_largest_step_lasts_for_less_than_a_few_round_trips() {
        let fast = Usage { round_trip: 0.05, last_lease: 1_000_000, ..running(1e8, 100_000_000, 2_000_000) };
        assert_eq!(policy().lease(&fast), 8_000_000, "eightfold");
        let cover = 20_000_000;
        assert_eq!(policy().lease(&Usage { last_lease: 8_000_000, ..fast }), 2 * cover);
    }

    #[test]
    fn after_a_wait_nothing_is_leased_ahead_while_the_lease_in_hand_lasts_for_less_than_a_round_trip() {
        let starved = Usage { starved: true, lasted: 0.0001, ..running(1e6, 9000, 800) };
        assert_eq!(policy().lease(&starved), 0, "it will be used up at once, so the next lease must be larger");
        let just_landed = Usage { lasted: 0.0, supply: 1000, ..starved };
        assert_eq!(policy().lease(&just_landed), 0, "none of it is used yet");
        assert!(policy().lease(&Usage { lasted: 0.0003, ..starved }) > 0, "it lasts for more than a round trip");
        assert!(policy().lease(&Usage { wanted: 1, supply: 0, ..starved }) > 0);
    }

    #[test]
    fn a_tag_used_once_an_hour_does_not_grow() {
        let dry = Usage { step: 1, wanted: 1, last_lease: 1, lasted: 3600.0, ..running(1.0 / 3600.0, 50, 0) };
        assert!(policy().lease(&dry) <= 4);
    }

    #[test]
    fn max_unused_caps_leases_ahead_of_need_but_never_those_that_a_caller_waits_for() {
        let capped = StepPolicy { max_unused: Some(2000), ..policy() };
        assert_eq!(capped.lease(&running(1000.0, 50_000, 1500)), 500);
        assert_eq!(capped.lease(&running(1000.0, 50_000, 2000)), 0);
        assert_eq!(capped.lease(&Usage { wanted: 5000, ..running(1000.0, 50_000, 0) }), 5000);
    }

    #[test]
    fn max_step_equal_to_the_step_is_leafs_own_rule() {
        let leaf = StepPolicy { max_step: 1000, ..policy() };
        assert_eq!(leaf.lease(&running(1e6, 1_000_000, 901)), 0, "less than a tenth is used");
        assert_eq!(leaf.lease(&running(1e6, 1_000_000, 900)), 1000);
        assert_eq!(leaf.lease(&Usage { ready: 1000, ..running(1e6, 1_000_000, 1100) }), 0, "one segment is ready");
        assert_eq!(leaf.lease(&Usage { wanted: 5000, ..running(1e6, 1_000_000, 0) }), 1000, "whole steps");
        assert_eq!(leaf.lease(&Usage { wanted_run: 5000, ..running(1e6, 1_000_000, 0) }), 5000, "contiguous");
    }

    #[test]
    fn the_rate_is_a_recent_average() {
        let mut rate = Rate::default();
        rate.update(1000, 1.0);
        assert!((rate.per_second() - 1000.0).abs() < 1.0);
        for second in 2..200 {
            rate.update(1000 + second, 1.0);
        }
        assert!(rate.per_second() < 10.0, "{}", rate.per_second());
    }
}
