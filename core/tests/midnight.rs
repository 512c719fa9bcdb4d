//! A hundred midnights of a series in simulated time, in processes whose clocks differ.

use crate::segment::series::{group_now, utc};
use crate::stores::{options, unique};
use leafmint::Want;
use leafmint::clock::{Clock, ManualClock};
use leafmint::format::Period;
use leafmint::segment::{Series, SeriesOptions};
use leafmint::store::MemoryStore;
use leafmint_simulation::{HostClock, Process, World, segment_generator};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// 2026-11-24T20:00:00Z, which is where the clock of the store begins.
const BEGAN: i64 = 1_795_550_400_000;

const DAY: u64 = 86_400;

/// A number, and when it was taken: by the store's clock, and by the process's own.
struct Taken {
    group: String,
    number: i64,
    of_store: i64,
    own: i64,
    has_waited: bool,
    process: usize,
}

/// A process whose clock is off by this number of milliseconds.
struct Host {
    process: Arc<Process>,
    clock: Arc<HostClock>,
    series: Series,
}

impl Host {
    fn new(world: &World, store: &str, of_store: &Arc<HostClock>, off: i64) -> Self {
        Self::on(world, Arc::new(MemoryStore::with_clock(store, of_store.clone())), off)
    }

    fn on(world: &World, store: Arc<MemoryStore>, off: i64) -> Self {
        let process = world.process();
        let clock = Arc::new(HostClock::new(process.clone(), BEGAN + off));
        let ids = segment_generator(store, options([]), process.clone()).unwrap();
        let series = ids.series_by("invoice", SeriesOptions::new(Period::Day, "UTC"), clock.clone()).unwrap();
        Self { process, clock, series }
    }

    /// Takes a number after each pause, for ever.
    fn take(self, of_store: Arc<HostClock>, pause: Duration, taken: Arc<Mutex<Vec<Taken>>>) {
        let Self { process, clock, series } = self;
        let sleeper = process.clone();
        process.run(async move {
            loop {
                let (own, of_store) = (clock.wall(), of_store.wall());
                let group = group_now(&series);
                let mut number = group.next_in_hand().unwrap();
                let has_waited = number.is_none();
                let mut call = group.begin(Want::One, None).unwrap();
                while number.is_none() {
                    match call.poll() {
                        Ok(ids) => number = ids.map(|ids| ids[0].start),
                        // The next call asks again.
                        Err(_) => break,
                    }
                    sleeper.sleep(Duration::from_millis(1)).await;
                }
                if let Some(number) = number {
                    let (group, process) = (group.text().to_owned(), sleeper.number());
                    taken.lock().unwrap().push(Taken { group, number, of_store, own, has_waited, process });
                }
                sleeper.sleep(pause).await;
            }
        });
    }
}

#[test]
fn a_hundred_midnights_with_clocks_that_differ_give_no_number_twice_and_none_of_the_wrong_day() {
    let (world, name, taken) = (World::new(), unique("midnights"), Arc::default());
    let of_store = Arc::new(HostClock::new(world.process(), BEGAN));
    for (off, pause) in [(0, 97), (-90_000, 31), (700, 13), (7_200_000, 61), (86_400_000, 601)] {
        let host = Host::new(&world, &name, &of_store, off);
        host.take(of_store.clone(), Duration::from_secs(pause), Arc::clone(&taken));
    }
    world.run_until(Duration::from_secs(100 * DAY));
    let taken = taken.lock().unwrap();
    assert!(taken.len() > 1_000_000, "{} numbers", taken.len());
    let mut seen = HashSet::new();
    for it in taken.iter() {
        assert!(seen.insert((it.group.as_str(), it.number)), "{} {} comes twice", it.group, it.number);
        // A clock that is behind is believed; one that is ahead only by as much as the answer of a store may take.
        let day = |now: i64| utc(now).date.to_string();
        let is_of_its_day =
            it.group == day(it.own.min(it.of_store)) || it.group == day(it.own.min(it.of_store + 2_000));
        assert!(is_of_its_day, "{} was taken by process {} at {}", it.group, it.process, it.own);
    }
    let days: HashSet<&str> = taken.iter().map(|it| it.group.as_str()).collect();
    assert_eq!(days.len(), 101);
    for process in 1..=3 {
        let firsts = first_of_each_day(&taken, process);
        let waited = firsts.iter().filter(|it| it.has_waited).count();
        assert!(waited <= 1, "process {process} waited for its first number on {waited} days");
    }
}

fn first_of_each_day(taken: &[Taken], process: usize) -> Vec<&Taken> {
    let mut days = HashSet::new();
    taken.iter().filter(|it| it.process == process && days.insert(it.group.as_str())).collect()
}

/// The clock of a store, which counts how often it is looked at.
struct Counted {
    clock: Arc<HostClock>,
    looks: AtomicU64,
}

impl Clock for Counted {
    fn wall(&self) -> i64 {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.clock.wall()
    }

    fn monotonic(&self) -> u64 {
        self.clock.monotonic()
    }
}

#[test]
fn a_clock_that_stays_ahead_asks_the_store_now_and_then_and_a_day_changes_by_the_stores() {
    let (world, name, taken) = (World::new(), unique("stays ahead"), Arc::new(Mutex::new(Vec::new())));
    let of_store = Arc::new(HostClock::new(world.process(), BEGAN));
    let counted = Arc::new(Counted { clock: of_store.clone(), looks: AtomicU64::new(0) });
    let host = Host::on(&world, Arc::new(MemoryStore::with_clock(&name, counted.clone())), 7_200_000);
    host.take(of_store, Duration::from_secs(1), taken.clone());
    world.run_until(Duration::from_secs(DAY));
    let looks = counted.looks.load(Ordering::Relaxed);
    assert!(looks < 300, "the store was asked {looks} times in a day");
    for it in taken.lock().unwrap().iter().skip(1) {
        let days = [it.of_store, it.of_store + 2_000].map(|now| utc(now).date.to_string());
        assert!(days.contains(&it.group), "{} was taken at {}", it.group, it.of_store);
    }
}

#[test]
fn what_is_left_of_a_day_is_given_back_and_the_next_day_is_no_larger_than_its_use() {
    let (world, name, taken) = (World::new(), unique("given back"), Arc::new(Mutex::new(Vec::new())));
    let of_store = Arc::new(HostClock::new(world.process(), BEGAN));
    let host = Host::new(&world, &name, &of_store, 0);
    host.take(of_store, Duration::from_secs(1), taken.clone());
    world.run_until(Duration::from_secs(10 * DAY));
    let store = MemoryStore::open(&name);
    let tags = crate::stores::runtime().block_on(leafmint::store::SegmentStore::list_tags(&store)).unwrap();
    for tag in &tags[..9] {
        let day = tag.biz_tag.strip_prefix("invoice@").unwrap();
        let used = taken.lock().unwrap().iter().filter(|it| it.group == day).count() as i64;
        assert_eq!(tag.max_id, Some(used + 1), "{day}");
    }
}

#[test]
fn keys_that_make_room_in_the_hour_after_midnight_give_back_what_is_left_of_their_day() {
    let (world, name) = (World::new(), unique("made room"));
    let of_store = Arc::new(HostClock::new(world.process(), BEGAN));
    let store = Arc::new(MemoryStore::with_clock(&name, of_store));
    let process = world.process();
    let clock = Arc::new(HostClock::new(process.clone(), BEGAN));
    let ids = segment_generator(store, options([("max_keys", "100")]), process).unwrap();
    let take = |key: usize| {
        let daily = SeriesOptions::new(Period::Day, "UTC").key(&key.to_string()).step(5);
        let group = group_now(&ids.series_by("invoice", daily, clock.clone()).unwrap());
        let mut call = group.begin(Want::One, None).unwrap();
        while call.poll().unwrap().is_none() {
            world.run_until(world.passed() + Duration::from_millis(1));
        }
    };
    world.run_until(Duration::from_secs(4 * 3600 - 60));
    (0..50).for_each(take);
    world.run_until(Duration::from_secs(4 * 3600 + 60));
    // The same keys cross midnight, and others take their room.
    (0..50).for_each(take);
    (1000..1300).for_each(take);
    world.run_until(Duration::from_secs(6 * 3600));
    let store = MemoryStore::open(&name);
    let tags = crate::stores::runtime().block_on(leafmint::store::SegmentStore::list_tags(&store)).unwrap();
    let of_the_day: Vec<_> = tags.iter().filter(|tag| tag.biz_tag.ends_with("@2026-11-24")).collect();
    assert_eq!(of_the_day.len(), 50);
    for tag in of_the_day {
        assert_eq!(tag.max_id, Some(2), "{}", tag.biz_tag);
    }
}

#[test]
fn a_day_whose_rest_was_given_back_goes_on_if_the_clock_is_set_back() {
    let (world, name, taken) = (World::new(), unique("set back"), Arc::new(Mutex::new(Vec::new())));
    let of_store = Arc::new(HostClock::new(world.process(), BEGAN));
    let host = Host::new(&world, &name, &of_store, 0);
    let (clock, before) = (host.clock.clone(), group_now(&host.series));
    host.take(of_store, Duration::from_secs(1), taken.clone());
    world.run_until(Duration::from_secs(6 * 3600));
    let (used, count) = {
        let taken = taken.lock().unwrap();
        let last = taken.iter().filter(|it| it.group == "2026-11-24").map(|it| it.number).max();
        (last.unwrap(), taken.len())
    };
    // The tag itself leases no more: its cell would go back.
    assert_eq!(before.next_in_hand().unwrap_err().kind().code(), "segment_unavailable");
    clock.step(-4 * 3_600_000);
    world.run_until(world.passed() + Duration::from_secs(60));
    let taken = taken.lock().unwrap();
    let again: Vec<i64> = taken[count..].iter().map(|it| it.number).collect();
    assert!(taken[count..].iter().all(|it| it.group == "2026-11-24"));
    assert!(again.len() > 50 && again[0] == used + 1, "{again:?} after {used}");
}

#[test]
fn a_process_that_begins_with_a_clock_a_day_ahead_is_refused_until_the_clock_is_set_right() {
    let (world, name) = (World::new(), unique("ahead"));
    let of_store = Arc::new(HostClock::new(world.process(), BEGAN));
    let host = Host::new(&world, &name, &of_store, 86_400_000);
    let call = || {
        let mut call = group_now(&host.series).begin(Want::One, None).unwrap();
        loop {
            match call.poll() {
                Ok(None) => world.run_until(world.passed() + Duration::from_secs(1)),
                answer => return answer,
            }
        }
    };
    let error = call().unwrap_err();
    assert_eq!(error.kind().code(), "invalid_config");
    assert!(error.message().contains("is 86400.0 s ahead of the database's"), "{error}");
    host.clock.step(-86_400_000);
    assert_eq!(call().unwrap().unwrap()[0].start, 1);
    assert_eq!(group_now(&host.series).text(), "2026-11-24");
}

/// A machine and a store with clocks that only the test moves.
struct Moved {
    world: World,
    own: Arc<ManualClock>,
    of_store: Arc<ManualClock>,
    series: Series,
}

impl Moved {
    fn new() -> Self {
        let (world, own, of_store) = (World::new(), Arc::new(ManualClock::at(BEGAN)), Arc::new(ManualClock::at(BEGAN)));
        let store = Arc::new(MemoryStore::with_clock(&unique("moved"), of_store.clone()));
        let ids = segment_generator(store, options([]), world.process()).unwrap();
        let series = ids.series_by("invoice", SeriesOptions::new(Period::Day, "UTC"), own.clone()).unwrap();
        let moved = Self { world, own, of_store, series };
        assert_eq!(moved.take().unwrap(), ("2026-11-24".to_owned(), 1));
        assert_eq!(moved.take().unwrap().0, "2026-11-24");
        moved
    }

    /// Takes the next number.
    fn take(&self) -> leafmint::Result<(String, i64)> {
        let group = group_now(&self.series);
        let mut call = group.begin(Want::One, None)?;
        loop {
            match call.poll()? {
                Some(ids) => return Ok((group.text().to_owned(), ids[0].start)),
                None => self.world.run_until(self.world.passed() + Duration::from_millis(1)),
            }
        }
    }
}

#[test]
fn after_a_suspend_the_first_number_is_of_the_present_day() {
    let moved = Moved::new();
    moved.own.suspend(86_400_000);
    moved.of_store.pass(86_400_000);
    assert_eq!(moved.take().unwrap(), ("2026-11-25".to_owned(), 1));
    // By the store's clock as it was seen before.
    moved.own.pass(86_399_000);
    assert_eq!(moved.series.time(), moved.own.wall());
}

#[test]
fn a_clock_that_was_set_forward_over_midnight_makes_the_store_be_looked_at_before_a_number_is_dated() {
    // As that of a virtual machine that was stopped, which no clock of it has counted.
    let moved = Moved::new();
    moved.own.step(86_400_000);
    moved.of_store.pass(86_400_000);
    assert_eq!(moved.take().unwrap(), ("2026-11-25".to_owned(), 1));
    // Here the store says that the clock is wrong: one call fails, and then numbers go by the store.
    let moved = Moved::new();
    moved.own.step(86_400_000);
    let error = moved.take().unwrap_err();
    assert_eq!(error.kind().code(), "invalid_config");
    assert!(error.message().contains("is 86400.0 s ahead of the database's"), "{error}");
    assert_eq!(moved.take().unwrap().0, "2026-11-24");
}

#[test]
fn a_call_during_which_the_clock_is_set_back_over_midnight_says_so_and_the_next_one_is_of_the_older_day() {
    let moved = Moved::new();
    moved.own.step(86_400_000);
    moved.of_store.pass(86_400_000);
    let group = group_now(&moved.series);
    let mut call = group.begin(Want::One, None).unwrap();
    moved.own.step(-86_400_000);
    moved.of_store.step(-86_400_000);
    let error = loop {
        match call.poll() {
            Ok(None) => moved.world.run_until(moved.world.passed() + Duration::from_millis(1)),
            answer => break answer.unwrap_err(),
        }
    };
    assert_eq!(error.kind().code(), "invalid_config");
    assert!(error.message().contains("was set back, while a number was leased"), "{error}");
    assert_eq!(moved.take().unwrap().0, "2026-11-24");
}

#[test]
fn what_was_seen_of_the_stores_clock_an_hour_ago_is_looked_at_again_before_a_period_begins() {
    let moved = Moved::new();
    moved.own.pass(5 * 3_600_000);
    // Its clock was set forward, or it is another host by now.
    moved.of_store.pass(3 * 3_600_000);
    assert_eq!(moved.take().unwrap_err().kind().code(), "invalid_config");
    assert_eq!(moved.take().unwrap().0, "2026-11-24");
    moved.of_store.pass(2 * 3_600_000);
    moved.own.pass(1000);
    assert_eq!(moved.take().unwrap().0, "2026-11-24", "as seen a moment ago");
}
