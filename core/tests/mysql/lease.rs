//! Leases from a row: next to a running Leaf, committed at once, and never beyond what the column holds.

use super::open;
use crate::stores::{Table, number, sql};
use leafmint::ErrorKind;
use leafmint::format::{CalendarDate, Period};
use leafmint::segment::SeriesOptions;
use leafmint::store::NewTagOptions;
use std::sync::Barrier;
use std::thread;

#[test]
fn a_row_that_leaf_wrote_works_unchanged_while_leaf_keeps_using_it() {
    let table = Table::of_leaf();
    sql(&format!(
        "INSERT INTO `{table}` (biz_tag, max_id, step, description) VALUES ('leaf-segment-test', 1, 2000, 'Test leaf')"
    ));
    let ids = open(&table, [("max_step", "2000")]);
    let order = ids.biz_tag("leaf-segment-test").unwrap();
    assert_eq!(order.next_id().unwrap(), 1);
    // The statement of Leaf's own transaction: its segment ends at the new max_id.
    sql(&format!("UPDATE `{table}` SET max_id = max_id + step WHERE biz_tag = 'leaf-segment-test'"));
    let end = number(&format!("SELECT max_id FROM `{table}`"));
    let drawn = order.next_ids(6000).unwrap();
    assert!(drawn.iter().all(|id| !(end - 2000..end).contains(id)), "Leaf holds {}..{end}", end - 2000);
}

#[test]
fn a_lease_outlives_its_session_whatever_the_servers_autocommit() {
    let table = Table::of_leaf();
    sql(&format!("SET autocommit=1; INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 100)"));
    for expected in [1, 2] {
        let ids = open(&table, [("max_step", "100"), ("timeout", "30s")]);
        assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), expected);
        ids.close().unwrap();
    }
}

#[test]
fn a_number_too_large_for_its_column_is_an_error_whatever_the_servers_sql_mode() {
    let table = Table::missing();
    sql(&format!("CREATE TABLE `{table}` (biz_tag varchar(64) PRIMARY KEY, max_id int NOT NULL, step int NOT NULL)"));
    sql(&format!("SET autocommit=1; INSERT INTO `{table}` VALUES ('order', 2147483500, 100)"));
    let ids = open(&table, [("max_step", "100")]);
    let order = ids.biz_tag("order").unwrap();
    let first = order.next_ids(100).unwrap();
    for _ in 0..2 {
        let error = order.next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted, "{error}");
        assert!(error.message().contains("'max_id'") && error.message().contains("bigint"), "{error}");
    }
    let error =
        ids.create_tag_with("big", NewTagOptions::new().step(100).start(3_000_000_000)).unwrap().wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted, "{error}");
    sql(&format!("ALTER TABLE `{table}` MODIFY max_id bigint NOT NULL"));
    let next = order.next_ids(200).unwrap();
    assert!(first.last() < next.first() && next.is_sorted(), "{first:?} {next:?}");
    // It leases ahead otherwise, between the lease and the question.
    ids.close().unwrap();
    assert_eq!(
        open(&table, []).biz_tag("order").unwrap().next_id().unwrap(),
        number(&format!("SELECT max_id FROM `{table}`")) - 100
    );
}

/// The row that one of them stores may come between what another one reads of it.
#[test]
fn a_tag_that_four_generators_begin_in_the_same_moment_fails_in_none_of_them() {
    let table = Table::of_leaf();
    let start = Barrier::new(4);
    let failed: Vec<leafmint::Error> = thread::scope(|scope| {
        let begin = || {
            let ids = open(&table, [("auto_create", "true"), ("default_step", "7"), ("timeout", "60s")]);
            let begin = |tag: usize| {
                start.wait();
                ids.biz_tag(&format!("tag {tag}")).unwrap().next_id().err()
            };
            (0..100).filter_map(begin).collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(begin)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(failed, []);
}

#[test]
fn a_series_whose_name_or_key_differs_from_another_only_in_its_letters_case_is_refused_where_they_are_one_row() {
    let table = Table::of_leaf();
    sql(&format!("ALTER TABLE `{table}` CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"));
    let ids = open(&table, []);
    ids.init_schema().unwrap().wait().unwrap();
    let on = CalendarDate::new(2026, 11, 25).unwrap();
    let number = |name: &str, key: &str| {
        let series = ids.series(name, SeriesOptions::new(Period::Day, "UTC").key(key)).unwrap();
        series.next_on(on).map(|number| number.number)
    };
    assert_eq!(number("invoice", "Shop"), Ok(1));
    for (name, key) in [("invoice", "shop"), ("Invoice", "Shop")] {
        let error = number(name, key).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        let names = ["invoice/Shop@2026-11-25".to_owned(), format!("{name}/{key}@2026-11-25")];
        assert!(names.iter().all(|name| error.message().contains(name)), "{error}");
    }
    // A refused lease may have taken the numbers that come next.
    assert!(number("invoice", "Shop").unwrap() > 1);
    assert_eq!(number("invoice", "shop-2"), Ok(1));
}
