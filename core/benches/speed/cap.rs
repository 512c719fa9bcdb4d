//! How close a snowflake generator comes to its layout's cap of 4096 ids per millisecond.

use crate::measurement::{Group, Role, report};
use leafmint::SnowflakeGenerator;
use std::error::Error;
use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

const THREADS: [usize; 3] = [1, 2, 8];
const HOW: &str = "next_id(), local:, timestamp:41,worker:10,sequence:12";

pub(crate) fn run(quick: bool) -> Result<(), Box<dyn Error>> {
    let (rounds, time) = if quick { (1, Duration::from_millis(100)) } else { (7, Duration::from_secs(1)) };
    let folder = tempfile::tempdir()?;
    let flakes = leafmint::open::snowflake(&format!("local:{}", folder.path().display()), [])?;
    flakes.next_id()?;
    let (mut rates, mut shares) = ([const { Vec::new() }; THREADS.len()], [const { Vec::new() }; THREADS.len()]);
    for round in 1..=rounds {
        eprintln!("Rust, snowflake at the cap, round {round} of {rounds}");
        for (at, threads) in THREADS.into_iter().enumerate() {
            let began = Instant::now();
            let counts = mint(&flakes, threads, time);
            let spent = began.elapsed();
            let (total, least) = (counts.iter().sum::<u64>() as f64, *counts.iter().min().expect("a thread"));
            rates[at].push(total / spent.as_secs_f64() / 1e3);
            shares[at].push(100.0 * least as f64 / total);
        }
    }
    flakes.close()?;
    for (at, threads) in THREADS.into_iter().enumerate() {
        let group = |name| Group { name, threads: Some(threads) };
        report(&group("snowflake at the cap"), "leafmint", Role::Leafmint, "ids/ms", &rates[at], HOW);
        if threads > 1 {
            let group = group("snowflake at the cap, least thread's share");
            report(&group, "leafmint", Role::Leafmint, "%", &shares[at], HOW);
        }
    }
    Ok(())
}

/// Returns the number of ids that each thread minted within the time.
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
