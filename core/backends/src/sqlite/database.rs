//! The databases that this process has open: one connection each, shared by all generators.
//!
//! SQLite counts the locks of its connections per inode and leaves it to the first of them to hold the process's lock.
//! With locks that belong to a descriptor that is right only for one connection per inode. So all generators on one
//! inode share one, whatever paths they were given and whatever their tables.

use super::database_file::DatabaseFile;
use super::errors::SqliteFailure;
use super::open_files::OpenFiles;
use super::{after_fork, errors};
use leafmint_engine::runtime::process::{ForkGuard, Inode, PerProcess};
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::Result;
use rusqlite::{Connection, OpenFlags};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

static DATABASES: PerProcess<Databases> = PerProcess::unset(Mutex::new(BTreeMap::new()));

type Databases = Mutex<BTreeMap<Inode, Weak<Database>>>;

struct Database {
    inode: Inode,
    state: Mutex<ConnectionState>,
}

#[derive(Default)]
struct ConnectionState {
    connection: Option<Connection>,
    files: OpenFiles,
    /// How many connections there were: statements that one of them has prepared are not the next one's.
    connections: u64,
    users: usize,
}

/// A use of a database. The connection is closed with the last one.
pub(super) struct DatabaseUser(Arc<Database>);

impl DatabaseUser {
    pub(super) fn of(inode: Inode) -> Self {
        let database = {
            let mut databases = DATABASES.get(|_| Mutex::new(BTreeMap::new())).lock();
            databases.retain(|_, database| database.strong_count() != 0);
            let known = databases.get(&inode).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let made = Arc::new(Database { inode, state: Mutex::new(ConnectionState::default()) });
                databases.insert(inode, Arc::downgrade(&made));
                made
            })
        };
        database.state.lock().users += 1;
        Self(database)
    }

    pub(super) fn uses(&self, inode: Inode) -> bool {
        self.0.inode == inode
    }

    /// Runs a piece of work on the connection, which is opened if need be. The work is also given the connection's
    /// number.
    ///
    /// What it returns counts only if the files are in place afterwards.
    pub(super) fn run<T>(
        &self,
        call: &DatabaseCall<'_>,
        work: impl FnOnce(&mut Connection, u64) -> std::result::Result<T, SqliteFailure>,
    ) -> Result<T> {
        let mut state = self.0.state.lock();
        let _guard = ForkGuard::enter();
        WAITING.set(Some((call.began, call.busy_timeout)));
        state.run(call, work)
    }
}

impl Drop for DatabaseUser {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.users -= 1;
        if state.users == 0 {
            let _guard = ForkGuard::enter();
            state.disconnect();
        }
    }
}

/// One call of one user.
pub(super) struct DatabaseCall<'a> {
    /// The path as the user gave it.
    pub(super) named: &'a Path,
    pub(super) file: &'a DatabaseFile,
    pub(super) began: Instant,
    pub(super) busy_timeout: Duration,
}

impl ConnectionState {
    fn run<T>(
        &mut self,
        call: &DatabaseCall<'_>,
        work: impl FnOnce(&mut Connection, u64) -> std::result::Result<T, SqliteFailure>,
    ) -> Result<T> {
        let answer = match self.attempt(call.file, work) {
            Ok(answer) => self.check(call).map(|()| answer),
            Err(SqliteFailure::Named(error)) => return Err(error),
            Err(SqliteFailure::Sqlite(error)) => Err(match self.files.without_locks {
                Some(cause) => errors::without_locks(call.named, cause),
                // If a file was moved, SQLite's own error is a symptom of that.
                None => self.check(call).err().unwrap_or_else(|| errors::describe(call.named, &error)),
            }),
        };
        if answer.is_err() {
            // Whatever state the connection is in, the next call starts from a clean one.
            self.disconnect();
        }
        answer
    }

    fn attempt<T>(
        &mut self,
        file: &DatabaseFile,
        work: impl FnOnce(&mut Connection, u64) -> std::result::Result<T, SqliteFailure>,
    ) -> std::result::Result<T, SqliteFailure> {
        if !self.files.are_open() {
            self.disconnect();
        }
        if self.connection.is_none() {
            self.files = OpenFiles::of(&file.path);
        }
        let _entered = self.files.enter();
        let connection = match &mut self.connection {
            Some(connection) => connection,
            None => {
                self.connections += 1;
                self.connection.insert(connect(file)?)
            }
        };
        work(connection, self.connections)
    }

    /// Refuses what was done if another process would not see it, or did not see our locks.
    fn check(&self, call: &DatabaseCall<'_>) -> Result<()> {
        match call.file.is_named_by(call.named)? && self.files.are_in_place(call.file) {
            true => Ok(()),
            false => Err(errors::replaced(call.named)),
        }
    }

    fn disconnect(&mut self) {
        let _entered = self.files.enter();
        self.connection = None;
    }
}

fn connect(file: &DatabaseFile) -> std::result::Result<Connection, SqliteFailure> {
    after_fork::prepare()?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut connection = Connection::open_with_flags(&file.path, flags)?;
    connection.busy_handler(Some(busy))?;
    if file.is_empty {
        // The journal mode of a database that is there is its owner's.
        connection.pragma_update(None, "journal_mode", "WAL")?;
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    Ok(connection)
}

thread_local! {
    /// When the call that this thread works on began, and how long it may wait for the file's write lock.
    static WAITING: Cell<Option<(Instant, Duration)>> = const { Cell::new(None) };
}

/// Called by SQLite if another connection holds the file's write lock.
fn busy(_times: i32) -> bool {
    WAITING.get().is_some_and(|(began, longest)| after_fork::wait_for_lock(began, longest))
}
