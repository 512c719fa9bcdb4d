//! Series: which period a number is of, whatever the clocks do.

use super::database::{Database, memory, url};
use crate::stores::{self, Table, options, postgres, wait_until};
use humantime::format_rfc3339_millis;
use leafmint::clock::{Clock, ManualClock};
use leafmint::format::{CalendarDate, Format, Period};
use leafmint::segment::{Calendar, Series, SeriesGroup, SeriesOptions};
use leafmint::{ErrorKind, Reason, SegmentGenerator, Want};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

const DAY: i64 = 86_400_000;

/// 2026-11-25T00:00:00Z.
const MIDNIGHT: i64 = 20_782 * DAY;

pub(crate) fn date(text: &str) -> CalendarDate {
    let mut parts = text.split('-').map(|part| part.parse().unwrap());
    let mut part = || parts.next().unwrap();
    CalendarDate::new(part(), part(), part()).unwrap()
}

/// Returns what the calendar of UTC shows, for a series that starts again each day.
pub(crate) fn utc(now: i64) -> Calendar {
    let begins = now - now.rem_euclid(DAY);
    let text = format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(begins.unsigned_abs())).to_string();
    Calendar { date: date(&text[..10]), begins, ends: begins + DAY }
}

fn daily() -> SeriesOptions {
    SeriesOptions::new(Period::Day, "UTC")
}

fn on_clock(ids: &SegmentGenerator, options: SeriesOptions, clock: &Arc<ManualClock>) -> Series {
    ids.series_by("invoice", options, clock.clone()).unwrap()
}

/// Returns the present group, as a binding does.
pub(crate) fn group_now(series: &Series) -> Arc<SeriesGroup> {
    let wall = series.wall();
    series.in_force(wall).unwrap_or_else(|| {
        let time = series.time();
        series.enter(wall, time, Some(utc(time))).unwrap()
    })
}

/// Takes a number as a binding does.
pub(crate) fn next(series: &Series) -> (String, i64) {
    let group = group_now(series);
    let number = group.next_in_hand().unwrap();
    let number = number.unwrap_or_else(|| group.begin(Want::One, None).unwrap().finish().unwrap()[0].start);
    (group.text().to_owned(), number)
}

fn of(group: &str, number: i64) -> (String, i64) {
    (group.to_owned(), number)
}

#[test]
fn numbers_start_again_with_each_period_and_a_clock_that_is_set_back_goes_on_with_the_older_one() {
    let clock = Arc::new(ManualClock::at(MIDNIGHT - 1));
    let series = on_clock(&memory([]), daily(), &clock);
    assert_eq!([next(&series), next(&series)], [of("2026-11-24", 1), of("2026-11-24", 2)]);
    clock.pass(1);
    assert_eq!([next(&series), next(&series)], [of("2026-11-25", 1), of("2026-11-25", 2)]);
    clock.step(-3_600_000);
    assert_eq!(next(&series), of("2026-11-24", 3));
    clock.step(3 * DAY);
    assert_eq!(next(&series), of("2026-11-27", 1));
}

#[test]
fn dates_of_one_month_or_year_have_one_group_and_other_dates_others() {
    let ids = memory([]);
    let months = ids.series("order", SeriesOptions::new(Period::Month, "Asia/Tokyo")).unwrap();
    let number = |day: &str| {
        let number = months.next_on(date(day)).unwrap();
        (number.group.text().to_owned(), number.number)
    };
    assert_eq!(number("2026-11-01"), of("2026-11", 1));
    assert_eq!(number("2026-11-30"), of("2026-11", 2));
    assert_eq!(number("2026-12-01"), of("2026-12", 1));
    let forever = ids.series("customer", SeriesOptions::new(Period::Forever, "")).unwrap();
    let group = forever.enter(0, 0, None).unwrap();
    assert_eq!((group.text(), group.tag_name()), ("", "customer"));
    assert_eq!(forever.on(date("2026-11-01")).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn each_key_has_numbers_of_its_own_in_rows_that_a_leaf_can_read() {
    let database = Database::new();
    let ids = database.open([]);
    for key in ["shop-7", "shop/8"] {
        let series = ids.series("invoice", daily().key(key).step(5)).unwrap();
        assert_eq!(series.next_on(date("2026-11-25")).unwrap().number, 1);
    }
    // More may be leased ahead.
    assert!(database.max_id("invoice/shop-7@2026-11-25") >= 6);
    assert!(database.max_id("invoice/shop/8@2026-11-25") >= 6);
    let names: Vec<String> = ids.stats().tags.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["invoice@day"], "no figure has a label for each day or key");
}

#[test]
fn five_numbers_drawn_in_a_loop_lease_at_most_eight_on_each_store() {
    let folder = tempfile::tempdir().unwrap();
    let (mysql, postgres) = (Table::missing(), postgres::Table::missing());
    for (url, table) in [
        (format!("memory://{}", stores::unique("dense")), "leaf_alloc"),
        (url(&folder.path().join("ids.db")), "leaf_alloc"),
        (stores::mysql_url(), mysql.0.as_str()),
        (stores::postgres_url(), postgres.0.as_str()),
    ] {
        let ids = leafmint::open::segment(&url, options([("table", table), ("auto_create", "true")])).unwrap();
        let series = ids.series(&stores::unique("order"), daily()).unwrap();
        for number in 1..=5 {
            assert_eq!(series.next_on(date("2026-11-25")).unwrap().number, number);
        }
        let leased = ids.stats().tags[0].1.leased;
        assert!(leased <= 8, "{}: {leased} leased", ids.stats().scope);
    }
}

#[test]
fn a_key_that_a_table_takes_for_another_one_is_refused_by_name_and_the_other_one_loses_no_number() {
    let database = Database::new();
    let columns = "max_id BIGINT NOT NULL, step INTEGER NOT NULL, description TEXT, update_time TIMESTAMP";
    database.sql(&format!("CREATE TABLE leaf_alloc (biz_tag TEXT COLLATE NOCASE PRIMARY KEY, {columns})"));
    let (mysql, postgres) = (Table::of_leaf(), postgres::Table::missing());
    stores::sql(&format!("ALTER TABLE `{mysql}` CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"));
    postgres::sql(
        "CREATE COLLATION IF NOT EXISTS no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
    );
    postgres::sql(&format!(
        "CREATE TABLE \"{}\" (biz_tag VARCHAR(128) COLLATE no_case PRIMARY KEY, {columns})",
        postgres.0
    ));
    for (url, table) in [
        (url(&database.path), "leaf_alloc"),
        (stores::mysql_url(), mysql.0.as_str()),
        (stores::postgres_url(), postgres.0.as_str()),
    ] {
        let ids = leafmint::open::segment(&url, options([("table", table), ("auto_create", "true")])).unwrap();
        assert_eq!(take(&ids, "Shop"), 1);
        let error = ids.series("invoice", daily().key("shop")).unwrap().next_on(utc(MIDNIGHT).date).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        assert!(error.message().contains("invoice/Shop@2026-11-25"), "{error}");
        ids.close().unwrap();
        let again = leafmint::open::segment(&url, options([("table", table)])).unwrap();
        assert_eq!(take(&again, "Shop"), 2, "{}", again.scope());
    }
}

#[test]
fn another_zone_or_period_than_the_stored_one_is_refused_and_nothing_is_leased() {
    let database = Database::new();
    let today = date("2026-11-25");
    let before = database.open([]);
    before.series("invoice", SeriesOptions::new(Period::Day, "Europe/Madrid")).unwrap().next_on(today).unwrap();
    // It gives back what was leased ahead.
    before.close().unwrap();
    let max_id = database.max_id("invoice@2026-11-25");
    let ids = database.open([]);
    for (period, zone) in [(Period::Day, "UTC"), (Period::Month, "Europe/Madrid"), (Period::Forever, "")] {
        let series = ids.series("invoice", SeriesOptions::new(period, zone)).unwrap();
        let group = if period.ends() { series.on(today) } else { series.enter(0, 0, None) }.unwrap();
        let error = group.begin(Want::One, None).unwrap().finish().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        assert!(error.message().contains(r#"has period="day" and zone="Europe/Madrid""#), "{error}");
    }
    assert_eq!(database.max_id("invoice@2026-11-25"), max_id);
    let held = ids.series("invoice", SeriesOptions::new(Period::Day, "Europe/Madrid")).unwrap();
    let error = ids.series("invoice", daily()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    drop(held);
}

#[test]
fn a_format_that_does_not_show_the_period_and_the_key_is_refused() {
    let ids = memory([]);
    let make = |period: Period, key: Option<&str>, format: &str| {
        let zone = if period.ends() { "UTC" } else { "" };
        let options = SeriesOptions::new(period, zone).format(Format::new(format).unwrap());
        ids.series("invoice", key.map_or(options.clone(), |key| options.key(key))).map(drop)
    };
    make(Period::Day, None, "{year}{month}{day}-{number}").unwrap();
    make(Period::Year, Some("a"), "{key}-{yy}-{number}").unwrap();
    make(Period::Forever, None, "C{number:8}").unwrap();
    for (period, key, format, missing) in [
        (Period::Day, None, "{year}{month}-{number}", "{day}"),
        (Period::Day, None, "{number}", "{year}"),
        (Period::Month, None, "{year}{month}{day}-{number}", "{day}"),
        (Period::Year, Some("a"), "{year}-{number}", "{key}"),
        (Period::Year, None, "{key}-{year}-{number}", "{key}"),
        (Period::Forever, None, "{yy}-{number}", "{yy}"),
        (Period::Forever, None, "{shard:2}-{number}", "{shard}"),
    ] {
        let error = make(period, key, format).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{format}");
        assert!(error.message().contains(missing), "{error}");
    }
}

#[test]
fn a_number_that_does_not_fit_its_format_is_refused() {
    let ids = memory([]);
    let options = SeriesOptions::new(Period::Year, "UTC").format(Format::new("{year}/{number:1}").unwrap());
    let series = ids.series("invoice", options).unwrap();
    let today = date("2026-11-25");
    let next = || series.next_on(today).and_then(|it| series.text(&it.group, it.number));
    let texts: Vec<_> = (1..10).map(|_| next().unwrap()).collect();
    assert_eq!((texts[0].as_str(), texts[8].as_str()), ("2026/1", "2026/9"));
    assert_eq!(next().unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
}

#[test]
fn names_keys_and_zones_that_could_be_read_in_two_ways_are_refused() {
    let ids = memory([]);
    let long = "n".repeat(118);
    for (name, options) in [
        ("a@b", daily()),
        ("a/b", daily()),
        ("", daily()),
        (long.as_str(), daily()),
        ("a", daily().key("b@c")),
        ("a", daily().key("-b")),
        ("a", daily().step(0)),
        ("a", SeriesOptions::new(Period::Day, "")),
        ("a", SeriesOptions::new(Period::Day, "Europe/Madrid; DROP")),
        ("a", SeriesOptions::new(Period::Forever, "UTC")),
    ] {
        let error = ids.series(name, options.clone()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{name} {options:?}");
    }
    ids.series(&"n".repeat(117), daily()).unwrap();
}

#[test]
fn documents_of_many_days_take_no_memory_for_each_day_and_their_figures_are_kept() {
    let database = Database::new();
    let ids = database.open([]);
    let series = ids.series("invoice", daily().step(5)).unwrap();
    let mut seen = HashSet::new();
    for day in 0..200 {
        let number = series.next_on(utc(MIDNIGHT + day * DAY).date).unwrap();
        assert!(seen.insert((number.group.text().to_owned(), number.number)));
    }
    let stats = ids.stats();
    assert_eq!((stats.tags.len(), stats.tags[0].1.issued), (1, 200), "{stats:?}");
    // What was in hand of the days that were forgotten. Of the 32 others it is in hand.
    wait_until("what was in hand is not given back", || {
        let it = ids.stats().tags[0].1.clone();
        it.given_back > 600 && it.unused == it.leased - it.issued - it.given_back && it.unused < 600
    });
    // A day that was forgotten goes on where the store is.
    assert_eq!(series.next_on(utc(MIDNIGHT).date).unwrap().number, 2);
}

#[test]
fn the_format_is_stored_and_a_wider_one_replaces_it_without_a_migration() {
    let database = Database::new();
    let width =
        |width: usize| daily().format(Format::new(&format!("{{yy}}{{month}}{{day}}-{{number:{width}}}")).unwrap());
    let day = date("2026-11-25");
    let stored = |ids: &SegmentGenerator| ids.list_series().unwrap().wait().unwrap()[0].format.clone();
    let ids = database.open([]);
    let series = ids.series("invoice", width(1)).unwrap();
    for number in 1..=9 {
        assert_eq!(series.next_on(day).unwrap().number, number);
    }
    assert_eq!(series.next_on(day).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
    // A number may be taken a moment before its lease is counted.
    wait_until("the format is not full", || ids.stats().tags[0].1.numbers_left == Some(0));
    assert_eq!(stored(&ids).as_deref(), Some("{yy}{month}{day}-{number:1}"));
    ids.close().unwrap();
    let ids = database.open([]);
    let series = ids.series("invoice", width(4)).unwrap();
    let number = series.next_on(day).unwrap();
    assert!(number.number >= 10, "numbers go on: {}", number.number);
    assert_eq!(series.text(&number.group, number.number).unwrap(), format!("261125-{:04}", number.number));
    assert_eq!(stored(&ids).as_deref(), Some("{yy}{month}{day}-{number:4}"));
    let left = ids.stats().tags[0].1.numbers_left.unwrap();
    assert!((9980..9990).contains(&left), "{left}");
}

/// Takes a number of the day for a key, and drops the handle.
fn take(ids: &SegmentGenerator, key: &str) -> i64 {
    ids.series("invoice", daily().key(key).step(5)).unwrap().next_on(utc(MIDNIGHT).date).unwrap().number
}

#[test]
fn keys_without_a_handle_go_on_without_a_call_of_the_store_and_their_figures_are_those_of_one_series() {
    let database = Database::new();
    let ids = database.open([("timeout", "60s")]);
    let keys: Vec<String> = (0..100).map(|key| key.to_string()).collect();
    for number in 1..=4 {
        keys.iter().for_each(|key| assert_eq!(take(&ids, key), number));
    }
    let figures = ids.stats().tags[0].1.clone();
    assert_eq!((figures.issued, figures.given_back), (400, 0));
    assert_eq!(figures.unused, figures.leased - figures.issued);
    assert!(figures.unused >= 100, "each key holds some: {}", figures.unused);
    keys.iter().for_each(|key| assert_eq!(take(&ids, key), 5));
    let waits = ids.stats().tags[0].1.waits;
    assert_eq!(waits, figures.waits, "the fifth number was in hand");
    // What is leased ahead lands before the close, which waits for it for a second at most.
    let mut leased = 0;
    wait_until("leases go on for ever", || {
        std::thread::sleep(Duration::from_millis(500));
        std::mem::replace(&mut leased, ids.stats().tags[0].1.leased) == leased
    });
    ids.close().unwrap();
    let figures = ids.stats().tags[0].1.clone();
    assert_eq!((figures.issued, figures.unused), (500, 0), "a close gives back what is packed: {figures:?}");
    assert_eq!(figures.given_back, figures.leased - 500);
    let ids = database.open([]);
    assert!(keys.iter().all(|key| take(&ids, key) == 6));
}

#[test]
fn a_key_without_a_handle_remembers_what_it_has_leased_for_a_store_that_goes_back() {
    let database = Database::new();
    let ids = database.open([("timeout", "60s"), ("max_unused", "1")]);
    (1..=3).for_each(|number| assert_eq!(take(&ids, "kiosk"), number));
    // With more keys, those without a handle are packed.
    (0..300).for_each(|key| assert_eq!(take(&ids, &key.to_string()), 1));
    database.sql("UPDATE leaf_alloc SET max_id = 1 WHERE biz_tag LIKE 'invoice/kiosk@%'");
    let kiosk = ids.series("invoice", daily().key("kiosk").step(5)).unwrap();
    // The one number that may be in hand is still good; after it, nothing in hand remembers the lease.
    let error = match kiosk.next_on(utc(MIDNIGHT).date) {
        Ok(in_hand) => {
            assert_eq!(in_hand.number, 4);
            kiosk.next_on(utc(MIDNIGHT).date).unwrap_err()
        }
        Err(error) => error,
    };
    assert_eq!(error.kind(), ErrorKind::StoreRegressed, "{error}");
}

#[test]
fn keys_used_the_longest_ago_make_room_and_what_they_hold_is_given_back() {
    let database = Database::new();
    let ids = database.open([("max_keys", "40")]);
    let keys: Vec<String> = (0..300).map(|key| key.to_string()).collect();
    let kept = ids.series("invoice", daily().key("kept")).unwrap();
    for key in &keys {
        (1..=3).for_each(|number| assert_eq!(take(&ids, key), number));
        kept.next_on(utc(MIDNIGHT).date).unwrap();
    }
    wait_until("what was in hand is not given back", || {
        keys[..250].iter().all(|key| database.max_id(&format!("invoice/{key}@2026-11-25")) == 4)
    });
    assert!(keys.iter().all(|key| take(&ids, key) == 4), "each goes on where it was");
    assert_eq!(kept.next_on(utc(MIDNIGHT).date).unwrap().number, 301);
}

#[test]
fn threads_of_two_processes_that_share_more_keys_than_they_may_keep_get_each_number_once() {
    let store = stores::unique("crowded");
    let open = || {
        let options = options([("max_keys", "90"), ("timeout", "60s")]);
        leafmint::open::segment(&format!("memory://{store}"), options).unwrap()
    };
    let (first, second) = (open(), open());
    let taken: Vec<Vec<(u64, String, i64)>> = std::thread::scope(|scope| {
        let takers: Vec<_> = (0..8)
            .map(|thread| {
                let ids = if thread % 2 == 0 { &first } else { &second };
                scope.spawn(move || {
                    let (mut random, mut kept) = (fastrand::Rng::with_seed(thread), Vec::new());
                    let mut taken = Vec::new();
                    for _ in 0..1500 {
                        let key = random.u64(0..300);
                        let daily = daily().key(&key.to_string()).step(random.i64(1..4));
                        let series = ids.series("invoice", daily).unwrap();
                        // Now and then of another day, and with a handle that is kept for a while.
                        let day = date(if random.u8(0..8) == 0 { "2026-11-24" } else { "2026-11-25" });
                        for _ in 0..random.u8(1..4) {
                            let number = series.next_on(day).unwrap();
                            taken.push((key, number.group.text().to_owned(), number.number));
                        }
                        kept.push(series);
                        if kept.len() > 8 {
                            kept.swap_remove(random.usize(0..kept.len()));
                        }
                    }
                    taken
                })
            })
            .collect();
        takers.into_iter().map(|taker| taker.join().unwrap()).collect()
    });
    let mut seen = HashSet::new();
    for (thread, taken) in taken.into_iter().enumerate() {
        for it in taken {
            assert!(seen.insert(it.clone()), "thread {thread}: {it:?} comes twice");
        }
    }
    for ids in [first, second] {
        ids.close().unwrap();
        let stats = &ids.stats().tags[0].1;
        assert_eq!(stats.unused, stats.leased - stats.issued - stats.given_back, "{stats:?}");
    }
}

#[test]
fn more_keys_with_a_handle_than_max_keys_are_refused_by_name() {
    let ids = memory([("max_keys", "100")]);
    let open = |key: usize| ids.series("invoice", daily().key(&key.to_string()));
    let mut handles: Vec<Series> = (0..100).map(|key| open(key).unwrap()).collect();
    let error = open(100).unwrap_err();
    assert_eq!((error.kind(), error.reason()), (ErrorKind::InvalidConfig, Some(Reason::TooManyKeys)));
    assert!(error.message().contains("max_keys=100"), "{error}");
    assert!(open(99).is_ok() && ids.series("order", daily().key("0")).is_ok(), "each series has its own");
    handles.pop();
    handles.push(open(100).unwrap());
}

#[test]
fn a_number_or_a_call_that_outlives_its_handle_keeps_its_key() {
    let ids = memory([]);
    let today = utc(MIDNIGHT).date;
    let kept: Vec<_> = (0..200)
        .map(|key| ids.series("invoice", daily().key(&key.to_string())).unwrap().next_on(today).unwrap())
        .collect();
    for (key, number) in kept.iter().enumerate() {
        assert_eq!(number.group.next_in_hand().unwrap().unwrap_or(2), 2);
        assert_eq!(number.group.tag_name(), format!("invoice/{key}@2026-11-25"));
        assert!(take(&ids, &key.to_string()) >= 2);
    }
}

#[test]
fn a_series_works_after_a_refusal_and_after_its_generator_is_closed_it_fails() {
    let ids = memory([]);
    let series = ids.series("invoice", daily()).unwrap();
    assert_eq!(series.next_on(date("2026-11-25")).unwrap().number, 1);
    ids.close().unwrap();
    assert_eq!(series.next_on(date("2026-11-25")).unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(series.on(date("2026-11-26")).unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(ids.series("invoice", daily()).unwrap_err().kind(), ErrorKind::Closed);
}

#[test]
fn threads_that_cross_midnight_together_get_each_number_once_and_none_of_the_wrong_day() {
    let clock = Arc::new(ManualClock::at(MIDNIGHT - 50));
    let ids = memory([]);
    let series = on_clock(&ids, daily(), &clock);
    let taken: Vec<Vec<(i64, String, i64, i64)>> = std::thread::scope(|scope| {
        let takers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    (0..2000)
                        .map(|turn| {
                            if turn % 20 == 0 {
                                clock.pass(1);
                            }
                            let before = clock.wall();
                            let (group, number) = next(&series);
                            (before, group, number, clock.wall())
                        })
                        .collect()
                })
            })
            .collect();
        takers.into_iter().map(|taker| taker.join().unwrap()).collect()
    });
    let mut seen = HashSet::new();
    for (before, group, number, after) in taken.into_iter().flatten() {
        let days = [before, after].map(|now| utc(now).date.to_string());
        assert!(days.contains(&group), "{group} {number} was taken from {} to {}", days[0], days[1]);
        assert!(seen.insert((group, number)));
    }
    let days: HashSet<&str> = seen.iter().map(|(group, _)| group.as_str()).collect();
    assert_eq!(days, HashSet::from(["2026-11-24", "2026-11-25"]));
}

#[test]
fn where_clocks_are_set_back_over_midnight_the_date_that_comes_again_is_looked_up_for_each_number() {
    let ids = memory([]);
    let series = ids.series("invoice", daily()).unwrap();
    let (old, new) = (date("2026-11-24"), date("2026-11-25"));
    // At one minute past midnight it is half past eleven again.
    let again = MIDNIGHT + 60_000;
    let calendar = Calendar { date: old, begins: MIDNIGHT - DAY, ends: MIDNIGHT };
    for now in [again, again + 1] {
        assert!(series.in_force(now).is_none());
        assert_eq!(series.enter(now, now, Some(calendar)).unwrap().text(), "2026-11-24");
    }
    let now = again + 1_740_000;
    assert!(series.in_force(now).is_none());
    let calendar = Calendar { date: new, begins: MIDNIGHT, ends: MIDNIGHT + DAY };
    assert_eq!(series.enter(now, now, Some(calendar)).unwrap().text(), "2026-11-25");
    assert_eq!(series.in_force(now + 1).unwrap().text(), "2026-11-25");
}

#[test]
fn numbers_of_which_the_last_does_not_fit_the_format_are_refused_together_and_none_is_taken() {
    let ids = memory([]);
    let options = daily().format(Format::new("{yy}{month}{day}-{number:2}").unwrap());
    let series = ids.series("invoice", options).unwrap();
    let group = series.on(date("2026-11-25")).unwrap();
    let take = |count| {
        let ranges = series.begin(&group, Want::Many(count), None).unwrap().finish()?;
        Ok::<Vec<i64>, leafmint::Error>(ranges.into_iter().flatten().collect())
    };
    assert_eq!(take(100).unwrap_err().kind(), ErrorKind::IdSpaceExhausted, "before anything is leased");
    assert_eq!(take(95), Ok((1..=95).collect()));
    for _ in 0..3 {
        let error = take(10).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted, "{error}");
        assert!(error.message().contains("up to 105 at least"), "{error}");
    }
    assert_eq!(take(4), Ok((96..=99).collect()), "none was lost");
}
