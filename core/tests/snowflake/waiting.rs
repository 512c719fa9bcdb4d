//! What a thread does until its tick comes.

use super::open;
use leafmint::{ErrorKind, Want};
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

#[test]
fn a_close_ends_a_wait_for_a_tick_that_is_far_away() {
    let folder = tempfile::tempdir().unwrap();
    let hours =
        open(folder.path(), [("layout", "timestamp:20,worker:10,sequence:4,unit:1h"), ("sequence_jitter", "0")]);
    // The ids of two ticks, in case that an hour ends now.
    let waiting = std::thread::spawn({
        let hours = hours.clone();
        move || (0..33).find_map(|_| hours.next_id_within(Duration::from_secs(60)).err())
    });
    std::thread::sleep(Duration::from_millis(500));
    let closed = Instant::now();
    hours.close().unwrap();
    assert_eq!(waiting.join().unwrap().unwrap().kind(), ErrorKind::Closed);
    assert!(closed.elapsed() < Duration::from_secs(30), "{:?}", closed.elapsed());
}

#[test]
fn ids_that_are_used_up_to_the_horizon_are_a_rate_exceeded_and_not_a_missing_worker_id() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [("layout", "timestamp:41,worker:10,sequence:1"), ("sequence_jitter", "0")]);
    flakes.next_id().unwrap();
    for _ in 0..5 {
        // Calls that are willing to wait take the tickets of all the time that is reserved.
        for _ in 0..20_000 {
            flakes.begin(Want::One, None, Some(Duration::from_secs(60))).unwrap().poll().unwrap();
        }
        for error in [
            flakes.next_id_within(Duration::from_millis(3)).unwrap_err(),
            flakes.begin(Want::Many(9), None, Some(Duration::from_millis(3))).unwrap().finish().unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::RateExceeded, "{error}");
        }
    }
}
