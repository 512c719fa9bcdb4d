//! Servers that are killed and started again under load, and one that comes back with another increment.

use super::{BLOCK, drawn_by, open_at, options, refusal};
use crate::stores::wait_until;
use leafmint::{ErrorKind, SegmentGenerator};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Two servers of a test's own, which it may kill.
struct Pair {
    program: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    url: String,
}

impl Pair {
    /// Starts servers with the tag `order`.
    fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/servers/tickets.py");
        let mut command = Command::new("python3");
        command.args([script, "--controlled"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut program = command.spawn().unwrap();
        let (input, output) = (program.stdin.take(), BufReader::new(program.stdout.take().unwrap()));
        let mut pair = Self { program, input, output, url: String::new() };
        pair.url = pair.read();
        let ids = open_at(&pair.url, []);
        ids.init_schema().unwrap().wait().unwrap();
        ids.create_tag("order").unwrap().wait().unwrap();
        pair
    }

    /// Does `kill`, or `start` with options, to one of the servers.
    fn order(&mut self, server: usize, order: &str) {
        writeln!(self.input.as_mut().unwrap(), "{server} {order}").unwrap();
        assert_eq!(self.read(), "done");
    }

    fn read(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.program.wait();
    }
}

/// Ends the minting, also if the test fails.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Mints until the end, and returns the ids and the longest call. Counts the calls by the server whose ids they got
/// last.
fn mint(ids: &SegmentGenerator, ended: &AtomicBool, served: &[AtomicUsize; 2]) -> (Vec<i64>, Duration) {
    let (order, mut minted, mut longest) = (ids.biz_tag("order").unwrap(), Vec::new(), Duration::ZERO);
    while !ended.load(Ordering::Relaxed) {
        let asked = Instant::now();
        minted.extend(order.next_ids(50).unwrap());
        longest = longest.max(asked.elapsed());
        served[(drawn_by(minted[minted.len() - 1]) - 1) as usize].fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(5));
    }
    (minted, longest)
}

/// Number of times that a server is killed: `make soak` asks for more.
fn rounds() -> usize {
    std::env::var("LEAFMINT_ROUNDS").map_or(2, |rounds| rounds.parse().unwrap())
}

#[test]
fn a_server_that_is_killed_and_comes_back_in_each_round_costs_no_error_and_no_id_twice() {
    let mut pair = Pair::start();
    let (ended, served, url) = (AtomicBool::new(false), <[AtomicUsize; 2]>::default(), pair.url.clone());
    let minted: Vec<(Vec<i64>, Duration)> = std::thread::scope(|scope| {
        let minting = |_| scope.spawn(|| mint(&open_at(&url, []), &ended, &served));
        let threads: Vec<_> = (0..4).map(minting).collect();
        let end = End(&ended);
        for round in 0..rounds() {
            std::thread::sleep(Duration::from_millis(500));
            pair.order(round % 2, "kill");
            std::thread::sleep(Duration::from_millis(500));
            let other = &served[(round + 1) % 2];
            let before = other.load(Ordering::Relaxed);
            wait_until("the other server does not serve", || other.load(Ordering::Relaxed) > before);
            pair.order(round % 2, "start");
        }
        drop(end);
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(minted.iter().all(|(ids, _)| ids.windows(2).all(|pair| pair[0] < pair[1])), "they ascend");
    let all: Vec<i64> = minted.iter().flat_map(|(ids, _)| ids).copied().collect();
    let distinct: HashSet<i64> = all.iter().copied().collect();
    let by_server = [1, 2].map(|offset| all.iter().filter(|id| drawn_by(**id) == offset).count());
    let longest = minted.iter().map(|(_, longest)| longest).max().unwrap();
    println!("{} rounds, {} ids, by server {by_server:?}, longest call {longest:?}", rounds(), all.len());
    assert_eq!(distinct.len(), all.len());
    assert!(by_server.iter().all(|count| *count > 0), "{by_server:?}");
}

#[test]
fn both_killed_waits_and_a_server_restored_with_another_increment_is_refused_by_name() {
    let mut pair = Pair::start();
    let ids = leafmint::open::segment(&pair.url, options([("max_step", "100"), ("timeout", "1s")])).unwrap();
    let order = ids.biz_tag("order").unwrap();
    let first = order.next_id_within(Duration::from_secs(20)).unwrap();
    (0..2).for_each(|server| pair.order(server, "kill"));
    let error = order.next_ids(10 * BLOCK).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable, "{error}");
    pair.order(0, "start");
    let later = (0..3 * BLOCK).map(|_| order.next_id_within(Duration::from_secs(20)).unwrap());
    let second = later.last().unwrap();
    assert!(first < second && drawn_by(second) == 1, "{first} {second}");
    pair.order(1, "start --auto-increment-increment=3 --auto-increment-offset=1");
    let got = open_at(&pair.url, []).biz_tag("order").unwrap().next_ids(300).unwrap();
    assert!(got.iter().all(|id| drawn_by(*id) == 1), "the other serves");
    pair.order(0, "kill");
    let (_, text) = refusal(&open_at(&pair.url, [("timeout", "5s")]), "order");
    assert!(
        text.contains("has auto_increment_increment=3 and auto_increment_offset=1, but 10 and 2 are pinned"),
        "{text}"
    );
}
