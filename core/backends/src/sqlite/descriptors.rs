//! The descriptors of database and `-shm` files, which are closed only when no lock is lost by it.
//!
//! Closing any descriptor of a file drops the POSIX locks that this process has on it: those of the application, which
//! uses the same file through its own copy of SQLite. So a descriptor is closed only under a lock on the whole file,
//! which cannot be had while any other lock on the file exists. Otherwise it is kept, without locks, and handed out
//! again when the file is next opened.

use super::locks;
use leafmint_engine::runtime::process::{CloseOnFork, Inode, PerProcess};
use leafmint_engine::sync::Mutex;
use std::ffi::{CStr, OsStr, c_int};
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The lowest descriptor for a database: those below are the standard streams, to which any code may write.
const LOWEST: RawFd = 3;

static DESCRIPTORS: PerProcess<Mutex<Vec<Descriptor>>> = PerProcess::unset(Mutex::new(Vec::new()));

struct Descriptor {
    number: RawFd,
    access: c_int,
    in_use: bool,
    /// The child of a fork closes its copy, or it would keep the locks of a parent that died.
    close_on_fork: CloseOnFork,
}

impl Descriptor {
    /// Returns whether the application has not closed it: its number may be another file's.
    fn is_open(&self) -> bool {
        self.close_on_fork.is_ours()
    }
}

fn all() -> &'static Mutex<Vec<Descriptor>> {
    DESCRIPTORS.get(|_| Mutex::new(Vec::new()))
}

/// Opens a file as `open` does, or hands out the descriptor of it that was kept. To be called within a `ForkGuard`.
///
/// Returns -1 if it cannot be opened.
pub(super) fn open(path: &CStr, flags: c_int, mode: c_int) -> RawFd {
    let mut descriptors = all().lock();
    let access = flags & libc::O_ACCMODE;
    // One that the application has closed is no file of ours any more.
    descriptors.retain(|one| one.in_use || one.is_open());
    if let Ok(inode) = Inode::of_path(Path::new(OsStr::from_bytes(path.to_bytes())))
        && let Some(kept) =
            descriptors.iter_mut().find(|one| !one.in_use && (one.close_on_fork.inode(), one.access) == (inode, access))
    {
        kept.in_use = true;
        return kept.number;
    }
    occupy_standard_streams();
    // SAFETY: the path is valid for the call.
    #[allow(unsafe_code)]
    let number = unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC, mode) };
    if number < LOWEST {
        return number;
    }
    match CloseOnFork::new(number) {
        Some(close_on_fork) => {
            descriptors.push(Descriptor { number, access, in_use: true, close_on_fork });
            number
        }
        None => {
            // Thousands of files are open.
            close(number);
            -1
        }
    }
}

/// Gives a descriptor back if it came from [`open`]. Returns whether it did. To be called within a `ForkGuard`.
pub(super) fn release(number: RawFd) -> bool {
    let mut descriptors = all().lock();
    let Some(released) = descriptors.iter_mut().find(|one| one.number == number && one.in_use) else { return false };
    released.in_use = false;
    if released.is_open() {
        locks::release_all(number);
    }
    descriptors.retain(|one| one.in_use || one.is_open());
    // Files that were busy when they were given back may be idle by now, so each is tried again.
    let idle = descriptors.extract_if(.., |one| !one.in_use && locks::exclude_all(one.number));
    for Descriptor { number, close_on_fork, .. } in idle {
        // The registration goes first: once the file is closed, its number may be another file's.
        drop(close_on_fork);
        close(number);
    }
    true
}

/// Fills the places of standard streams that are closed, so that no database is opened there.
#[allow(unsafe_code)]
fn occupy_standard_streams() {
    loop {
        // SAFETY: the path is a literal.
        let number = unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDWR) };
        if number >= LOWEST {
            close(number);
        }
        if !(0..LOWEST).contains(&number) {
            return;
        }
    }
}

#[allow(unsafe_code)]
fn close(number: RawFd) {
    // SAFETY: the descriptor was opened here and is no longer in use.
    unsafe { libc::close(number) };
}
