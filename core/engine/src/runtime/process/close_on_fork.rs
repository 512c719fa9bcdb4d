//! Descriptors that a forked child closes at once: those of lock files.
//!
//! A lock is held for as long as any process has its descriptor open, so a child that outlives its parent would keep
//! the parent's worker id for ever. Closing the child's copy leaves the parent's lock alone.
//!
//! A program may close descriptors that it has not opened (`os.closerange`, `closefrom`), and their numbers soon belong
//! to files of its own. So a number is used or closed only after a look at what is open there.

use super::fork_barrier::ForkGuard;
use super::inode::Inode;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

const NONE: i32 = -1;

/// Taken, but not filled in yet.
const TAKEN: i32 = -2;

/// A static array, because a forked child may neither allocate nor lock while it reads it.
static DESCRIPTORS: [Entry; 4096] = [const { Entry::free() }; 4096];

/// A number, and what was open there.
struct Entry {
    number: AtomicI32,
    device: AtomicU64,
    inode: AtomicU64,
}

impl Entry {
    const fn free() -> Self {
        Self { number: AtomicI32::new(NONE), device: AtomicU64::new(0), inode: AtomicU64::new(0) }
    }

    fn inode(&self) -> Inode {
        Inode::new(self.device.load(Ordering::Relaxed), self.inode.load(Ordering::Relaxed))
    }
}

/// A descriptor that a forked child closes, until this is dropped.
///
/// Made and dropped under a [`ForkGuard`], together with the descriptor.
pub struct CloseOnFork(&'static Entry);

impl CloseOnFork {
    /// Registers a descriptor. Returns `None` if the table is full, or if nothing is open at this number.
    pub fn new(number: RawFd) -> Option<Self> {
        let inode = Inode::of_descriptor(number).ok()?;
        let is_free =
            |entry: &&Entry| entry.number.compare_exchange(NONE, TAKEN, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        let entry = DESCRIPTORS.iter().find(is_free)?;
        let (device, inode) = inode.parts();
        entry.device.store(device, Ordering::Relaxed);
        entry.inode.store(inode, Ordering::Relaxed);
        entry.number.store(number, Ordering::Release);
        Some(Self(entry))
    }

    /// Returns whether the number still belongs to what was registered.
    pub fn is_ours(&self) -> bool {
        Inode::of_descriptor(self.0.number.load(Ordering::Relaxed)).ok() == Some(self.inode())
    }

    /// Returns what was registered.
    pub fn inode(&self) -> Inode {
        self.0.inode()
    }
}

impl Drop for CloseOnFork {
    fn drop(&mut self) {
        self.0.number.store(NONE, Ordering::Release);
    }
}

/// An open file or socket that a forked child closes, and that this process uses and closes only while it is open.
///
/// Made under a [`ForkGuard`], dropped without one.
pub struct OwnDescriptor<T: AsRawFd> {
    registered: ManuallyDrop<CloseOnFork>,
    open: ManuallyDrop<T>,
}

impl<T: AsRawFd> OwnDescriptor<T> {
    /// Registers what was just opened. Returns `None` if the table is full.
    pub fn new(open: T) -> Option<Self> {
        let registered = ManuallyDrop::new(CloseOnFork::new(open.as_raw_fd())?);
        Some(Self { registered, open: ManuallyDrop::new(open) })
    }

    /// Returns the file or socket; `None` if the program has closed it, and its number may be another file's.
    pub fn get(&self) -> Option<&T> {
        self.registered.is_ours().then_some(&*self.open)
    }
}

impl<T: AsRawFd> Drop for OwnDescriptor<T> {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        let _guard = ForkGuard::enter();
        let is_ours = self.registered.is_ours();
        // SAFETY: both are dropped here alone, and not used after it. The registration goes first: once the file is
        // closed, its number may be another file's.
        unsafe {
            ManuallyDrop::drop(&mut self.registered);
            if is_ours {
                ManuallyDrop::drop(&mut self.open);
            }
        }
    }
}

/// Closes all registered descriptors. Called in a forked child.
#[allow(unsafe_code)]
pub(super) fn close_all() {
    for entry in &DESCRIPTORS {
        let number = entry.number.swap(NONE, Ordering::AcqRel);
        if number >= 0 && Inode::of_descriptor(number).ok() == Some(entry.inode()) {
            // SAFETY: close is allowed in a child of a multi-threaded process. The descriptor is a lock file's, which
            // this process neither uses nor closes any more: its owner is a `PerProcess` of the parent.
            unsafe { libc::close(number) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    #[allow(unsafe_code)]
    fn a_number_that_belongs_to_another_file_by_now_is_neither_used_nor_closed() {
        let own = OwnDescriptor::new(tempfile::tempfile().unwrap()).unwrap();
        let (number, theirs): (_, File) = (own.get().unwrap().as_raw_fd(), tempfile::tempfile().unwrap());
        // SAFETY: what was open at the number is not used again.
        assert_eq!(unsafe { libc::dup2(theirs.as_raw_fd(), number) }, number);
        assert!(own.get().is_none());
        drop(own);
        close_all();
        let there = Inode::of_descriptor(number).unwrap();
        assert_eq!(there, Inode::of(&theirs.metadata().unwrap()));
    }

    #[test]
    fn a_child_closes_what_is_registered_and_the_entry_is_free_again() {
        let own = OwnDescriptor::new(tempfile::tempfile().unwrap()).unwrap();
        let number = own.get().unwrap().as_raw_fd();
        close_all();
        assert!(Inode::of_descriptor(number).is_err());
        assert!(own.get().is_none());
    }
}
