//! Connections of the application and of leafmint: neither drops the locks of the other.

use super::{Shared, assert_locked, create, lease, wait, write};
use leafmint::store::SegmentStore;
use std::fs;

#[test]
fn a_transaction_of_the_application_and_a_lease_exclude_each_other() {
    for mode in ["wal", "delete"] {
        let shared = Shared::made_by_the_application(mode);
        let store = shared.store();
        create(&store);
        let mut app = shared.application();
        let transaction = write(&mut app);
        transaction.execute("INSERT INTO own (note) VALUES ('first')", []).unwrap();
        assert_locked(lease(&store));
        transaction.commit().unwrap();
        assert_eq!(lease(&store).unwrap(), 1..11, "{mode}");
    }
}

#[test]
fn connections_that_the_application_opens_and_closes_leave_leafmints_locks_alone() {
    for mode in ["wal", "delete"] {
        let shared = Shared::made_by_the_application(mode);
        let store = shared.store();
        create(&store);
        for turn in 0..20 {
            assert_eq!(lease(&store).unwrap().start, 1 + 10 * turn, "{mode}");
            let app = shared.application();
            app.execute("INSERT INTO own (note) VALUES (?1)", [turn]).unwrap();
            // The last connection to close removes the -wal; here that of leafmint is still open.
            app.close().unwrap();
            assert_eq!(shared.file("-wal").exists(), mode == "wal");
        }
        // A copy of the files is what a start after a crash would find.
        let copy = Shared::new();
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::copy(shared.file(suffix), copy.file(suffix));
        }
        let app = copy.application();
        let max_id: i64 = app.query_row("SELECT max_id FROM leaf_alloc", [], |row| row.get(0)).unwrap();
        let rows: i64 = app.query_row("SELECT count(*) FROM own", [], |row| row.get(0)).unwrap();
        assert_eq!((max_id, rows), (201, 20), "{mode}");
    }
}

#[test]
fn closing_a_store_leaves_the_applications_locks_alone() {
    for mode in ["wal", "delete"] {
        let shared = Shared::made_by_the_application(mode);
        create(&shared.store());
        let mut app = shared.application();
        let transaction = write(&mut app);
        transaction.execute("INSERT INTO own (note) VALUES ('first')", []).unwrap();
        for _ in 0..2 {
            let store = shared.store();
            assert_locked(lease(&store));
            wait(store.close()).unwrap();
        }
        assert_locked(lease(&shared.store()));
        transaction.commit().unwrap();
        let store = shared.store();
        assert_eq!(lease(&store).unwrap(), 1..11, "{mode}");
    }
}

#[test]
fn the_application_keeps_its_journal_mode_and_a_file_made_by_leafmint_has_a_wal() {
    let mode = |shared: &Shared| -> String {
        shared.application().query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap()
    };
    for kept in ["wal", "delete"] {
        let shared = Shared::made_by_the_application(kept);
        let store = shared.store();
        create(&store);
        lease(&store).unwrap();
        assert_eq!(mode(&shared), kept);
    }
    let shared = Shared::new();
    let store = shared.store();
    create(&store);
    assert_eq!(mode(&shared), "wal");
}

#[test]
fn stores_of_one_process_share_a_connection_whatever_their_paths_and_tables() {
    for mode in ["wal", "delete"] {
        let shared = Shared::made_by_the_application(mode);
        let link = shared.folder.path().join("link.db");
        std::os::unix::fs::symlink("app.db", &link).unwrap();
        let stores = [shared.store(), shared.store_at(&link, "leaf_alloc"), shared.store_at(&shared.path, "other")];
        stores.iter().for_each(|store| create(store));
        let descriptors = shared.descriptors();
        assert!(descriptors <= 3, "{descriptors} for the database, its -wal and its -shm");
        assert_eq!([0, 1, 2].map(|at| lease(&stores[at]).unwrap().start), [1, 11, 1]);
        // Closing one store releases no lock of the others.
        wait(stores[0].close()).unwrap();
        assert_eq!([1, 2].map(|at| lease(&stores[at]).unwrap().start), [21, 11]);
        let mut app = shared.application();
        let transaction = write(&mut app);
        assert_locked(lease(&stores[1]));
        drop(transaction);
        assert_eq!(lease(&stores[1]).unwrap(), 31..41);
    }
}

#[test]
fn opening_a_store_a_thousand_times_leaks_no_descriptor() {
    for mode in ["wal", "delete"] {
        let shared = Shared::made_by_the_application(mode);
        create(&shared.store());
        // While the application has the file open, leafmint keeps its descriptors and uses them again.
        let app = shared.application();
        app.query_row("SELECT count(*) FROM own", [], |_| Ok(())).unwrap();
        let before = shared.descriptors();
        for turn in 0..500 {
            let store = shared.store();
            assert_eq!(wait(store.step("order")).unwrap(), 10);
            wait(store.close()).unwrap();
            assert!(shared.descriptors() <= before + 2, "after {turn}");
        }
        app.close().unwrap();
        // Without a connection of the application, leafmint keeps none.
        for _ in 0..500 {
            let store = shared.store();
            assert_eq!(wait(store.step("order")).unwrap(), 10);
            wait(store.close()).unwrap();
        }
        assert_eq!(shared.descriptors(), 0, "{mode}");
    }
}
