//! Failures of a piece of work, as errors with advice.

use leafmint_ids::error::{Error, ErrorKind, Reason, ServerError};
use std::ffi::c_int;
use std::fs::File;
use std::io;
use std::path::Path;

/// SQLite's own error, or one that already has a name.
pub(super) enum SqliteFailure {
    Sqlite(rusqlite::Error),
    Named(Error),
}

impl From<rusqlite::Error> for SqliteFailure {
    fn from(error: rusqlite::Error) -> Self {
        SqliteFailure::Sqlite(error)
    }
}

impl From<Error> for SqliteFailure {
    fn from(error: Error) -> Self {
        SqliteFailure::Named(error)
    }
}

impl SqliteFailure {
    /// Returns the error that a caller gets.
    pub(super) fn named(self, path: &Path) -> Error {
        match self {
            SqliteFailure::Sqlite(error) => describe(path, &error),
            SqliteFailure::Named(error) => error,
        }
    }
}

/// Turns an error of SQLite into one of leafmint.
pub(super) fn describe(path: &Path, error: &rusqlite::Error) -> Error {
    use rusqlite::ErrorCode;
    let answer = error.sqlite_error();
    let (kind, reason, advice) = match answer.map(|answer| answer.code) {
        Some(ErrorCode::CannotOpen) if lacks_descriptors(path) => {
            (ErrorKind::StoreUnavailable, None, "raise the limit of open files of this process (ulimit -n)")
        }
        Some(ErrorCode::CannotOpen) => (ErrorKind::InvalidConfig, None, "does its directory exist?"),
        Some(ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
            let advice = "this process must be able to write the file and its directory";
            (ErrorKind::InvalidConfig, Some(Reason::Denied), advice)
        }
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            (ErrorKind::InvalidConfig, None, "it is not a SQLite database, or it is damaged")
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
            ErrorKind::StoreUnavailable,
            Some(Reason::Locked),
            "another connection holds its write lock (a transaction of this application's, if it uses the file: take ids before \
             its first write); connect_timeout is the longest wait",
        ),
        Some(ErrorCode::DiskFull) => (ErrorKind::StoreUnavailable, None, "the disk is full"),
        Some(ErrorCode::ConstraintViolation) => (
            ErrorKind::InvalidConfig,
            None,
            "a constraint or a trigger of the table refuses what leafmint writes: change it, or choose another table",
        ),
        // A column, a table or a function that is missing, or a view.
        Some(ErrorCode::Unknown) | None => (
            ErrorKind::InvalidConfig,
            None,
            "is it a table with the columns biz_tag, max_id, step and update_time, and does what its triggers name exist?",
        ),
        _ => (ErrorKind::StoreUnavailable, None, "nothing was leased"),
    };
    let named = Error::new(kind, format!("SQLite file {}: {error}: {advice}", path.display())).because(reason);
    match answer {
        Some(answer) => named.with_source(ServerError::new(Some(answer.extended_code), None, error.to_string())),
        None => named,
    }
}

/// Returns whether the process lacks descriptors for what SQLite opens: the file, its log, the log's index and,
/// sometimes, the directory. SQLite reports only that it could not open one of them.
fn lacks_descriptors(path: &Path) -> bool {
    let directory = path.parent().unwrap_or(Path::new("/"));
    let opened: io::Result<Vec<File>> = (0..4).map(|_| File::open(directory)).collect();
    opened.is_err_and(|error| matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)))
}

/// The kernel or the file system has no locks that belong to a descriptor.
pub(super) fn without_locks(path: &Path, error: c_int) -> Error {
    let cause = io::Error::from_raw_os_error(error);
    let advice = "its file system or this kernel has no open-file-description locks, without which the same ids could be leased \
                  twice: put it on a local file system of Linux 3.15 or later, or use a database server";
    let text = format!("SQLite file {}: {cause}: {advice}", path.display());
    Error::new(ErrorKind::InvalidConfig, text).with_io_source(&cause)
}

/// The file, or what belongs to it, is another one than when it was opened.
pub(super) fn replaced(path: &Path) -> Error {
    let problem = "it, its -wal or its -shm was moved, removed or replaced while it was open, so that nothing of this call counts; \
                   the next call opens it again, if it is the same file";
    Error::new(ErrorKind::StoreUnavailable, format!("SQLite file {}: {problem}", path.display()))
}
