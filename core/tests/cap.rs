//! One thread and four threads reach the cap of a layout. A matter of speed: `make test-all` runs it, optimised.
#![allow(missing_docs)]

use leafmint::SnowflakeGenerator;
use std::collections::BTreeMap;

const TRIES: usize = 15;
/// Ids of one tick of the layout `leaf`.
const FULL: usize = 4096;

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

#[test]
fn the_cap_of_4096_ids_a_millisecond_is_reached() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("local:{}?sequence_jitter=0", folder.path().display());
    let flakes = leafmint::open::snowflake(&url, []).unwrap();
    flakes.next_id().unwrap();
    for threads in [1, 4] {
        // A thread that is not scheduled in time comes late to a tick. The ticks after that one are full.
        let most = |(full, touched): &(usize, usize)| full * 2 > *touched;
        let found = (0..TRIES).map(|_| full_ticks(&flakes, threads)).find(most);
        let (full, touched) = found
            .unwrap_or_else(|| panic!("{threads} threads: fewer than half of the ticks are full in {TRIES} tries"));
        println!("{threads} threads: {full} of {touched} ticks have all {FULL} ids");
    }
}
