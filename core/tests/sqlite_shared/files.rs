//! The file: which one is opened, its mode, and what happens if it is replaced while it is in use.

use super::{Shared, assert_refused, create, lease, wait, write};
use leafmint::ErrorKind;
use leafmint::store::SegmentStore;
use leafmint_backends::sqlite::SqliteStore;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown, symlink};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn a_file_with_two_hard_links_is_refused_at_open_and_while_it_is_in_use() {
    let shared = Shared::new();
    let link = shared.folder.path().join("link.db");
    let store = shared.store();
    create(&store);
    assert_eq!(lease(&store).unwrap(), 1..11);
    fs::hard_link(&shared.path, &link).unwrap();
    assert_refused(&lease(&store).unwrap_err(), "2 hard links");
    for path in [&shared.path, &link] {
        assert_refused(&lease(&shared.store_at(path, "leaf_alloc")).unwrap_err(), "2 hard links");
    }
    fs::remove_file(&link).unwrap();
    assert_eq!(lease(&store).unwrap(), 11..21);
}

#[test]
fn a_lease_from_a_file_that_is_replaced_during_the_lease_does_not_count() {
    let shared = Shared::new();
    let store = Arc::new(SqliteStore::new(&shared.path, "leaf_alloc", Duration::from_secs(30)).unwrap());
    create(&store);
    assert_eq!(lease(&store).unwrap(), 1..11);
    wait(store.close()).unwrap();
    let mut app = shared.application();
    let transaction = write(&mut app);
    let open = shared.descriptors();
    std::thread::scope(|scope| {
        let leasing = scope.spawn(|| lease(&store));
        // A new descriptor shows that the store has opened the file. It may still open the others, or wait for the
        // transaction.
        while shared.descriptors() == open {}
        fs::rename(&shared.path, shared.folder.path().join("moved.db")).unwrap();
        drop(transaction);
        let error = leasing.join().unwrap().unwrap_err();
        assert!(error.kind() == ErrorKind::StoreUnavailable && error.message().contains("replaced"), "{error}");
    });
    let error = lease(&store).unwrap_err();
    assert!(error.kind() == ErrorKind::StoreUnavailable && error.message().contains("gone"), "{error}");
    assert!(!shared.path.exists(), "a new file would start at 1 again");
}

#[test]
fn a_store_whose_file_was_moved_leases_from_no_other_one_at_its_path() {
    let shared = Shared::new();
    let moved = shared.folder.path().join("moved.db");
    let store = shared.store();
    create(&store);
    assert_eq!(lease(&store).unwrap(), 1..11);
    wait(store.close()).unwrap();
    drop(shared.application().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
    fs::rename(&shared.path, &moved).unwrap();
    fs::copy(&moved, &shared.path).unwrap();
    let second = shared.store_at(&moved, "leaf_alloc");
    assert_eq!(lease(&second).unwrap(), 11..21);
    for store in [store.in_child(), store] {
        let error = wait(store.lease("order", 10)).unwrap_err();
        assert!(error.kind() == ErrorKind::StoreUnavailable && error.message().contains("moved"), "{error}");
    }
}

#[test]
fn a_lease_in_a_removed_wal_does_not_count() {
    for suffix in ["-wal", "-shm"] {
        let shared = Shared::new();
        let store = shared.store();
        create(&store);
        assert_eq!(lease(&store).unwrap(), 1..11);
        fs::remove_file(shared.file(suffix)).unwrap();
        let error = lease(&store).unwrap_err();
        assert!(error.kind() == ErrorKind::StoreUnavailable && error.message().contains("replaced"), "{error}");
    }
}

#[test]
fn only_a_regular_file_is_opened() {
    let shared = Shared::new();
    fs::create_dir(&shared.path).unwrap();
    assert_refused(&lease(&shared.store()).unwrap_err(), "not a regular file");
    let nowhere = shared.folder.path().join("missing/app.db");
    assert_refused(&lease(&shared.store_at(&nowhere, "leaf_alloc")).unwrap_err(), "does its directory exist?");
    let dangling = shared.folder.path().join("link.db");
    std::os::unix::fs::symlink("made.db", &dangling).unwrap();
    create(&shared.store_at(&dangling, "leaf_alloc"));
    assert!(shared.folder.path().join("made.db").exists());
}

#[test]
fn a_database_made_by_leafmint_is_private_and_an_existing_one_keeps_its_mode() {
    let modes =
        |shared: &Shared| ["", "-wal", "-shm"].map(|suffix| fs::metadata(shared.file(suffix)).unwrap().mode() & 0o7777);
    let made = Shared::new();
    // SAFETY: it only sets a number of the process, and no other test creates files meanwhile.
    let umask = unsafe { libc::umask(0) };
    let store = made.store();
    create(&store);
    lease(&store).unwrap();
    let found = modes(&made);
    // SAFETY: as above.
    unsafe { libc::umask(umask) };
    assert_eq!(found, [0o600; 3]);
    let given = Shared::new();
    fs::write(&given.path, "").unwrap();
    fs::set_permissions(&given.path, fs::Permissions::from_mode(0o660)).unwrap();
    let store = given.store();
    create(&store);
    lease(&store).unwrap();
    assert_eq!(modes(&given), [0o660; 3]);
}

/// Makes the directory of the file like `/tmp`, in which each user may make files.
fn as_tmp(shared: &Shared) -> PathBuf {
    fs::set_permissions(shared.folder.path(), fs::Permissions::from_mode(0o1777)).unwrap();
    shared.folder.path().join("other.db")
}

const NEIGHBOUR: u32 = 65_534;

#[test]
fn a_file_or_link_that_another_user_has_put_into_a_sticky_directory_is_refused() {
    let shared = Shared::new();
    let other = as_tmp(&shared);
    create(&shared.store());
    fs::write(&other, "").unwrap();
    chown(&other, Some(NEIGHBOUR), None).unwrap();
    let link = shared.folder.path().join("link.db");
    symlink(&shared.path, &link).unwrap();
    lchown(&link, Some(NEIGHBOUR), None).unwrap();
    for path in [&other, &link] {
        assert_refused(&lease(&shared.store_at(path, "leaf_alloc")).unwrap_err(), "belongs to user 65534");
    }
    assert_eq!(fs::metadata(&other).unwrap().len(), 0, "nothing was written");
    lchown(&link, Some(0), None).unwrap();
    assert_eq!(lease(&shared.store_at(&link, "leaf_alloc")).unwrap(), 1..11);
}

#[test]
fn a_lease_does_not_count_if_another_user_has_put_a_file_next_to_the_database() {
    for suffix in ["-wal", "-shm"] {
        let shared = Shared::new();
        as_tmp(&shared);
        let store = shared.store();
        create(&store);
        wait(store.close()).unwrap();
        let planted = shared.file(suffix);
        fs::write(&planted, "").unwrap();
        fs::set_permissions(&planted, fs::Permissions::from_mode(0o666)).unwrap();
        chown(&planted, Some(NEIGHBOUR), None).unwrap();
        assert_refused(&lease(&store).unwrap_err(), "belongs to user 65534");
    }
}

#[test]
fn a_file_that_every_user_may_write_is_refused_and_so_is_one_in_such_a_directory() {
    let shared = Shared::new();
    let store = shared.store();
    create(&store);
    let changed = [(&shared.path, 0o666, 0o600), (&shared.folder.path().to_owned(), 0o777, 0o700)];
    for (path, open, closed) in changed {
        fs::set_permissions(path, fs::Permissions::from_mode(open)).unwrap();
        assert_refused(&lease(&store).unwrap_err(), "chmod o-w");
        fs::set_permissions(path, fs::Permissions::from_mode(closed)).unwrap();
        lease(&store).unwrap();
    }
}
