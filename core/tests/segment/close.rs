//! The close of a generator.

use super::database::{Database, memory};
use leafmint::ErrorKind;
use leafmint::format::{CalendarDate, Period};
use leafmint::segment::SeriesOptions;
use leafmint::store::NewTagOptions;
use std::time::{Duration, Instant};

#[test]
fn a_clean_close_gives_the_unused_tail_back_and_a_second_one_does_nothing() {
    let database = Database::new();
    let ids = database.open([]);
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.next_ids(5).unwrap(), [1, 2, 3, 4, 5]);
    assert!(database.max_id("order") >= 1001);
    ids.close().unwrap();
    ids.close().unwrap();
    assert_eq!(database.max_id("order"), 6);
    let stats = &ids.stats().tags[0].1;
    assert_eq!((stats.issued, stats.unused, stats.given_back), (5, 0, stats.leased - 5));
    assert_eq!(database.open([]).biz_tag("order").unwrap().next_id().unwrap(), 6);
}

#[test]
fn processes_that_close_together_give_all_their_numbers_back_and_one_that_goes_on_leaves_none_lost_but_its_own() {
    let database = Database::new();
    let day = CalendarDate::new(2026, 11, 25).unwrap();
    let open = |name: &str| {
        let ids = database.open([]);
        let series = ids.series(name, SeriesOptions::new(Period::Day, "UTC")).unwrap();
        (ids, move |count| (0..count).map(|_| series.next_on(day).unwrap().number).max().unwrap())
    };
    let all = [0; 3].map(|_| open("order"));
    // Each holds ranges between those of the others.
    let last = (0..5).flat_map(|_| all.iter().map(|(_, take)| take(7))).max().unwrap();
    assert!(database.max_id("order@2026-11-25") > last + 1);
    let closing: Vec<_> = all.into_iter().map(|(ids, _)| std::thread::spawn(move || ids.close())).collect();
    closing.into_iter().for_each(|closed| closed.join().unwrap().unwrap());
    let max_id = database.max_id("order@2026-11-25");
    assert!(max_id <= last + 1, "{max_id} after {last}");
    let ((closed, take), (_lives, goes_on)) = (open("bill"), open("bill"));
    take(5);
    goes_on(5);
    closed.close().unwrap();
    let stats = &closed.stats().tags[0].1;
    assert_eq!(stats.given_back, 0, "another process leased after it");
    assert_eq!(stats.unused, stats.leased - 5, "what is lost is counted");
}

#[test]
fn a_generator_is_closed_when_its_last_handle_is_dropped() {
    let database = Database::new();
    assert_eq!(database.open([]).biz_tag("order").unwrap().next_id().unwrap(), 1);
    let deadline = Instant::now() + Duration::from_secs(30);
    while database.max_id("order") != 2 {
        assert!(Instant::now() < deadline, "the tail was not given back");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn every_call_after_the_close_raises_closed() {
    let ids = memory([]);
    let order = ids.biz_tag("order").unwrap();
    order.next_id().unwrap();
    ids.close().unwrap();
    let errors = [
        order.next_id().unwrap_err(),
        order.next_id_or_wait(None).err().unwrap(),
        order.try_next_id().unwrap_err(),
        order.next_ids(5).unwrap_err(),
        order.next_range(5).unwrap_err(),
        ids.biz_tag("order").unwrap_err(),
        ids.create_tag_with("x", NewTagOptions::new().step(1)).err().unwrap(),
        ids.init_schema().err().unwrap(),
    ];
    assert!(errors.iter().all(|error| error.kind() == ErrorKind::Closed), "{errors:?}");
}

#[test]
fn a_close_while_eight_threads_mint_ends_them_all_and_gives_nothing_back_that_was_handed_out() {
    let database = Database::new();
    let ids = database.open([("max_step", "1000"), ("timeout", "60s")]);
    let order = ids.biz_tag("order").unwrap();
    let last = std::thread::scope(|scope| {
        let mint = || {
            let mut last = 0;
            loop {
                match order.next_id() {
                    Ok(id) => last = id,
                    Err(error) if error.kind() == ErrorKind::Closed => return last,
                    Err(error) => panic!("{error}"),
                }
            }
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(mint)).collect();
        while ids.stats().tags[0].1.issued < 10_000 {
            std::thread::yield_now();
        }
        ids.close().unwrap();
        threads.into_iter().map(|thread| thread.join().unwrap()).max().unwrap()
    });
    assert!(database.max_id("order") > last);
}

#[test]
fn a_close_ends_a_call_that_waits() {
    let database = Database::new();
    let ids = database.open([("connect_timeout", "100ms"), ("auto_create", "false")]);
    ids.create_tag_with("order", NewTagOptions::new().step(100)).unwrap().wait().unwrap();
    let order = ids.biz_tag("order").unwrap();
    let _outage = database.outage();
    let waiting = std::thread::spawn(move || order.next_id_within(Duration::from_secs(60)));
    while ids.stats().tags[0].1.refill_failures == 0 {
        std::thread::yield_now();
    }
    let began = Instant::now();
    ids.close().unwrap();
    assert_eq!(waiting.join().unwrap().unwrap_err().kind(), ErrorKind::Closed);
    assert!(began.elapsed() < Duration::from_secs(30));
}
