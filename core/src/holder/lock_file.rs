//! The lock of a worker id on one host: an advisory lock on a file that is never renamed, replaced or deleted.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A lock that this process holds until it is dropped, or the process ends.
pub(crate) struct LockFile {
    file: File,
    path: PathBuf,
    /// Nobody had made the file before.
    pub(crate) fresh: bool,
}

impl LockFile {
    /// Takes the lock, or returns `None` where somebody holds it.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let (file, fresh) = match options.clone().create_new(true).open(path) {
            Ok(file) => (file, true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (options.open(path)?, false),
            Err(error) => return Err(error),
        };
        match file.try_lock() {
            Ok(()) => {
                let lock = Self { file, path: path.to_owned(), fresh };
                // A file that was put in its place between opening and locking is locked by somebody else.
                Ok(lock.is_in_place()?.then_some(lock))
            }
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Tells whether the path still names the file that is locked: else the lock keeps nobody out.
    pub(crate) fn is_in_place(&self) -> io::Result<bool> {
        let held = self.file.metadata()?;
        match std::fs::metadata(&self.path) {
            Ok(named) => Ok((named.dev(), named.ino()) == (held.dev(), held.ino())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}
