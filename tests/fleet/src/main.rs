//! A fleet in a box: thousands of simulated processes with leafmint's own policies, in simulated time.
//!
//! `leafmint-fleet segments [PROCESSES] [SEED] [MINUTES OF AN OUTAGE ...]`,
//! `leafmint-fleet scale [PROCESSES] [SEED]`, `leafmint-fleet deploy [PROCESSES] [SEED]`,
//! `leafmint-fleet midnight [PROCESSES] [SEED]`, `leafmint-fleet pods [PODS] [SEED]` and
//! `leafmint-fleet faults [SEEDS] [FIRST SEED]`.

mod application;
mod faults;
mod ledger;
mod link;
mod midnight;
mod peers;
mod pods;
mod report;
mod segments;
mod server;
mod store;

use segments::Fleet;
use std::process::ExitCode;
use std::time::Instant;

/// Calls a second that the server answers, for each process.
const CAPACITY: f64 = 0.2;

/// Outages of the store, in minutes, with an hour between them.
const OUTAGES: [u64; 3] = [10, 20, 60];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| arguments.get(at).map_or(default, |text| text.parse().expect("a number"));
    match arguments.first().map(String::as_str) {
        Some("segments") => {
            let outages: Vec<u64> = (3..arguments.len()).map(|at| number(at, 0)).collect();
            segments(number(1, 10_000), number(2, 1), if outages.is_empty() { &OUTAGES } else { &outages });
        }
        Some("scale") => scale(number(1, 10_000), number(2, 1)),
        Some("deploy") => deploy(number(1, 10_000), number(2, 1)),
        Some("pods") => pods(number(1, 10_000), number(2, 1)),
        Some("midnight") => midnight(number(1, 10_000), number(2, 1)),
        Some("faults") => return faults(number(1, 1000), number(2, 1)),
        _ => {
            eprintln!("usage: leafmint-fleet segments|scale|deploy|midnight|pods|faults [NUMBER] [SEED]");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn segments(processes: u64, seed: u64, outages: &[u64]) {
    fastrand::seed(seed);
    let capacity = processes as f64 * CAPACITY;
    println!("{processes} processes x 10 tags, {capacity} calls a second, seed {seed}");
    Fleet::start(processes as usize, capacity).run(outages);
    peers::print(processes as usize);
}

/// Scales a fleet from ten processes to this number in a minute, with ten tags each, and with one hot tag.
fn scale(processes: u64, seed: u64) {
    let capacity = processes as f64 * CAPACITY;
    println!("10 to {processes} processes in a minute, {capacity} calls a second, seed {seed}");
    for (phase, rates) in [("ten tags each", &segments::RATES[..]), ("one hot tag in all", &[100.0])] {
        fastrand::seed(seed);
        Fleet::scale(processes as usize, capacity, rates).print_start(phase);
    }
}

/// Replaces all processes one after another.
fn deploy(processes: u64, seed: u64) {
    fastrand::seed(seed);
    let capacity = processes as f64 * CAPACITY;
    println!("{processes} processes x 10 tags are replaced, {capacity} calls a second, seed {seed}");
    Fleet::start(processes as usize, capacity).print_deploys();
}

/// Lets all processes take numbers of one daily series over midnight.
fn midnight(processes: u64, seed: u64) {
    fastrand::seed(seed);
    let capacity = processes as f64 * CAPACITY;
    println!("{processes} processes x 1 daily series, {capacity} calls a second, seed {seed}");
    midnight::print(processes as usize, capacity);
}

/// Deploys pods with more worker ids than pods, and with fewer.
fn pods(pods: u64, seed: u64) {
    for share in [16_384, 8192] {
        fastrand::seed(seed);
        pods::deploy(pods as usize, (pods * share / 10_000).cast_signed(), pods as f64 * CAPACITY);
    }
}

/// Runs small fleets under faults. Fails if an id came twice, or a process did not recover.
fn faults(seeds: u64, first: u64) -> ExitCode {
    let began = Instant::now();
    let failed: Vec<(u64, String)> =
        (first..first + seeds).filter_map(|seed| faults::run(seed).err().map(|error| (seed, error))).collect();
    for (seed, error) in failed.iter().take(10) {
        println!("seed {seed}: {error}");
    }
    println!("{} of {seeds} fleets failed ({:.0} s)", failed.len(), began.elapsed().as_secs_f64());
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
