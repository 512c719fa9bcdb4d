//! One thread and four threads reach the cap of a layout, and a thread that waits for a tick sleeps. The benchmarks
//! measure the rate on a quiet machine. Alone in its process, whose processor time it measures.

use leafmint::SnowflakeGenerator;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const TRIES: usize = 15;
/// Ids of one tick of the layout `leaf`.
const FULL: usize = 4096;

fn open(folder: &tempfile::TempDir, layout: &str) -> SnowflakeGenerator {
    let url = format!("local:///{}?sequence_jitter=0&layout={layout}", folder.path().display());
    let flakes = SnowflakeGenerator::open(&url, []).unwrap();
    flakes.next_id().unwrap();
    flakes
}

/// Mints from this number of threads. Returns the number of ticks with all their ids, and of all ticks with ids.
fn full_ticks(flakes: &SnowflakeGenerator, threads: usize) -> (usize, usize) {
    let ids: Vec<i64> = std::thread::scope(|scope| {
        let mint = || (0..400 * FULL / threads).map(|_| flakes.next_id().unwrap()).collect::<Vec<_>>();
        let minting: Vec<_> = (0..threads).map(|_| scope.spawn(mint)).collect();
        minting.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let mut ticks = BTreeMap::<i64, usize>::new();
    for id in ids {
        *ticks.entry(id >> 22).or_default() += 1;
    }
    assert!(ticks.values().all(|count| *count <= FULL), "no tick has more ids than its sequence numbers");
    (ticks.values().filter(|count| **count == FULL).count(), ticks.len())
}

/// Returns the processor time of this process so far, in seconds.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit(") ").next().unwrap().split(' ').skip(11).take(2);
    fields.map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

#[test]
fn the_cap_of_4096_ids_a_millisecond_is_reached_and_waiting_for_a_tick_is_sleep() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(&folder, "leaf");
    for threads in [1, 4] {
        // A thread that is not scheduled in time comes late to a tick. The ticks after that one are full.
        let most = |(full, touched): &(usize, usize)| full * 2 > *touched;
        let found = (0..TRIES).map(|_| full_ticks(&flakes, threads)).find(most);
        let (full, touched) = found
            .unwrap_or_else(|| panic!("{threads} threads: fewer than half of the ticks are full in {TRIES} tries"));
        println!("{threads} threads: {full} of {touched} ticks have all {FULL} ids");
    }

    // At 32 ids per millisecond a thread is idle most of the time.
    let folder = tempfile::tempdir().unwrap();
    let slow = open(&folder, "timestamp:41,worker:10,sequence:5");
    let (began, before) = (Instant::now(), processor_time());
    while began.elapsed() < Duration::from_secs(2) {
        slow.next_id().unwrap();
    }
    let share = (processor_time() - before) / began.elapsed().as_secs_f64();
    assert!(share < 0.5, "processor time is {share} of wall time");
}
