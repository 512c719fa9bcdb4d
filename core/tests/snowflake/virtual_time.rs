//! Generators on a clock that only the test moves: what tests of applications use.

use crate::stores::options;
use leafmint::{ErrorKind, SnowflakeGenerator, VirtualClock};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

const START: i64 = 1_793_491_200_000;
const HOUR: i64 = 3_600_000;
const LAYOUT: &str = "timestamp:41,worker:10,sequence:2";

fn open<const N: usize>(clock: &Arc<VirtualClock>, given: [(&str, &str); N]) -> SnowflakeGenerator {
    leafmint::open::snowflake_in_virtual_time(clock, 7, options(given)).unwrap()
}

fn clock() -> Arc<VirtualClock> {
    Arc::new(VirtualClock::at(START))
}

/// Mints an id, and returns its time since the start and its sequence number.
fn mint(flakes: &SnowflakeGenerator) -> (i64, i64) {
    let parts = flakes.decode(flakes.next_id().unwrap()).unwrap();
    assert_eq!(parts.worker_id, 7);
    (parts.timestamp - START, parts.sequence)
}

#[test]
fn time_stands_still_until_the_test_moves_it() {
    let clock = clock();
    let flakes = open(&clock, []);
    assert_eq!([mint(&flakes), mint(&flakes)], [(0, 0), (0, 1)]);
    clock.pass(Duration::from_millis(1));
    assert_eq!([mint(&flakes), mint(&flakes)], [(1, 0), (1, 1)]);
    clock.move_to(START + 400 * 24 * HOUR);
    assert_eq!(mint(&flakes), (400 * 24 * HOUR, 0));
    assert_eq!(flakes.try_next_id().unwrap(), Some(flakes.next_id().unwrap() - 1));
}

#[test]
fn a_call_moves_the_clock_to_the_tick_that_it_would_wait_for() {
    let clock = clock();
    let flakes = open(&clock, [("layout", LAYOUT), ("timeout", "2m")]);
    let began = Instant::now();
    let drawn: Vec<_> = (0..5).map(|_| mint(&flakes)).collect();
    assert_eq!(drawn, [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)]);
    let batch = flakes.next_ids(160_003).unwrap();
    assert_eq!(flakes.decode(batch[160_002]).unwrap().timestamp, START + 40_001);
    assert!(batch.is_sorted_by(|a, b| a < b));
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

#[test]
fn a_call_that_would_wait_for_longer_than_its_timeout_fails_at_once() {
    let flakes = open(&clock(), [("layout", "timestamp:20,worker:10,sequence:2,unit:1h")]);
    flakes.next_ids(4).unwrap();
    assert_eq!(flakes.try_next_id().unwrap(), None);
    let began = Instant::now();
    let error = flakes.next_id_within(Duration::from_secs(60)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RateExceeded);
    assert!(began.elapsed() < Duration::from_secs(30));
    flakes.next_id_within(Duration::from_secs(3_600)).unwrap();
}

#[test]
fn ids_continue_while_the_clock_is_set_back() {
    let clock = clock();
    let flakes = open(&clock, []);
    mint(&flakes);
    clock.move_to(START - HOUR);
    assert_eq!(mint(&flakes), (0, 1));
    assert_eq!(flakes.stats().clock_lead_millis, HOUR);
    clock.move_to(START - 1);
    assert_eq!(mint(&flakes), (0, 2), "this time has passed before");
    clock.move_to(START + 5);
    assert_eq!(mint(&flakes), (5, 0));
    assert_eq!(flakes.stats().clock_lead_millis, 0);
}

#[test]
fn a_clock_that_is_set_back_too_far_is_refused_until_it_is_set_forward() {
    for (rollback, back) in [("fail", 2), ("wait", 11), ("continue", 3 * HOUR)] {
        let clock = clock();
        let flakes = open(&clock, [("clock_rollback", rollback)]);
        mint(&flakes);
        clock.move_to(START - back);
        assert_eq!(flakes.next_id().unwrap_err().kind(), ErrorKind::ClockMovedBackwards, "{rollback}");
        assert_eq!(flakes.try_next_id().unwrap(), None);
        clock.move_to(START);
        assert_eq!(mint(&flakes), (0, 1));
    }
}

#[test]
fn the_limits_of_the_layout_are_those_of_production() {
    let clock = Arc::new(VirtualClock::at(0));
    let error = leafmint::open::snowflake_in_virtual_time(&clock, 7, []).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ClockMovedBackwards);
    clock.move_to(START);
    let flakes = open(&clock, []);
    clock.move_to(flakes.layout().runs_out());
    assert_eq!(flakes.next_id().unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
    assert!(leafmint::open::snowflake_in_virtual_time(&clock, 1_024, []).is_err());
    let unknown = leafmint::open::snowflake_in_virtual_time(&clock, 7, options([("layuot", "leaf")])).unwrap_err();
    assert_eq!(unknown.kind(), ErrorKind::InvalidConfig);
}

#[test]
fn the_options_of_the_application_may_be_passed() {
    let given = [("lease_duration", "10m"), ("username", "app"), ("layout", "wide"), ("sequence_jitter", "0")];
    assert_eq!(mint(&open(&clock(), given)), (0, 0));
}

#[test]
fn two_generators_may_share_a_clock() {
    let clock = clock();
    let [one, other] = [1, 2].map(|id| leafmint::open::snowflake_in_virtual_time(&clock, id, []).unwrap());
    clock.pass(Duration::from_secs(1));
    let times = [&one, &other].map(|flakes| flakes.decode(flakes.next_id().unwrap()).unwrap().timestamp);
    assert_eq!(times, [START + 1_000; 2]);
    drop(one);
    clock.pass(Duration::from_secs(1));
    other.next_id().unwrap();
}

#[test]
fn threads_repeat_no_id() {
    let flakes = open(&clock(), [("layout", LAYOUT)]);
    let all: Vec<i64> = std::thread::scope(|scope| {
        let mint = || (0..2_000).map(|_| flakes.next_id().unwrap()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(mint)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 8_000);
}

#[test]
fn a_closed_generator_mints_no_more_when_the_clock_moves() {
    let clock = clock();
    let flakes = open(&clock, []);
    mint(&flakes);
    flakes.close().unwrap();
    clock.pass(Duration::from_secs(1));
    assert_eq!(flakes.next_id().unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(flakes.try_next_id().unwrap_err().kind(), ErrorKind::Closed);
}
