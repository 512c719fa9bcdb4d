//! How close a snowflake generator comes to its layout's cap of 4096 ids a millisecond, over seconds.

use crate::figure::{Goal, tell};
use leafmint::SnowflakeGenerator;
use std::error::Error;
use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

/// As near as a machine that is shared comes: half a per cent below 4096.
const CAP: f64 = 4075.0;

pub(crate) fn run(quick: bool) -> Result<(), Box<dyn Error>> {
    let time = Duration::from_millis(if quick { 300 } else { 4000 });
    let folder = tempfile::tempdir()?;
    let flakes = SnowflakeGenerator::open(&format!("local:///{}", folder.path().display()), [])?;
    flakes.next_id()?;
    for threads in [1, 2, 8] {
        eprintln!("cap, {threads} threads");
        let counts = mint(&flakes, threads, time);
        let total: u64 = counts.iter().sum();
        let (rate, least) = (total as f64 / time.as_secs_f64() / 1e3, *counts.iter().min().expect("a thread"));
        let share = 100.0 * least as f64 / total as f64;
        let s = if threads == 1 { "" } else { "s" };
        let what = format!("Rust snowflake next_id at the layout's cap, {threads} thread{s}");
        tell(&what, rate, "ids/ms", Goal::AtLeast(CAP), &format!("over {} s", time.as_secs_f64()));
        if threads > 1 {
            let goal = if threads == 2 { Goal::AtLeast(25.0) } else { Goal::None };
            tell(&format!("{what}: the least thread's share"), share, "%", goal, &format!("of {total} ids"));
        }
    }
    flakes.close()?;
    Ok(())
}

/// Returns how many ids each thread minted within the time.
fn mint(flakes: &SnowflakeGenerator, threads: usize, time: Duration) -> Vec<u64> {
    let start = Barrier::new(threads);
    let one = || {
        start.wait();
        let (until, mut count) = (Instant::now() + time, 0);
        while Instant::now() < until {
            black_box(flakes.next_id().expect("an id"));
            count += 1;
        }
        count
    };
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        running.into_iter().map(|thread| thread.join().expect("a thread panicked")).collect()
    })
}
