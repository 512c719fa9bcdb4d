//! The files of one database that SQLite has open, recorded as it opens and closes them.

use super::{database_file::DatabaseFile, descriptors, locks};
use leafmint_engine::runtime::process::Inode;
use std::cell::RefCell;
use std::ffi::{CStr, OsString, c_int};
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::{io, mem};

thread_local! {
    /// The files of the database that this thread works on. SQLite's calls on behalf of others find none.
    static CURRENT: RefCell<Option<OpenFiles>> = const { RefCell::new(None) };
}

/// The open files of one connection.
#[derive(Default)]
pub(super) struct OpenFiles {
    path: PathBuf,
    database: Option<OpenFile>,
    wal: Option<OpenFile>,
    shm: Option<OpenFile>,
    /// The error number, if the kernel or the file system has no locks that belong to a descriptor.
    pub(super) without_locks: Option<c_int>,
}

#[derive(Clone, Copy)]
struct OpenFile {
    descriptor: RawFd,
    inode: Inode,
}

impl OpenFile {
    fn is_open(&self) -> bool {
        Inode::of_descriptor(self.descriptor).ok() == Some(self.inode)
    }
}

impl OpenFiles {
    /// Begins the record of a connection to the database at this path.
    pub(super) fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), ..Self::default() }
    }

    /// Makes this the database of the calls that SQLite makes on this thread, until what is returned is dropped.
    pub(super) fn enter(&mut self) -> Entered<'_> {
        CURRENT.set(Some(mem::take(self)));
        Entered(self)
    }

    /// Returns whether the open files are those of this database, and whether their paths still name them: if not,
    /// other processes use other files. A descriptor that the application has closed names none of them either.
    pub(super) fn are_in_place(&self, file: &DatabaseFile) -> bool {
        let named = |suffix: &str| Inode::of_path(&self.with_suffix(suffix)).ok();
        let same = |file: Option<OpenFile>, suffix| {
            file.is_none_or(|file| file.is_open() && named(suffix) == Some(file.inode))
        };
        let is_at = |file: &DatabaseFile| self.database.is_none_or(|open| open.inode == file.inode);
        is_at(file) && same(self.database, "") && same(self.wal, "-wal") && same(self.shm, "-shm")
    }

    /// Returns whether no file was closed behind SQLite's back. The number of one that was may be another file's.
    pub(super) fn are_open(&self) -> bool {
        [self.database, self.wal, self.shm].into_iter().flatten().all(|file| file.is_open())
    }

    fn with_suffix(&self, suffix: &str) -> PathBuf {
        let mut path = OsString::from(&self.path);
        path.push(suffix);
        path.into()
    }

    fn open(&mut self, path: &CStr, flags: c_int, mode: c_int) -> RawFd {
        let suffix = path.to_bytes().strip_prefix(self.path.as_os_str().as_bytes());
        let (place, locked) = match suffix {
            Some(b"") => (&mut self.database, true),
            Some(b"-shm") => (&mut self.shm, true),
            Some(b"-wal") => (&mut self.wal, false),
            _ => return open_plainly(path, flags, mode),
        };
        let descriptor = if locked { descriptors::open(path, flags, mode) } else { open_plainly(path, flags, mode) };
        if descriptor >= 0 {
            *place = Inode::of_descriptor(descriptor).ok().map(|inode| OpenFile { descriptor, inode });
        }
        descriptor
    }

    fn close(&mut self, descriptor: RawFd) -> c_int {
        let mut is_ours = true;
        for place in [&mut self.database, &mut self.wal, &mut self.shm] {
            if let Some(file) = place.take_if(|file| file.descriptor == descriptor) {
                is_ours = file.is_open();
            }
        }
        if descriptors::release(descriptor) || !is_ours { 0 } else { close_plainly(descriptor) }
    }

    /// # Safety
    ///
    /// The arguments are those of an `fcntl`.
    #[allow(unsafe_code)]
    unsafe fn fcntl(&mut self, descriptor: RawFd, command: c_int, argument: usize) -> c_int {
        // SAFETY: as the caller's.
        let answer = unsafe { locks::command(descriptor, command, argument) };
        // SAFETY: as above.
        let Some(answer) = answer else { return unsafe { libc::fcntl(descriptor, command, argument) } };
        if answer == -1 {
            let error = io::Error::last_os_error().raw_os_error().unwrap_or_default();
            if matches!(error, libc::EINVAL | libc::ENOLCK | libc::ENOSYS | libc::EOPNOTSUPP) {
                self.without_locks = Some(error);
            }
        }
        answer
    }
}

/// The thread is at work on a database until this is dropped.
pub(super) struct Entered<'a>(&'a mut OpenFiles);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        *self.0 = CURRENT.take().unwrap_or_default();
    }
}

/// Lets the database that this thread works on answer a call. Returns `None` if the call is not on behalf of leafmint.
fn current<T>(answer: impl FnOnce(&mut OpenFiles) -> T) -> Option<T> {
    CURRENT.try_with(|current| current.try_borrow_mut().ok()?.as_mut().map(answer)).ok().flatten()
}

/// Returns whether this thread works on a database of leafmint.
pub(super) fn entered() -> bool {
    current(|_| ()).is_some()
}

/// `open`, if it is leafmint's.
pub(super) fn open(path: &CStr, flags: c_int, mode: c_int) -> Option<RawFd> {
    current(|files| files.open(path, flags, mode))
}

/// `close`, if it is leafmint's.
pub(super) fn close(descriptor: RawFd) -> Option<c_int> {
    current(|files| files.close(descriptor))
}

/// `fcntl`, if it is leafmint's.
///
/// # Safety
///
/// The arguments are those of an `fcntl`.
#[allow(unsafe_code)]
pub(super) unsafe fn fcntl(descriptor: RawFd, command: c_int, argument: usize) -> Option<c_int> {
    // SAFETY: as the caller's.
    current(|files| unsafe { files.fcntl(descriptor, command, argument) })
}

#[allow(unsafe_code)]
fn open_plainly(path: &CStr, flags: c_int, mode: c_int) -> RawFd {
    // SAFETY: the path is valid for the call.
    unsafe { libc::open(path.as_ptr(), flags, mode) }
}

#[allow(unsafe_code)]
fn close_plainly(descriptor: RawFd) -> c_int {
    // SAFETY: the descriptor is SQLite's own, which it uses no more.
    unsafe { libc::close(descriptor) }
}
