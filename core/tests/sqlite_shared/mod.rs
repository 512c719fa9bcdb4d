//! A SQLite file that the application in the same process uses too. Its connections lock the file as a copy of SQLite
//! of its own would: with locks that belong to the process.

mod connections;
mod files;
mod tables;

use leafmint::store::{NewTagOptions, SegmentStore};
use leafmint::{Error, ErrorKind, Reason};
use leafmint_backends::sqlite::SqliteStore;
use rusqlite::{Connection, TransactionBehavior};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

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
    crate::stores::runtime().block_on(answer)
}

fn create(store: &SqliteStore) {
    wait(store.create_tag("order", &NewTagOptions::new().step(10))).unwrap();
}

fn lease(store: &SqliteStore) -> leafmint::Result<Range<i64>> {
    wait(store.lease("order", 10)).map(|mut ranges| ranges.remove(0))
}

#[track_caller]
fn assert_locked(answer: leafmint::Result<Range<i64>>) {
    let error = answer.unwrap_err();
    assert!(error.kind() == ErrorKind::StoreUnavailable && error.message().contains("write lock"), "{error}");
    let number = error.server().and_then(|server| server.number());
    assert_eq!((error.reason(), number), (Some(Reason::Locked), Some(5)), "SQLITE_BUSY");
}

#[track_caller]
fn assert_refused(error: &Error, words: &str) {
    assert!(error.kind() == ErrorKind::InvalidConfig && error.message().contains(words), "{error}");
}

/// Begins a transaction that holds the write lock.
fn write(app: &mut Connection) -> rusqlite::Transaction<'_> {
    app.transaction_with_behavior(TransactionBehavior::Immediate).unwrap()
}
