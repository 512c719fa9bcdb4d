//! Ids on a wall clock that jumps: no id comes twice, and the clock policy decides what happens.

use super::{BEAT, HOUR, START, clocks, eventually, open, timestamp};
use leafmint::SnowflakeGenerator;
use leafmint::clock::ManualClock;
use leafmint::snowflake::ClockRollback;
use leafmint_ids::error::{Error, ErrorKind};
use leafmint_ids::layout::Layout;
use std::sync::Arc;
use std::time::Duration;

/// Calls until the error is one of this kind: a call may end before the first attempt or the next heartbeat has.
fn refusal(flakes: &SnowflakeGenerator, kind: ErrorKind) -> Error {
    let mut refusal = None;
    eventually("ids are refused", || {
        refusal = flakes.next_id_within(Duration::from_millis(200)).err().filter(|error| error.kind() == kind);
        refusal.is_some()
    });
    refusal.unwrap()
}

#[test]
fn a_clock_set_back_while_minting_is_not_followed() {
    for clock in clocks() {
        let folder = tempfile::tempdir().unwrap();
        let flakes = open(folder.path(), &clock, ClockRollback::Continue);
        let mut last = flakes.next_id().unwrap();
        for step in [-1, -3_000, -HOUR] {
            clock.step(step);
            std::thread::sleep(3 * BEAT);
            for _ in 0..100 {
                // More than one slew.
                clock.pass(5);
                let id = flakes.next_id().unwrap();
                assert!(id > last);
                last = id;
            }
        }
        let lead = flakes.stats().clock_lead_millis;
        assert!((HOUR..HOUR + 4_000).contains(&lead), "{lead}");
    }
}

#[test]
fn a_clock_set_back_while_the_process_is_down_repeats_no_id() {
    for clock in clocks() {
        let folder = tempfile::tempdir().unwrap();
        let mut last = None;
        for step in [0, -1, -2_000, -HOUR] {
            clock.step(step);
            let flakes = open(folder.path(), &clock, ClockRollback::Continue);
            for _ in 0..5 {
                let mut id = None;
                eventually("an id comes", || {
                    // A heartbeat may just have given up a millisecond of the lead.
                    clock.pass(1);
                    id = flakes.try_next_id().unwrap();
                    id.is_some()
                });
                assert!(id > last, "after a step of {step} ms");
                last = id;
            }
            flakes.close().unwrap();
        }
    }
}

#[test]
fn wait_and_fail_refuse_ids_while_the_clock_is_behind_and_recover_with_it() {
    for clock in clocks() {
        for rollback in [ClockRollback::Wait, ClockRollback::Fail] {
            let folder = tempfile::tempdir().unwrap();
            let flakes = open(folder.path(), &clock, rollback);
            let before = flakes.next_id().unwrap();
            clock.step(-HOUR);
            refusal(&flakes, ErrorKind::ClockMovedBackwards);
            assert_eq!(flakes.try_next_id().unwrap(), None);
            clock.step(HOUR + 10);
            eventually("ids come again", || flakes.next_id_within(Duration::from_millis(50)).is_ok());
            assert!(flakes.next_id().unwrap() > before);

            clock.step(-HOUR);
            flakes.close().unwrap();
            refusal(&open(folder.path(), &clock, rollback), ErrorKind::ClockMovedBackwards); // at the start too
        }
    }
}

#[test]
fn a_lead_beyond_the_maximum_is_refused_by_continue_too() {
    for clock in clocks() {
        let folder = tempfile::tempdir().unwrap();
        let flakes = open(folder.path(), &clock, ClockRollback::Continue);
        flakes.next_id().unwrap();
        clock.step(-3 * HOUR);
        let error = refusal(&flakes, ErrorKind::ClockMovedBackwards);
        assert!(error.message().contains("max_clock_lead"), "{error}");
        assert_eq!(flakes.try_next_id().unwrap(), None);
    }
}

#[test]
fn a_small_step_forward_is_followed_and_a_large_one_only_if_it_lasts() {
    for clock in clocks() {
        let folder = tempfile::tempdir().unwrap();
        let flakes = open(folder.path(), &clock, ClockRollback::Continue);
        let mut last = flakes.next_id().unwrap();
        clock.step(60_000);
        eventually("the step is followed", || timestamp(&flakes, flakes.next_id().unwrap()) >= START + 60_000);
        clock.step(24 * HOUR);
        std::thread::sleep(5 * BEAT);
        let id = flakes.next_id().unwrap();
        assert!(id > last && timestamp(&flakes, id) < START + HOUR, "a step of a day is not followed at once");
        last = id;
        clock.step(-24 * HOUR);
        std::thread::sleep(5 * BEAT);
        assert!(flakes.next_id().unwrap() > last);
        clock.step(24 * HOUR);
        eventually("the step has lasted", || timestamp(&flakes, flakes.next_id().unwrap()) >= START + 24 * HOUR);
    }
}

#[test]
fn a_clock_outside_the_layouts_time_is_a_named_error() {
    for (wall, kind) in
        [(0, ErrorKind::ClockMovedBackwards), (Layout::default().runs_out() + 1, ErrorKind::IdSpaceExhausted)]
    {
        let folder = tempfile::tempdir().unwrap();
        let flakes = open(folder.path(), &Arc::new(ManualClock::at(wall)), ClockRollback::Continue);
        refusal(&flakes, kind);
    }
}

#[test]
fn a_clock_that_slews_back_leaves_ids_above_the_floor() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(START));
    let first = open(folder.path(), &clock, ClockRollback::Continue);
    let last = first.next_id().unwrap();
    first.close().unwrap();
    clock.step(-HOUR);
    let second = open(folder.path(), &clock, ClockRollback::Continue);
    assert_eq!(second.try_next_id().unwrap(), None, "its lease is being taken");
    eventually("the clock has slewed below the floor", || {
        second.worker_id().is_some() && second.stats().clock_lead_millis < HOUR - 2
    });
    assert_eq!(second.try_next_id().unwrap(), None, "no tick above the floor has come");
    clock.pass(100);
    assert!(second.next_id().unwrap() > last);
}
