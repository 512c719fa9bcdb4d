//! Simulated time: hours pass at once, processes pause and crash, and the code that leases is the real one.

use crate::stores::options;
use leafmint::SegmentGenerator;
use leafmint::store::MemoryStore;
use leafmint_simulation::{Process, World, segment_generator};
use std::sync::Arc;
use std::time::Duration;

fn open(process: &Arc<Process>, store: &str) -> SegmentGenerator {
    segment_generator(Arc::new(MemoryStore::open(store)), options([]), process.clone()).unwrap()
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn tasks_go_on_in_the_order_of_their_moments_and_hours_pass_at_once() {
    let (world, order) = (World::new(), Arc::new(std::sync::Mutex::new(Vec::new())));
    for (number, hours) in [(0, 3), (1, 1), (2, 2), (3, 1)] {
        let (process, order) = (world.process(), order.clone());
        let sleeper = process.clone();
        process.run(async move {
            sleeper.sleep(seconds(3600 * hours)).await;
            order.lock().unwrap().push((number, sleeper.passed()));
        });
    }
    world.run_until(seconds(7200));
    let expected = [(1, seconds(3600)), (3, seconds(3600)), (2, seconds(7200))];
    assert_eq!(*order.lock().unwrap(), expected);
    assert_eq!(world.passed(), seconds(7200));
}

#[test]
fn a_paused_process_leases_nothing_until_it_goes_on() {
    let world = World::new();
    let process = world.process();
    let ids = open(&process, "paused");
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.try_next_id(), Ok(None));
    process.pause();
    world.run_until(seconds(60));
    assert_eq!(order.try_next_id(), Ok(None));
    process.resume();
    world.run_until(seconds(61));
    assert_eq!(order.try_next_id(), Ok(Some(1)));
}

#[test]
fn a_closed_process_gives_its_ids_back_and_a_crashed_one_does_not() {
    let world = World::new();
    for (store, crashes, next) in [("closed", false, 2), ("crashed", true, 1001)] {
        let process = world.process();
        let ids = open(&process, store);
        let order = ids.biz_tag("order").unwrap();
        assert_eq!(order.try_next_id(), Ok(None));
        world.run_until(world.passed() + seconds(1));
        assert_eq!(order.try_next_id(), Ok(Some(1)));
        if crashes {
            process.crash();
        }
        drop((ids, order));
        world.run_until(world.passed() + seconds(1));
        let order = open(&world.process(), store).biz_tag("order").unwrap();
        assert_eq!(order.try_next_id(), Ok(None));
        world.run_until(world.passed() + seconds(1));
        assert_eq!(order.try_next_id(), Ok(Some(next)), "{store}");
    }
}
