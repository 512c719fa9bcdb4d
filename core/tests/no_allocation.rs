//! An id in hand costs no allocation, and a formatted number, a public id and a scrambled number none but its text.

use crate::allocations;
use leafmint::format::{CalendarDate, Format, NumberParts};
use leafmint::{IdKeys, PublicIds, ScrambledNumbers};

#[test]
fn an_id_costs_no_allocation() {
    let ids = leafmint::open::segment("memory:?default_step=1000000", []).unwrap();
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

/// Returns the number of allocations of a thousand calls.
fn allocations_of(mut call: impl FnMut(i64)) -> u64 {
    let before = allocations::count();
    (0..1000).for_each(&mut call);
    allocations::count() - before
}

#[test]
fn a_public_id_costs_no_allocation_but_its_text() {
    let keys = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
    let orders = PublicIds::new("order", &IdKeys::parse(keys).unwrap()).unwrap();
    assert_eq!(allocations_of(|id| drop(orders.encode(id).unwrap())), 1000);
    let text = orders.encode(42).unwrap();
    assert_eq!(allocations_of(|_| assert_eq!(orders.decode(&text), Ok(42))), 0);
    let (mut column, mut ids) = (vec![0; 100 * orders.length()], [42; 100]);
    assert_eq!(allocations_of(|_| orders.encode_column(&ids, &mut column).unwrap()), 0);
    assert_eq!(allocations_of(|_| orders.decode_column(&column, &mut ids).unwrap()), 0);
}

#[test]
fn a_scrambled_number_costs_no_allocation_but_its_text() {
    let keys = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
    let format = Format::new("M-{number:8}-{check:damm}").unwrap();
    let members = ScrambledNumbers::new("member", &IdKeys::parse(keys).unwrap(), None, &format).unwrap();
    assert_eq!(allocations_of(|id| drop(members.encode(id).unwrap())), 1000);
}
