//! The fork counter, and what is done at the moment of a fork.

use super::{close_on_fork, fork_barrier};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

static FORKS: AtomicU32 = AtomicU32::new(0);
static HOOK: Once = Once::new();

/// Returns how often this process has been forked since leafmint was first used. One load.
#[inline]
pub fn forks() -> u32 {
    FORKS.load(Ordering::Relaxed)
}

/// Starts counting forks, and returns the count so far. A binding calls it when it is loaded, before any fork.
#[allow(unsafe_code)]
pub fn count_forks() -> u32 {
    extern "C" fn before() {
        fork_barrier::begin_fork();
    }
    extern "C" fn in_parent() {
        fork_barrier::end_fork();
    }
    extern "C" fn in_child() {
        FORKS.fetch_add(1, Ordering::Relaxed);
        close_on_fork::close_all();
        fork_barrier::end_fork_in_child();
    }
    HOOK.call_once(|| {
        // SAFETY: the handlers touch nothing but atomics and the descriptors of lock files, which is allowed in a child
        // of a multi-threaded process; they are static functions, valid for as long as this library is loaded, and it
        // is never unloaded.
        unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    });
    forks()
}
