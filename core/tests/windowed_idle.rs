//! A windowed generator that nobody draws from wakes nobody up. Alone in its process, whose background thread it counts.

mod stores;

use leafmint::SnowflakeGenerator;
use std::fs;
use std::time::{Duration, Instant};
use stores::options;

/// Returns how often the background thread has gone to sleep so far.
fn sleeps() -> u64 {
    let tasks = fs::read_dir("/proc/self/task").unwrap().map(|task| task.unwrap().path());
    let of_background = tasks.filter(|task| fs::read_to_string(task.join("comm")).is_ok_and(|name| name.trim() == "leafmint"));
    of_background
        .filter_map(|task| fs::read_to_string(task.join("status")).ok())
        .filter_map(|status| {
            status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")?.trim().parse::<u64>().ok())
        })
        .sum()
}

#[test]
fn the_ticker_ticks_while_ids_are_drawn_and_then_sleeps() {
    let folder = tempfile::tempdir().unwrap();
    let given =
        [("windowed", "true"), ("layout", "timestamp:41,worker:4,sequence:18"), ("lease_duration", "1h"), ("heartbeat", "10m")];
    let flakes = SnowflakeGenerator::open(&format!("local:///{}", folder.path().display()), options(given)).unwrap();
    for _ in 0..3 {
        let before = sleeps();
        let began = Instant::now();
        // Also on a machine that is slow to run the ticker: until it has ticked.
        while sleeps() < before + 10 {
            assert!(began.elapsed() < Duration::from_secs(30), "nobody ticks");
            for _ in 0..10_000 {
                flakes.next_id().unwrap();
            }
        }
        // However late the last ticks are.
        let mut idle = sleeps();
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            std::thread::sleep(Duration::from_millis(300));
            let now = sleeps();
            if now == idle {
                break;
            }
            assert!(Instant::now() < deadline, "somebody goes on waking up");
            idle = now;
        }
        // Once a second nothing: what other tasks of the background thread do is far less often.
        std::thread::sleep(Duration::from_secs(1));
        assert!(sleeps() <= idle + 2, "{} wake-ups of an idle generator", sleeps() - idle);
    }
}
