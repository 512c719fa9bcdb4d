//! What lets the child of a fork use a SQLite file that its parent has open.
//!
//! SQLite keeps the locks that a process holds on a file in a list of its own, by the file's device and number, and a child
//! inherits that list: it would take its parent's locks for its own, so that its commits are lost (seen: ids handed out twice).
//! So here each process sees another device number, and finds nothing of its parent's in the list. SQLite's own mutexes and
//! lists are whole in the child, because nothing of SQLite runs while the process is forked (`process::whole`).

use crate::error::{Error, ErrorKind, Result};
use crate::process;
use rusqlite::ffi;
use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};
use std::{mem, ptr};

const NOT_YET: u8 = 0;
const INSTALLED: u8 = 1;
const REFUSED: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(NOT_YET);

/// Makes SQLite ready for forks. To be called within a `Whole`, before any file is opened.
pub(super) fn prepare() -> Result<()> {
    if process::was_cut() {
        let text = "this process was forked in the middle of a write of SQLite's that took longer than 2 seconds, and cannot use \
                    SQLite any more: fork it again";
        return Err(Error::new(ErrorKind::StoreUnavailable, text));
    }
    if STATE.load(Ordering::Acquire) == NOT_YET {
        let state = if install() { INSTALLED } else { REFUSED };
        STATE.store(state, Ordering::Release);
    }
    if STATE.load(Ordering::Acquire) == INSTALLED || process::forks() == 0 {
        return Ok(());
    }
    let text = "SQLite cannot be used safely after a fork on this system: start children afresh (spawn)";
    Err(Error::new(ErrorKind::InvalidConfig, text))
}

/// Puts leafmint's calls in the place of `stat` and `fstat`.
#[allow(unsafe_code)]
fn install() -> bool {
    // SAFETY: the default file system of SQLite is static, and nobody else of this process uses this copy of SQLite. The calls
    // have the signatures of the ones that they replace.
    unsafe {
        let system = ffi::sqlite3_vfs_find(ptr::null());
        let Some(set) = system.as_ref().and_then(|system| system.xSetSystemCall) else { return false };
        let by_path: unsafe extern "C" fn(*const c_char, *mut libc::stat) -> c_int = stat;
        let by_descriptor: unsafe extern "C" fn(c_int, *mut libc::stat) -> c_int = fstat;
        let by_path: unsafe extern "C" fn() = mem::transmute(by_path);
        let by_descriptor: unsafe extern "C" fn() = mem::transmute(by_descriptor);
        set(system, c"stat".as_ptr(), Some(by_path)) == ffi::SQLITE_OK
            && set(system, c"fstat".as_ptr(), Some(by_descriptor)) == ffi::SQLITE_OK
    }
}

#[allow(unsafe_code)]
unsafe extern "C" fn stat(path: *const c_char, into: *mut libc::stat) -> c_int {
    // SAFETY: the arguments are those of SQLite's call, and are passed on as they are.
    unsafe { of_this_process(libc::stat(path, into), into) }
}

#[allow(unsafe_code)]
unsafe extern "C" fn fstat(descriptor: c_int, into: *mut libc::stat) -> c_int {
    // SAFETY: the arguments are those of SQLite's call, and are passed on as they are.
    unsafe { of_this_process(libc::fstat(descriptor, into), into) }
}

#[allow(unsafe_code)]
unsafe fn of_this_process(answer: c_int, into: *mut libc::stat) -> c_int {
    if answer == 0 {
        // SAFETY: the call has succeeded, so it has filled the struct.
        unsafe { (*into).st_dev ^= libc::dev_t::from(process::forks()) << 20 };
    }
    answer
}

/// Waits for another process that holds the file's write lock, so that a fork need not wait for it too.
pub(super) fn wait_for_lock(began: Instant, longest: Duration) -> bool {
    if began.elapsed() >= longest {
        return false;
    }
    process::Whole::pause(Duration::from_millis(fastrand::u64(1..=5)));
    true
}
