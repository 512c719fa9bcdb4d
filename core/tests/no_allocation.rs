//! An id in hand costs no allocation.

use crate::allocations;
use leafmint::SegmentGenerator;

#[test]
fn an_id_costs_no_allocation() {
    let ids = SegmentGenerator::open("memory:?default_step=1000000", []).unwrap();
    let order = ids.biz_tag("order").unwrap();
    order.next_id().unwrap();
    let before = allocations::count();
    // This crosses soft limits, at which the need for a refill is judged.
    for _ in 0..350_000 {
        order.next_id().unwrap();
    }
    let after = allocations::count();
    // Waking the refill may allocate: once or twice a segment, not once an id.
    assert!(after - before <= 20, "{} allocations", after - before);
}
