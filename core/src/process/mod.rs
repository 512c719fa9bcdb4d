//! The process that we are in, and what a fork does to it.
//!
//! Threads do not survive a fork, and neither does anything that one of them was in the middle of: a lock may be held for ever, a
//! socket is the parent's too. So a child never locks, drops, unlocks or closes what it inherited. It forgets it, and makes its
//! own on first use ([`PerProcess`]). The one exception are the descriptors of lock files, which are closed in the child at once:
//! else a child that outlives its parent would keep the parent's worker id.

mod descriptors;
mod per_process;
mod threads;
mod whole;

pub use per_process::PerProcess;
pub use threads::start_thread;

pub(crate) use descriptors::Registered;
pub(crate) use whole::{Whole, was_cut, whole};

use crate::mutants::weaken;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

/// No process has been forked so often.
const NOBODY: u32 = u32::MAX;

static FORKS: AtomicU32 = AtomicU32::new(0);
static HOOK: Once = Once::new();

/// Returns how often this process has been forked since leafmint was first used. One load.
#[inline]
pub fn forks() -> u32 {
    weaken!("fork-not-counted", FORKS.load(Ordering::Relaxed), without = 0)
}

/// Starts counting, and returns the count so far. A face calls it when it is loaded, while nobody forks.
#[allow(unsafe_code)]
pub fn count_forks() -> u32 {
    extern "C" fn before() {
        whole::begin_fork();
    }
    extern "C" fn in_parent() {
        whole::end_fork();
    }
    extern "C" fn in_child() {
        FORKS.fetch_add(1, Ordering::Relaxed);
        weaken!("lock-files-open-in-a-child", descriptors::close_all(), without = ());
        whole::end_fork_in_child();
    }
    HOOK.call_once(|| {
        // SAFETY: the handlers touch nothing but atomics and the descriptors of lock files, which is allowed in a child of a
        // multi-threaded process; they are static functions, valid for as long as this library is loaded, and it is never
        // unloaded.
        unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    });
    forks()
}
