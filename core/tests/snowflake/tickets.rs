//! The rate that the layout allows: ticks that are used up.

use super::open;
use leafmint::{ErrorKind, Want};
use std::collections::{HashMap, HashSet};
use std::time::Duration;

#[test]
fn one_thread_and_four_threads_reach_the_full_rate_of_a_layout() {
    for threads in [1, 4] {
        let folder = tempfile::tempdir().unwrap();
        let flakes = open(folder.path(), [("layout", "timestamp:41,worker:10,sequence:6"), ("sequence_jitter", "0")]);
        let ids: Vec<i64> = std::thread::scope(|scope| {
            let mint =
                || (0..20_000).map(|_| flakes.next_id_within(Duration::from_secs(60)).unwrap()).collect::<Vec<_>>();
            let minting: Vec<_> = (0..threads).map(|_| scope.spawn(mint)).collect();
            minting.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        let mut ticks = HashMap::<i64, usize>::new();
        for id in &ids {
            *ticks.entry(flakes.decode(*id).unwrap().timestamp).or_default() += 1;
        }
        // Ticks that pass while the threads are not scheduled have fewer ids, or none.
        let full = ticks.values().filter(|ids| **ids == 64).count();
        assert!(2 * full > ticks.len(), "{threads} threads: {full} of {} ticks are full", ticks.len());
        assert!(ticks.values().all(|ids| *ids <= 64));
    }
}

#[test]
fn a_call_that_times_out_in_a_used_up_tick_raises_rate_exceeded() {
    let folder = tempfile::tempdir().unwrap();
    let hours =
        open(folder.path(), [("layout", "timestamp:20,worker:10,sequence:4,unit:1h"), ("sequence_jitter", "0")]);
    let mut minted = HashSet::new();
    let full = loop {
        match hours.next_id_within(if minted.is_empty() { Duration::from_secs(5) } else { Duration::from_millis(20) }) {
            Ok(id) => assert!(minted.insert(id)),
            Err(error) => break error,
        }
    };
    // Two ticks if the hour ended in between.
    assert!(minted.len() == 16 || minted.len() == 32, "{minted:?}");
    let batch = hours.begin(Want::Many(3), None, Some(Duration::from_millis(20))).unwrap().finish().unwrap_err();
    for error in [full, batch] {
        assert_eq!(error.kind(), ErrorKind::RateExceeded, "{error}");
        assert!(error.kind().retryable() && error.message().contains("16 per tick"), "{error}");
    }
}
