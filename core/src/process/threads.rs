//! The threads of leafmint: none of them takes a signal that was meant for the process.
//!
//! A process may wait for its signals in one place, with `sigwait` or a `signalfd`, and block them everywhere else. A thread that
//! does not block them would be chosen by the kernel instead, and its default action ends the process.

use std::mem::MaybeUninit;
use std::ptr;
use std::{io, thread};

/// Raised by the thread itself, by what it does: blocked, they would end the process without a word of any handler.
const SYNCHRONOUS: [i32; 6] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGSYS];

/// Starts a thread that blocks every signal but the synchronous ones.
pub fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    // A thread inherits the mask of the one that starts it, so there is no moment in which it blocks nothing.
    let _blocked = Blocked::new();
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// The signals of this thread are blocked until this is dropped.
struct Blocked {
    before: libc::sigset_t,
}

impl Blocked {
    #[allow(unsafe_code)]
    fn new() -> Self {
        let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: sigfillset makes the set whole before it is used, and pthread_sigmask fills in the one before it; it can fail
        // only if it is asked for something else than SIG_BLOCK, SIG_UNBLOCK or SIG_SETMASK.
        let before = unsafe {
            libc::sigfillset(all.as_mut_ptr());
            for signal in SYNCHRONOUS {
                libc::sigdelset(all.as_mut_ptr(), signal);
            }
            libc::sigemptyset(before.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), before.as_mut_ptr());
            before.assume_init()
        };
        Self { before }
    }
}

impl Drop for Blocked {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: the set is the one that this thread had before.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.before, ptr::null_mut()) };
    }
}
