//! Promises of the store over sequences, on a real server: one file per topic.

mod blocks;
mod durability;
mod leases;
mod refusals;

use crate::stores::postgres::{number, sql};
use crate::stores::{options, postgres_url, unique};
use leafmint::SegmentGenerator;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Other writers, which draw values until this is dropped.
struct Others {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<Vec<i64>>>,
}

impl Others {
    /// Starts threads that draw this many values with each statement.
    fn draw(sequence: &Sequence, threads: usize, values: usize) -> Self {
        let one = format!("SELECT nextval('\"{sequence}\"') FROM generate_series(1, {values})");
        Self::run(threads, &one)
    }

    /// Starts threads that draw without a pause, and return the last value of each statement alone.
    fn rush(sequence: &Sequence) -> Self {
        Self::run(3, &format!("SELECT max(nextval('\"{sequence}\"')) FROM generate_series(1, 500000)"))
    }

    fn run(threads: usize, statement: &str) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let start = || {
            let (is_over, statement) = (is_over.clone(), statement.to_owned());
            std::thread::spawn(move || {
                let mut drawn = Vec::new();
                while !is_over.load(Ordering::Relaxed) {
                    drawn.extend(sql(&statement).iter().map(|value| value.parse::<i64>().unwrap()));
                }
                drawn
            })
        };
        let threads = (0..threads).map(|_| start()).collect();
        Self { is_over, threads }
    }

    /// Ends the threads and returns what they drew.
    fn end(mut self) -> Vec<i64> {
        self.is_over.store(true, Ordering::Relaxed);
        std::mem::take(&mut self.threads).into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    }
}

impl Drop for Others {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// A sequence, dropped at the end of a test.
struct Sequence(String);

impl Sequence {
    /// Makes a sequence with these words behind its name.
    fn made(words: &str) -> Self {
        let name = unique("orders_seq");
        sql(&format!("CREATE SEQUENCE \"{name}\" {words}"));
        Self(name)
    }

    fn alter(&self, words: &str) {
        sql(&format!("ALTER SEQUENCE \"{self}\" {words}"));
    }

    /// Draws a value, as another writer does.
    fn next(&self) -> i64 {
        number(&format!("SELECT nextval('\"{self}\"')"))
    }

    fn open<const N: usize>(&self, given: [(&str, &str); N]) -> SegmentGenerator {
        open_at(&postgres_url(), &self.0, given)
    }
}

impl std::fmt::Display for Sequence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Drop for Sequence {
    fn drop(&mut self) {
        sql(&format!("DROP SEQUENCE IF EXISTS \"{self}\" CASCADE"));
    }
}

/// Opens a generator whose leases are small, so that a test has many.
fn open_at<const N: usize>(url: &str, sequence: &str, given: [(&str, &str); N]) -> SegmentGenerator {
    let small = [("sequence", sequence), ("default_step", "100"), ("max_step", "100"), ("timeout", "20s")];
    leafmint::open::segment(url, options(small).chain(options(given))).unwrap()
}
