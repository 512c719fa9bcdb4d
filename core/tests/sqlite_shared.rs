//! A SQLite file that the application in the same process uses too. Its connections lock the file as a copy of SQLite
//! of its own would: with locks that belong to the process.

mod stores;

use leafmint::store::{NewTag, SegmentStore, SqliteStore};
use leafmint::{Error, ErrorKind};
use rusqlite::{Connection, TransactionBehavior};
use std::fs;
use std::ops::Range;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Lets one test run at a time: the tests count the descriptors of the process and test the locks that it holds.
static ALONE: Mutex<()> = Mutex::new(());

struct Shared {
    folder: tempfile::TempDir,
    path: PathBuf,
}

impl Shared {
    /// A file that leafmint will create.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("app.db");
        Self { folder, path }
    }

    /// A file that the application created, in this journal mode.
    fn made_by_the_application(mode: &str) -> Self {
        let shared = Self::new();
        let app = shared.application();
        app.pragma_update(None, "journal_mode", mode).unwrap();
        app.execute_batch("CREATE TABLE own (id INTEGER PRIMARY KEY, note TEXT)").unwrap();
        shared
    }

    fn application(&self) -> Connection {
        let connection = Connection::open(&self.path).unwrap();
        connection.busy_timeout(Duration::from_secs(10)).unwrap();
        connection
    }

    fn store(&self) -> Arc<SqliteStore> {
        self.store_at(&self.path, "leaf_alloc")
    }

    fn store_at(&self, path: &Path, table: &str) -> Arc<SqliteStore> {
        Arc::new(SqliteStore::new(path, table, Duration::from_millis(300)).unwrap())
    }

    fn file(&self, suffix: &str) -> PathBuf {
        PathBuf::from(format!("{}{suffix}", self.path.display()))
    }

    fn descriptors(&self) -> usize {
        let inside = |entry: std::io::Result<fs::DirEntry>| {
            fs::read_link(entry.unwrap().path()).is_ok_and(|target| target.starts_with(self.folder.path()))
        };
        fs::read_dir("/proc/self/fd").unwrap().filter_map(|entry| inside(entry).then_some(())).count()
    }
}

fn wait<T>(answer: leafmint::Answer<'_, T>) -> leafmint::Result<T> {
    stores::runtime().block_on(answer)
}

fn create(store: &SqliteStore) {
    let new = NewTag { tag: "order".into(), step: 10, start: 1, description: String::new(), gene_bits: 0 };
    wait(store.create_tag(&new)).unwrap();
}

fn lease(store: &SqliteStore) -> leafmint::Result<Range<i64>> {
    wait(store.lease("order", 10))
}

#[track_caller]
fn assert_locked(answer: leafmint::Result<Range<i64>>) {
    let error = answer.unwrap_err();
    assert!(error.kind() == ErrorKind::StoreUnavailable && error.message().contains("write lock"), "{error}");
}

#[track_caller]
fn assert_refused(error: &Error, words: &str) {
    assert!(error.kind() == ErrorKind::InvalidConfig && error.message().contains(words), "{error}");
}

/// Begins a transaction that holds the write lock.
fn write(app: &mut Connection) -> rusqlite::Transaction<'_> {
    app.transaction_with_behavior(TransactionBehavior::Immediate).unwrap()
}

#[test]
fn a_transaction_of_the_application_and_a_lease_exclude_each_other() {
    let _alone = ALONE.lock();
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
    let _alone = ALONE.lock();
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
    let _alone = ALONE.lock();
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
    let _alone = ALONE.lock();
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
    let _alone = ALONE.lock();
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
    let _alone = ALONE.lock();
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

#[test]
fn a_file_with_two_hard_links_is_refused_at_open_and_while_it_is_in_use() {
    let _alone = ALONE.lock();
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
    let _alone = ALONE.lock();
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
fn a_lease_in_a_removed_wal_does_not_count() {
    let _alone = ALONE.lock();
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
    let _alone = ALONE.lock();
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
    let _alone = ALONE.lock();
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
