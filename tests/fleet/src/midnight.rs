//! A fleet that crosses midnight with a daily series, which all its processes take numbers of.

use crate::link::{BEGINNING, Link};
use crate::report::{Calls, bars, row};
use crate::server::Server;
use crate::store::{Rows, SimulatedStore};
use leafmint::format::{CalendarDate, Period};
use leafmint::segment::{Calendar, Series, SeriesOptions};
use leafmint::{OptionValue, Want};
use leafmint_simulation::{HostClock, Process, World, segment_generator};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const DAY: i64 = 86_400_000;

/// The time between two looks of an application at its work, in seconds.
const PAUSE: f64 = 5.0;

/// A fleet whose clocks show some time before midnight at its beginning.
pub(crate) struct Midnight {
    world: World,
    server: Arc<Server>,
    /// When midnight comes.
    midnight: Duration,
    waits: Arc<AtomicU64>,
}

/// Calls a second: in the steady state, and in the busiest time of the hours before and after midnight.
pub(crate) struct Load {
    pub(crate) steady: f64,
    pub(crate) before: f64,
    pub(crate) after: f64,
    /// Calls that waited in the hour after midnight.
    pub(crate) waits: u64,
}

impl Midnight {
    /// Starts all processes within a minute, this long before midnight.
    pub(crate) fn start(processes: usize, capacity: f64, midnight: Duration) -> Self {
        let world = World::new();
        let server = Server::start(&world, capacity);
        let (rows, waits) = (Rows::default(), Arc::new(AtomicU64::new(0)));
        let began = BEGINNING - BEGINNING.rem_euclid(DAY) - midnight.as_millis() as i64;
        for number in 0..processes {
            let process = world.process();
            let link = Link::new(process.clone(), server.clone());
            let store = SimulatedStore { rows: rows.clone(), link, step: 1 };
            let options: [(String, OptionValue); 0] = [];
            let ids = segment_generator(Arc::new(store), options, process.clone()).expect("the options are right");
            // Clocks differ by up to a tenth of a second.
            let clock = Arc::new(HostClock::new(process.clone(), began + fastrand::i64(-50..50)));
            let daily = SeriesOptions::new(Period::Day, "UTC");
            let series = ids.series_by("order", daily, clock).expect("the options are right");
            // Most processes take few numbers, and some take many.
            let rate = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0][number % 10];
            let waits = waits.clone();
            process.clone().run(async move {
                process.sleep(Duration::from_secs_f64(60.0 * fastrand::f64())).await;
                use_numbers(process, series, rate * (0.75 + fastrand::f64() / 2.0), waits).await;
            });
        }
        Self { world, server, midnight, waits }
    }

    /// Crosses midnight, and returns the load around it. The busiest time has this number of seconds.
    pub(crate) fn run(&self, seconds: usize) -> Load {
        let hour = Duration::from_secs(3600);
        let (before, after) = (self.midnight - hour, self.midnight + hour);
        self.world.run_until(self.midnight);
        self.waits.store(0, Ordering::Relaxed);
        self.world.run_until(after);
        Load {
            steady: Calls::of(&self.server.calls(before - hour, before)).mean,
            before: self.busiest(seconds, before, self.midnight),
            after: self.busiest(seconds, self.midnight, after),
            waits: self.waits.load(Ordering::Relaxed),
        }
    }

    fn busiest(&self, seconds: usize, from: Duration, to: Duration) -> f64 {
        let calls = self.server.calls(from, to);
        calls.chunks(seconds).map(|seconds| Calls::of(seconds).mean).fold(0.0, f64::max)
    }
}

/// Prints the load of a fleet at midnight.
pub(crate) fn print(processes: usize, capacity: f64) {
    let hour = Duration::from_secs(3600);
    let fleet = Midnight::start(processes, capacity, 4 * hour);
    let Load { steady, before, after, waits } = fleet.run(60);
    let times = |calls: f64| format!("{calls:.1}/s, {:.2} times the steady load", calls / steady);
    println!("{}", row("steady, two hours before midnight", &format!("{steady:.1}/s")));
    println!("{}", row("busiest minute of the hour before it", &times(before)));
    println!("{}", row("busiest minute of the hour after it", &times(after)));
    println!("{}", row("calls that waited in that hour", &waits.to_string()));
    let calls = fleet.server.calls(fleet.midnight - 2 * hour, fleet.midnight + hour);
    println!("{}", row("calls in each 5 minutes of 3 hours", &bars(&calls, 300)));
}

/// Takes `rate` numbers a second, for ever.
async fn use_numbers(process: Arc<Process>, series: Series, rate: f64, waits: Arc<AtomicU64>) {
    let (mut due, mut last) = (1.0, process.passed());
    loop {
        if due >= 1.0 {
            let group = present(&series);
            let mut call = group.begin(Want::Many(due as i64), None).expect("the count is right");
            let mut has_waited = false;
            // A call that fails is made again.
            while let Ok(None) = call.poll() {
                has_waited = true;
                process.sleep(Duration::from_millis(2)).await;
            }
            waits.fetch_add(u64::from(has_waited), Ordering::Relaxed);
            due %= 1.0;
        }
        process.sleep(Duration::from_secs_f64(PAUSE * (0.5 + fastrand::f64()))).await;
        due += rate * (process.passed() - last).as_secs_f64();
        last = process.passed();
    }
}

/// Returns the present group of a daily series in UTC.
fn present(series: &Series) -> Arc<leafmint::segment::SeriesGroup> {
    let wall = series.wall();
    series.in_force(wall).unwrap_or_else(|| {
        let time = series.time();
        let begins = time - time.rem_euclid(DAY);
        // Only that days differ matters, so each month has 28.
        let day = begins / DAY;
        let date = CalendarDate::new(2000 + day / 336, 1 + day / 28 % 12, 1 + day % 28).expect("it is a date");
        series.enter(wall, time, Some(Calendar { date, begins, ends: begins + DAY })).expect("it is open")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    #[test]
    fn at_midnight_the_load_stays_below_twice_the_steady_one_and_hardly_a_call_waits() {
        fastrand::seed(1);
        // In a small fleet single minutes differ by chance.
        let Load { steady, before, after, waits } = Midnight::start(300, 60.0, Duration::from_secs(4 * 3600)).run(600);
        assert!(before.max(after) < 2.0 * steady, "{before} and {after} calls a second, {steady} in the steady state");
        assert!(waits < 3, "{waits} calls waited");
    }

    const MINUTE: Duration = Duration::from_secs(60);

    /// Takes a number of a date, and waits for as long as it must.
    async fn take(process: &Process, series: &Series, date: CalendarDate) -> leafmint::Result<i64> {
        let mut call = series.on(date)?.begin(Want::One, Some(10 * MINUTE))?;
        loop {
            match call.poll()? {
                Some(ids) => return Ok(ids[0].start),
                None => process.sleep(Duration::from_millis(1)).await,
            }
        }
    }

    #[test]
    fn back_dated_numbers_never_fail_in_the_hour_after_midnight_and_what_is_left_is_given_back_once_they_end() {
        fastrand::seed(1);
        let world = World::new();
        let server = Server::start(&world, 1000.0);
        let (rows, process) = (Rows::default(), world.process());
        let link = Link::new(process.clone(), server);
        let store = SimulatedStore { rows: rows.clone(), link: link.clone(), step: 1 };
        let options: [(String, OptionValue); 0] = [];
        let ids = segment_generator(Arc::new(store), options, process.clone()).unwrap();
        let began = BEGINNING - BEGINNING.rem_euclid(DAY) - 60_000;
        let clock = Arc::new(HostClock::new(process.clone(), began));
        let taken: Arc<Mutex<BTreeMap<String, Vec<i64>>>> = Arc::default();
        let mut all = Vec::new();
        for key in 0..8 {
            let daily = SeriesOptions::new(Period::Day, "UTC").key(&key.to_string());
            let series = ids.series_by("order", daily, clock.clone()).unwrap();
            let old = present(&series);
            all.push((series.clone(), old.date().unwrap(), old.tag_name().to_owned()));
            drop(old);
            let (process, series, taken) = (process.clone(), series, taken.clone());
            let (_, date, tag) = all[key].clone();
            process.clone().run(async move {
                while process.passed() < 150 * MINUTE {
                    // The present day is entered, so that the old one is over.
                    present(&series);
                    let number = take(&process, &series, date).await.expect("no call fails");
                    taken.lock().unwrap().entry(tag.clone()).or_default().push(number);
                    process.sleep(Duration::from_millis(fastrand::u64(500..1500))).await;
                }
            });
        }
        link.set_faults(0, 500);
        world.run_until(60 * MINUTE);
        // What is leased by an answer that comes too late is lost.
        link.set_faults(0, 0);
        world.run_until(240 * MINUTE);
        for (series, date, tag) in all {
            let taken = taken.lock().unwrap().remove(&tag).unwrap();
            assert!(taken.len() > 1000 && taken.is_sorted_by(|a, b| a < b), "{} numbers of {tag}", taken.len());
            let last = taken[taken.len() - 1];
            assert_eq!(rows.lock().unwrap()[&tag], last + 1, "{tag}");
            let (own, next) = (process.clone(), Arc::new(AtomicU64::new(0)));
            let number = next.clone();
            process.run(async move {
                number.store(take(&own, &series, date).await.unwrap().cast_unsigned(), Ordering::Relaxed);
            });
            world.run_until(world.passed() + MINUTE);
            assert_eq!(next.load(Ordering::Relaxed).cast_signed(), last + 1, "a document that comes later");
        }
    }
}
