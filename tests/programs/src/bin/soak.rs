//! Mints until standard input ends, in the soak test.
//!
//! `soak URL TAG|- IDS STATUS RATE SEED`: two threads share one generator; each appends every id to a file of its own,
//! as a little-endian 64-bit word, before it takes the next batch, and a line of JSON to a status file twice a second.
//! RATE is the number of ids a second of both. `-` mints snowflakes.

use leafmint::Result;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Source<'a> = &'a (dyn Fn(i64) -> Result<Vec<i64>> + Sync);

static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> std::result::Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, tag, ..] = arguments.as_slice() else { return Err("usage: soak URL TAG IDS STATUS RATE SEED".into()) };
    thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        STOP.store(true, Ordering::Relaxed);
    });
    if tag == "-" {
        let flakes = leafmint::open::snowflake(url, [])?;
        mint_in_two_threads(&arguments, &|size| match size {
            1 => Ok(vec![flakes.next_id()?]),
            _ => flakes.next_ids(size),
        })?;
        flakes.close()?;
    } else {
        let ids = leafmint::open::segment(url, [])?;
        let order = ids.biz_tag(tag)?;
        mint_in_two_threads(&arguments, &|size| match size {
            1 => Ok(vec![order.next_id()?]),
            100 => Ok(order.next_range(size)?.collect()),
            _ => order.next_ids(size),
        })?;
        ids.close()?;
    }
    Ok(())
}

fn mint_in_two_threads(arguments: &[String], source: Source) -> std::result::Result<(), Failure> {
    let [_, _, ids, status, rate, seed] = arguments else { return Err("six arguments are needed".into()) };
    let (rate, seed): (f64, u64) = (rate.parse()?, seed.parse()?);
    thread::scope(|scope| {
        let threads = [0, 1].map(|number| {
            let (ids, status) = (append(&format!("{ids}.thread{number}")), append(&format!("{status}.thread{number}")));
            scope.spawn(move || mint(source, ids?, status?, rate / 2.0, seed + number))
        });
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread panicked")?)
    })
}

fn append(path: &str) -> std::io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

fn mint(source: Source, mut ids: File, mut status: File, rate: f64, seed: u64) -> std::result::Result<(), Failure> {
    let mut chance = seed | 1;
    let (mut count, mut longest, mut errors) = (0_usize, Duration::ZERO, BTreeMap::<&str, u64>::new());
    let mut began = Instant::now();
    let mut reported = began;
    let mut bytes = Vec::new();
    while !STOP.load(Ordering::Relaxed) {
        // A linear congruential generator is random enough for batch sizes.
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let size = [1, 1, 10, 100, 1000][(chance >> 33) as usize % 5];
        let asked = Instant::now();
        let drawn = source(size).unwrap_or_else(|error| {
            let times = errors.entry(error.kind().code()).or_default();
            *times += 1;
            if *times == 1 {
                eprintln!("{}: {error}", error.kind().code());
            }
            thread::sleep(Duration::from_millis(10));
            Vec::new()
        });
        longest = longest.max(asked.elapsed());
        bytes.clear();
        bytes.extend(drawn.iter().flat_map(|id| id.to_le_bytes()));
        ids.write_all(&bytes)?;
        count += drawn.len();
        if reported.elapsed() > Duration::from_millis(500) {
            reported = Instant::now();
            report(&mut status, count, longest, &errors)?;
        }
        let due = Duration::from_secs_f64(count as f64 / rate);
        let spent = began.elapsed();
        if due > spent + Duration::from_millis(2) {
            thread::sleep(due - spent);
        } else if spent > due + Duration::from_secs(1) {
            // Ids missed while none could be minted are not made up for.
            began += spent - due;
        }
    }
    report(&mut status, count, longest, &errors)?;
    Ok(())
}

fn report(status: &mut File, count: usize, longest: Duration, errors: &BTreeMap<&str, u64>) -> std::io::Result<()> {
    let errors: Vec<String> = errors.iter().map(|(code, count)| format!("\"{code}\": {count}")).collect();
    let (longest, errors) = (longest.as_secs_f64(), errors.join(", "));
    writeln!(status, r#"{{"ids": {count}, "longest_wait": {longest:.3}, "errors": {{{errors}}}}}"#)
}
