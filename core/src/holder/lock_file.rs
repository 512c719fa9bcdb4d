//! The lock of a worker id on one host: an advisory lock on a file that is never renamed, replaced or deleted.

use crate::mutants::weaken;
use crate::process::{PerProcess, Registered, whole};
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A lock that this process holds until it is dropped, or the process ends. A forked child does not hold it.
pub(crate) struct LockFile {
    open: PerProcess<Open>,
    path: PathBuf,
    /// Nobody had made the file before.
    pub(crate) fresh: bool,
}

/// The file with its registration; `None` only while it is dropped.
struct Open(Option<(Registered, File)>);

impl LockFile {
    /// Takes the lock, or returns `None` where somebody holds it.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
        let Some((open, fresh)) = Open::take(path)? else { return Ok(None) };
        let lock = Self { open: PerProcess::new(open), path: path.to_owned(), fresh };
        // A file that was put in its place between opening and locking is locked by somebody else.
        Ok(lock.is_in_place()?.then_some(lock))
    }

    /// Tells whether the path still names the file that is locked: else the lock keeps nobody out.
    pub(crate) fn is_in_place(&self) -> io::Result<bool> {
        let Some(Open(Some((_, file)))) = self.open.get_made() else { return Ok(false) };
        let held = file.metadata()?;
        match std::fs::metadata(&self.path) {
            Ok(named) => Ok(weaken!("lock-file-replaced", true, (named.dev(), named.ino()) == (held.dev(), held.ino()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(weaken!("lock-file-replaced", true, false)),
            Err(error) => Err(error),
        }
    }
}

impl Open {
    /// Opens, locks and registers the file, or none of it in a forked child. Says whether nobody had made the file before.
    fn take(path: &Path) -> io::Result<Option<(Self, bool)>> {
        let _whole = whole();
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let (file, fresh) = match options.clone().create_new(true).open(path) {
            Ok(file) => (file, true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (options.open(path)?, false),
            Err(error) => return Err(error),
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        match Registered::new(file.as_raw_fd()) {
            Some(registered) => Ok(Some((Self(Some((registered, file))), fresh))),
            None => Err(io::Error::other("this process holds too many worker ids")),
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let _whole = whole();
        // The registration goes first: once the file is closed, its descriptor may be somebody else's.
        drop(self.0.take());
    }
}
