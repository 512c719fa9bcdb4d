//! The fork counter: how often this process is removed from the one that loaded leafmint.

use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

static FORKS: AtomicU32 = AtomicU32::new(0);
static HOOK: Once = Once::new();

/// Returns how often this process has been forked since leafmint was first used. One load.
#[inline]
pub(crate) fn forks() -> u32 {
    FORKS.load(Ordering::Relaxed)
}

/// Starts counting, and returns the count so far.
#[allow(unsafe_code)]
pub(crate) fn count_forks() -> u32 {
    extern "C" fn in_child() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
    HOOK.call_once(|| {
        // SAFETY: the handler only adds to an atomic, which is allowed in a child of a multi-threaded process; it is a
        // static function, so it stays valid for as long as this library is loaded, and this library is never unloaded.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
    forks()
}
