//! Files of a worker id that are missing, damaged or replaced.

use super::{SHORT, open, open_with};
use crate::holders::{acquire_soon, crash, now, wait};
use leafmint::ErrorKind;
use leafmint::holder::Pace;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// Waits until some process has locked a file.
fn wait_until_locked(path: &Path) {
    let inode = format!(":{} ", fs::metadata(path).unwrap().ino());
    let began = Instant::now();
    while !fs::read_to_string("/proc/locks").unwrap().contains(&inode) {
        assert!(began.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Puts a copy of each file of the worker id in its place, as a restore of the directory does.
fn replace_files(directory: &Path) {
    let state = directory.join("5.state");
    fs::copy(&state, directory.join("copy")).unwrap();
    fs::rename(directory.join("copy"), state).unwrap();
    fs::remove_file(directory.join("5.lock")).unwrap();
}

#[test]
fn a_lock_file_that_is_removed_while_a_start_waits_for_a_floor_lets_no_other_process_in() {
    let folder = tempfile::tempdir().unwrap();
    let long = Pace { lease_duration: Duration::from_secs(3), heartbeat: Duration::from_secs(1) };
    let crashed = open_with(folder.path(), &[5], long);
    let horizon = wait(crashed.acquire()).unwrap().horizon;
    crash(crashed);
    let waiting = open_with(folder.path(), &[5], long);
    let start = std::thread::spawn({
        let waiting = waiting.clone();
        move || wait(waiting.acquire())
    });
    wait_until_locked(&folder.path().join("5.lock"));
    fs::remove_file(folder.path().join("5.lock")).unwrap();
    let second = open_with(folder.path(), &[5], long);
    let other = acquire_soon(&*second);
    match start.join().unwrap() {
        Err(error) => assert_eq!(error.kind(), ErrorKind::LeaseLost, "{error}"),
        Ok(lease) => {
            assert!(lease.horizon <= other.floor || other.horizon <= lease.floor, "{lease:?} overlaps {other:?}")
        }
    }
    assert!(other.floor >= horizon);
}

#[test]
fn removing_either_file_frees_no_worker_id_while_its_owner_lives() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["5.state", "5.lock"] {
        let owner = open(folder.path());
        let lease = acquire_soon(&*owner);
        fs::remove_file(folder.path().join(file)).unwrap();
        assert_eq!(wait(open(folder.path()).acquire()).unwrap_err().kind(), ErrorKind::WorkerIdUnavailable, "{file}");
        let extended = wait(owner.extend(&lease, lease.horizon + 10_000));
        match file {
            "5.state" => assert_eq!(extended.unwrap(), lease.horizon + 10_000, "written again"),
            _ => assert_eq!(extended.unwrap_err().kind(), ErrorKind::LeaseLost),
        }
        let written = fs::read_to_string(folder.path().join("5.state")).unwrap();
        assert!(written.contains("horizon "), "{written}");
        crash(owner);
    }
}

#[test]
fn an_owner_whose_files_were_replaced_never_lowers_its_successors_state() {
    let folder = tempfile::tempdir().unwrap();
    let owner = open(folder.path());
    let lease = wait(owner.acquire()).unwrap();
    replace_files(folder.path());
    let successor = open_with(folder.path(), &[5], Pace { lease_duration: Duration::from_secs(600), ..SHORT });
    let next = acquire_soon(&*successor);
    assert!(next.floor >= lease.horizon);
    let late = [wait(owner.extend(&lease, lease.horizon + 1)).err(), wait(owner.release(&lease, lease.floor)).err()];
    crash(successor);
    let last = wait(open(folder.path()).acquire()).unwrap();
    assert!(last.floor >= next.horizon, "{last:?} starts below {next:?}");
    assert_eq!(late.map(|error| error.map(|error| error.kind())), [Some(ErrorKind::LeaseLost); 2]);
}

#[test]
fn a_state_file_that_is_gone_counts_as_everything_that_its_owner_may_have_reserved() {
    let folder = tempfile::tempdir().unwrap();
    let holder = open(folder.path());
    let horizon = wait(holder.acquire()).unwrap().horizon;
    crash(holder);
    fs::remove_file(folder.path().join("5.state")).unwrap();
    assert!(wait(open(folder.path()).acquire()).unwrap().floor >= horizon);
}

#[test]
fn a_damaged_state_file_of_an_owner_that_led_the_clock_counts_up_to_where_it_led() {
    for damage in ["", "nonsense"] {
        let folder = tempfile::tempdir().unwrap();
        let holder = open(folder.path());
        let lease = wait(holder.acquire()).unwrap();
        let horizon = wait(holder.extend(&lease, now() + 3_600_000)).unwrap();
        crash(holder);
        fs::write(folder.path().join("5.state"), damage).unwrap();
        let free = wait(open_with(folder.path(), &[5, 6], SHORT).acquire()).unwrap();
        assert_eq!((free.worker_id, free.floor), (6, i64::MIN), "another worker id goes first");
        let floor = wait(open(folder.path()).acquire()).unwrap().floor;
        assert!((horizon..horizon + 120_000).contains(&floor), "{floor} is not just above {horizon}");
    }
}

#[test]
fn a_damaged_state_file_of_an_ordinary_owner_costs_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let holder = open(folder.path());
    let horizon = wait(holder.acquire()).unwrap().horizon;
    crash(holder);
    fs::write(folder.path().join("5.state"), "nonsense").unwrap();
    let floor = wait(open(folder.path()).acquire()).unwrap().floor;
    assert!((horizon..horizon + 60_000).contains(&floor), "{floor} is not just above {horizon}");
}

#[test]
fn a_worker_id_whose_files_are_both_damaged_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let holder = open(folder.path());
    wait(holder.acquire()).unwrap();
    crash(holder);
    for file in ["5.state", "5.lock"] {
        fs::write(folder.path().join(file), "nonsense").unwrap();
    }
    let error = wait(open(folder.path()).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
    assert!(error.message().contains("5.state is damaged") && error.message().contains("remove both files"), "{error}");
    assert_eq!(wait(open_with(folder.path(), &[5, 6], SHORT).acquire()).unwrap().worker_id, 6);
}
