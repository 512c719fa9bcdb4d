//! When the step policy leases, and how much.

use super::step_policy::{Density, Rate, StepPolicy, TagUse};
use std::time::Duration;

fn policy() -> StepPolicy {
    StepPolicy {
        max_step: 1_000_000,
        max_unused: None,
        segment_duration: Duration::from_secs(900),
        outage_budget: Duration::from_secs(600),
    }
}

/// A tag with step 1000 that hands out `rate` ids per second, `used` so far.
fn running(rate: f64, used: i64, supply: i64) -> TagUse {
    TagUse { step: 1000, used, supply, rate, round_trip: 0.001, last_lease: 1000, lasted: 60.0, ..TagUse::default() }
}

#[test]
fn a_tag_that_was_never_used_leases_nothing_ahead() {
    assert_eq!(policy().lease(&running(0.0, 0, 1000)), 0);
}

#[test]
fn the_first_caller_gets_one_step() {
    let first = TagUse { step: 1000, wanted: 1, ..TagUse::default() };
    assert_eq!(policy().lease(&first), 1000);
}

#[test]
fn a_first_call_takes_a_step_without_reading_it_unless_the_ids_must_be_contiguous_or_are_capped() {
    assert!(policy().begins_with_a_step(0), "for any number of ids");
    assert!(!policy().begins_with_a_step(2));
    assert!(!StepPolicy { max_unused: Some(500), ..policy() }.begins_with_a_step(0));
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
fn tags_that_ran_dry_together_do_not_refill_together() {
    let lease = |jitter| policy().lease(&TagUse { wanted: 1, jitter, ..running(1000.0, 100_000_000, 0) });
    let wide = StepPolicy { max_step: 10_000_000, ..policy() };
    let spread = |jitter| wide.lease(&TagUse { wanted: 1, jitter, ..running(1000.0, 100_000_000, 0) });
    assert_eq!([0.0, 0.5, 1.0].map(spread), [1_650_006, 1_290_006, 930_006], "the budget stays");
    assert_eq!([lease(0.0), lease(1.0)], [1_000_000, 930_006]);
    let ahead = |jitter| policy().lease(&TagUse { jitter, ..running(1000.0, 100_000_000, 750_000) });
    assert_eq!(ahead(0.0), ahead(1.0), "no call waits");
}

#[test]
fn tags_that_began_together_do_not_refill_together_after_two_hours() {
    // Refills of a thousand tags in each minute of the quarter of an hour that follows.
    let mut refills = [0; 15];
    for seed in 0..1000 {
        let (mut random, mut used, mut supply, mut last_lease) = (fastrand::Rng::with_seed(seed), 0, 1000, 1000);
        while used < 9 * 900_000 {
            used += 10_000;
            supply -= 10_000;
            let usage = TagUse { jitter: random.f64(), last_lease, ..running(1000.0, used, supply) };
            let lease = policy().lease(&usage);
            (supply, last_lease) = (supply + lease, if lease > 0 { lease } else { last_lease });
            if lease > 0 && used >= 8 * 900_000 {
                refills[used as usize / 60_000 % 15] += 1;
            }
        }
    }
    assert!(refills.iter().all(|minute| *minute < 150), "{refills:?}");
}

#[test]
fn the_delay_of_a_thread_is_not_added_to_supply_that_outlasts_it_except_after_a_wait() {
    // 200,000 ids within the delay, and 4,000 within four round trips.
    let running = TagUse { round_trip: 1e-5, ..running(1e8, 1_000_000, 1_270_000) };
    assert_eq!(policy().lease(&running), 0, "a million ids outlast the delay");
    assert!(policy().lease(&TagUse { used: 180_000, supply: 240_000, ..running }) > 0, "180,000 do not");
    assert!(policy().lease(&TagUse { starved: true, lasted: 1.0, last_lease: 2_000_000, ..running }) > 0);
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
fn at_any_pace_a_tag_leases_a_hundred_steps_or_two_and_a_half_ids_per_id_used() {
    for step in [1, 10, 1000] {
        let (mut used, mut leased) = (step, step);
        while used < 10_000_000 {
            let dry = TagUse { step, wanted: 1, last_lease: used, lasted: 1e-6, ..running(1e9, used, 0) };
            let lease = policy().lease(&dry);
            leased += lease;
            assert!(lease >= step && leased <= (100 * step).max(used * 5 / 2), "{lease} for {used} used, step {step}");
            used = leased;
        }
    }
}

#[test]
fn a_series_holds_half_of_what_it_used_then_ten_then_a_tenth() {
    let dry = |used| {
        let usage = TagUse { density: Density::Numbers, step: 1, wanted: 1, ..running(1e6, used, 0) };
        policy().lease(&usage)
    };
    assert_eq!([1, 2, 4, 10, 18, 99, 200, 5000].map(dry), [1, 2, 3, 6, 10, 10, 20, 500]);
    let ahead = |supply| policy().lease(&TagUse { density: Density::Numbers, step: 1, ..running(1.0, 5000, supply) });
    assert_eq!([251, 250, 100].map(ahead), [0, 250, 400], "at least half of what may be held");
    let stepped = TagUse { density: Density::Numbers, step: 100, wanted: 1, ..running(1.0, 5, 0) };
    assert_eq!(policy().lease(&stepped), 100, "a step is the least");
}

#[test]
fn each_call_that_waits_for_a_number_is_served_by_one_lease() {
    let many = TagUse { density: Density::Numbers, step: 1, wanted: 80, ..running(1e6, 20, 0) };
    assert_eq!(policy().lease(&many), 80);
}

#[test]
fn a_cold_tag_that_runs_dry_faster_than_the_store_answers_grows_eightfold() {
    let dry = TagUse { wanted: 1, lasted: 0.0001, ..running(10_000.0, 1000, 0) };
    assert_eq!(policy().lease(&dry), 8000);
}

#[test]
fn a_tag_that_uses_up_the_largest_step_faster_than_the_store_answers_outgrows_it() {
    let dry = TagUse { wanted: 1, lasted: 0.001, last_lease: 1_000_000, ..running(1e7, 5_000_000, 0) };
    assert_eq!(policy().lease(&dry), 5_000_000, "as many as were used, so that large batches lease at most twice that");
    let slower = TagUse { lasted: 1.0, ..dry };
    assert_eq!(policy().lease(&slower), 1_000_000);
}

#[test]
fn supply_builds_up_even_if_the_largest_step_lasts_for_less_than_a_few_round_trips() {
    let fast = TagUse { round_trip: 0.05, last_lease: 1_000_000, ..running(1e8, 100_000_000, 2_000_000) };
    assert_eq!(policy().lease(&fast), 8_000_000, "eightfold");
    let cover = 20_000_000;
    assert_eq!(policy().lease(&TagUse { last_lease: 8_000_000, ..fast }), 2 * cover);
}

#[test]
fn after_a_wait_nothing_is_leased_ahead_while_the_lease_in_hand_lasts_for_less_than_a_round_trip() {
    let starved = TagUse { starved: true, lasted: 0.0001, ..running(1e6, 9000, 800) };
    assert_eq!(policy().lease(&starved), 0, "it will be used up at once, so the next lease must be larger");
    let just_landed = TagUse { lasted: 0.0, supply: 1000, ..starved };
    assert_eq!(policy().lease(&just_landed), 0, "none of it is used yet");
    assert!(policy().lease(&TagUse { lasted: 0.0003, ..starved }) > 0, "it lasts for more than a round trip");
    assert!(policy().lease(&TagUse { wanted: 1, supply: 0, ..starved }) > 0);
}

#[test]
fn a_tag_used_once_an_hour_does_not_grow() {
    let dry = TagUse { step: 1, wanted: 1, last_lease: 1, lasted: 3600.0, ..running(1.0 / 3600.0, 50, 0) };
    assert!(policy().lease(&dry) <= 4);
}

#[test]
fn max_unused_caps_leases_ahead_of_need_but_never_those_that_a_caller_waits_for() {
    let capped = StepPolicy { max_unused: Some(2000), ..policy() };
    assert_eq!(capped.lease(&running(1000.0, 50_000, 1500)), 500);
    assert_eq!(capped.lease(&running(1000.0, 50_000, 2000)), 0);
    assert_eq!(capped.lease(&TagUse { wanted: 5000, ..running(1000.0, 50_000, 0) }), 5000);
}

#[test]
fn max_step_equal_to_the_step_is_leafs_own_rule() {
    let leaf = StepPolicy { max_step: 1000, ..policy() };
    assert_eq!(leaf.lease(&running(1e6, 1_000_000, 901)), 0, "less than a tenth is used");
    assert_eq!(leaf.lease(&running(1e6, 1_000_000, 900)), 1000);
    assert_eq!(leaf.lease(&TagUse { ready: 1000, ..running(1e6, 1_000_000, 1100) }), 0, "one segment is ready");
    assert_eq!(leaf.lease(&TagUse { wanted: 5000, ..running(1e6, 1_000_000, 0) }), 1000, "whole steps");
    assert_eq!(leaf.lease(&TagUse { wanted_run: 5000, ..running(1e6, 1_000_000, 0) }), 5000, "contiguous");
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
