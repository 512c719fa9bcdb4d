//! What a sequence must be, and what it cannot do.

use super::{Sequence, open_at};
use crate::postgres::accounts::Account;
use crate::stores::postgres::sql;
use crate::stores::postgres_url;
use leafmint::format::{CalendarDate, Period};
use leafmint::segment::{SeriesOptions, TagOptions};
use leafmint::store::NewTagOptions;
use leafmint::{ErrorKind, Reason};

/// Asserts that no id can be had, that the list and the check say why, and that nothing was drawn.
#[track_caller]
fn assert_refused(sequence: &Sequence, words: &str) {
    let ids = sequence.open([]);
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidConfig && error.message().contains(words), "{error}");
    assert_eq!(ids.check().unwrap().wait().unwrap_err().message(), error.message());
    let listed = ids.list_tags().unwrap().wait().unwrap();
    assert!(listed[0].problem.as_ref().unwrap().contains(words), "{listed:?}");
    assert_eq!(sql(&format!("SELECT is_called FROM \"{sequence}\"")), ["f"], "a value was drawn in vain");
}

#[test]
fn a_sequence_whose_numbers_come_again_or_out_of_order_is_refused_and_left_alone() {
    for (made, words) in [
        ("CYCLE", "NO CYCLE"),
        ("CACHE 20", "CACHE 1"),
        ("INCREMENT -1", "counts by -1"),
        ("INCREMENT 50", "sequence_optimizer"),
    ] {
        assert_refused(&Sequence::made(made), words);
    }
    let unlogged = Sequence::made("");
    unlogged.alter("SET UNLOGGED");
    assert_refused(&unlogged, "SET LOGGED");
}

#[test]
fn what_is_no_sequence_is_refused() {
    let ids = open_at(&postgres_url(), "pg_catalog.pg_class", []);
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidConfig && error.message().contains("is no sequence"), "{error}");
    let ids = open_at(&postgres_url(), "{tag}_seq", []);
    let error = ids.biz_tag("a b").unwrap().next_id().unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidArgument && error.message().contains("a b_seq"), "{error}");
    let error = ids.biz_tag("none_such").unwrap().next_id().unwrap_err();
    assert!(error.kind() == ErrorKind::UnknownTag && error.message().contains("none_such_seq"), "{error}");
}

#[test]
fn a_temporary_sequence_that_hides_another_is_refused() {
    let server = crate::stores::crashing::Crashing::with(&["--pooled"]);
    let run = |sql: &str| crate::stores::postgres::sql_on(&server.url, sql);
    run("CREATE SEQUENCE s");
    let ids = open_at(&server.url, "s", []);
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.next_id(), Ok(1));
    for _ in 0..10 {
        run("CREATE TEMPORARY SEQUENCE IF NOT EXISTS s");
    }
    let error = order.next_ids(100).unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidConfig && error.message().contains("temporary"), "{error}");
}

#[test]
fn the_account_needs_usage_alone() {
    let sequence = Sequence::made("");
    let denied = Account::new(&[]);
    let ids = sequence.open([("username", &denied.0), ("password", "pw")]);
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert!(error.kind() == ErrorKind::InvalidConfig && error.reason() == Some(Reason::Denied), "{error:?}");
    assert!(error.message().contains(&format!("GRANT USAGE ON SEQUENCE \"{sequence}\"")), "{error}");
    assert_eq!(ids.check().unwrap().wait().unwrap_err().reason(), Some(Reason::Denied));
    let account = Account::new(&[format!("USAGE ON SEQUENCE \"{sequence}\"")]);
    let ids = sequence.open([("username", &account.0), ("password", "pw")]);
    assert_eq!(ids.biz_tag("order").unwrap().next_id(), Ok(1));
    assert_eq!(ids.check().unwrap().wait().unwrap().tags, 1);
    assert_eq!(ids.list_tags().unwrap().wait().unwrap()[0].problem, None);
}

#[test]
fn what_only_a_table_has_is_refused_with_what_to_do_instead() {
    let sequence = Sequence::made("");
    let ids = sequence.open([]);
    let day = CalendarDate::new(2026, 11, 26).unwrap();
    let errors = [
        ids.create_tag_with("order", NewTagOptions::new()).unwrap().wait().unwrap_err(),
        ids.raise_tag("order", 500).unwrap().wait().unwrap_err(),
        ids.set_tag("order", Some(5), None).unwrap().wait().unwrap_err(),
        ids.biz_tag_with("genes", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(1, None).unwrap_err(),
        ids.series("invoice", SeriesOptions::new(Period::Year, "UTC")).unwrap().next_on(day).unwrap_err(),
    ];
    for (error, words) in errors.iter().zip([
        "CREATE SEQUENCE",
        "RESTART WITH 500",
        "default_step",
        "gene bits: others draw ids",
        "others draw ids",
    ]) {
        assert!(error.kind() == ErrorKind::InvalidConfig && error.message().contains(words), "{error}");
        assert!(error.message().contains(&sequence.0), "{error}");
    }
    assert_eq!(sequence.next(), 1, "nothing was drawn");
}
