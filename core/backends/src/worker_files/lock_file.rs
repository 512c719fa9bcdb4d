//! A file that this process has locked: an advisory lock on the open file, which ends with the process at the latest.

use super::private_file;
use leafmint_engine::runtime::process::{ForkGuard, Inode, OwnDescriptor, PerProcess};
use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A locked file, until it is dropped or the process ends. A forked child does not hold the lock.
pub struct LockFile {
    open: PerProcess<OwnDescriptor<File>>,
    path: PathBuf,
    /// The file was created for this lock.
    pub fresh: bool,
}

/// The result of an attempt to lock a file.
pub enum Taken {
    /// It is locked, and the path names it.
    Ours(LockFile),
    /// Another process holds the lock, or has just replaced the file.
    Held,
    /// There is no such file.
    Missing,
}

/// What the path of a locked file names now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// The locked file: the lock excludes other processes.
    Ours,
    Another,
    Nothing,
}

impl LockFile {
    /// Locks a file, which is created if it is missing. `None` if another process holds the lock.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        let taken = match Self::make(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Self::take_existing(path)?,
            made => made?,
        };
        match taken {
            Taken::Ours(lock) => Ok(Some(lock)),
            Taken::Held | Taken::Missing => Ok(None),
        }
    }

    /// Creates a file that must not exist, and locks it.
    pub fn make(path: &Path) -> io::Result<Taken> {
        Self::open(path, private_file::make, true)
    }

    /// Locks a file that exists.
    pub(crate) fn take_existing(path: &Path) -> io::Result<Taken> {
        match Self::open(path, |path| private_file::open(path, true), false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Taken::Missing),
            taken => taken,
        }
    }

    fn open(path: &Path, open: fn(&Path) -> io::Result<File>, fresh: bool) -> io::Result<Taken> {
        let Some(open) = lock(path, open)? else { return Ok(Taken::Held) };
        let lock = Self { open: PerProcess::new(open), path: path.to_owned(), fresh };
        // A file that was put in its place between opening and locking is locked by another process.
        Ok(if lock.named()? == Named::Ours { Taken::Ours(lock) } else { Taken::Held })
    }

    /// Returns the open file: reads and writes reach the locked file, whatever the path names now.
    pub fn file(&self) -> io::Result<&File> {
        let open = self.open.get_if_set();
        let open = open.ok_or_else(|| io::Error::other("a forked child does not hold the locks of its parent"))?;
        open.get().ok_or_else(|| io::Error::other("this process has closed the descriptor of leafmint's lock"))
    }

    /// Returns whether the locked file has a name, which its path is not if [`LockFile::named`] says so: it was moved,
    /// unmounted or hidden.
    pub(crate) fn has_a_name(&self) -> bool {
        self.file().and_then(File::metadata).is_ok_and(|metadata| metadata.nlink() > 0)
    }

    /// Checks which file the path names. If it is not the locked one, the lock excludes no process.
    pub fn named(&self) -> io::Result<Named> {
        let Ok(file) = self.file() else { return Ok(Named::Another) };
        match std::fs::metadata(&self.path) {
            Ok(named) if Inode::of(&named) == Inode::of(&file.metadata()?) => Ok(Named::Ours),
            Ok(_) => Ok(Named::Another),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Named::Nothing),
            Err(error) => Err(error),
        }
    }
}

/// Returns whether a process holds the lock of a file. It is taken for a moment to find out, shared, so that two that
/// look do not find each other.
pub(crate) fn is_held(path: &Path) -> io::Result<bool> {
    let _guard = ForkGuard::enter();
    let file = match private_file::open(path, false) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        file => file?,
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Opens, locks and registers the file, or none of it in a forked child. `None` if another process holds the lock.
fn lock(path: &Path, open: fn(&Path) -> io::Result<File>) -> io::Result<Option<OwnDescriptor<File>>> {
    let _guard = ForkGuard::enter();
    let file = open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let own = OwnDescriptor::new(file).ok_or_else(|| io::Error::other("this process holds too many worker ids"))?;
    Ok(Some(own))
}
