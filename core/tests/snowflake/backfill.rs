//! Ids of past moments, next to those of the present.

use super::open;
use leafmint::{ErrorKind, SnowflakeGenerator, VirtualClock};
use std::collections::HashSet;
use std::sync::Arc;

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
    let flakes = SnowflakeGenerator::open_in_virtual_time(&clock, 7, []).unwrap();
    let past = flakes.backfill_all(&[AT; 100]).unwrap();
    let all: HashSet<i64> = past.into_iter().chain(flakes.next_ids(100).unwrap()).collect();
    assert_eq!(all.len(), 200);
    assert_eq!(flakes.backfill(AT + 1).unwrap_err().kind(), ErrorKind::InvalidArgument);
}
