//! A rolling deploy of pods that mint snowflakes, with worker ids leased from rows.

use crate::link::{BEGINNING, Link};
use crate::report::{Calls, row};
use crate::server::Server;
use leafmint::holder::Pace;
use leafmint::{OptionValue, SnowflakeGenerator};
use leafmint_backends::rows::{Endpoint, RowHolderSettings, SimulatedRows};
use leafmint_simulation::{HostClock, Process, World, snowflake_generator};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A hundredth of the pods is replaced at a time, so often.
const BATCHES: usize = 100;
const EVERY: Duration = Duration::from_secs(5);

/// Of a hundred pods, how many are killed without giving their worker id back.
const KILLED: u32 = 5;

/// What happened to the pods of one wave.
#[derive(Default)]
struct Seen {
    /// How long each pod waited for its worker id, in seconds.
    waits: Vec<f64>,
    workers: BTreeSet<i64>,
}

struct Pod {
    process: Arc<Process>,
    flakes: SnowflakeGenerator,
}

struct Deploy {
    world: World,
    server: Arc<Server>,
    rows: SimulatedRows,
    workers: i64,
    seen: Arc<Mutex<Seen>>,
}

/// Starts pods, replaces them all, and prints what that cost.
pub(crate) fn deploy(pods: usize, workers: i64, capacity: f64) {
    let world = World::new();
    let server = Server::start(&world, capacity);
    let deploy = Deploy { world, server, rows: SimulatedRows::default(), workers, seen: Arc::default() };
    let batch = (pods / BATCHES).max(1);
    println!("{pods} pods, {workers} worker ids, {batch} started every {} s, {KILLED} % killed", EVERY.as_secs());
    let mut running: Vec<Pod> = Vec::new();
    for first in (0..pods).step_by(batch) {
        running.extend((first..pods.min(first + batch)).map(|_| deploy.start_pod()));
        deploy.pass(EVERY);
    }
    deploy.report("first start", pods, Duration::ZERO);
    let began = deploy.world.passed();
    for chunk in running.chunks_mut(batch) {
        chunk.iter_mut().for_each(|pod| deploy.replace(pod));
        deploy.pass(EVERY);
    }
    deploy.pass(Duration::from_secs(60));
    deploy.report("rolling deploy", pods, began);
    let began = deploy.world.passed();
    deploy.pass(Duration::from_secs(900));
    deploy.report("15 minutes after it", 0, began);
}

impl Deploy {
    fn pass(&self, time: Duration) {
        self.world.run_until(self.world.passed() + time);
    }

    fn start_pod(&self) -> Pod {
        let process = self.world.process();
        let link = Link::new(process.clone(), self.server.clone());
        let clock = Arc::new(HostClock::new(process.clone(), BEGINNING + fastrand::i64(-50..50)));
        let settings = RowHolderSettings {
            is_assigned: false,
            namespace: "fleet".into(),
            workers: (0..self.workers).collect(),
            layout: "timestamp:41,worker:14,sequence:8".into(),
            endpoint: Endpoint::given(format!("pod {}", process.number())),
            pace: Pace::LEASE,
            file_pace: Pace::LOCAL,
            state_dir: None,
            auto_create: Some(true),
            max_clock_skew: Duration::from_secs(10),
        };
        let holder = self.rows.holder(link, settings, clock.clone(), process.clone());
        let options = [("layout".to_owned(), OptionValue::from("timestamp:41,worker:14,sequence:8"))];
        let flakes = snowflake_generator(Arc::new(holder), options, clock, process.clone()).expect("options are right");
        process.run(use_flakes(process.clone(), flakes.clone(), self.seen.clone()));
        Pod { process, flakes }
    }

    /// Ends a pod, by a close or a kill, and starts another one.
    fn replace(&self, pod: &mut Pod) {
        let old = std::mem::replace(pod, self.start_pod());
        if fastrand::u32(0..100) < KILLED {
            old.process.crash();
            return;
        }
        drop(old.flakes.begin_close());
        let process = old.process.clone();
        old.process.run(async move {
            // Kubernetes waits for longer.
            process.sleep(Duration::from_secs(10)).await;
            process.crash();
        });
    }

    fn report(&self, phase: &str, started: usize, from: Duration) {
        let Seen { mut waits, workers } = std::mem::take(&mut *self.seen.lock().expect("no panic"));
        waits.sort_by(f64::total_cmp);
        let at = |share: usize| waits.get(waits.len() * share / 100).or(waits.last()).copied().unwrap_or_default();
        let calls = Calls::of(&self.server.calls(from, self.world.passed()));
        let served = waits.len();
        let figures = format!(
            "{calls}; {served} of {started} got a worker id, {} different ones, after {:.3} s (p50), {:.3} s (p99), {:.1} s (longest)",
            workers.len(),
            at(50),
            at(99),
            waits.last().copied().unwrap_or_default()
        );
        println!("{}", row(phase, &figures));
    }
}

/// Waits for the first id, then looks in every minute.
async fn use_flakes(process: Arc<Process>, flakes: SnowflakeGenerator, seen: Arc<Mutex<Seen>>) {
    let began = process.passed();
    while !matches!(flakes.try_next_id(), Ok(Some(_))) {
        process.sleep(Duration::from_millis(fastrand::u64(1..100))).await;
    }
    let mut seen = seen.lock().expect("no panic");
    seen.waits.push((process.passed() - began).as_secs_f64());
    seen.workers.extend(flakes.worker_id());
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn pods_without_a_worker_id_ask_seldom_and_take_one_within_seconds_once_it_is_free() {
        fastrand::seed(1);
        let world = World::new();
        let server = Server::start(&world, 1000.0);
        let deploy = Deploy { world, server, rows: SimulatedRows::default(), workers: 10, seen: Arc::default() };
        let mut pods: Vec<Pod> = (0..20).map(|_| deploy.start_pod()).collect();
        deploy.pass(2 * MINUTE);
        let calls = |from| deploy.server.calls(from, deploy.world.passed()).iter().sum::<u32>();
        assert_eq!(deploy.seen.lock().unwrap().waits.len(), 10, "as many as there are worker ids");
        let before = deploy.world.passed();
        deploy.pass(MINUTE);
        let heartbeats = 10 * (MINUTE.as_secs() / Pace::LEASE.heartbeat.as_secs()) as u32;
        let asked = calls(before) - heartbeats.min(calls(before));
        assert!((10..=10 * 12 * 2).contains(&asked), "10 pods called {asked} times in a minute");
        let holds = pods.iter().position(|pod| pod.flakes.worker_id().is_some()).unwrap();
        drop(pods.swap_remove(holds).flakes.begin_close());
        deploy.pass(Duration::from_secs(10));
        assert_eq!(deploy.seen.lock().unwrap().waits.len(), 11);
    }
}
