//! The SQLite store: the embedded default, one file for every process that opens it.
//!
//! The file may be the application's own. Then two copies of SQLite use it in one process, and SQLite is made for one:
//! what leafmint does about locks (`locks`), closing (`descriptors`), connections (`database`) and files that are
//! replaced (`database_file`, `open_files`) is what makes them safe for each other. See
//! <https://sqlite.org/howtocorrupt.html>, section 2.

mod after_fork;
mod database;
mod database_file;
mod descriptors;
mod errors;
mod file_system;
mod lease;
mod locks;
mod open_files;
pub mod schema;
mod system_calls;
mod tags;

use database::{DatabaseCall, DatabaseUser};
use database_file::{DatabaseFile, Identity};
use errors::SqliteFailure;
use leafmint_engine::runtime::background::Lane;
use leafmint_engine::runtime::process::ForkGuard;
pub use leafmint_engine::store::{
    Answer, Checked, GaplessRow, NewTagOptions, SegmentCheck, SegmentStore, SeriesRule, StoredSeries, TagChange,
    TagInfo,
};
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind, Result};
use rusqlite::Connection;
use std::future::ready;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tags::SqliteTable;

/// Segments in a SQLite file.
///
/// Scope: the processes that share that file, on one host (SQLite's locks do not hold over network file systems). The
/// application may use the same file through any copy of SQLite, in this process and in others. A lease is one
/// `BEGIN IMMEDIATE` transaction with `synchronous=FULL`, so it outlives a power cut.
#[derive(Clone)]
pub struct SqliteStore {
    file: Arc<File>,
}

struct File {
    table: SqliteTable,
    busy_timeout: Duration,
    attached: Mutex<Attached>,
    /// One thread, since the file has one connection: if another process has locked it, nothing else waits for it.
    lane: Lane,
    /// The file was there once, so that a missing one is not made again.
    found: AtomicBool,
    /// The file that this store has worked on. It uses no other one, whatever its path names later.
    home: OnceLock<Identity>,
}

/// What this store uses at present.
#[derive(Default)]
struct Attached {
    database: Option<DatabaseUser>,
    /// The number of the connection on which the tables were created.
    prepared: u64,
}

impl SqliteStore {
    /// Names the file without opening it; a relative path is taken from the present working directory.
    ///
    /// `busy_timeout` is the longest wait for another connection that holds the file's write lock.
    pub fn new(path: &Path, table: &str, busy_timeout: Duration) -> Result<Self> {
        let path = std::path::absolute(path).map_err(|error| {
            Error::new(ErrorKind::InvalidConfig, format!("the path of the SQLite file {path:?} is not usable: {error}"))
        })?;
        Ok(Self { file: Arc::new(File::new(path, table.to_owned(), busy_timeout)) })
    }

    /// Runs work that reads tables of any kind. A file that is not there, or empty, is not made.
    pub fn read<'a, T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Answer<'a, T> {
        self.run_reading(|_, connection| Ok(work(connection)?))
    }

    /// Lists the tags without trying a lease of each; none if there is no table of tags.
    pub fn tags_as_stored<'a>(&self) -> Answer<'a, Vec<TagInfo>> {
        self.run_reading(|table, connection| table.as_stored(connection))
    }

    fn run_reading<'a, T: Send + 'static>(
        &self,
        work: impl FnOnce(&SqliteTable, &Connection) -> std::result::Result<T, SqliteFailure> + Send + 'static,
    ) -> Answer<'a, T> {
        let file = self.file.clone();
        Box::pin(async move {
            let used = file.clone();
            file.lane.run(move || used.run_reading(work)).await
        })
    }

    /// Runs blocking work in the file's lane.
    fn run<'a, T: Send + 'static>(
        &self,
        work: impl FnOnce(&SqliteTable, &mut Connection) -> std::result::Result<T, SqliteFailure> + Send + 'static,
    ) -> Answer<'a, T> {
        let file = self.file.clone();
        Box::pin(async move {
            let used = file.clone();
            file.lane.run(move || used.run(work)).await
        })
    }
}

impl File {
    fn new(path: PathBuf, table: String, busy_timeout: Duration) -> Self {
        let scope = format!("sqlite://{} (scope: the processes that share that file)", path.display());
        let (table, lane) = (SqliteTable::new(table, scope, path), Lane::new("leafmint-sqlite", 1));
        Self {
            table,
            busy_timeout,
            attached: Mutex::default(),
            lane,
            found: AtomicBool::new(false),
            home: OnceLock::new(),
        }
    }

    fn run<T>(
        &self,
        work: impl FnOnce(&SqliteTable, &mut Connection) -> std::result::Result<T, SqliteFailure>,
    ) -> Result<T> {
        self.run_on(|prepared, connection, number| {
            if *prepared != number {
                self.table.create(connection)?;
                *prepared = number;
            }
            work(&self.table, connection)
        })
    }

    /// Runs work that reads a file which is there, whatever its tables. Nothing can be written meanwhile.
    fn run_reading<T>(
        &self,
        work: impl FnOnce(&SqliteTable, &Connection) -> std::result::Result<T, SqliteFailure>,
    ) -> Result<T> {
        database_file::check_written(&self.table.path)?;
        self.run_on(|_, connection, _| {
            connection.pragma_update(None, "query_only", true)?;
            let answer = work(&self.table, connection);
            // The connection may be a generator's too. After a failure it is closed.
            connection.pragma_update(None, "query_only", false)?;
            answer
        })
    }

    /// Runs work on the connection. It is given the number of the connection that was prepared last, and that of this
    /// one.
    fn run_on<T>(
        &self,
        work: impl FnOnce(&mut u64, &mut Connection, u64) -> std::result::Result<T, SqliteFailure>,
    ) -> Result<T> {
        let began = Instant::now();
        let attached = &mut *self.attached.lock();
        let file = {
            let _guard = ForkGuard::enter();
            DatabaseFile::find(&self.table.path, !self.found.load(Ordering::Relaxed))?
        };
        self.found.store(true, Ordering::Relaxed);
        let here = file.identity();
        let is_another = self.home.get().is_some_and(|home| *home != here);
        if is_another {
            return Err(database_file::another(&self.table.path));
        }
        if attached.database.as_ref().is_some_and(|database| !database.uses(file.inode)) {
            attached.leave();
        }
        let Attached { database, prepared } = attached;
        let call = DatabaseCall { named: &self.table.path, file: &file, began, busy_timeout: self.busy_timeout };
        let user = database.get_or_insert_with(|| DatabaseUser::of(file.inode));
        let answer = user.run(&call, |connection, number| work(prepared, connection, number))?;
        self.home.get_or_init(|| here);
        Ok(answer)
    }

    fn close(&self) {
        self.attached.lock().leave();
    }
}

impl Attached {
    fn leave(&mut self) {
        self.database = None;
        self.prepared = 0;
    }
}

impl SegmentStore for SqliteStore {
    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64> {
        let tag = tag.to_owned();
        self.run(move |table, connection| table.step(connection, &tag))
    }

    fn gene_bits<'a>(&'a self, tag: &'a str) -> Answer<'a, Option<i64>> {
        let tag = tag.to_owned();
        self.run(move |table, connection| Ok(Some(table.gene_bits(connection, &tag)?.unwrap_or(0))))
    }

    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Vec<Range<i64>>> {
        let tag = tag.to_owned();
        self.run(move |table, connection| Ok(vec![table.lease(connection, &tag, step)?]))
    }

    fn lease_checked<'a>(&'a self, tag: &'a str, gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        let tag = tag.to_owned();
        self.run(move |table, connection| table.lease_checked(connection, &tag, gene_bits, amount))
    }

    fn give_back<'a>(&'a self, tag: &'a str, tail: Range<i64>) -> Answer<'a, bool> {
        let tag = tag.to_owned();
        self.run(move |table, connection| table.give_back(connection, &tag, &tail))
    }

    fn create_tag<'a>(&'a self, tag: &'a str, new: &'a NewTagOptions) -> Answer<'a, bool> {
        let (tag, new) = (tag.to_owned(), new.clone());
        self.run(move |table, connection| table.create_tag(connection, &tag, &new))
    }

    fn declare_series<'a>(&'a self, rule: &'a SeriesRule, format: Option<&'a str>) -> Answer<'a, StoredSeries> {
        let (rule, format) = (rule.clone(), format.map(str::to_owned));
        self.run(move |table, connection| table.declare_series(connection, &rule, format.as_deref()))
    }

    fn set_series_format<'a>(&'a self, name: &'a str, format: &'a str) -> Answer<'a, ()> {
        let (name, format) = (name.to_owned(), format.to_owned());
        self.run(move |table, connection| table.set_series_format(connection, &name, &format))
    }

    fn list_series(&self) -> Answer<'_, Vec<(String, StoredSeries)>> {
        self.run(|table, connection| table.list_series(connection))
    }

    fn list_gapless(&self) -> Answer<'_, Vec<GaplessRow>> {
        self.run(|table, connection| table.list_gapless(connection))
    }

    fn list_tags(&self) -> Answer<'_, Vec<TagInfo>> {
        self.run(|table, connection| table.list(connection))
    }

    fn set_tag<'a>(&'a self, change: &'a TagChange) -> Answer<'a, ()> {
        let change = change.clone();
        self.run(move |table, connection| table.set_tag(connection, &change))
    }

    fn raise_tag<'a>(&'a self, tag: &'a str, max_id: i64) -> Answer<'a, i64> {
        let tag = tag.to_owned();
        self.run(move |table, connection| table.raise_tag(connection, &tag, max_id))
    }

    fn next_number<'a>(&'a self, tag: &'a str) -> Option<Answer<'a, i64>> {
        // As an UPDATE, so that no replica answers it.
        Some(self.raise_tag(tag, 0))
    }

    fn check(&self) -> Answer<'_, SegmentCheck> {
        let path = &self.file.table.path;
        // A file that is missing would be made. Its directory is looked at as if it were to be.
        if !path.exists() && path.parent().is_some_and(Path::is_dir) && !self.file.found.load(Ordering::Relaxed) {
            return Box::pin(ready(Ok(SegmentCheck { is_new: true, creates_tags: true, ..SegmentCheck::default() })));
        }
        self.run(|table, connection| table.check(connection))
    }

    fn init_schema(&self) -> Answer<'_, ()> {
        self.run(|_, _| Ok(()))
    }

    fn scope(&self) -> String {
        self.file.table.scope.clone()
    }

    fn close(&self) -> Answer<'_, ()> {
        let file = self.file.clone();
        Box::pin(async move {
            let used = file.clone();
            let close = move || {
                used.close();
                Ok(())
            };
            file.lane.run(close).await
        })
    }

    fn in_child(&self) -> Arc<dyn SegmentStore> {
        let File { table, busy_timeout, found, home, .. } = &*self.file;
        let mut file = File::new(table.path.clone(), table.name.clone(), *busy_timeout);
        file.home = home.clone();
        file.found.store(found.load(Ordering::Relaxed), Ordering::Relaxed);
        Arc::new(Self { file: Arc::new(file) })
    }
}
