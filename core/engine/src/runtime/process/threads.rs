//! Threads of leafmint, which never take a signal that was meant for the process.
//!
//! A process may wait for its signals in one place, with `sigwait` or a `signalfd`, and block them in all other
//! threads. The kernel would deliver a signal to a thread that does not block it, and the default action would end the
//! process.

use std::mem::MaybeUninit;
use std::{io, ptr, thread};

/// Signals that a thread raises by its own actions. Blocked, they would end the process without calling a handler.
const SYNCHRONOUS: [i32; 6] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGSYS];

/// Starts a thread that blocks every signal but the synchronous ones.
pub fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    // A thread inherits the mask of the thread that starts it, so it blocks them from its first instruction on.
    let _blocked = Blocked::new();
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Blocks the signals of this thread until it is dropped.
struct Blocked {
    before: libc::sigset_t,
}

impl Blocked {
    #[allow(unsafe_code)]
    fn new() -> Self {
        let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: sigfillset initialises the set before it is used, and pthread_sigmask fills in the previous one; it
        // fails only for an operation other than SIG_BLOCK, SIG_UNBLOCK and SIG_SETMASK.
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
