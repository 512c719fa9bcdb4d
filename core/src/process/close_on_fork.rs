//! Descriptors that a forked child closes at once: those of lock files.
//!
//! A lock is held for as long as any process has its descriptor open, so a child that outlives its parent would keep
//! the parent's worker id for ever. Closing the child's copy leaves the parent's lock alone.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicI32, Ordering};

const NONE: i32 = -1;

/// A static array, because a forked child may neither allocate nor lock while it reads it.
static DESCRIPTORS: [AtomicI32; 4096] = [const { AtomicI32::new(NONE) }; 4096];

/// A descriptor that a forked child closes, until this is dropped.
///
/// Made and dropped under a [`ForkGuard`](super::ForkGuard), together with the descriptor.
pub(crate) struct CloseOnFork(usize);

impl CloseOnFork {
    /// Registers a descriptor. Returns `None` if the table is full.
    pub(crate) fn new(descriptor: RawFd) -> Option<Self> {
        let free =
            |entry: &AtomicI32| entry.compare_exchange(NONE, descriptor, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        DESCRIPTORS.iter().position(free).map(Self)
    }
}

impl Drop for CloseOnFork {
    fn drop(&mut self) {
        DESCRIPTORS[self.0].store(NONE, Ordering::Release);
    }
}

/// Closes all registered descriptors. Called in a forked child.
#[allow(unsafe_code)]
pub(super) fn close_all() {
    for entry in &DESCRIPTORS {
        let descriptor = entry.swap(NONE, Ordering::AcqRel);
        if descriptor != NONE {
            // SAFETY: close is allowed in a child of a multi-threaded process. The descriptor is a lock file's, which
            // this process neither uses nor closes any more: its owner is a `PerProcess` of the parent.
            unsafe { libc::close(descriptor) };
        }
    }
}
