//! A fleet that uses segments: a cold start, the steady state, and outages of the store.

use crate::application::{Meter, Seen, use_ids};
use crate::link::Link;
use crate::report::{Calls, row};
use crate::server::Server;
use crate::store::{Rows, SimulatedStore};
use leafmint::OptionValue;
use leafmint::SegmentGenerator;
use leafmint::simulation::{World, segment_generator};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The ids a second that a process takes of each of its tags.
pub(crate) const RATES: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

/// The `step` column of every tag.
pub(crate) const STEP: i64 = 1000;

/// A fleet, and the server that it uses.
pub(crate) struct Fleet {
    world: World,
    server: Arc<Server>,
    /// Calls that the server answers in a second.
    capacity: f64,
    generators: Vec<SegmentGenerator>,
    meter: Arc<Meter>,
}

/// Ids leased and used.
#[derive(Clone, Copy)]
struct Ids {
    leased: i64,
    used: i64,
}

impl Fleet {
    /// Starts all processes within a second.
    pub(crate) fn start(processes: usize, capacity: f64) -> Self {
        let world = World::new();
        let server = Server::start(&world, capacity);
        let (rows, meter) = (Rows::default(), Arc::new(Meter::default()));
        let tags = (processes * RATES.len()) as u64;
        meter.unserved.store(tags, Ordering::Relaxed);
        meter.begin_phase(tags);
        let mut generators = Vec::new();
        for _ in 0..processes {
            let process = world.process();
            let link = Link::new(process.clone(), server.clone());
            let store = SimulatedStore { rows: rows.clone(), link, step: STEP };
            let options: [(String, OptionValue); 0] = [];
            let ids = segment_generator(Arc::new(store), options, process.clone()).expect("the options are right");
            for (number, rate) in RATES.into_iter().enumerate() {
                let tag = ids.biz_tag(&format!("tag-{number}")).expect("the name is right");
                let (process, meter) = (process.clone(), meter.clone());
                process.clone().run(async move {
                    process.sleep(Duration::from_secs_f64(fastrand::f64())).await;
                    // No two processes have the same load.
                    use_ids(process, tag, rate * (0.75 + fastrand::f64() / 2.0), meter).await;
                });
            }
            generators.push(ids);
        }
        Self { world, server, capacity, generators, meter }
    }

    /// Prints the rows of the report.
    pub(crate) fn run(&self, outages: &[u64]) {
        let start = Duration::ZERO;
        self.world.run_until(minutes(5));
        self.report("cold start, 5 minutes", start, self.meter.take());
        println!("{}", row("  all served after", &after(self.meter.all_served(), start)));
        self.world.run_until(minutes(60));
        self.report("growing, up to 1 hour", minutes(5), self.meter.take());
        let before = self.ids();
        println!("{}", row("  leased per id used", &format!("{:.2}", before.leased as f64 / before.used as f64)));
        self.world.run_until(minutes(120));
        self.report("steady, second hour", minutes(60), self.meter.take());
        let ids = self.ids();
        println!("{}", row("  leased per id used", &format!("{:.2}", ids.leased as f64 / ids.used as f64)));
        let calls = self.server.calls(minutes(60), minutes(120));
        let steady = Calls::of(&calls);
        let busiest = calls.chunks(10).map(|seconds| Calls::of(seconds).mean).fold(0.0, f64::max);
        println!("{}", row("  its busiest 10 s", &format!("{:.2} times the mean", busiest / steady.mean)));
        for outage in outages {
            self.outage(minutes(*outage), steady);
        }
    }

    /// Takes the server away, and looks at what comes after.
    fn outage(&self, lasts: Duration, steady: Calls) {
        let began = self.world.passed();
        self.server.set_away(true);
        self.world.run_until(began + lasts);
        self.report(&format!("outage of {} minutes", lasts.as_secs() / 60), began, self.meter.take());
        let without = self.meter.unserved.load(Ordering::Relaxed);
        self.meter.begin_phase(without);
        println!("{}", row("  tags without ids at its end", &without.to_string()));
        let back = self.world.passed();
        self.server.set_away(false);
        self.world.run_until(back + minutes(5));
        self.report("  5 minutes after it", back, self.meter.take());
        let served = after(self.meter.all_served(), back);
        println!(
            "{}",
            row(
                "  all served after",
                &format!("{served}; {:.1} s of the server's time", without as f64 / self.capacity)
            )
        );
        let calls = self.server.calls(back, back + minutes(5));
        // Means of ten seconds: in small fleets single seconds differ by chance.
        let busy = 10 * calls.chunks(10).filter(|seconds| Calls::of(seconds).mean > 2.0 * steady.mean).count();
        let due = (steady.mean * lasts.as_secs_f64()).min((self.generators.len() * RATES.len()) as f64) / self.capacity;
        let busy = format!("{busy} s; what became due is {due:.0} s of the server's time");
        println!("{}", row("  above twice the steady load for", &busy));
        self.world.run_until(back + minutes(55));
        self.meter.take();
    }

    fn report(&self, phase: &str, from: Duration, seen: Seen) {
        let to = self.world.passed();
        let calls = Calls::of(&self.server.calls(from, to));
        let connections = Calls::of(&self.server.connections(from, to));
        let wasted = self.server.wasted(from, to);
        let figures =
            format!("{calls}, {wasted} for callers that had given up; connections {connections}; {}", Waits(&seen));
        println!("{}", row(phase, &figures));
    }

    fn ids(&self) -> Ids {
        let mut ids = Ids { leased: 0, used: 0 };
        for generator in &self.generators {
            for (_, tag) in generator.stats().tags {
                ids.leased += tag.leased;
                ids.used += tag.issued;
            }
        }
        ids
    }
}

struct Waits<'a>(&'a Seen);

impl std::fmt::Display for Waits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Seen { waits, errors } = self.0;
        let Some(longest) = waits.last() else { return write!(f, "no wait, {errors} errors") };
        let at = |share: usize| waits[(waits.len() * share / 100).min(waits.len() - 1)];
        let (p50, p99) = (at(50), at(99));
        write!(f, "{} waits (p50 {p50:.3} s, p99 {p99:.3} s, longest {longest:.3} s), {errors} errors", waits.len())
    }
}

fn after(moment: Option<Duration>, since: Duration) -> String {
    match moment {
        None => "not all are served".to_owned(),
        Some(moment) => format!("{:.1} s", moment.saturating_sub(since).as_secs_f64()),
    }
}

fn minutes(minutes: u64) -> Duration {
    Duration::from_secs(60 * minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many calls a second for each process as a server of 2,000 has for 10,000.
    const CAPACITY: f64 = 8.0;
    const PROCESSES: usize = 40;

    fn fleet(seed: u64) -> Fleet {
        fastrand::seed(seed);
        Fleet::start(PROCESSES, CAPACITY)
    }

    #[test]
    fn the_same_seed_gives_the_same_calls() {
        let calls = |seed| {
            let fleet = fleet(seed);
            fleet.world.run_until(minutes(3));
            fleet.server.calls(Duration::ZERO, minutes(3))
        };
        assert_eq!(calls(1), calls(1));
        assert_ne!(calls(1), calls(2));
    }

    #[test]
    fn an_outage_of_ten_minutes_is_not_noticed_and_after_a_longer_one_all_are_served_soon() {
        let fleet = fleet(1);
        fleet.world.run_until(minutes(120));
        fleet.meter.take();
        for outage in [10, 20] {
            fleet.server.set_away(true);
            fleet.world.run_until(fleet.world.passed() + minutes(outage));
            let (seen, without) = (fleet.meter.take(), fleet.meter.unserved.load(Ordering::Relaxed));
            assert_eq!((seen.waits.is_empty(), without == 0), (outage == 10, outage == 10), "{outage} minutes");
            fleet.meter.begin_phase(without);
            fleet.server.set_away(false);
            let back = fleet.world.passed();
            fleet.world.run_until(back + minutes(30));
            if outage == 10 {
                assert!(fleet.meter.take().waits.is_empty(), "nor is what comes after it");
                for after in 0..5 {
                    let from = back + minutes(after);
                    let calls: u32 = fleet.server.calls(from, from + minutes(1)).iter().sum();
                    let steady = (PROCESSES * RATES.len()) as u32 * 60 / 900;
                    assert!(2 * calls <= 5 * steady, "{calls} calls in minute {after} after it, {steady} in others");
                }
            } else {
                let all_served = fleet.meter.all_served().expect("all are served") - back;
                let least = Duration::from_secs_f64(without as f64 / CAPACITY);
                assert!(all_served < least + Duration::from_secs(30), "{without} tags in {all_served:?}");
            }
        }
    }
    #[test]
    fn a_process_whose_store_is_away_asks_before_its_supply_runs_out_whenever_the_store_comes_back() {
        fastrand::seed(1);
        let fleet = Fleet::start(1, CAPACITY);
        fleet.world.run_until(minutes(60));
        fleet.server.set_away(true);
        let began = fleet.world.passed();
        while fleet.meter.unserved.load(Ordering::Relaxed) == 0 {
            fleet.world.run_until(fleet.world.passed() + Duration::from_secs(1));
        }
        let dry = fleet.world.passed();
        assert!(dry - began >= minutes(10));
        let seconds = fleet.server.connections(began, dry);
        let asked: Vec<usize> = (0..seconds.len()).filter(|second| seconds[*second] > 0).collect();
        for pause in asked.windows(2) {
            let left = seconds.len() - pause[0];
            assert!(
                pause[1] - pause[0] <= (left * 3 / 4).clamp(5, 120) + 1,
                "{pause:?}, dry after {} s",
                seconds.len()
            );
        }
        assert!(seconds.len() - asked.last().expect("it asks") <= 10);
        assert!(asked.len() < 60, "{} attempts", asked.len());
    }
}
