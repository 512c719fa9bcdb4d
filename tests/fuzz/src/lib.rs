//! A small fuzzer on stable Rust. It is part of the unit tests, so that targets reach private items.
//!
//! A target is a function of bytes that panics if a promise is broken. It returns what happened, such as the error's
//! message. The driver mutates the inputs of a corpus, and keeps a mutation that makes something new happen. An
//! ordinary test run is short and always the same; `make fuzz` runs each target for LEAFMINT_FUZZ_SECONDS from a random
//! seed.

mod allocation;
mod mutate;

mod text;

use leafmint_ids::error::{Error, ErrorKind};
use leafmint_ids::panics::{IS_A_BUG, message_of};
use mutate::Mutator;

use std::any::Any;
use std::collections::HashSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Executions of each target in an ordinary test run.
const SHORT: u64 = 500;
const MOST_INPUTS: usize = 4096;
const LONGEST_INPUT: usize = 20_000;
/// Most bytes that a target may have allocated at any moment: a constant part, and a part per byte of input.
const BASE: usize = 256 << 10;
const PER_BYTE: usize = 64;
const MOST_SHRINKS: usize = 2000;

/// Runs a target on its corpus, `core/tests/corpus/NAME.txt`, on `seeds`, and on mutations of both.
pub fn fuzz(name: &str, seeds: Vec<Vec<u8>>, target: impl Fn(&[u8]) -> String) {
    let run = Run::of_environment();
    let mut inputs: Vec<Vec<u8>> = text::read(&corpus(name)).into_iter().chain(seeds).collect();
    assert!(!inputs.is_empty(), "the corpus of {name} is empty");
    let mut seen = HashSet::new();
    for input in &inputs {
        seen.insert(feature(&check(name, &run, input, &target)));
    }
    let mut mutator = Mutator::new(run.seed);
    let (began, mut executions) = (Instant::now(), 0);
    while run.goes_on(executions, began) {
        let input = mutator.mutate(&inputs, LONGEST_INPUT);
        executions += 1;
        if seen.insert(feature(&check(name, &run, &input, &target))) && inputs.len() < MOST_INPUTS {
            inputs.push(input);
        }
    }
    let (kinds, seconds) = (seen.len(), began.elapsed().as_secs());
    println!("fuzz {name}: {executions} executions in {seconds} s, seed {}, {kinds} kinds of outcome", run.seed);
}

/// Asserts what holds for every refusal: one of these kinds, and a message of one line and bounded length.
pub fn assert_refusal(error: &Error, kinds: &[ErrorKind]) {
    let message = error.message();
    assert!(kinds.contains(&error.kind()), "{:?}: {message}", error.kind());
    assert!(!message.chars().any(char::is_control), "a control character in {message:?}");
    assert!(!message.is_empty() && message.chars().count() <= 4096, "{} characters", message.chars().count());
}

struct Run {
    seed: u64,
    duration: Option<Duration>,
}

impl Run {
    fn of_environment() -> Self {
        let number = |name| std::env::var(name).ok().map(|text| text.parse().expect(name));
        let duration = number("LEAFMINT_FUZZ_SECONDS").map(Duration::from_secs);
        let seed = number("LEAFMINT_FUZZ_SEED");
        Self { seed: seed.unwrap_or_else(|| if duration.is_some() { fastrand::u64(..) } else { 1 }), duration }
    }

    fn goes_on(&self, executions: u64, began: Instant) -> bool {
        self.duration.map_or(executions < SHORT, |duration| began.elapsed() < duration)
    }
}

fn corpus(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/tests/corpus").join(name).with_extension("txt")
}

/// Runs the target; if it fails, reports the shortest input found that still fails.
fn check(name: &str, run: &Run, input: &[u8], target: &impl Fn(&[u8]) -> String) -> String {
    let outcome = attempt(input, target);
    outcome.unwrap_or_else(|failure| {
        let (input, failure) = shrink(input.to_vec(), failure, target);
        let (line, hex) = (text::to_line(&input), text::to_hex(&input));
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../../target/fuzz/{name}-{:08x}", crc32fast::hash(&input)));
        let written = file.parent().map(fs::create_dir_all).and_then(|_| fs::write(&file, &input).ok());
        let place = written.map_or("no file could be written".to_owned(), |()| file.display().to_string());
        panic!(
            "fuzz {name}, seed {}: {failure}\ninput ({} bytes): {place}\nhex: {hex}\nline for the corpus: {line}",
            run.seed,
            input.len()
        );
    })
}

fn attempt(input: &[u8], target: &impl Fn(&[u8]) -> String) -> Result<String, String> {
    let most = BASE + PER_BYTE * input.len();
    let (outcome, peak) = allocation::peak(|| catch_unwind(AssertUnwindSafe(|| target(input))));
    let outcome = outcome.map_err(message)?;
    if peak > most {
        return Err(format!("{peak} bytes were allocated for an input of {}", input.len()));
    }
    Ok(outcome)
}

fn message(panic: Box<dyn Any + Send>) -> String {
    message_of(panic).replace(IS_A_BUG, "")
}

/// Removes pieces as long as the target still fails.
fn shrink(mut input: Vec<u8>, mut failure: String, target: &impl Fn(&[u8]) -> String) -> (Vec<u8>, String) {
    let (mut piece, mut attempts) = (input.len() / 2, 0);
    while piece > 0 {
        let mut at = 0;
        while at + piece <= input.len() && attempts < MOST_SHRINKS {
            attempts += 1;
            let shorter = [&input[..at], &input[at + piece..]].concat();
            match attempt(&shorter, target) {
                Err(still) => (input, failure) = (shorter, still),
                Ok(_) => at += piece,
            }
        }
        piece /= 2;
    }
    (input, failure)
}

/// Returns a hash of what happened, without the numbers and names that differ between inputs.
fn feature(outcome: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let letters = outcome.bytes().filter(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
    letters.take(300).for_each(|byte| byte.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(target: impl Fn(&[u8]) -> String) -> String {
        let run = Run { seed: 1, duration: None };
        let panic = catch_unwind(AssertUnwindSafe(|| check("itself", &run, b"abcdefgh", &target))).unwrap_err();
        message(panic)
    }

    #[test]
    fn a_broken_promise_is_reported_with_the_shortest_input() {
        let message = failure(|input| {
            assert!(!input.contains(&b'f'), "an f");
            String::new()
        });
        assert!(
            message.contains("seed 1: an f") && message.contains("hex: 66") && message.ends_with("corpus: f"),
            "{message}"
        );
    }

    #[test]
    fn an_input_that_costs_too_much_memory_is_reported() {
        let message = failure(|_| "x".repeat(2 * BASE));
        assert!(message.contains("bytes were allocated"), "{message}");
    }
}
