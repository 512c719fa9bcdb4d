//! Small fleets under random faults: no id may come twice, and every process must recover.
//!
//! Processes crash and start again, stop for a while, lose answers and get slow ones, their wall clocks are stepped,
//! and the server goes away. Then all of it ends, and every process must mint.

use crate::application::next_ids;
use crate::ledger::Ledger;
use crate::link::{BEGINNING, Link};
use crate::server::Server;
use crate::store::{Rows, SimulatedStore};
use leafmint::holder::Pace;
use leafmint::{BizTag, OptionValue, SegmentGenerator, SnowflakeGenerator};
use leafmint_backends::rows::{Endpoint, RowHolderSettings, SimulatedRows};
use leafmint_simulation::{HostClock, Process, World, segment_generator, snowflake_generator};
use std::sync::Arc;
use std::time::Duration;

/// The fleet is smaller than the number of worker ids by one, so that a crashed one does not stop the others for long.
const PROCESSES: usize = 5;
const WORKERS: i64 = 6;
const TAGS: [&str; 2] = ["order", "parcel"];

/// How long faults come, and how long a process may take to recover then: until the leases of crashed ones have passed.
const FAULTS: Duration = Duration::from_secs(120);
const RECOVERY: Duration = Duration::from_secs(60);
const PACE: Pace = Pace { lease_duration: Duration::from_secs(20), heartbeat: Duration::from_secs(2) };

/// What all processes of a fleet share.
struct Shared {
    world: World,
    server: Arc<Server>,
    rows: Rows,
    workers: SimulatedRows,
    ledger: Arc<Ledger>,
}

/// A process that mints both kinds of ids.
struct Minter {
    process: Arc<Process>,
    link: Arc<Link>,
    clock: Arc<HostClock>,
    ids: SegmentGenerator,
    flakes: SnowflakeGenerator,
    is_paused: bool,
}

/// Runs a fleet from a seed. Returns what went wrong.
pub(crate) fn run(seed: u64) -> Result<(), String> {
    fastrand::seed(seed);
    let world = World::new();
    let server = Server::start(&world, 500.0);
    let shared =
        Shared { world, server, rows: Rows::default(), workers: SimulatedRows::default(), ledger: Arc::default() };
    let mut minters: Vec<Minter> = (0..PROCESSES).map(|_| Minter::start(&shared)).collect();
    while shared.world.passed() < FAULTS {
        shared.world.run_until(shared.world.passed() + Duration::from_millis(fastrand::u64(1..3000)));
        let chosen = fastrand::usize(..PROCESSES);
        fault(&shared, &mut minters[chosen]);
    }
    shared.server.set_away(false);
    for minter in &mut minters {
        minter.heal();
    }
    shared.world.run_until(FAULTS + RECOVERY);
    shared.ledger.forget_who();
    shared.world.run_until(FAULTS + RECOVERY + Duration::from_secs(5));
    shared.ledger.verdict(PROCESSES, TAGS.len())
}

/// Lets something go wrong.
fn fault(shared: &Shared, minter: &mut Minter) {
    match fastrand::u32(0..12) {
        0 | 1 => {
            minter.process.crash();
            *minter = Minter::start(shared);
        }
        2 => {
            drop(minter.ids.begin_close());
            drop(minter.flakes.begin_close());
            // Some are killed in the middle of the close.
            shared.world.run_until(shared.world.passed() + Duration::from_millis(fastrand::u64(0..50)));
            minter.process.crash();
            *minter = Minter::start(shared);
        }
        3 | 4 => minter.pause_or_resume(),
        5 => minter.link.set_faults(fastrand::u32(0..500), 0),
        6 => minter.link.set_faults(0, fastrand::u32(0..500)),
        7 => minter.link.set_faults(0, 0),
        8 | 9 => minter.clock.step(fastrand::i64(-5_000..5_000)),
        10 => shared.server.set_away(true),
        _ => shared.server.set_away(false),
    }
}

impl Minter {
    /// Starts a process, on a host whose clock is a little wrong.
    fn start(shared: &Shared) -> Self {
        let process = shared.world.process();
        let link = Link::new(process.clone(), shared.server.clone());
        let store = SimulatedStore { rows: shared.rows.clone(), link: link.clone(), step: fastrand::i64(1..100) };
        let options: [(String, OptionValue); 0] = [];
        let ids = segment_generator(Arc::new(store), options.clone(), process.clone()).expect("no option is wrong");
        let clock = Arc::new(HostClock::new(process.clone(), BEGINNING + fastrand::i64(-2_000..2_000)));
        let holder = shared.workers.holder(link.clone(), settings(&process), clock.clone(), process.clone());
        let flakes = snowflake_generator(Arc::new(holder), options, clock.clone(), process.clone());
        let flakes = flakes.expect("no option is wrong");
        for tag in TAGS {
            let biz_tag = ids.biz_tag(tag).expect("the name is right");
            process.run(take_ids(process.clone(), biz_tag, shared.ledger.clone()));
        }
        process.run(take_flakes(process.clone(), flakes.clone(), shared.ledger.clone()));
        Self { process, link, clock, ids, flakes, is_paused: false }
    }

    fn pause_or_resume(&mut self) {
        self.is_paused = !self.is_paused;
        if self.is_paused { self.process.pause() } else { self.process.resume() }
    }

    fn heal(&mut self) {
        if self.is_paused {
            self.pause_or_resume();
        }
        self.link.set_faults(0, 0);
    }
}

fn settings(process: &Process) -> RowHolderSettings {
    RowHolderSettings {
        is_assigned: false,
        namespace: "fleet".into(),
        workers: (0..WORKERS).collect(),
        layout: "leaf".into(),
        endpoint: Endpoint::given(format!("process {}", process.number())),
        pace: PACE,
        file_pace: Pace::LOCAL,
        state_dir: None,
        auto_create: Some(true),
        max_clock_skew: Duration::from_secs(60),
    }
}

async fn take_ids(process: Arc<Process>, tag: BizTag, ledger: Arc<Ledger>) {
    loop {
        process.sleep(Duration::from_millis(fastrand::u64(1..200))).await;
        if let Ok(ranges) = next_ids(&process, &tag, fastrand::i64(1..200), || ()).await {
            ledger.note_ranges(process.number(), tag.name(), ranges);
        }
    }
}

async fn take_flakes(process: Arc<Process>, flakes: SnowflakeGenerator, ledger: Arc<Ledger>) {
    loop {
        process.sleep(Duration::from_millis(fastrand::u64(1..100))).await;
        for _ in 0..fastrand::u32(1..10) {
            match flakes.try_next_id() {
                Ok(Some(id)) => ledger.note_flake(process.number(), id),
                Ok(None) | Err(_) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_id_comes_twice_under_random_faults_and_every_process_recovers() {
        for seed in 1..=30 {
            assert_eq!(super::run(seed), Ok(()), "seed {seed}");
        }
    }
}
