//! An id in hand costs no allocation.
#![allow(unsafe_code)]

use leafmint::SegmentGenerator;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Counts the allocations of this thread.
struct Counting;

// SAFETY: every call goes to the system allocator unchanged; the counter is a plain thread-local without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
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

#[test]
fn an_id_costs_no_allocation() {
    let ids = SegmentGenerator::open("memory:?default_step=1000000", []).unwrap();
    let order = ids.biz_tag("order").unwrap();
    order.next_id().unwrap();
    let before = ALLOCATIONS.with(Cell::get);
    // This crosses soft limits, at which the need for a refill is judged.
    for _ in 0..350_000 {
        order.next_id().unwrap();
    }
    let after = ALLOCATIONS.with(Cell::get);
    // Waking the refill may allocate: once or twice a segment, not once an id.
    assert!(after - before <= 20, "{} allocations", after - before);
}
