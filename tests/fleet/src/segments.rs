//! A fleet that uses segments: a cold start, the steady state, a rolling deploy, and outages of the store.

use crate::application::{Meter, Seen, use_ids};
use crate::link::Link;
use crate::report::{Calls, bars, row};
use crate::server::Server;
use crate::store::{Rows, SimulatedStore};
use leafmint::{OptionValue, SegmentGenerator};
use leafmint_simulation::{Process, World, segment_generator};
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
    rows: Rows,
    /// The ids a second that a process takes of each of its tags.
    rates: &'static [f64],
    processes: Vec<(Arc<Process>, SegmentGenerator)>,
    meter: Arc<Meter>,
}

/// Ids leased and used.
struct Ids {
    leased: i64,
    used: i64,
}

impl Fleet {
    /// Starts all processes within a second.
    pub(crate) fn start(processes: usize, capacity: f64) -> Self {
        Self::grow(processes, 0, capacity, &RATES)
    }

    /// Starts ten processes within a second and the others within a minute, which use a tag at each of these rates.
    pub(crate) fn scale(processes: usize, capacity: f64, rates: &'static [f64]) -> Self {
        Self::grow(10, processes - 10, capacity, rates)
    }

    fn grow(at_once: usize, later: usize, capacity: f64, rates: &'static [f64]) -> Self {
        let world = World::new();
        let (server, meter) = (Server::start(&world, capacity), Arc::new(Meter::default()));
        let mut fleet = Self { world, server, capacity, rows: Rows::default(), rates, processes: Vec::new(), meter };
        fleet.expect(at_once + later);
        for number in 0..at_once + later {
            let begins = if number < at_once { 0.0 } else { 60.0 * fastrand::f64() };
            fleet.processes.push(fleet.begin(begins));
        }
        fleet
    }

    /// Begins to look at how long it takes until all tags of this number of new processes have ids.
    fn expect(&self, processes: usize) {
        let tags = (processes * self.rates.len()) as u64;
        self.meter.unserved.store(tags, Ordering::Relaxed);
        self.meter.begin_phase(tags);
    }

    /// Begins a process, which takes its first ids within a second after a time in seconds.
    fn begin(&self, begins: f64) -> (Arc<Process>, SegmentGenerator) {
        let process = self.world.process();
        let link = Link::new(process.clone(), self.server.clone());
        let store = SimulatedStore { rows: self.rows.clone(), link, step: STEP };
        let options: [(String, OptionValue); 0] = [];
        let ids = segment_generator(Arc::new(store), options, process.clone()).expect("the options are right");
        for (number, rate) in self.rates.iter().copied().enumerate() {
            let tag = ids.biz_tag(&format!("tag-{number}")).expect("the name is right");
            let (process, meter) = (process.clone(), self.meter.clone());
            process.clone().run(async move {
                process.sleep(Duration::from_secs_f64(begins + fastrand::f64())).await;
                // No two processes have the same load.
                use_ids(process, tag, rate * (0.75 + fastrand::f64() / 2.0), meter).await;
            });
        }
        (process, ids)
    }

    /// Replaces all processes one after another, and then looks on until this time has passed twice. Those that end
    /// lose the ids that they have not used, whose number it returns.
    pub(crate) fn deploy(&mut self, takes: Duration) -> i64 {
        self.expect(self.processes.len());
        let (began, each) = (self.world.passed(), takes / self.processes.len() as u32);
        let mut lost = 0;
        for number in 0..self.processes.len() {
            let new = self.begin(0.0);
            let (old, generator) = std::mem::replace(&mut self.processes[number], new);
            old.crash();
            let Ids { leased, used } = Ids::of([&generator]);
            lost += leased - used;
            self.world.run_until(began + each * (number as u32 + 1));
        }
        self.world.run_until(began + 2 * takes);
        lost
    }

    /// Prints what two rolling deploys cost, an hour after the start and an hour later.
    pub(crate) fn print_deploys(&mut self) {
        for takes in [10, 30] {
            self.world.run_until(self.world.passed() + minutes(60));
            self.meter.take();
            let (began, lost) = (self.world.passed(), self.deploy(minutes(takes)));
            self.report(&format!("rolling deploy in {takes} minutes"), began, self.meter.take());
            let lost = lost as f64 / (self.processes.len() * self.rates.len()) as f64;
            println!("{}", row("  ids lost for each tag", &format!("{lost:.0}")));
        }
    }

    /// Prints the load of the first five minutes.
    pub(crate) fn print_start(&self, phase: &str) {
        self.world.run_until(minutes(5));
        self.report(phase, Duration::ZERO, self.meter.take());
        println!("{}", row("  all served after", &after(self.meter.all_served(), Duration::ZERO)));
    }

    /// Prints the rows of the report.
    pub(crate) fn run(&self, outages: &[u64]) {
        self.print_start("cold start, 5 minutes");
        self.world.run_until(minutes(60));
        self.report("growing, up to 1 hour", minutes(5), self.meter.take());
        self.print_ids();
        self.world.run_until(minutes(120));
        self.report("steady, second hour", minutes(60), self.meter.take());
        self.print_ids();
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
        let due = (steady.mean * lasts.as_secs_f64()).min((self.processes.len() * RATES.len()) as f64) / self.capacity;
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
        if to - from <= minutes(60) {
            let each = if to - from > minutes(5) { 60 } else { 10 };
            println!("{}", row(&format!("  calls in each {each} s"), &bars(&self.server.calls(from, to), each)));
        }
    }

    fn ids(&self) -> Ids {
        Ids::of(self.processes.iter().map(|(_, generator)| generator))
    }

    fn print_ids(&self) {
        let Ids { leased, used } = self.ids();
        println!("{}", row("  leased per id used", &format!("{:.2}", leased as f64 / used as f64)));
    }
}

impl Ids {
    fn of<'a>(generators: impl IntoIterator<Item = &'a SegmentGenerator>) -> Self {
        let tags = generators.into_iter().flat_map(|generator| generator.stats().tags);
        tags.fold(Self { leased: 0, used: 0 }, |ids, (_, tag)| Self {
            leased: ids.leased + tag.leased,
            used: ids.used + tag.issued,
        })
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
    fn in_a_cold_start_all_tags_are_served_in_the_time_of_one_call_for_each_and_two_fifths_more() {
        fastrand::seed(1);
        let fleet = Fleet::start(200, 40.0);
        let once = Duration::from_secs(50);
        fleet.world.run_until(once * 7 / 5);
        assert!(fleet.meter.all_served().is_some(), "not within {:?}", once * 7 / 5);
        fleet.world.run_until(minutes(5));
        fleet.meter.take();
        fleet.world.run_until(minutes(20));
        let Seen { waits, errors } = fleet.meter.take();
        assert_eq!((waits, errors), (Vec::new(), 0), "after the first five minutes");
    }

    #[test]
    fn a_process_that_is_alone_with_a_server_that_takes_0_6_seconds_for_a_call_does_not_wait_for_others() {
        fastrand::seed(1);
        let fleet = Fleet::start(1, 1.0 / 0.6);
        fleet.world.run_until(minutes(5));
        let errors = fleet.meter.take().errors;
        assert!(errors < 25, "{errors} calls failed");
    }

    #[test]
    fn after_a_long_outage_all_tags_are_served_in_the_time_of_one_call_for_each_and_a_seventh_more() {
        fastrand::seed(1);
        let fleet = Fleet::start(100, 20.0);
        fleet.world.run_until(minutes(10));
        fleet.server.set_away(true);
        fleet.world.run_until(minutes(25));
        let without = fleet.meter.unserved.load(Ordering::Relaxed);
        assert!(without > 500, "{without} tags have no ids");
        fleet.meter.begin_phase(without);
        fleet.server.set_away(false);
        let most = Duration::from_secs_f64(without as f64 / fleet.capacity * 8.0 / 7.0);
        fleet.world.run_until(minutes(25) + most);
        assert!(fleet.meter.all_served().is_some(), "not within {most:?}");
    }

    #[test]
    fn a_rolling_deploy_in_half_an_hour_keeps_each_new_tag_waiting_about_once_and_fails_no_call() {
        fastrand::seed(1);
        let mut fleet = Fleet::start(60, 12.0);
        fleet.world.run_until(minutes(10));
        fleet.meter.take();
        fleet.deploy(minutes(30));
        assert!(fleet.meter.all_served().is_some());
        let Seen { waits, errors } = fleet.meter.take();
        assert_eq!(errors, 0);
        assert!(waits.len() < 900, "{} waits", waits.len());
    }

    #[test]
    fn a_fleet_that_scales_to_twenty_times_its_size_in_a_minute_is_served_half_a_minute_later() {
        fastrand::seed(1);
        let fleet = Fleet::scale(200, 40.0, &RATES);
        fleet.world.run_until(Duration::from_secs(90));
        assert!(fleet.meter.all_served().is_some());
    }

    #[test]
    fn one_hot_tag_in_all_processes_of_a_fleet_that_scales_keeps_each_waiting_once_and_for_less_than_a_second() {
        fastrand::seed(1);
        let fleet = Fleet::scale(200, 40.0, &[100.0]);
        fleet.world.run_until(minutes(5));
        let seen = fleet.meter.take();
        assert_eq!((seen.waits.len(), seen.errors), (200, 0));
        assert!(seen.waits[199] < 1.0, "{} s", seen.waits[199]);
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
