//! Ids stamped by a counter that jumps, stops, or runs at another rate: no id comes twice, and none is stamped further
//! ahead than the counter is trusted.

use super::{BEAT, HOUR, START, eventually, open, timestamp};
use leafmint::SnowflakeGenerator;
use leafmint::clock::TRUST;
use leafmint::clock::{Clock, ManualClock};
use leafmint::snowflake::ClockRollback;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

type Failure = fn(&ManualClock);

/// Opens a generator whose ids are stamped by the counter.
fn open_with_counter(folder: &Path, clock: &Arc<ManualClock>) -> SnowflakeGenerator {
    let flakes = open(folder, clock, ClockRollback::Continue);
    assert!(flakes.stamps_by_counter());
    flakes
}

#[test]
fn ids_of_a_good_counter_show_the_wall_clock_to_the_millisecond() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::with_counter(START));
    let flakes = open_with_counter(folder.path(), &clock);
    let mut last = 0;
    for millis in [1, 1, 7, 999, 60_000, 1, HOUR, 1] {
        clock.pass(millis);
        let id = flakes.next_id().unwrap();
        assert!(id > last);
        assert_eq!(timestamp(&flakes, id), clock.wall());
        last = id;
    }
    assert!(flakes.stamps_by_counter());
}

#[test]
fn a_counter_that_drifts_as_a_slewed_clock_does_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::with_counter(START));
    let flakes = open_with_counter(folder.path(), &clock);
    for millis_per_second in [1000, 1001, 999] {
        clock.run_counter_at(millis_per_second);
        for _ in 0..20 {
            clock.pass(500);
            let id = flakes.next_id().unwrap();
            let apart = timestamp(&flakes, id) - clock.wall();
            assert!((-1..=1).contains(&apart), "{apart} ms apart at {millis_per_second} ms per second");
        }
    }
    assert!(flakes.stamps_by_counter());
}

#[test]
fn a_counter_that_jumps_forward_stamps_no_id_further_ahead_than_it_is_trusted() {
    for jump in [2, 500, 999, 1_500, 60_000, HOUR] {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::with_counter(START));
        let flakes = open_with_counter(folder.path(), &clock);
        let mut minted = HashSet::new();
        for round in 0..400 {
            if round == 20 {
                clock.jump_counter(jump);
            }
            clock.pass(5);
            let Some(id) = flakes.try_next_id().unwrap() else { continue };
            let ahead = timestamp(&flakes, id) - clock.wall();
            assert!(ahead <= TRUST, "{ahead} ms ahead after a jump of {jump} ms");
            assert!(minted.insert(id), "after a jump of {jump} ms");
        }
        // A few milliseconds in a second are what a slewed clock may be off by.
        eventually("the counter is given up", || {
            clock.pass(50);
            jump == 2 || !flakes.stamps_by_counter()
        });
        eventually("ids show the wall clock again", || {
            clock.pass(50);
            let id = flakes.next_id().unwrap();
            minted.insert(id) && timestamp(&flakes, id) == clock.wall()
        });
    }
}

#[test]
fn a_counter_that_stops_jumps_back_or_runs_at_another_rate_is_given_up_and_no_id_comes_twice() {
    let failures: [(&str, Failure); 5] = [
        ("stops", |clock| clock.run_counter_at(0)),
        ("jumps back", |clock| clock.jump_counter(-3_000)),
        ("was started anew", |clock| clock.jump_counter(-HOUR)),
        ("is 2 % fast", |clock| clock.run_counter_at(1_020)),
        ("is ten times as slow", |clock| clock.run_counter_at(100)),
    ];
    for (failure, fail) in failures {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::with_counter(START));
        let flakes = open_with_counter(folder.path(), &clock);
        let mut last = flakes.next_id().unwrap();
        fail(&clock);
        let mut minted = 0;
        eventually("the counter is given up", || {
            clock.pass(50);
            for _ in 0..3_000 {
                let Some(id) = flakes.try_next_id().unwrap() else { break };
                assert!(id > last, "a counter that {failure}");
                assert!(timestamp(&flakes, id) <= clock.wall() + TRUST);
                (last, minted) = (id, minted + 1);
            }
            !flakes.stamps_by_counter()
        });
        clock.pass(TRUST);
        let id = flakes.next_id().unwrap();
        assert!(id > last && minted > 0);
        assert_eq!(timestamp(&flakes, id), clock.wall(), "a counter that {failure}");
    }
}

#[test]
fn a_counter_that_was_given_up_is_not_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::with_counter(START));
    let flakes = open_with_counter(folder.path(), &clock);
    clock.jump_counter(HOUR);
    assert!(flakes.next_id().is_ok());
    assert!(!flakes.stamps_by_counter(), "the id that ran into the limit has looked");
    for _ in 0..20 {
        clock.pass(500);
        flakes.next_id().unwrap();
        std::thread::sleep(BEAT / 4);
    }
    assert!(!flakes.stamps_by_counter());
}

#[test]
fn without_a_counter_ids_are_stamped_with_the_systems_clock() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(START));
    let flakes = open(folder.path(), &clock, ClockRollback::Continue);
    for _ in 0..10 {
        clock.pass(500);
        let id = flakes.next_id().unwrap();
        assert_eq!(timestamp(&flakes, id), clock.wall());
    }
    assert!(!flakes.stamps_by_counter());
}
