//! A directory that is moved away under a running owner, which must use no other one.

use super::open;
use crate::holders::{acquire_soon, crash, wait};
use leafmint::{ErrorKind, SnowflakeGenerator};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A directory, the place that it is moved to, and the folder of both.
fn places() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (home, moved) = (folder.path().join("home"), folder.path().join("moved"));
    (folder, home, moved)
}

#[test]
fn an_owner_whose_directory_was_moved_makes_no_other_one_and_takes_none() {
    let (_folder, home, moved) = places();
    let owner = open(&home);
    let lease = wait(owner.acquire()).unwrap();
    fs::rename(&home, &moved).unwrap();
    let lost = wait(owner.extend(&lease, lease.horizon + 1_000)).unwrap_err();
    assert_eq!(lost.kind(), ErrorKind::LeaseLost);
    assert!(lost.message().contains("was moved"), "{lost}");
    for made_by_another in [false, true] {
        if made_by_another {
            fs::create_dir(&home).unwrap();
        }
        for error in [
            wait(owner.acquire()).unwrap_err(),
            wait(owner.list_workers()).unwrap_err(),
            wait(owner.check()).unwrap_err(),
            wait(owner.in_child().acquire()).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
            assert!(error.message().contains("home") && error.message().contains("restart"), "{error}");
        }
        assert_eq!(fs::read_dir(&home).map_or(0, Iterator::count), 0, "nothing is made in its place");
    }
    let second = open(&moved);
    let next = acquire_soon(&*second);
    assert!(next.floor >= lease.horizon, "{next:?} overlaps {lease:?}");
    crash(second);
    fs::remove_dir(&home).unwrap();
    fs::rename(&moved, &home).unwrap();
    assert!(acquire_soon(&*owner).floor >= next.horizon, "the directory is back");
}

#[test]
fn a_close_that_cannot_write_its_state_frees_the_worker_id_where_its_files_are() {
    let (_folder, home, moved) = places();
    let owner = open(&home);
    let lease = wait(owner.acquire()).unwrap();
    fs::rename(&home, &moved).unwrap();
    assert_eq!(wait(owner.release(&lease, lease.floor)).unwrap_err().kind(), ErrorKind::LeaseLost);
    // The former owner is still there, as an object that is closed may be for long.
    assert!(wait(open(&moved).acquire()).unwrap().floor >= lease.horizon);
    drop(owner);
}

#[test]
fn a_directory_that_is_used_from_where_it_was_moved_to_repeats_no_id() {
    let (_folder, home, moved) = places();
    let generator = |directory: &Path| {
        leafmint::open::snowflake(
            &format!("local:{}?timeout=100ms&workers=0&sequence_jitter=1", directory.display()),
            [],
        )
        .unwrap()
    };
    let owner = generator(&home);
    let mut ids = vec![eventually_next(&owner)];
    fs::rename(&home, &moved).unwrap();
    let second = generator(&moved);
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(6) {
        for flakes in [&owner, &second] {
            ids.extend(flakes.next_id());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let distinct: HashSet<&i64> = ids.iter().collect();
    assert_eq!(ids.len() - distinct.len(), 0, "of {} ids came twice", ids.len());
    assert!(second.next_id().is_ok() && owner.next_id().is_err());
    assert!(!home.exists());
}

/// Mints an id, also on a busy machine, where that takes longer than a call waits.
fn eventually_next(flakes: &SnowflakeGenerator) -> i64 {
    crate::holders::eventually(|| flakes.next_id())
}
