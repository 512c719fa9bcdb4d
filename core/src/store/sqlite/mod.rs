//! The SQLite store: the embedded default, one file for every process that opens it.

mod after_fork;

use super::{Answer, NewTag, SegmentStore, check_room, leased, other_gene_bits, schema, unknown_tag};
use crate::background::runtime;
use crate::error::{Error, ErrorKind, Result};
use crate::events::{self, EventKind};
use crate::mutants::weaken;
use crate::process::whole;
use crate::sync::Mutex;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::cell::Cell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Segments in a SQLite file.
///
/// Scope: the processes that share that file, on one host (SQLite's locks do not hold over network file systems).
/// A lease is one `BEGIN IMMEDIATE` transaction with `synchronous=FULL`, so it outlives a power cut.
#[derive(Clone)]
pub struct SqliteStore {
    file: Arc<File>,
}

struct File {
    path: PathBuf,
    table: String,
    busy_timeout: Duration,
    connection: Mutex<Option<Connection>>,
}

impl SqliteStore {
    /// Names the file without opening it; a relative path is taken from the present working directory.
    ///
    /// `busy_timeout` is the longest wait for another process that holds the file's write lock.
    pub fn new(path: &Path, table: &str, busy_timeout: Duration) -> Result<Self> {
        let path = std::path::absolute(path).map_err(|error| {
            Error::new(ErrorKind::InvalidConfig, format!("the path of the SQLite file {path:?} is not usable: {error}"))
        })?;
        let shown = path.display().to_string();
        events::tell(EventKind::StoreOpened, &shown, format_args!("segments are kept in {shown}"));
        let file = File { path, table: table.to_owned(), busy_timeout, connection: Mutex::new(None) };
        Ok(Self { file: Arc::new(file) })
    }

    /// Runs blocking work beside the runtime's one thread.
    fn run<'a, T: Send + 'static>(
        &self,
        work: impl FnOnce(&File, &mut Connection) -> std::result::Result<T, Failure> + Send + 'static,
    ) -> Answer<'a, T> {
        let file = self.file.clone();
        Box::pin(async move {
            match runtime()?.spawn_blocking(move || file.with_connection(work)).await {
                Ok(answer) => answer,
                Err(error) => Err(Error::new(ErrorKind::StoreUnavailable, format!("SQLite task ended early: {error}"))),
            }
        })
    }
}

/// What can go wrong inside a piece of work: SQLite's own error, or one that already has a name.
enum Failure {
    Sqlite(rusqlite::Error),
    Named(Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Failure::Sqlite(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Named(error)
    }
}

thread_local! {
    /// When the statement that this thread runs began, and how long it may wait for the file's write lock.
    static WAITING: Cell<Option<(Instant, Duration)>> = const { Cell::new(None) };
}

/// Called by SQLite where another process holds the file's write lock.
fn busy(_times: i32) -> bool {
    WAITING.get().is_some_and(|(began, longest)| after_fork::wait_for_lock(began, longest))
}

impl File {
    fn with_connection<T>(&self, work: impl FnOnce(&File, &mut Connection) -> std::result::Result<T, Failure>) -> Result<T> {
        let mut slot = self.connection.lock();
        let _whole = whole();
        WAITING.set(Some((Instant::now(), self.busy_timeout)));
        let answer = match slot.as_mut() {
            Some(connection) => work(self, connection),
            None => self.connect().and_then(|connection| work(self, slot.insert(connection))),
        };
        answer.map_err(|failure| match failure {
            Failure::Named(error) => error,
            Failure::Sqlite(error) => {
                // Whatever state the connection is in, the next call starts from a clean one.
                *slot = None;
                self.name(&error)
            }
        })
    }

    fn connect(&self) -> std::result::Result<Connection, Failure> {
        after_fork::prepare()?;
        let mut connection = Connection::open(&self.path)?;
        connection.busy_handler(Some(busy))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(&schema::sqlite(&self.table))?;
        Ok(connection)
    }

    fn disconnect(&self) {
        let mut slot = self.connection.lock();
        let _whole = whole();
        drop(slot.take());
    }

    fn name(&self, error: &rusqlite::Error) -> Error {
        use rusqlite::ErrorCode;
        let path = self.path.display();
        let (kind, advice) = match error.sqlite_error_code() {
            Some(ErrorCode::CannotOpen) => (ErrorKind::InvalidConfig, "does its directory exist?"),
            Some(ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
                (ErrorKind::InvalidConfig, "this process must be able to write the file and its directory")
            }
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                (ErrorKind::InvalidConfig, "it is not a SQLite database, or it is damaged")
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                (ErrorKind::StoreUnavailable, "another process holds its write lock; connect_timeout is the longest wait")
            }
            Some(ErrorCode::DiskFull) => (ErrorKind::StoreUnavailable, "the disk is full"),
            None => (ErrorKind::InvalidConfig, "does the table have the columns biz_tag, max_id and step?"),
            _ => (ErrorKind::StoreUnavailable, "nothing was leased"),
        };
        Error::new(kind, format!("SQLite file {path}: {error}: {advice}"))
    }

    fn scope(&self) -> String {
        format!("sqlite://{} (scope: the processes that share that file)", self.path.display())
    }

    /// Reads `(max_id, step)`; an empty row is an unknown tag.
    fn row(&self, connection: &Connection, tag: &str) -> std::result::Result<(i64, i64), Failure> {
        let sql = format!("SELECT max_id, step FROM \"{}\" WHERE biz_tag = ?1", self.table);
        let row = connection.prepare_cached(&sql)?.query_row([tag], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        row.ok_or_else(|| unknown_tag(tag, &self.scope()).into())
    }

    /// Reads the stored gene bits; `None` where there are none.
    fn gene_bits(&self, connection: &Connection, tag: &str) -> rusqlite::Result<Option<i64>> {
        let sql = format!("SELECT gene_bits FROM \"{}\" WHERE biz_tag = ?1", schema::genes(&self.table));
        connection.prepare_cached(&sql)?.query_row([tag], |row| row.get(0)).optional()
    }

    fn create_tag(&self, connection: &mut Connection, new: &NewTag) -> std::result::Result<bool, Failure> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let insert = format!(
            "INSERT INTO \"{}\" (biz_tag, max_id, step, description) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            self.table
        );
        let inserted = transaction.execute(&insert, params![new.tag, new.start, new.step, new.description])? == 1;
        if new.gene_bits != 0 {
            match self.gene_bits(&transaction, &new.tag)? {
                Some(bits) if bits == new.gene_bits => {}
                None if inserted => {
                    let sql = format!("INSERT INTO \"{}\" (biz_tag, gene_bits) VALUES (?1, ?2)", schema::genes(&self.table));
                    transaction.execute(&sql, params![new.tag, new.gene_bits])?;
                }
                stored => return Err(other_gene_bits(&new.tag, stored.unwrap_or(0), new.gene_bits).into()),
            }
        }
        transaction.commit()?;
        Ok(inserted)
    }

    fn lease(&self, connection: &mut Connection, tag: &str, step: i64) -> std::result::Result<Range<i64>, Failure> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (max_id, _) = self.row(&transaction, tag)?;
        check_room(tag, max_id, step)?;
        let sql = format!("UPDATE \"{}\" SET max_id = ?1, update_time = CURRENT_TIMESTAMP WHERE biz_tag = ?2", self.table);
        transaction.prepare_cached(&sql)?.execute(params![max_id + step, tag])?;
        // The write lock was taken by BEGIN, so nobody else has read this max_id. No range without a successful commit.
        weaken!("range-without-a-commit", drop(transaction.commit()), transaction.commit()?);
        Ok(leased(max_id + step, step))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        self.disconnect();
    }
}

impl SegmentStore for SqliteStore {
    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64> {
        let tag = tag.to_owned();
        self.run(move |file, connection| Ok(file.row(connection, &tag)?.1))
    }

    fn gene_bits<'a>(&'a self, tag: &'a str) -> Answer<'a, Option<i64>> {
        let tag = tag.to_owned();
        self.run(move |file, connection| Ok(Some(file.gene_bits(connection, &tag)?.unwrap_or(0))))
    }

    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Range<i64>> {
        let tag = tag.to_owned();
        self.run(move |file, connection| file.lease(connection, &tag, step))
    }

    fn give_back<'a>(&'a self, tag: &'a str, tail: Range<i64>) -> Answer<'a, bool> {
        let tag = tag.to_owned();
        self.run(move |file, connection| {
            let compare = weaken!("sqlite-give-back-not-compared", "max_id <> 0 * ?3", "max_id = ?3");
            let sql = format!("UPDATE \"{}\" SET max_id = ?1 WHERE biz_tag = ?2 AND {compare}", file.table);
            Ok(connection.execute(&sql, params![tail.start, tag, tail.end])? == 1)
        })
    }

    fn create_tag<'a>(&'a self, new: &'a NewTag) -> Answer<'a, bool> {
        let new = new.clone();
        self.run(move |file, connection| file.create_tag(connection, &new))
    }

    fn init_schema(&self) -> Answer<'_, ()> {
        self.run(|_, _| Ok(()))
    }

    fn scope(&self) -> String {
        self.file.scope()
    }

    fn close(&self) -> Answer<'_, ()> {
        let file = self.file.clone();
        Box::pin(async move {
            let closed = runtime()?.spawn_blocking(move || file.disconnect()).await;
            closed.map_err(|error| Error::new(ErrorKind::StoreUnavailable, format!("SQLite did not close: {error}")))
        })
    }

    fn in_child(&self) -> Arc<dyn SegmentStore> {
        let File { path, table, busy_timeout, .. } = &*self.file;
        let file = File { path: path.clone(), table: table.clone(), busy_timeout: *busy_timeout, connection: Mutex::new(None) };
        Arc::new(Self { file: Arc::new(file) })
    }
}
