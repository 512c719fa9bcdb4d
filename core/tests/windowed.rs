//! What the option `windowed` promises: unique, ascending ids whose time may lag a little and is never ahead.

mod stores;

use leafmint::{ErrorKind, SnowflakeGenerator};
use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use stores::options;

/// So many sequence numbers that no tick is ever full.
const ROOMY: (&str, &str) = ("layout", "timestamp:41,worker:4,sequence:18");

fn open<const N: usize>(folder: &Path, given: [(&str, &str); N]) -> SnowflakeGenerator {
    let given = options(given).chain(options([("windowed", "true")]));
    SnowflakeGenerator::open(&format!("local:///{}", folder.display()), given).unwrap()
}

fn wall() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

fn ascending(ids: &[i64]) -> bool {
    ids.is_sorted_by(|a, b| a < b)
}

#[test]
fn eight_threads_ascend_each_and_never_meet() {
    for layout in ["leaf", "wide", "timestamp:41,worker:8,sequence:14"] {
        let folder = tempfile::tempdir().unwrap();
        let flakes = open(folder.path(), [("layout", layout)]);
        let all: Vec<i64> = std::thread::scope(|scope| {
            let mint = |number: usize| {
                let flakes = flakes.clone();
                scope.spawn(move || {
                    let mut ids = Vec::new();
                    for turn in 0..5_000 {
                        match (turn + number) % 50 {
                            0 => ids.extend(flakes.next_ids(20).unwrap()),
                            1 => ids.extend(flakes.try_next_id().unwrap()),
                            _ => ids.push(flakes.next_id().unwrap()),
                        }
                    }
                    assert!(ascending(&ids), "{layout}");
                    ids
                })
            };
            let threads: Vec<_> = (0..8).map(mint).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len(), "{layout}");
        assert!(all.iter().all(|id| flakes.decode(*id).unwrap().worker_id == 0));
    }
}

#[test]
fn timestamps_are_never_ahead_of_the_clock_and_lag_by_little() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [ROOMY]);
    flakes.next_id().unwrap();
    let mut lags = Vec::new();
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(500) {
        for _ in 0..500 {
            flakes.next_id().unwrap();
        }
        let before = wall();
        let timestamp = flakes.decode(flakes.next_id().unwrap()).unwrap().timestamp;
        // Both clocks count whole milliseconds, from different moments on.
        assert!(timestamp <= wall() + 1, "{timestamp}");
        lags.push(before - timestamp);
    }
    lags.sort_unstable();
    let usual = lags[lags.len() / 2];
    assert!(usual <= 100, "a timestamp usually lags by {usual} ms");
}

#[test]
fn after_a_pause_the_first_id_is_of_the_present() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [ROOMY]);
    for _ in 0..5 {
        for _ in 0..50_000 {
            flakes.next_id().unwrap();
        }
        std::thread::sleep(Duration::from_millis(500));
        let before = wall();
        let timestamp = flakes.decode(flakes.next_id().unwrap()).unwrap().timestamp;
        assert!(timestamp >= before - 5, "{timestamp} after {before}");
    }
}

#[test]
fn slow_traffic_never_lags() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), []);
    flakes.next_id().unwrap();
    for _ in 0..100 {
        let before = wall();
        let timestamp = flakes.decode(flakes.next_id().unwrap()).unwrap().timestamp;
        assert!(timestamp >= before - 1, "{timestamp} after {before}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_lost_lease_is_replaced_while_threads_mint_and_no_id_comes_twice() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [("workers", "0-3"), ("heartbeat", "20ms")]);
    flakes.next_id().unwrap();
    let until = Instant::now() + Duration::from_millis(400);
    let all: Vec<i64> = std::thread::scope(|scope| {
        let mint = || {
            let mut ids = Vec::new();
            while Instant::now() < until || flakes.stats().leases_lost == 0 {
                ids.extend((0..200).map(|_| flakes.next_id().unwrap()));
            }
            assert!(ascending(&ids));
            ids
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(mint)).collect();
        std::thread::sleep(Duration::from_millis(100));
        for file in std::fs::read_dir(folder.path()).unwrap().flat_map(files) {
            if file.extension().is_some_and(|extension| extension == "lock") {
                std::fs::remove_file(file).unwrap();
            }
        }
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    assert!(flakes.stats().leases_lost >= 1);
}

/// Returns the files of a directory's entry, which may be a directory.
fn files(entry: std::io::Result<std::fs::DirEntry>) -> Vec<std::path::PathBuf> {
    let path = entry.unwrap().path();
    match std::fs::read_dir(&path) {
        Ok(inner) => inner.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => vec![path],
    }
}

#[test]
fn after_the_close_nothing_is_handed_out_and_the_next_owner_goes_on_above() {
    let folder = tempfile::tempdir().unwrap();
    let mut last = 0;
    for _ in 0..5 {
        let flakes = open(folder.path(), [("workers", "5")]);
        let highest = std::thread::scope(|scope| {
            let mint = || {
                let mut last = 0;
                loop {
                    match flakes.next_id() {
                        Ok(id) => last = id,
                        Err(error) if error.kind() == ErrorKind::Closed => return last,
                        Err(error) => panic!("{error}"),
                    }
                }
            };
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(mint)).collect();
            std::thread::sleep(Duration::from_millis(50));
            flakes.close().unwrap();
            threads.into_iter().map(|thread| thread.join().unwrap()).max().unwrap()
        });
        assert_eq!(flakes.try_next_id().unwrap_err().kind(), ErrorKind::Closed);
        assert!(highest > last);
        last = highest;
    }
}
