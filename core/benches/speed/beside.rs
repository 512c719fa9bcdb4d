//! Measures a few things beside each other: in slices of one run, in turn, so that a slow moment of the machine hits
//! all of them.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often a thread repeats before it looks whether its slice is over.
const STRIDE: u64 = 256;

/// One thing to measure: it repeats until it is stopped, and returns how often it did.
pub(crate) struct Subject<'a> {
    pub(crate) name: &'static str,
    repeat: Box<dyn Fn(&AtomicBool) -> u64 + Sync + 'a>,
}

/// Makes a subject of a call. The loop around it is compiled for it alone.
pub(crate) fn subject<'a, T>(name: &'static str, call: impl Fn() -> T + Sync + 'a) -> Subject<'a> {
    let repeat = move |stop: &AtomicBool| {
        let mut count = 0;
        while !stop.load(Ordering::Relaxed) {
            for _ in 0..STRIDE {
                black_box(call());
            }
            count += STRIDE;
        }
        count
    };
    Subject { name, repeat: Box::new(repeat) }
}

/// Returns the median nanoseconds of one call of each subject, with so many threads at it at once.
pub(crate) fn beside(subjects: &[Subject], threads: usize, rounds: usize, slice: Duration) -> Vec<f64> {
    let mut nanos = vec![Vec::new(); subjects.len()];
    for round in 0..=rounds {
        for turn in 0..subjects.len() {
            // Each subject comes first in some rounds; what it follows may leave the machine warm or cold.
            let at = (turn + round) % subjects.len();
            let taken = one_slice(&subjects[at], threads, slice);
            // The first round warms up.
            if round > 0 {
                nanos[at].push(taken);
            }
        }
    }
    nanos.into_iter().map(median).collect()
}

fn one_slice(subject: &Subject, threads: usize, slice: Duration) -> f64 {
    let (stop, start) = (AtomicBool::new(false), Barrier::new(threads + 1));
    let timed = || {
        start.wait();
        let began = Instant::now();
        let count = (subject.repeat)(&stop);
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

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
