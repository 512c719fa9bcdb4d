//! What starts that give up or are refused leave behind.

use super::{SHORT, open, settings};
use crate::holders::{acquire_soon, crash, now, wait};
use crate::stores::{runtime, unique};
use leafmint::ErrorKind;
use leafmint::clock::SystemClock;
use leafmint::holder::WorkerIdHolder;
use leafmint_backends::directory::{DirectoryHolder, DirectorySettings, HostScope};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Shorter than the wait for what the owner of a damaged state file may have reserved.
const PATIENCE: Duration = Duration::from_secs(1);

#[test]
fn starts_that_give_up_sooner_than_a_lost_state_file_makes_them_wait_succeed_together() {
    let damages: [fn(&Path); 2] =
        [|state| fs::write(state, "nonsense").unwrap(), |state| fs::remove_file(state).unwrap()];
    let start_again_and_again = |damage: fn(&Path)| {
        let folder = tempfile::tempdir().unwrap();
        let owner = open(folder.path());
        let horizon = wait(owner.acquire()).unwrap().horizon;
        crash(owner);
        damage(&folder.path().join("5.state"));
        let began = now();
        let start = |_| {
            let holder = open(folder.path());
            let lease = runtime().block_on(async { tokio::time::timeout(PATIENCE, holder.acquire()).await });
            crash(holder);
            lease.ok()?.ok()
        };
        let lease = (0..10).find_map(start).expect("a start succeeds");
        assert!(lease.floor >= horizon && lease.floor < began + 10_000, "{lease:?} after {horizon}");
    };
    std::thread::scope(|scope| {
        for damage in damages {
            scope.spawn(move || start_again_and_again(damage));
        }
    });
}

#[test]
fn a_start_that_is_refused_leaves_no_lock_file_and_is_refused_again() {
    let folder = tempfile::tempdir().unwrap();
    let owner = open(folder.path());
    wait(owner.acquire()).unwrap();
    crash(owner);
    let lock = folder.path().join("5.lock");
    fs::write(folder.path().join("5.state"), "nonsense").unwrap();
    fs::remove_file(&lock).unwrap();
    for _ in 0..2 {
        let error = wait(open(folder.path()).acquire()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
        assert!(error.message().contains("remove both files"), "{error}");
        assert!(!lock.exists());
    }
}

#[test]
fn a_start_that_finds_its_fixed_worker_id_held_with_another_directory_leaves_its_own_unused() {
    let namespace = unique("host");
    let (mine, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let open_fixed = |directory: &tempfile::TempDir| {
        let on_host = HostScope { namespace: namespace.clone(), tick: Duration::from_millis(1) };
        let settings = DirectorySettings { on_host: Some(on_host), ..settings(directory.path(), &[5], SHORT) };
        DirectoryHolder::new(settings, Arc::new(SystemClock))
    };
    let owner = open_fixed(&mine);
    let lease = wait(owner.acquire()).unwrap();
    let waiting = open_fixed(&theirs);
    assert_eq!(wait(waiting.acquire()).unwrap_err().kind(), ErrorKind::WorkerIdUnavailable);
    assert!(!theirs.path().join("5.lock").exists());
    wait(owner.release(&lease, now())).unwrap();
    let began = now();
    assert!(acquire_soon(&waiting).floor < began + 1_000, "the worker id was never used there");
}
