//! Bounds on the ids that are leased ahead.

use super::database::memory;
use crate::stores::{self, options};
use leafmint::Want;
use leafmint::store::MemoryStore;
use leafmint_simulation::{World, segment_generator};
use std::sync::Arc;
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
    let world = World::new();
    let store = MemoryStore::open(&stores::unique("proportion"));
    let ids = segment_generator(Arc::new(store), options([("default_step", "100")]), world.process()).unwrap();
    let order = ids.biz_tag("order").unwrap();
    for second in 1..=200 {
        let mut wait = order.begin(Want::Many(1000), None).unwrap();
        let mut is_in_hand = wait.poll().unwrap().is_some();
        // The first lease brings a step, and the call then asks for the rest.
        for half in [2 * second - 1, 2 * second] {
            world.run_until(half * Duration::from_millis(500));
            is_in_hand = is_in_hand || wait.poll().unwrap().is_some();
        }
        assert!(is_in_hand, "second {second}");
        let stats = order.stats();
        assert!(second < 10 || 10 * stats.leased <= 26 * stats.issued, "second {second}: {stats:?}");
    }
    let stats = order.stats();
    assert!(2 * stats.unused >= stats.issued, "an outage is survived: {stats:?}");
}
