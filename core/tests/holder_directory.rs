//! What a directory of worker ids does about files that are missing, damaged, replaced, or come from elsewhere.

mod holders;
mod stores;

use holders::{acquire_soon, crash, now, wait};
use leafmint::ErrorKind;
use leafmint::clock::SystemClock;
use leafmint::holder::{DirectoryHolder, DirectorySettings, HostScope, Pace, WorkerIdHolder};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SHORT: Pace = Pace { lease_duration: Duration::from_millis(500), heartbeat: Duration::from_millis(100) };

fn open(directory: &Path) -> Arc<dyn WorkerIdHolder> {
    open_with(directory, &[5], SHORT)
}

fn open_with(directory: &Path, workers: &[i64], pace: Pace) -> Arc<dyn WorkerIdHolder> {
    Arc::new(DirectoryHolder::new(settings(directory, workers, pace), Arc::new(SystemClock)))
}

/// Opens worker id 5 as `fixed:5` does, for one process of the host at a time.
fn open_fixed(directory: &Path, namespace: &str) -> Arc<dyn WorkerIdHolder> {
    let on_host = HostScope { namespace: namespace.to_owned(), tick: Duration::from_millis(1) };
    let settings = DirectorySettings { on_host: Some(on_host), name: "fixed", ..settings(directory, &[5], SHORT) };
    Arc::new(DirectoryHolder::new(settings, Arc::new(SystemClock)))
}

fn settings(directory: &Path, workers: &[i64], pace: Pace) -> DirectorySettings {
    DirectorySettings {
        directory: directory.to_owned(),
        workers: workers.iter().copied().collect(),
        layout: "leaf".into(),
        endpoint: "10.0.0.1:8080".into(),
        pace,
        name: "local",
        on_host: None,
    }
}

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

#[test]
fn a_state_file_of_the_first_release_is_continued_in_its_directory_only() {
    let folder = tempfile::tempdir().unwrap();
    let inode = fs::metadata(folder.path()).unwrap().ino();
    let horizon = now() - 10_000;
    let state = |inode: u64| {
        let token = "0123456789abcdef0123456789abcdef";
        format!("leafmint worker id 1\ntoken {token}\nhorizon {horizon}\nowner a\nplace {inode}\nlayout leaf\nend\n")
    };
    fs::write(folder.path().join("5.lock"), "").unwrap();
    fs::write(folder.path().join("5.state"), state(inode)).unwrap();
    let holder = open(folder.path());
    let lease = wait(holder.acquire()).unwrap();
    assert_eq!(lease.floor, horizon);
    crash(holder);
    assert_eq!(wait(open(folder.path()).acquire()).unwrap().floor, lease.horizon);
    fs::write(folder.path().join("5.state"), state(inode + 1)).unwrap();
    assert_eq!(wait(open(folder.path()).acquire()).unwrap_err().kind(), ErrorKind::InvalidConfig);
}

#[test]
fn a_copy_of_the_directory_is_refused_while_the_original_may_be_in_use() {
    let (original, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let holder = open(original.path());
    wait(holder.acquire()).unwrap();
    for entry in fs::read_dir(original.path()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    let error = wait(open(copy.path()).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("copied"), "{error}");
}

#[test]
fn a_directory_that_repeats_the_inode_number_of_another_is_recognised_by_its_birth_time() {
    let folder = tempfile::tempdir().unwrap();
    let holder = open(folder.path());
    wait(holder.acquire()).unwrap();
    crash(holder);
    let path = folder.path().join("5.state");
    let identity = |name: &str| {
        let text = fs::read_to_string(&path).unwrap();
        text.lines().find_map(|line| line.strip_prefix(name).map(str::to_owned)).unwrap()
    };
    let inode = fs::metadata(folder.path()).unwrap().ino();
    assert!(identity("directory ").starts_with(&format!("inode {inode} born 1")), "{}", identity("directory "));
    assert!(identity("seen ").contains(" device "), "{}", identity("seen "));
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn directory_and_files_are_for_their_user_alone_or_for_the_group_that_may_write_there() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("default");
    let holder = open(&made);
    wait(holder.acquire()).unwrap();
    assert_eq!(mode(&made), 0o700);
    let shared = folder.path().join("shared");
    fs::create_dir(&shared).unwrap();
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o2770)).unwrap();
    let other = open(&shared);
    wait(other.acquire()).unwrap();
    for name in ["layout", "5.lock", "5.state"] {
        assert_eq!((mode(&made.join(name)), mode(&shared.join(name))), (0o600, 0o660), "{name}");
    }
}

#[test]
fn files_that_every_user_may_open_are_closed_to_them_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let owner = open(folder.path());
    wait(owner.acquire()).unwrap();
    crash(owner);
    for (name, mode) in [("layout", 0o666), ("5.lock", 0o644), ("5.state", 0o646)] {
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    wait(open(folder.path()).acquire()).unwrap();
    assert_eq!(["layout", "5.lock", "5.state"].map(|name| mode(&folder.path().join(name))), [0o660, 0o640, 0o640]);
}

#[test]
fn a_directory_that_every_user_may_write_to_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let error = wait(open(folder.path()).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("chmod o-w"), "{error}");
}

#[test]
fn links_pipes_and_devices_in_the_place_of_a_file_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    fs::write(&target, "precious").unwrap();
    for name in ["layout", "5.lock", "5.state"] {
        for kind in ["link", "device", "pipe"] {
            let directory = folder.path().join(format!("{name} {kind}"));
            fs::create_dir(&directory).unwrap();
            let path = directory.join(name);
            match kind {
                "link" => symlink(&target, path).unwrap(),
                "device" => symlink("/dev/zero", path).unwrap(),
                _ => assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success()),
            }
            let error = wait(open(&directory).acquire()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
            assert!(error.message().contains(name) && error.message().contains("remove it"), "{error}");
        }
    }
    assert_eq!(fs::read_to_string(target).unwrap(), "precious");
}

#[test]
fn a_directory_of_another_user_is_refused_unless_a_group_of_this_process_may_write_there() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("theirs");
    let neighbour = 65_534;
    fs::create_dir(&directory).unwrap();
    chown(&directory, Some(neighbour), None).unwrap();
    for mode in [0o755, 0o700] {
        fs::set_permissions(&directory, fs::Permissions::from_mode(mode)).unwrap();
        let error = wait(open(&directory).acquire()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        assert!(error.message().contains("65534") && error.message().contains("chown"), "{error}");
    }
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0, "nothing was made there");
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o2770)).unwrap();
    wait(open(&directory).acquire()).unwrap();
    let within = directory.join("ours");
    fs::create_dir(&within).unwrap();
    wait(open(&within).acquire()).unwrap();
    chown(&directory, None, Some(neighbour)).unwrap();
    assert_eq!(
        wait(open(&within).acquire()).unwrap_err().kind(),
        ErrorKind::InvalidConfig,
        "its owner can replace what is in it"
    );
    assert_eq!(wait(open(&directory).acquire()).unwrap_err().kind(), ErrorKind::InvalidConfig, "it is their group");
}

#[test]
fn a_fixed_worker_id_is_for_one_process_of_the_host_whatever_the_directories() {
    let namespace = stores::unique("host");
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
    wait(open_fixed(theirs.path(), &stores::unique("another")).acquire()).expect("another namespace");
    wait(owner.release(&lease, now())).unwrap();
    wait(open_fixed(theirs.path(), &namespace).acquire()).expect("the owner has released it");
}

#[test]
fn a_fixed_worker_id_begins_after_the_tick_in_which_an_owner_with_another_directory_ended() {
    let namespace = stores::unique("host");
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
