//! Locks on database and `-shm` files that belong to leafmint's own descriptors.
//!
//! A POSIX lock belongs to the process: two copies of SQLite in one process do not see each other's, and any `close` of
//! the file drops them all. An open-file-description lock (fcntl(2)) belongs to the descriptor. It conflicts with the
//! POSIX locks of other copies and other processes, in this process too, and lasts until leafmint releases it.

use std::ffi::{c_int, c_short};
use std::os::fd::RawFd;

/// Whether locks belong to descriptors on this platform. Elsewhere they are the process's, and the file must be
/// leafmint's own.
pub(super) const OWN_LOCKS: bool = cfg!(all(target_os = "linux", target_pointer_width = "64"));

/// Carries out one of SQLite's lock commands on a descriptor of ours, or returns `None` if the command is not about
/// locks.
#[allow(unsafe_code)]
pub(super) unsafe fn command(descriptor: RawFd, command: c_int, argument: usize) -> Option<c_int> {
    let own = own_command(command)?;
    let lock = argument as *mut libc::flock;
    // SAFETY: the argument of a lock command is SQLite's own `flock`, which is valid for the call. The kernel wants
    // l_pid to be 0.
    unsafe {
        (*lock).l_pid = 0;
        Some(libc::fcntl(descriptor, own, lock))
    }
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn own_command(command: c_int) -> Option<c_int> {
    match command {
        libc::F_SETLK => Some(libc::F_OFD_SETLK),
        libc::F_SETLKW => Some(libc::F_OFD_SETLKW),
        libc::F_GETLK => Some(libc::F_OFD_GETLK),
        _ => None,
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn own_command(_command: c_int) -> Option<c_int> {
    None
}

/// Locks the whole file against every other descriptor, of this process too. Returns false if any of them holds a lock.
pub(super) fn exclude_all(descriptor: RawFd) -> bool {
    set(descriptor, libc::F_WRLCK as c_short)
}

/// Releases every lock of the descriptor.
pub(super) fn release_all(descriptor: RawFd) {
    set(descriptor, libc::F_UNLCK as c_short);
}

#[allow(unsafe_code)]
fn set(descriptor: RawFd, kind: c_short) -> bool {
    let Some(own) = own_command(libc::F_SETLK) else { return false };
    // SAFETY: a `flock` of zeros is valid and means the whole file; the kernel only reads it.
    unsafe {
        let mut lock: libc::flock = std::mem::zeroed();
        lock.l_type = kind;
        libc::fcntl(descriptor, own, &raw const lock) == 0
    }
}
