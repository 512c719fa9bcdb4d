//! Counts what the tests allocate, and refuses what is too large.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static MOST: Cell<usize> = const { Cell::new(usize::MAX) };
}

static LARGEST: AtomicUsize = AtomicUsize::new(0);

/// Returns the number of allocations of this thread so far.
pub(crate) fn count() -> u64 {
    COUNT.get()
}

/// Runs a call, and returns its result and the size of the largest allocation of any thread during it.
pub(crate) fn largest<T>(call: impl FnOnce() -> T) -> (T, usize) {
    LARGEST.store(0, Ordering::Relaxed);
    let result = call();
    (result, LARGEST.load(Ordering::Relaxed))
}

/// Runs a call to which this thread's allocator refuses more than `most` bytes at once.
pub(crate) fn with_at_most<T>(most: usize, call: impl FnOnce() -> T) -> T {
    MOST.set(most);
    let result = call();
    MOST.set(usize::MAX);
    result
}

struct Counting;

// SAFETY: every call goes to the system allocator unchanged, or gets null; what is counted is in plain thread-locals
// without a destructor, and the size is an atomic number.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        if layout.size() > MOST.get() {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc`, which is the system allocator's too.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from the system allocator, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
