//! A fixed worker id, which one process of a host may use at a time.

use super::{SHORT, settings};
use crate::holders::{now, wait};
use crate::stores::unique;
use leafmint::ErrorKind;
use leafmint::clock::SystemClock;
use leafmint::holder::WorkerIdHolder;
use leafmint_backends::directory::{DirectoryHolder, DirectorySettings, HostScope};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Opens worker id 5 as `fixed:5` does, for one process of the host at a time.
fn open_fixed(directory: &Path, namespace: &str) -> Arc<dyn WorkerIdHolder> {
    let on_host = HostScope { namespace: namespace.to_owned(), tick: Duration::from_millis(1) };
    let settings = DirectorySettings { on_host: Some(on_host), name: "fixed", ..settings(directory, &[5], SHORT) };
    Arc::new(DirectoryHolder::new(settings, Arc::new(SystemClock)))
}

#[test]
fn a_fixed_worker_id_is_for_one_process_of_the_host_whatever_the_directories() {
    let namespace = unique("host");
    let (mine, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let owner = open_fixed(mine.path(), &namespace);
    let lease = wait(owner.acquire()).unwrap();
    // More starts than the queue of the socket holds: each learns who the owner is.
    for round in 0..3 {
        for _ in 0..50 {
            let error = wait(open_fixed(theirs.path(), &namespace).acquire()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
            let who = format!("process {} of user ", std::process::id());
            assert!(error.message().contains(&who) && error.message().contains("worker id 5"), "{error}");
        }
        wait(owner.extend(&lease, lease.horizon + round)).unwrap();
    }
    wait(open_fixed(theirs.path(), &unique("another")).acquire()).expect("another namespace");
    wait(owner.release(&lease, now())).unwrap();
    wait(open_fixed(theirs.path(), &namespace).acquire()).expect("the owner has released it");
}

#[test]
fn a_fixed_worker_id_begins_after_the_tick_in_which_an_owner_with_another_directory_ended() {
    let namespace = unique("host");
    for _ in 0..20 {
        let (mine, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let owner = open_fixed(mine.path(), &namespace);
        let lease = wait(owner.acquire()).unwrap();
        let last = now();
        wait(owner.release(&lease, last + 1)).unwrap();
        let next = wait(open_fixed(theirs.path(), &namespace).acquire()).unwrap();
        assert!(next.floor > last, "{} is not above {last}", next.floor);
    }
}

#[test]
fn a_fixed_worker_id_that_two_directories_take_in_turn_repeats_no_id() {
    // Without the writes of a disk the turns follow within a millisecond of one another.
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    let namespace = unique("host");
    let mut ids = HashSet::new();
    for turn in 0..100 {
        let directory = folder.path().join(["mine", "theirs"][turn % 2]);
        let url = format!("fixed:5?state_dir={}&namespace={namespace}&sequence_jitter=1", directory.display());
        let flakes = leafmint::open::snowflake(&url, []).unwrap();
        // Into a tick that begins during the turn.
        for _ in 0..2_000 {
            let id = flakes.next_id().unwrap();
            assert!(ids.insert(id), "{id} came twice, in turn {turn}");
        }
        flakes.close().unwrap();
    }
}
