//! What a thread does until its tick comes.

use super::open;
use std::time::{Duration, Instant};

/// Returns the processor time of this process so far, in seconds.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit(") ").next().unwrap().split(' ').skip(11).take(2);
    fields.map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

#[test]
fn waiting_for_a_tick_is_sleep() {
    // At 32 ids per millisecond a thread is idle most of the time.
    let folder = tempfile::tempdir().unwrap();
    let slow = open(folder.path(), [("layout", "timestamp:41,worker:10,sequence:5"), ("sequence_jitter", "0")]);
    let (began, before) = (Instant::now(), processor_time());
    while began.elapsed() < Duration::from_secs(2) {
        slow.next_id().unwrap();
    }
    let share = (processor_time() - before) / began.elapsed().as_secs_f64();
    assert!(share < 0.5, "processor time is {share} of wall time");
}
