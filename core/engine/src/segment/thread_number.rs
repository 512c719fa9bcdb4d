//! The number of a thread, which chooses its stripe if a tag's order is relaxed.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

const NONE: usize = usize::MAX;

static NEXT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static NUMBER: Cell<usize> = const { Cell::new(NONE) };
}

/// Returns the number of this thread. Threads are numbered in the order of their first calls.
#[inline]
pub(super) fn thread_number() -> usize {
    match NUMBER.get() {
        NONE => number_cold(),
        number => number,
    }
}

#[cold]
fn number_cold() -> usize {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    NUMBER.set(number);
    number
}
