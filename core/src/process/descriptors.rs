//! The descriptors that a forked child closes at once: those of lock files.
//!
//! A lock is held for as long as any process has its descriptor open, so a child that outlives its parent would keep the parent's
//! worker id for ever. Closing the child's copy leaves the parent's lock alone.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicI32, Ordering};

const NONE: i32 = -1;

/// A static array, because nothing may be allocated or locked where it is read.
static DESCRIPTORS: [AtomicI32; 4096] = [const { AtomicI32::new(NONE) }; 4096];

/// A descriptor that a forked child closes, until this is dropped. To be made and dropped within a `Whole`, together with the
/// descriptor.
pub(crate) struct Registered(usize);

impl Registered {
    /// Returns `None` where there are too many.
    pub(crate) fn new(descriptor: RawFd) -> Option<Self> {
        let free = |place: &AtomicI32| place.compare_exchange(NONE, descriptor, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        DESCRIPTORS.iter().position(free).map(Self)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        DESCRIPTORS[self.0].store(NONE, Ordering::Release);
    }
}

/// Called in a forked child.
#[allow(unsafe_code)]
pub(super) fn close_all() {
    for place in &DESCRIPTORS {
        let descriptor = place.swap(NONE, Ordering::AcqRel);
        if descriptor != NONE {
            // SAFETY: close is allowed in a child of a multi-threaded process, and the descriptor is a lock file's, which nobody
            // uses or closes in this process any more: its owner is a `PerProcess` of the parent.
            unsafe { libc::close(descriptor) };
        }
    }
}
