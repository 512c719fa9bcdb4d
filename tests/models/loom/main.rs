//! Ids and tickets under every interleaving of threads, one file per topic.
//!
//! The source files are compiled here against the atomics and the mutex of loom, so what is checked is what runs.
#![allow(missing_docs, dead_code, unreachable_pub, clippy::single_range_in_vec_init)]

#[path = "../../../core/engine/src/segment/buffer.rs"]
mod buffer;
#[path = "../../../core/engine/src/limit_cell.rs"]
mod limit_cell;
mod segment;
mod snowflake {
    mod tickets;
}
#[path = "../../../core/engine/src/segment/stripes.rs"]
mod stripes;
mod sync;
#[path = "../../../core/engine/src/snowflake/tickets.rs"]
mod tickets;

use loom::thread::JoinHandle;

/// Explores every interleaving with at most three preemptions, which is enough for such bugs to show.
fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut explorer = loom::model::Builder::new();
    explorer.preemption_bound = Some(3);
    explorer.check(model);
}

/// Joins the threads and checks that each drew in ascending order and none drew what another did; returns all, sorted.
fn collect(threads: Vec<JoinHandle<Vec<i64>>>) -> Vec<i64> {
    let mut all = Vec::new();
    for thread in threads {
        let drawn = thread.join().unwrap();
        assert!(drawn.is_sorted_by(|a, b| a < b), "a thread saw {drawn:?}");
        all.extend(drawn);
    }
    all.sort_unstable();
    assert!(all.is_sorted_by(|a, b| a < b), "handed out twice: {all:?}");
    all
}
