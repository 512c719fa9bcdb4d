//! What a directory of worker ids does about state files that are missing or come from elsewhere.

mod holders;
mod stores;

use holders::{crash, wait};
use leafmint::ErrorKind;
use leafmint::clock::SystemClock;
use leafmint::holder::{DirectoryHolder, DirectorySettings, Pace, WorkerIdHolder};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn open(directory: &Path) -> Arc<dyn WorkerIdHolder> {
    let settings = DirectorySettings {
        directory: directory.to_owned(),
        workers: vec![5],
        layout: "leaf".into(),
        endpoint: "10.0.0.1:8080".into(),
        pace: Pace { window: Duration::from_millis(500), heartbeat: Duration::from_millis(100) },
        name: "local",
    };
    Arc::new(DirectoryHolder::new(settings, Arc::new(SystemClock)))
}

#[test]
fn a_state_file_that_is_gone_counts_as_everything_that_its_owner_may_have_reserved() {
    let folder = tempfile::tempdir().unwrap();
    let holder = open(folder.path());
    let horizon = wait(holder.acquire()).unwrap().horizon;
    crash(holder);
    std::fs::remove_file(folder.path().join("5.state")).unwrap();
    assert!(wait(open(folder.path()).acquire()).unwrap().floor >= horizon);
}

#[test]
fn a_copy_of_the_directory_is_refused_while_the_original_may_be_in_use() {
    let (original, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let holder = open(original.path());
    wait(holder.acquire()).unwrap();
    for entry in std::fs::read_dir(original.path()).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    let error = wait(open(copy.path()).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("copied"), "{error}");
}
