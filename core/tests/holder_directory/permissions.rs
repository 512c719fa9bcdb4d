//! Who may use a directory of worker ids and its files.

use super::open;
use crate::holders::{crash, wait};
use leafmint::ErrorKind;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;

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
fn links_pipes_and_devices_in_place_of_a_file_are_refused_at_once() {
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
fn a_directory_that_the_caller_names_is_refused_if_others_may_rename_what_is_in_it() {
    for mode in [0o777, 0o757] {
        for below in ["default", "ids/default"] {
            let folder = tempfile::tempdir().unwrap();
            let named = folder.path().join("named");
            fs::create_dir(&named).unwrap();
            fs::set_permissions(&named, fs::Permissions::from_mode(mode)).unwrap();
            let holder = open(&named.join(below));
            for error in [wait(holder.acquire()).unwrap_err(), wait(holder.check()).unwrap_err()] {
                assert_eq!(error.kind(), ErrorKind::InvalidConfig);
                let says = [named.display().to_string(), format!("mode {mode:o}"), "chmod o-w".to_owned()];
                assert!(says.iter().all(|words| error.message().contains(words)), "{error}");
            }
            assert_eq!(fs::read_dir(&named).unwrap().count(), 0, "nothing was made there");
            fs::set_permissions(&named, fs::Permissions::from_mode(0o1777)).unwrap();
            wait(holder.acquire()).unwrap();
        }
    }
}

#[test]
fn a_group_that_this_process_is_not_in_may_not_rename_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("named");
    fs::create_dir(&named).unwrap();
    chown(&named, None, Some(65_534)).unwrap();
    fs::set_permissions(&named, fs::Permissions::from_mode(0o2775)).unwrap();
    let error = wait(open(&named.join("default")).acquire()).unwrap_err();
    assert!(error.message().contains("group 65534") && error.message().contains("chmod g-w"), "{error}");
    fs::set_permissions(&named, fs::Permissions::from_mode(0o755)).unwrap();
    wait(open(&named.join("default")).acquire()).unwrap();
}
