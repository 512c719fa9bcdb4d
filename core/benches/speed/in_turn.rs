//! Measures several subjects in turn: in slices of one run, so that a slow moment of the machine affects all of them.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often a thread repeats before it checks whether its slice is over.
const STRIDE: u64 = 256;

/// A call to measure: it repeats until it is stopped, and returns the number of repetitions.
pub(crate) struct Subject<'a>(Box<dyn Fn(&AtomicBool) -> u64 + Sync + 'a>);

/// Makes a subject of a call. The loop around it is compiled for it alone.
pub(crate) fn subject<'a, T>(call: impl Fn() -> T + Sync + 'a) -> Subject<'a> {
    Subject(Box::new(move |stop: &AtomicBool| {
        let mut count = 0;
        while !stop.load(Ordering::Relaxed) {
            for _ in 0..STRIDE {
                black_box(call());
            }
            count += STRIDE;
        }
        count
    }))
}

/// Returns the nanoseconds of one call of each subject in each round, with `threads` threads at it at once.
pub(crate) fn in_turn(subjects: &[&Subject], threads: usize, rounds: usize, slice: Duration) -> Vec<Vec<f64>> {
    let mut nanos = vec![Vec::new(); subjects.len()];
    for round in 0..=rounds {
        for turn in 0..subjects.len() {
            // Each subject comes first in some rounds; what it follows may leave the machine warm or cold.
            let at = (turn + round) % subjects.len();
            let taken = one_slice(subjects[at], threads, slice);
            // The first round warms up.
            if round > 0 {
                nanos[at].push(taken);
            }
        }
    }
    nanos
}

fn one_slice(subject: &Subject, threads: usize, slice: Duration) -> f64 {
    let (stop, start) = (AtomicBool::new(false), Barrier::new(threads + 1));
    let timed = || {
        start.wait();
        let began = Instant::now();
        let count = (subject.0)(&stop);
        (count, began.elapsed())
    };
    let slices: Vec<(u64, Duration)> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(timed)).collect();
        start.wait();
        thread::sleep(slice);
        stop.store(true, Ordering::Relaxed);
        running.into_iter().map(|thread| thread.join().expect("a thread panicked")).collect()
    });
    let count: u64 = slices.iter().map(|(count, _)| count).sum();
    let spent: Duration = slices.iter().map(|(_, spent)| *spent).sum();
    spent.as_nanos() as f64 / count as f64
}
