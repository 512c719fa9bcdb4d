//! Which place a thread mints at, where a tag's order is relaxed.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

const NONE: usize = usize::MAX;

static NEXT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static NUMBER: Cell<usize> = const { Cell::new(NONE) };
}

/// Returns the number of this thread, counted from the first one that asked.
#[inline]
pub(super) fn of_this_thread() -> usize {
    match NUMBER.get() {
        NONE => number_this_thread(),
        number => number,
    }
}

#[cold]
fn number_this_thread() -> usize {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    NUMBER.set(number);
    number
}

/// Returns how many places a tag has: four for each processor, so that the threads that run at one time seldom share one. From 8 to
/// 64, a power of two; each takes some 300 bytes.
pub(super) fn count() -> usize {
    (4 * available_parallelism().map_or(2, usize::from)).next_power_of_two().clamp(8, 64)
}
