//! Measures the core against the machine's own limits. `make bench` runs it; by hand:
//!
//! `cargo bench -p leafmint-tests --bench speed -- PART [--quick]`, where PART is `hot`, `numbers`, `public`, `cap`,
//! `memory`, `store`, or `refill URL SECONDS_OF_A_ROUND_TRIP apart|cold|ready`. One line of JSON per subject goes to
//! standard output, progress to standard error.

mod cap;
mod hot;
mod in_turn;
mod measurement;
mod memory;
mod numbers;
mod public;
mod refill;
mod store;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo adds its own `--bench`.
    let mut arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    arguments.retain(|argument| argument != "--quick");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["hot"] => hot::run(quick),
        ["numbers"] => numbers::run(quick),
        ["public"] => public::run(quick),
        ["cap"] => cap::run(quick),
        ["memory"] => memory::run(),
        ["store"] => store::run(),
        ["refill", url, round_trip, start] => refill::run(url, round_trip.parse()?, start.parse()?, quick),
        _ => {
            Err("usage: speed hot|numbers|public|cap|memory|store|refill URL SECONDS apart|cold|ready [--quick]".into())
        }
    }
}
