//! The system calls that SQLite makes for leafmint.
//!
//! SQLite lets its caller replace them, for the whole copy of the library. A Rust application may use the same copy for
//! databases of its own; calls on its behalf are passed on unchanged.

use super::{locks, open_files};
#[cfg(target_os = "linux")]
use leafmint_engine::runtime::process;
use rusqlite::ffi::{self, sqlite3_syscall_ptr};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;
use std::{mem, ptr};

type Open = unsafe extern "C" fn(*const c_char, c_int, c_int) -> c_int;
type Close = unsafe extern "C" fn(c_int) -> c_int;
type Stat = unsafe extern "C" fn(*const c_char, *mut libc::stat) -> c_int;
type Fstat = unsafe extern "C" fn(c_int, *mut libc::stat) -> c_int;
type Fcntl = unsafe extern "C" fn(c_int, c_int, ...) -> c_int;
type Mmap = unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, c_int, libc::off_t) -> *mut c_void;

/// The calls that were replaced.
static BEFORE: OnceLock<Before> = OnceLock::new();

struct Before {
    open: Open,
    close: Close,
    stat: Stat,
    fstat: Fstat,
    fcntl: Fcntl,
    mmap: Mmap,
}

/// Replaces calls of SQLite by leafmint's. Returns whether SQLite let it. To be called within a [`process::ForkGuard`].
#[allow(unsafe_code)]
pub(super) fn install() -> bool {
    // SAFETY: the default file system of SQLite is static. Each call has the signature of the one that it replaces; on
    // the platforms that replace `fcntl`, its last argument is passed in the same register with and without a variable
    // number of arguments.
    unsafe {
        let system = ffi::sqlite3_vfs_find(ptr::null());
        let Some((set, get)) = system.as_ref().and_then(|system| system.xSetSystemCall.zip(system.xGetSystemCall))
        else {
            return false;
        };
        let before = |name: &CStr| get(system, name.as_ptr());
        let replace = |name: &CStr, call: *const ()| {
            let call = mem::transmute::<*const (), sqlite3_syscall_ptr>(call);
            set(system, name.as_ptr(), call) == ffi::SQLITE_OK
        };
        let Some(calls) = Before::read(before) else { return false };
        BEFORE.get_or_init(|| calls);
        let identities = replace(c"stat", stat as *const ()) && replace(c"fstat", fstat as *const ());
        let own_locks = || {
            replace(c"open", open as *const ())
                && replace(c"close", close as *const ())
                && replace(c"fcntl", fcntl as *const ())
                && replace(c"mmap", mmap as *const ())
        };
        identities && (!locks::OWN_LOCKS || own_locks())
    }
}

impl Before {
    /// # Safety
    ///
    /// The calls that are read have the signatures of SQLite's own.
    #[allow(unsafe_code)]
    unsafe fn read(call: impl Fn(&CStr) -> sqlite3_syscall_ptr) -> Option<Self> {
        // SAFETY: as the caller's.
        unsafe {
            Some(Self {
                open: mem::transmute::<unsafe extern "C" fn(), Open>(call(c"open")?),
                close: mem::transmute::<unsafe extern "C" fn(), Close>(call(c"close")?),
                stat: mem::transmute::<unsafe extern "C" fn(), Stat>(call(c"stat")?),
                fstat: mem::transmute::<unsafe extern "C" fn(), Fstat>(call(c"fstat")?),
                fcntl: mem::transmute::<unsafe extern "C" fn(), Fcntl>(call(c"fcntl")?),
                mmap: mem::transmute::<unsafe extern "C" fn(), Mmap>(call(c"mmap")?),
            })
        }
    }

    /// Returns the replaced calls. Not called before they are replaced.
    fn get() -> &'static Self {
        match BEFORE.get() {
            Some(before) => before,
            None => std::process::abort(),
        }
    }
}

#[allow(unsafe_code)]
unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    // SAFETY: the arguments are those of SQLite's call.
    unsafe {
        open_files::open(CStr::from_ptr(path), flags, mode).unwrap_or_else(|| (Before::get().open)(path, flags, mode))
    }
}

#[allow(unsafe_code)]
unsafe extern "C" fn close(descriptor: c_int) -> c_int {
    // SAFETY: the argument is that of SQLite's call.
    open_files::close(descriptor).unwrap_or_else(|| unsafe { (Before::get().close)(descriptor) })
}

#[allow(unsafe_code)]
unsafe extern "C" fn fcntl(descriptor: c_int, command: c_int, argument: usize) -> c_int {
    // SAFETY: the arguments are those of SQLite's call.
    unsafe {
        open_files::fcntl(descriptor, command, argument)
            .unwrap_or_else(|| (Before::get().fcntl)(descriptor, command, argument))
    }
}

/// Maps a `-shm` file, for this process alone: a mapping keeps the file open, and with it the locks, in a child as
/// well.
#[allow(unsafe_code)]
unsafe extern "C" fn mmap(
    at: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    descriptor: c_int,
    offset: libc::off_t,
) -> *mut c_void {
    // SAFETY: the arguments are those of SQLite's call.
    let mapped = unsafe { (Before::get().mmap)(at, length, protection, flags, descriptor, offset) };
    #[cfg(target_os = "linux")]
    if mapped != libc::MAP_FAILED && open_files::entered() {
        // SAFETY: the mapping was just made, and the parent goes on with it as it is.
        unsafe { libc::madvise(mapped, length, libc::MADV_DONTFORK) };
    }
    mapped
}

#[allow(unsafe_code)]
unsafe extern "C" fn stat(path: *const c_char, into: *mut libc::stat) -> c_int {
    // SAFETY: the arguments are those of SQLite's call, and are passed on as they are.
    unsafe { apart((Before::get().stat)(path, into), into) }
}

#[allow(unsafe_code)]
unsafe extern "C" fn fstat(descriptor: c_int, into: *mut libc::stat) -> c_int {
    // SAFETY: the arguments are those of SQLite's call, and are passed on as they are.
    unsafe { apart((Before::get().fstat)(descriptor, into), into) }
}

/// Shows SQLite another device number on leafmint's behalf.
///
/// SQLite lists the locks of a process by device and inode number. A child of a fork inherits that list and would take
/// its parent's locks for its own, so that its commits are lost (seen: ids handed out twice). So each process sees a
/// number of its own, and finds nothing of its parent's. Nor do leafmint's connections find those of an application
/// with the same copy of SQLite, whose locks are of the other sort.
#[allow(unsafe_code)]
unsafe fn apart(answer: c_int, into: *mut libc::stat) -> c_int {
    const LEAFMINT: libc::dev_t = 1 << 19;
    if answer == 0 && open_files::entered() {
        // SAFETY: the call has succeeded, so it has filled the struct.
        unsafe { (*into).st_dev ^= LEAFMINT | (process::forks() as libc::dev_t) << 20 };
    }
    answer
}
