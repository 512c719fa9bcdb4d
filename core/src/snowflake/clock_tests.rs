//! Ids on a clock that jumps: never twice, and as the policy says.

use super::{ClockPolicy, ClockRollback, Settings, SnowflakeGenerator};
use crate::clock::{Clock, ManualClock};
use crate::error::ErrorKind;
use crate::holder::{DirectoryHolder, DirectorySettings, Pace};
use crate::id::Layout;
use crate::want::Want;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const START: i64 = 1_793_491_200_000;
const HOUR: i64 = 3_600_000;
const BEAT: Duration = Duration::from_millis(20);

fn open(folder: &Path, clock: &Arc<ManualClock>, rollback: ClockRollback) -> SnowflakeGenerator {
    open_any(folder, clock, rollback, vec![7])
}

fn open_any(folder: &Path, clock: &Arc<ManualClock>, rollback: ClockRollback, workers: Vec<i64>) -> SnowflakeGenerator {
    open_jittering(folder, clock, rollback, workers, 0)
}

fn open_jittering(
    folder: &Path,
    clock: &Arc<ManualClock>,
    rollback: ClockRollback,
    workers: Vec<i64>,
    jitter: i64,
) -> SnowflakeGenerator {
    let clock: Arc<dyn Clock> = clock.clone();
    let layout = Layout::default();
    let holder = DirectorySettings {
        directory: folder.to_owned(),
        workers: workers.into_iter().collect(),
        layout: layout.fingerprint(),
        endpoint: "test".into(),
        pace: Pace { lease_duration: Duration::from_secs(3), heartbeat: BEAT },
        name: "local",
        on_host: None,
    };
    let settings = Settings {
        layout,
        datacenter_id: 0,
        timeout: Duration::from_secs(8),
        clock: ClockPolicy { rollback, max_clock_lead: Duration::from_secs(7200) },
        jitter,
        eager: false,
        close_at_exit: true,
    };
    SnowflakeGenerator::new(Arc::new(DirectoryHolder::new(holder, clock.clone())), settings, clock)
}

fn timestamp(flakes: &SnowflakeGenerator, id: i64) -> i64 {
    flakes.decode(id).unwrap().timestamp
}

/// Waits for what a heartbeat brings about.
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_clock_set_back_while_minting_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(START));
    let flakes = open(folder.path(), &clock, ClockRollback::Continue);
    let mut last = flakes.next_id().unwrap();
    for step in [-1, -3_000, -HOUR] {
        clock.step(step);
        std::thread::sleep(3 * BEAT);
        for _ in 0..100 {
            // More than the clock crawls back at a heartbeat.
            clock.pass(5);
            let id = flakes.next_id().unwrap();
            assert!(id > last);
            last = id;
        }
    }
    let lead = flakes.stats().clock_lead_millis;
    assert!((HOUR..HOUR + 4_000).contains(&lead), "{lead}");
}

#[test]
fn a_clock_set_back_while_the_process_is_down_costs_no_duplicate() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(START));
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

#[test]
fn wait_and_fail_refuse_ids_while_the_clock_is_behind_and_recover_with_it() {
    for rollback in [ClockRollback::Wait, ClockRollback::Fail] {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::at(START));
        let flakes = open(folder.path(), &clock, rollback);
        let before = flakes.next_id().unwrap();
        clock.step(-HOUR);
        eventually("ids are refused", || flakes.try_next_id().unwrap().is_none());
        let error = flakes.next_id_within(Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ClockMovedBackwards);
        clock.step(HOUR + 10);
        eventually("ids come again", || flakes.next_id_within(Duration::from_millis(50)).is_ok());
        assert!(flakes.next_id().unwrap() > before);

        clock.step(-HOUR);
        flakes.close().unwrap();
        let error = open(folder.path(), &clock, rollback).next_id_within(Duration::from_millis(200)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ClockMovedBackwards, "at the start too");
    }
}

#[test]
fn a_lead_beyond_the_maximum_is_refused_by_continue_too() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(START));
    let flakes = open(folder.path(), &clock, ClockRollback::Continue);
    flakes.next_id().unwrap();
    clock.step(-3 * HOUR);
    eventually("ids are refused", || flakes.try_next_id().unwrap().is_none());
    let error = flakes.next_id_within(Duration::from_millis(50)).unwrap_err();
    assert!(error.kind() == ErrorKind::ClockMovedBackwards && error.message().contains("max_clock_lead"), "{error}");
}

#[test]
fn a_small_step_forward_is_followed_after_its_horizon_and_a_bold_one_only_if_it_lasts() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(START));
    let flakes = open(folder.path(), &clock, ClockRollback::Continue);
    let mut last = flakes.next_id().unwrap();
    clock.step(60_000);
    eventually("the step is followed", || timestamp(&flakes, flakes.next_id().unwrap()) >= START + 60_000);
    clock.step(24 * HOUR);
    std::thread::sleep(5 * BEAT);
    let id = flakes.next_id().unwrap();
    assert!(id > last && timestamp(&flakes, id) < START + HOUR, "a day is not believed at once");
    last = id;
    clock.step(-24 * HOUR);
    std::thread::sleep(5 * BEAT);
    assert!(flakes.next_id().unwrap() > last);
    clock.step(24 * HOUR);
    eventually("the step has lasted", || timestamp(&flakes, flakes.next_id().unwrap()) >= START + 24 * HOUR);
}

#[test]
fn a_pause_past_the_horizon_ends_minting_until_time_is_reserved_again() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(START));
    let flakes = open(folder.path(), &clock, ClockRollback::Continue);
    let before = flakes.next_id().unwrap();
    clock.pass(60_000);
    let id = flakes.next_id().unwrap();
    assert!(id > before && timestamp(&flakes, id) >= START + 60_000);
}

#[test]
fn a_clock_outside_the_layouts_time_is_a_named_error() {
    for (wall, kind) in [(0, ErrorKind::ClockMovedBackwards), (Layout::default().runs_out() + 1, ErrorKind::IdSpaceExhausted)] {
        let folder = tempfile::tempdir().unwrap();
        let flakes = open(folder.path(), &Arc::new(ManualClock::at(wall)), ClockRollback::Continue);
        assert_eq!(flakes.next_id_within(Duration::from_millis(200)).unwrap_err().kind(), kind);
    }
}

#[test]
fn no_id_comes_of_time_that_could_not_be_reserved() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(START));
    let flakes = open(folder.path(), &clock, ClockRollback::Continue);
    flakes.next_id().unwrap();
    // From here on nobody can tell which state file the path names.
    let path = |name: &str| folder.path().join(name);
    std::fs::hard_link(path("7.state"), path("kept")).unwrap();
    std::os::unix::fs::symlink("7.state", path("loop")).unwrap();
    std::fs::rename(path("loop"), path("7.state")).unwrap();
    eventually("a heartbeat fails", || {
        clock.pass(1);
        flakes.stats().last_error.is_some()
    });
    let state = std::fs::read_to_string(path("kept")).unwrap();
    let horizons = state.lines().filter_map(|line| line.strip_prefix("horizon ")?.parse::<i64>().ok());
    let horizon = horizons.max().unwrap();
    let until = Instant::now() + 30 * BEAT;
    while Instant::now() < until {
        clock.pass(100);
        if let Some(id) = flakes.try_next_id().unwrap() {
            assert!(timestamp(&flakes, id) < horizon, "{} is stamped, up to {horizon} is reserved", timestamp(&flakes, id));
        }
        std::thread::sleep(BEAT / 4);
    }
}

#[test]
fn a_ticket_in_hand_keeps_its_worker_id_when_the_lease_is_replaced_and_later_ids_lie_above() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(START));
    let open = || open_any(folder.path(), &clock, ClockRollback::Continue, vec![7, 8]);
    // The lower worker id is the later one here, so that ids of one tick would not ascend by themselves.
    let lower = open();
    lower.next_id().unwrap();
    let flakes = open();
    let mut first = vec![flakes.next_id().unwrap()];
    while let Some(id) = flakes.try_next_id().unwrap() {
        first.push(id);
    }
    let mut waiting = flakes.begin(Want::One, None, None).unwrap();
    assert_eq!(waiting.poll().unwrap(), None, "its ticket is one of the next tick");
    lower.close().unwrap();
    std::fs::remove_file(folder.path().join("8.lock")).unwrap();
    eventually("the lease is replaced, and the lead of its clock is given up", || {
        flakes.worker_id() == Some(7) && flakes.stats().clock_lead_millis == 0
    });
    clock.pass(1);
    let kept = waiting.poll().unwrap().unwrap()[0];
    assert_eq!((flakes.decode(kept).unwrap().worker_id, kept > *first.last().unwrap()), (8, true));
    let mut next = None;
    eventually("an id comes", || {
        next = flakes.try_next_id().unwrap();
        if next.is_none() {
            clock.pass(1);
        }
        next.is_some()
    });
    assert_eq!(flakes.decode(next.unwrap()).unwrap().worker_id, 7);
    assert!(next > Some(kept), "ids go on increasing");
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
    eventually("the clock has crawled below the floor", || {
        second.worker_id().is_some() && second.stats().clock_lead_millis < HOUR - 2
    });
    assert_eq!(second.try_next_id().unwrap(), None, "no tick above the floor has come");
    clock.pass(100);
    assert!(second.next_id().unwrap() > last);
}

#[test]
fn a_batch_that_wakes_late_leaves_out_no_id_of_the_ticks_that_came_meanwhile_and_takes_none_of_ticks_to_come() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(START));
    let flakes = open_jittering(folder.path(), &clock, ClockRollback::Continue, vec![7], 100);
    let mut last = flakes.next_id().unwrap();
    while let Some(id) = flakes.try_next_id().unwrap() {
        last = id;
    }
    let used_up = timestamp(&flakes, last);

    let mut batch = flakes.begin(Want::Many(3 * 4096 + 1), None, None).unwrap();
    assert_eq!(batch.poll().unwrap(), None, "the tick is used up");
    clock.pass(3);
    assert_eq!(batch.poll().unwrap(), None, "three ticks have come, and the batch wants one id more");
    clock.pass(2);
    let ids = batch.poll().unwrap().unwrap();
    let stamped: Vec<(i64, i64)> =
        ids.iter().map(|id| flakes.decode(*id).unwrap()).map(|id| (id.timestamp, id.sequence)).collect();
    let whole = (1..=3).flat_map(|tick| (0..4096).map(move |sequence| (used_up + tick, sequence)));
    assert!(stamped.iter().copied().eq(whole.chain([(used_up + 4, 0)])), "from {:?} to {:?}", stamped[0], stamped.last());

    let next = flakes.next_ids(2).unwrap();
    assert_eq!(timestamp(&flakes, next[0]), used_up + 5, "a call that did not wait takes ids of the present tick");
}
