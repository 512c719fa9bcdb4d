//! Measures the memory that this thread has allocated.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes allocated now, and the most so far.
    static LIVE: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

/// Runs some work, and returns its result with the most bytes that it had allocated at any moment.
pub(super) fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    LIVE.set((0, 0));
    let result = work();
    (result, LIVE.get().1.unsigned_abs())
}

struct Counting;

fn count(bytes: isize) {
    let (live, most) = LIVE.get();
    LIVE.set((live + bytes, most.max(live + bytes)));
}

// SAFETY: every call goes to the system allocator unchanged; the counter is a plain thread-local without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc`, which is the system allocator's too.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the pointer came from the system allocator, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
