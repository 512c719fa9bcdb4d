//! Bounds on the ids that are leased ahead.

use crate::database::{create, memory};
use std::time::Duration;

#[test]
fn max_unused_is_never_passed() {
    let ids = memory([("max_unused", "300"), ("default_step", "100")]);
    let order = ids.biz_tag("order").unwrap();
    for _ in 0..20_000 {
        order.next_id().unwrap();
        let unused = ids.stats().tags[0].1.unused;
        assert!(unused <= 300, "{unused}");
    }
}

#[test]
fn the_ids_leased_stay_in_proportion_to_the_ids_used() {
    let ids = memory([]);
    let order = create(&ids, "order", 100);
    for _ in 0..200 {
        order.next_ids(1000).unwrap();
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(20));
    let stats = &ids.stats().tags[0].1;
    let ratio = stats.leased as f64 / stats.issued as f64;
    assert!(ratio <= 2.6, "{stats:?}");
    assert!(stats.unused as f64 >= 0.5 * stats.issued as f64, "an outage is survived: {stats:?}");
}
