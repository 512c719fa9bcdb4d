//! Values that belong to one process.

use super::{close_on_fork, fork_barrier};
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// The fork count of no process: none is forked that often.
const UNSET: u32 = u32::MAX;

/// A value of one process. A forked child makes its own on first use and forgets the inherited one.
///
/// In the process that made the value, reading it costs the one load of the fork counter. No thread ever waits for
/// another one here, so a fork at any moment leaves the child nothing to wait for.
pub struct PerProcess<T> {
    forks: u32,
    /// The same, or [`UNSET`] if [`PerProcess::get_fast`] must not return the value.
    fast: u32,
    value: ManuallyDrop<T>,
    /// The value of a child of this process, or of a child's child.
    child: AtomicPtr<PerProcess<T>>,
}

impl<T> PerProcess<T> {
    /// Makes the value of this process.
    pub fn new(value: T) -> Self {
        Self::of(count_forks(), value)
    }

    /// Makes the value of this process, which [`PerProcess::get_fast`] does not return.
    pub(crate) fn new_slow_path(value: T) -> Self {
        let mut made = Self::new(value);
        made.fast = UNSET;
        made
    }

    /// Makes a value for the process that leafmint is first used in, for a static.
    pub const fn first(value: T) -> Self {
        Self::of(0, value)
    }

    /// Makes a static whose first user makes the first value, whatever the process.
    pub const fn unset(value: T) -> Self {
        Self::of(UNSET, value)
    }

    const fn of(forks: u32, value: T) -> Self {
        Self { forks, fast: forks, value: ManuallyDrop::new(value), child: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Returns this process's value. A child that has none yet makes it from the inherited one, of which it may only
    /// read what no other thread could be changing.
    #[inline]
    pub fn get(&self, make: impl FnOnce(&T) -> T) -> &T {
        match self.forks == forks() {
            true => &self.value,
            false => self.get_in_child(make),
        }
    }

    /// Returns the value if this process made it, and not with [`PerProcess::new_slow_path`]: one comparison on a hot
    /// path.
    #[inline]
    pub(crate) fn get_fast(&self) -> Option<&T> {
        (self.fast == forks()).then_some(&*self.value)
    }

    /// Returns the value if this process made it, either way.
    #[inline]
    pub(crate) fn get_if_own(&self) -> Option<&T> {
        (self.forks == forks()).then_some(&*self.value)
    }

    /// Returns this process's value, if it has one.
    pub fn get_if_set(&self) -> Option<&T> {
        let last = self.last();
        (last.forks == forks()).then_some(&*last.value)
    }

    #[cold]
    fn get_in_child(&self, make: impl FnOnce(&T) -> T) -> &T {
        let mut last = self.last();
        if last.forks != forks() {
            let made = Box::into_raw(Box::new(Self::of(forks(), make(&last.value))));
            match last.child.compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => {}
                // Another thread was first, and no thread has seen this one.
                Err(_) => drop(reclaim(made)),
            }
            last = last.last();
        }
        &last.value
    }

    /// Returns the youngest value: this process's, or the one that it inherited.
    #[allow(unsafe_code)]
    fn last(&self) -> &Self {
        let mut last = self;
        // SAFETY: a child pointer is null, or comes from Box::into_raw and is freed only by the drop of this one, which
        // takes it mutably. Acquire pairs with the release that published it.
        while let Some(child) = unsafe { last.child.load(Ordering::Acquire).as_ref() } {
            last = child;
        }
        last
    }
}

impl<T> Drop for PerProcess<T> {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if self.forks == forks() {
            // SAFETY: dropped once, here; the value of any other process is forgotten.
            unsafe { ManuallyDrop::drop(&mut self.value) };
        }
        let child = *self.child.get_mut();
        if !child.is_null() {
            drop(reclaim(child));
        }
    }
}

/// Takes back what `Box::into_raw` gave out.
#[allow(unsafe_code)]
fn reclaim<T>(raw: *mut PerProcess<T>) -> Box<PerProcess<T>> {
    // SAFETY: the callers own the pointer: it was never published, or its owner is being dropped.
    unsafe { Box::from_raw(raw) }
}

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

/// The process that a value was made in.
///
/// A call that a fork interrupted checks it before it touches what it inherited from the parent.
#[derive(Clone, Copy, Debug)]
pub struct Origin(u32);

impl Origin {
    /// Returns the origin of a value that this process makes.
    pub fn here() -> Self {
        Self(count_forks())
    }

    /// Returns whether the value was inherited: this process is a forked child of the one that made it.
    pub(crate) fn is_inherited(self) -> bool {
        forks() != self.0
    }
}
