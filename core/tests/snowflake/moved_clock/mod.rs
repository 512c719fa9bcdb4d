//! Generators over a directory, on a clock that the test moves.

mod clock;
mod counter;
mod keepalive;
mod turns;
mod wait;

use leafmint::SnowflakeGenerator;
use leafmint::clock::{Clock, ManualClock};
use leafmint::holder::Pace;
use leafmint::snowflake::{ClockPolicy, ClockRollback, Settings};
use leafmint_backends::directory::{DirectoryHolder, DirectorySettings, HostScope};
use leafmint_engine::runtime::background::real_time;
use leafmint_ids::layout::Layout;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The wall clock at the start of a test, in Unix milliseconds.
pub(super) const START: i64 = 1_793_491_200_000;
pub(super) const HOUR: i64 = 3_600_000;
/// The heartbeat of the generators.
pub(super) const BEAT: Duration = Duration::from_millis(20);

pub(super) fn open(folder: &Path, clock: &Arc<ManualClock>, rollback: ClockRollback) -> SnowflakeGenerator {
    open_any(folder, clock, rollback, vec![7])
}

pub(super) fn open_any(
    folder: &Path,
    clock: &Arc<ManualClock>,
    rollback: ClockRollback,
    workers: Vec<i64>,
) -> SnowflakeGenerator {
    open_jittering(folder, clock, rollback, workers, 0)
}

/// Opens worker id 7 as `fixed:7` does, for one process of the host at a time.
pub(super) fn open_fixed(folder: &Path, clock: &Arc<ManualClock>, namespace: &str) -> SnowflakeGenerator {
    let on_host = HostScope { namespace: namespace.to_owned(), tick: Layout::default().unit() };
    let holder = DirectorySettings { on_host: Some(on_host), name: "fixed", ..directory(folder, vec![7]) };
    open_over(holder, clock, ClockRollback::Continue, 0)
}

pub(super) fn open_jittering(
    folder: &Path,
    clock: &Arc<ManualClock>,
    rollback: ClockRollback,
    workers: Vec<i64>,
    jitter: i64,
) -> SnowflakeGenerator {
    open_over(directory(folder, workers), clock, rollback, jitter)
}

fn directory(folder: &Path, workers: Vec<i64>) -> DirectorySettings {
    DirectorySettings {
        directory: folder.to_owned(),
        workers: workers.into_iter().collect(),
        layout: Layout::default().fingerprint(),
        endpoint: "test".into(),
        pace: Pace { lease_duration: Duration::from_secs(3), heartbeat: BEAT },
        name: "local",
        on_host: None,
    }
}

fn open_over(
    holder: DirectorySettings,
    clock: &Arc<ManualClock>,
    rollback: ClockRollback,
    jitter: i64,
) -> SnowflakeGenerator {
    let moved = clock;
    let clock: Arc<dyn Clock> = clock.clone();
    let settings = Settings {
        layout: Layout::default(),
        datacenter_id: 0,
        timeout: Duration::from_secs(8),
        clock: ClockPolicy { rollback, max_clock_lead: Duration::from_secs(7200) },
        jitter,
        eager: false,
        close_at_exit: true,
    };
    let flakes = SnowflakeGenerator::new(
        Arc::new(DirectoryHolder::new(holder, clock.clone())),
        settings,
        clock.clone(),
        real_time(),
    );
    if clock.has_counter() {
        use_counter(&flakes, moved);
    }
    flakes
}

/// Lets time pass until ids are stamped by the counter.
fn use_counter(flakes: &SnowflakeGenerator, clock: &ManualClock) {
    eventually("the counter is in use", || {
        clock.pass(50);
        let _ = flakes.try_next_id();
        flakes.stamps_by_counter()
    });
}

/// A clock without a counter and one with, to run a test on.
pub(super) fn clocks() -> [Arc<ManualClock>; 2] {
    [ManualClock::at(START), ManualClock::with_counter(START)].map(Arc::new)
}

pub(super) fn timestamp(flakes: &SnowflakeGenerator, id: i64) -> i64 {
    flakes.decode(id).unwrap().timestamp
}

/// Waits until a condition holds that a heartbeat brings about.
pub(super) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
