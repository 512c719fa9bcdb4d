//! Ids of past moments, next to those of the present.

use super::open;
use leafmint::snowflake::Backfill;
use leafmint::{ErrorKind, Result, SnowflakeGenerator, VirtualClock};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Longer than anything takes on a busy machine.
const LONG: Duration = Duration::from_secs(30);
const AT: i64 = 1_600_000_000_000;

/// Moments of 70 days, unsorted, some of them many times.
fn moments() -> Vec<i64> {
    (0..3_000).map(|number| AT + (number * 7919 % 1_500) * 4_000_000).collect()
}

fn assert_filled(flakes: &SnowflakeGenerator, moments: &[i64], ids: &[i64], all: &mut HashSet<i64>) {
    assert_eq!(moments.len(), ids.len());
    for (at, id) in moments.iter().zip(ids) {
        assert_eq!(flakes.decode(*id).unwrap().timestamp, *at);
        assert!(all.insert(*id), "{id} twice");
    }
}

#[test]
fn past_and_living_ids_of_several_processes_are_unique_and_each_past_id_is_of_its_moment() {
    let folder = tempfile::tempdir().unwrap();
    let (moments, mut all) = (moments(), HashSet::new());
    // One after the other, as after restarts, and two at once.
    for _ in 0..3 {
        let both = [open(folder.path(), []), open(folder.path(), [])];
        for flakes in [&both[0], &both[1], &both[0]] {
            assert_filled(flakes, &moments, &flakes.backfill_all(&moments).unwrap(), &mut all);
            all.extend(flakes.next_ids(100).unwrap());
        }
    }
    assert_eq!(all.len(), 9 * (moments.len() + 100));
}

#[test]
fn one_past_moment_after_another_is_filled_in() {
    let folder = tempfile::tempdir().unwrap();
    let (flakes, mut all) = (open(folder.path(), []), HashSet::new());
    for _ in 0..50 {
        for at in [AT, AT + 1, AT] {
            assert_filled(&flakes, &[at], &[flakes.backfill(at).unwrap()], &mut all);
        }
    }
}

#[test]
fn a_past_moment_is_from_the_epoch_up_to_now() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), []);
    let epoch = flakes.layout().epoch();
    assert_eq!(flakes.decode(flakes.backfill(epoch).unwrap()).unwrap().timestamp, epoch);
    for at in [epoch - 1, AT * 2, i64::MIN, i64::MAX] {
        let error = flakes.backfill(at).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().starts_with(&format!("at={at} is not a past moment")), "{error}");
    }
    flakes.close().unwrap();
    assert_eq!(flakes.backfill(AT).unwrap_err().kind(), ErrorKind::Closed);
}

#[test]
fn a_moment_behind_the_last_tick_of_the_layout_is_named_as_every_other_id_is() {
    let folder = tempfile::tempdir().unwrap();
    let layout = [("layout", "timestamp:31,worker:20,sequence:12"), ("epoch", "1577836800000")];
    let flakes = open(folder.path(), layout);
    let (epoch, end) = (flakes.layout().epoch(), flakes.layout().runs_out());
    let last = flakes.decode(flakes.backfill(end - 1).unwrap()).unwrap();
    assert_eq!((last.timestamp, flakes.why_not_past(end - 1)), (end - 1, Ok(None)));
    for at in [end, epoch + 5 + (1 << 32)] {
        let error = flakes.backfill_all(&[epoch, at]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted);
        assert!(error.message().starts_with(&format!("at[1]={at}: the time bits of the layout run out")), "{error}");
        assert_eq!(flakes.why_not_past(at).unwrap(), Some(error.message().replace("at[1]", "at")));
    }
    assert_eq!(flakes.next_id().unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
}

#[test]
fn a_process_whose_worker_id_for_the_past_was_made_anew_fills_in_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let [flakes, other] = [open(folder.path(), []), open(folder.path(), [])];
    let ids = [flakes.backfill(AT).unwrap(), other.backfill(AT + 1_000_000_000).unwrap()];
    for file in ["past", "lock", "state"] {
        std::fs::remove_file(folder.path().join(format!("default/1023.{file}"))).unwrap();
    }
    // A process that starts has nothing to compare with.
    assert_eq!(open(folder.path(), []).backfill(AT), Ok(ids[0]));
    let error = flakes.backfill(AT + 1_000_000_000).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StoreRegressed);
    assert!(error.message().contains("or of other counters"), "{error}");
}

#[test]
fn a_call_that_needs_more_than_the_layout_has_takes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [("layout", "datacenter")]);
    let mut moments = vec![AT; 140_000];
    moments.extend((1..20).map(|day| AT - day * 200_000_000));
    let error = flakes.backfill_all(&moments).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
    assert!(error.message().contains("140000 more ids of one tick need 35 more worker ids"), "{error}");
    assert_eq!(flakes.list_workers().unwrap().wait().unwrap(), []);
}

fn finish(mut call: Backfill) -> Result<Vec<i64>> {
    loop {
        if let Some(ids) = call.wait_for(LONG)? {
            return Ok(ids);
        }
    }
}

/// Holds the lock of the counters, as a process that was stopped in the middle of a lease does.
fn stopped_in_a_lease(folder: &Path) -> std::fs::File {
    let file = std::fs::File::open(folder.join("default/1023.past")).unwrap();
    file.lock().unwrap();
    file
}

#[test]
fn a_call_that_timed_out_leases_nothing_later() {
    let folder = tempfile::tempdir().unwrap();
    let (flakes, next_block) = (open(folder.path(), []), AT - (1 << 27));
    flakes.backfill(AT).unwrap();
    let stopped = stopped_in_a_lease(folder.path());
    for _ in 0..8 {
        let call = flakes.begin_backfill(&[next_block], None, Some(Duration::from_millis(5))).unwrap();
        let error = finish(call).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
    }
    // A call that is dropped ends too.
    drop(flakes.begin_backfill(&[next_block], None, Some(LONG)).unwrap().wait_for(Duration::ZERO));
    drop(stopped);
    let lease = || flakes.decode(open(folder.path(), []).backfill(next_block).unwrap()).unwrap().sequence / 4;
    let leases: Vec<i64> = (0..30).map(|_| lease()).collect();
    // What a thread was just doing when a call ended may lease once more.
    assert!(leases[29] < 29 + 5, "the 9 calls that ended lease on: {leases:?}");
}

#[test]
fn a_close_ends_the_calls_that_wait() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), []);
    flakes.backfill(AT).unwrap();
    let _stopped = stopped_in_a_lease(folder.path());
    let begin = |block: i64| flakes.begin_backfill(&[AT - (block << 27)], None, Some(2 * LONG)).unwrap();
    let mut calls = [1, 2, 3].map(begin);
    calls.iter_mut().for_each(|call| assert_eq!(call.wait_for(Duration::from_millis(1)), Ok(None)));
    flakes.close().unwrap();
    for mut call in calls {
        // Its own timeout is longer than this wait.
        assert_eq!(call.wait_for(LONG).map(drop).unwrap_err().kind(), ErrorKind::Closed);
    }
}

#[test]
fn other_threads_make_the_ids_of_a_call_in_the_background() {
    let folder = tempfile::tempdir().unwrap();
    let (flakes, moments) = (open(folder.path(), []), moments());
    let mut call = flakes.begin_backfill(&moments, None, None).unwrap().in_background();
    assert_eq!(call.at_once(), Ok(None), "these are too many for the caller's thread");
    let ids = finish(call).unwrap();
    assert_filled(&flakes, &moments, &ids, &mut HashSet::new());
    let mut few = flakes.begin_backfill(&[AT - 1], None, None).unwrap().in_background();
    assert!(few.at_once().unwrap().is_some(), "numbers for other ticks of its block are leased");
}

/// The blocks of the thread that needs few ticks of each, and the ticks of the one that makes the process forget.
fn two_columns() -> (Vec<i64>, Vec<i64>) {
    ((0..20).map(|block| AT - (block << 27)).collect(), (0..(1 << 21) + 10).map(|tick| AT - tick).collect())
}

#[test]
fn a_call_ends_however_much_another_thread_fills_in_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let (flakes, (few, many)) = (open(folder.path(), []), two_columns());
    let mut call = flakes.begin_backfill(&few, None, None).unwrap();
    let mut looks = 0;
    let ids = loop {
        // Between each two looks of the call the other thread's is over, and makes the process forget.
        if let Some(ids) = call.wait_for(Duration::ZERO).unwrap() {
            break ids;
        }
        flakes.backfill_all(&many).unwrap();
        looks += 1;
        assert!(looks < 8, "what was leased for the call is forgotten before it looks again");
    };
    assert_filled(&flakes, &few, &ids, &mut HashSet::new());
}

#[test]
fn a_process_whose_counters_of_the_past_went_back_fills_in_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let (flakes, path) = (open(folder.path(), []), folder.path().join("default/1023.past"));
    flakes.backfill(AT).unwrap();
    let before = std::fs::read(&path).unwrap();
    flakes.backfill_all(&[AT; 8]).unwrap();
    std::fs::write(&path, before).unwrap();
    for at in [AT, AT, AT - 1_000_000_000] {
        let error = flakes.backfill_all(&[at; 8]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StoreRegressed);
        assert!(error.message().contains("from 4 on, but this process has leased those below 9"), "{error}");
    }
}

#[test]
fn a_generator_on_a_clock_that_only_a_test_moves_fills_in_too() {
    let clock = Arc::new(VirtualClock::at(AT));
    let flakes = leafmint::open::snowflake_in_virtual_time(&clock, 7, []).unwrap();
    let past = flakes.backfill_all(&[AT; 100]).unwrap();
    let all: HashSet<i64> = past.into_iter().chain(flakes.next_ids(100).unwrap()).collect();
    assert_eq!(all.len(), 200);
    assert_eq!(flakes.backfill(AT + 1).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn generators_of_a_test_with_low_worker_ids_share_no_past_id() {
    let clock = Arc::new(VirtualClock::at(AT));
    let mut all = HashSet::new();
    for worker_id in 0..8 {
        let flakes = leafmint::open::snowflake_in_virtual_time(&clock, worker_id, []).unwrap();
        all.extend(flakes.backfill_all(&[AT; 100]).unwrap().into_iter().chain(flakes.next_ids(100).unwrap()));
    }
    assert_eq!(all.len(), 8 * 200);
}
