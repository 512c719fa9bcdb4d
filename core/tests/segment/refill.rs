//! Refills: of unknown tags, during an outage, and of rows that are wrong.

use super::database::{Database, create, memory};
use crate::stores::wait_until;
use leafmint::ErrorKind;
use leafmint::store::NewTagOptions;
use std::time::{Duration, Instant};

#[test]
fn an_unknown_tag_is_asked_for_with_pauses_and_a_call_works_soon_after_it_is_inserted() {
    let ids = memory([("auto_create", "false")]);
    let order = ids.biz_tag("order").unwrap();
    let attempts = || ids.stats().tags[0].1.refill_failures;
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(1) || attempts() < 2 {
        assert_eq!(order.try_next_id().unwrap(), None);
        assert!(began.elapsed() < Duration::from_secs(30), "{} attempts", attempts());
    }
    let polled = attempts();
    assert!(polled <= 12, "{polled} attempts in a second of polling");
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(1) {
        let error = order.next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownTag, "{error}");
        // Too short for a pause: what is known is said.
        assert_eq!(order.next_id_within(Duration::from_millis(1)).unwrap_err().kind(), ErrorKind::UnknownTag);
    }
    let called = attempts() - polled;
    assert!((1..=12).contains(&called), "{called} attempts in a second of calls");
    create(&ids, "order", 10);
    let began = Instant::now();
    assert_eq!(order.next_id_within(Duration::from_secs(60)).unwrap(), 1);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn supply_in_hand_is_served_while_the_store_is_down_and_the_generator_recovers_by_itself() {
    let database = Database::new();
    let ids = database.open([("connect_timeout", "50ms"), ("max_step", "1000")]);
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.next_ids(500).unwrap().len(), 500);
    // Until a segment is ready behind the live one, which a slow disk takes its time for.
    while ids.stats().tags[0].1.unused <= 1000 {
        order.next_id().unwrap();
        std::thread::sleep(Duration::from_millis(1));
    }
    let outage = database.outage();
    let held = ids.stats().tags[0].1.unused;
    assert!(held > 1000, "{held}");
    for _ in 0..held {
        order.next_id_within(Duration::ZERO).unwrap();
    }
    let began = Instant::now();
    let error = order.next_id_within(Duration::from_secs(2)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable);
    assert!(error.message().contains("locked") && error.message().contains("\"order\""), "{error}");
    let waited = began.elapsed();
    assert!(waited >= Duration::from_secs(2) && waited < Duration::from_secs(30), "{waited:?}");
    drop(outage);
    order.next_id_within(Duration::from_secs(30)).unwrap();
}

#[test]
fn failures_in_a_row_count_an_outage_for_every_tag_and_end_with_it() {
    let database = Database::new();
    // A busy machine may be late for a timeout of 100 ms without an outage, hence the waits for zeros.
    let ids = database.open([("connect_timeout", "100ms")]);
    let (order, user) = (ids.biz_tag("order").unwrap(), ids.biz_tag("user").unwrap());
    order.next_id().unwrap();
    let in_a_row = || [order.stats().failures_in_a_row, user.stats().failures_in_a_row];
    wait_until("failures are counted without an outage", || in_a_row() == [0, 0]);
    let outage = database.outage();
    user.next_id_within(Duration::from_millis(500)).unwrap_err();
    wait_until("no attempt fails", || in_a_row()[1] >= 1);
    assert_eq!(in_a_row()[0], 1, "{:?}", ids.stats());
    drop(outage);
    user.next_id_within(Duration::from_secs(30)).unwrap();
    wait_until("failures are counted after the outage", || in_a_row() == [0, 0]);
    assert!(user.stats().refill_failures > 0);
}

#[test]
fn an_outage_and_its_failed_calls_are_counted_and_end_with_a_close() {
    let database = Database::new();
    let ids = database.open([("connect_timeout", "50ms")]);
    let order = ids.biz_tag("order").unwrap();
    let failures = |code: &str| ids.stats().failures.iter().find(|(known, _)| *known == code).unwrap().1;
    assert!(ids.stats().store_up && failures("store_unavailable") == 0);
    let outage = database.outage();
    assert_eq!(order.next_id_within(Duration::from_secs(1)).unwrap_err().kind(), ErrorKind::SegmentUnavailable);
    let (stats, tag) = (ids.stats(), order.stats());
    assert!(!stats.store_up && failures("store_unavailable") > 0 && failures("unknown_tag") == 0, "{stats:?}");
    assert!(tag.failed_calls == 1 && tag.last_error_at > Some(1_700_000_000_000), "{tag:?}");
    assert_eq!(tag.last_error_code, Some("store_unavailable"));
    let _ = ids.close();
    assert!(ids.stats().store_up, "a generator that is closed waits for no store");
    assert_eq!(order.next_id().unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(order.stats().failed_calls, 1, "a close is no failure");
    drop(outage);
}

#[test]
fn failures_in_a_row_leave_out_the_refusal_of_a_tag_but_not_a_store_that_went_back() {
    let database = Database::new();
    let ids = database.open([("auto_create", "false"), ("max_step", "100")]);
    create(&ids, "order", 100).next_id().unwrap();
    let typo = ids.biz_tag("odrer").unwrap();
    assert_eq!(typo.next_id().unwrap_err().kind(), ErrorKind::UnknownTag);
    assert!(typo.stats().refill_failures >= 1, "it is counted");
    assert_eq!(typo.stats().failures_in_a_row, 0);
    database.sql("UPDATE leaf_alloc SET max_id = 1");
    let order = ids.biz_tag("order").unwrap();
    while order.next_id().is_ok() {}
    // The refill ahead of need may have failed before.
    assert!(order.stats().failures_in_a_row > 0);
}

#[test]
fn a_store_that_leased_a_range_again_is_looked_at_until_it_is_raised_and_the_tag_goes_on() {
    let database = Database::new();
    let ids = database.open([("max_step", "100"), ("default_step", "100")]);
    let order = ids.biz_tag("o'rder").unwrap();
    order.next_id().unwrap();
    database.sql("UPDATE leaf_alloc SET max_id = 1"); // yesterday's backup
    let mut handed_out = vec![1];
    let error = loop {
        match order.next_id() {
            Ok(id) => {
                assert!(Some(&id) > handed_out.last(), "nothing is handed out twice");
                handed_out.push(id);
            }
            Err(error) => break error,
        }
        assert!(handed_out.len() <= 1000, "more than the supply in hand");
    };
    assert_eq!(error.kind(), ErrorKind::StoreRegressed);
    assert!(error.message().contains(r"leafmint tags recover 'o'\''rder';"), "{error}");
    let max_id = || ids.list_tags().unwrap().wait().unwrap()[0].max_id;
    let (stored, failures) = (max_id(), order.stats().refill_failures);
    assert_eq!(order.next_id().unwrap_err().kind(), ErrorKind::StoreRegressed);
    assert!(order.stats().refill_failures > failures && order.stats().failures_in_a_row > 1, "{:?}", order.stats());
    assert_eq!(max_id(), stored, "it is looked at, and nothing is leased");
    database.sql("UPDATE leaf_alloc SET max_id = 5000");
    assert_eq!(order.next_id().unwrap(), 5000, "without a restart");
    assert_eq!(order.stats().failures_in_a_row, 0);
}

#[test]
fn processes_whose_store_went_back_do_not_lift_it_over_the_ids_of_one_another() {
    let database = Database::new();
    let open = || database.open([("max_step", "100"), ("default_step", "100"), ("timeout", "2s")]);
    let (one, two) = (open(), open());
    let mint = |ids: &leafmint::SegmentGenerator, count| ids.biz_tag("order").unwrap().next_ids(count);
    mint(&one, 10).unwrap();
    mint(&two, 1000).unwrap();
    database.sql("UPDATE leaf_alloc SET max_id = 1");
    for ids in [&one, &two] {
        assert_eq!(mint(ids, 5000).unwrap_err().kind(), ErrorKind::StoreRegressed);
    }
    database.sql(
        "CREATE TRIGGER no_lease BEFORE UPDATE ON leaf_alloc WHEN NEW.max_id <> OLD.max_id \
         BEGIN SELECT RAISE(ABORT, 'leased'); END",
    );
    for ids in [&one, &two, &one, &two] {
        assert_eq!(mint(ids, 5000).unwrap_err().kind(), ErrorKind::StoreRegressed, "it only looks");
    }
    database.sql("DROP TRIGGER no_lease");
    let highest = two.stats().tags[0].1.highest_leased;
    assert!(one.list_tags().unwrap().wait().unwrap()[0].max_id < Some(200), "{:?}", one.list_tags().unwrap().wait());
    one.raise_tag_above("order", highest).unwrap().wait().unwrap();
    for ids in [&one, &two] {
        assert!(*mint(ids, 2000).unwrap().last().unwrap() > highest);
    }
}

#[test]
fn a_tag_that_was_inserted_a_moment_ago_works() {
    let database = Database::new();
    let ids = database.open([("auto_create", "false")]);
    let order = ids.biz_tag("order").unwrap();
    for _ in 0..3 {
        assert_eq!(order.next_id().unwrap_err().kind(), ErrorKind::UnknownTag);
    }
    database.sql("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 100)");
    assert_eq!(order.next_id().unwrap(), 1);
}

#[test]
fn a_tag_that_was_deleted_is_unknown_once_its_supply_has_run_out() {
    let database = Database::new();
    let ids = database.open([("max_step", "100"), ("default_step", "100")]);
    let order = ids.biz_tag("order").unwrap();
    order.next_id().unwrap();
    ids.create_tag_with("other", NewTagOptions::new().step(1)).unwrap().wait().unwrap();
    let strict = database.open([("auto_create", "false"), ("max_step", "100")]);
    let order = strict.biz_tag("order").unwrap();
    order.next_id().unwrap();
    database.sql("DELETE FROM leaf_alloc WHERE biz_tag = 'order'");
    let error = (0..10_000).find_map(|_| order.next_id().err()).unwrap();
    assert_eq!(error.kind(), ErrorKind::UnknownTag);
}

#[test]
fn a_step_column_out_of_range_is_refused_and_nothing_is_written() {
    for step in [0, -1, (1 << 30) + 1, 1 << 31] {
        let database = Database::new();
        database.open([]).init_schema().unwrap().wait().unwrap();
        database.sql(&format!("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 7, {step})"));
        let error = database.open([]).biz_tag("order").unwrap().next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        assert!(error.message().contains(&step.to_string()), "{error}");
        assert_eq!(database.max_id("order"), 7);
    }
}

#[test]
fn a_lease_whose_commit_fails_leases_nothing() {
    let database = Database::new();
    let ids = database.open([("timeout", "20s"), ("max_step", "100"), ("default_step", "100")]);
    ids.create_tag_with("order", NewTagOptions::new().step(100)).unwrap().wait().unwrap();
    // The row is changed, and what comes with it is found out at the commit.
    database.sql(
        "CREATE TABLE missing (id INTEGER PRIMARY KEY);
         CREATE TABLE leased (id INTEGER REFERENCES missing (id) DEFERRABLE INITIALLY DEFERRED);
         CREATE TRIGGER lease AFTER UPDATE OF max_id ON leaf_alloc BEGIN INSERT INTO leased VALUES (1); END",
    );
    let order = ids.biz_tag("order").unwrap();
    let error = order.next_id_within(Duration::from_secs(3)).unwrap_err();
    assert!(error.message().contains("FOREIGN KEY"), "{error}");
    assert_eq!(database.max_id("order"), 1);
    // It would go on trying.
    ids.close().unwrap();
    database.sql("DROP TRIGGER lease");
    assert_eq!(database.open([]).biz_tag("order").unwrap().next_id().unwrap(), 1);
}
