//! An id in hand costs no allocation, and a formatted number none but its text.

use crate::allocations;
use leafmint::SegmentGenerator;
use leafmint::id::{CalendarDate, Format, NumberParts};

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

#[test]
fn a_formatted_number_costs_no_allocation_but_its_text() {
    let format = Format::new("{key}-{yy}{month}{day}-{number}-{check:mod37_36}").unwrap();
    let date = CalendarDate::new(2026, 11, 25).unwrap();
    let parts = NumberParts { number: 42, date: Some(date), key: Some("shop-7"), shard: None };
    let before = allocations::count();
    for number in 0..1000 {
        format.format(&NumberParts { number, ..parts }).unwrap();
    }
    assert_eq!(allocations::count() - before, 1000);
}
