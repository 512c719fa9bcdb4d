//! The background thread can be ended when the last generator is gone. The test counts threads, so it needs a
//! process.

use leafmint::binding::end_background;
use std::fs;
use std::time::{Duration, Instant};

fn background_threads() -> usize {
    let tasks = fs::read_dir("/proc/self/task").unwrap().map(|task| task.unwrap().path());
    tasks.filter(|task| fs::read_to_string(task.join("comm")).is_ok_and(|name| name.trim() == "leafmint")).count()
}

#[test]
fn the_background_thread_ends_after_the_closes_under_way_and_starts_again() {
    for first in 1..=3 {
        let ids = leafmint::open::segment("memory://ended", []).unwrap();
        assert_eq!(ids.biz_tag("order").unwrap().next_id(), Ok(first), "unused ids were given back");
        assert_eq!(background_threads(), 1);
        drop(ids);
        end_background();
        let deadline = Instant::now() + Duration::from_secs(20);
        while background_threads() > 0 {
            assert!(Instant::now() < deadline, "the thread goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
