//! A tag that has leased ids is never created anew, on any store: from its beginning on, ids would repeat.

use super::database::Database;
use crate::stores::{self, Table, mysql_url, options, postgres, postgres_url};
use leafmint::store::NewTagOptions;
use leafmint::{ErrorKind, Reason, SegmentGenerator};

/// Asserts that no generator that is open creates the tag `order` anew after `lose` has removed its row.
fn assert_never_anew(open: impl Fn() -> SegmentGenerator, lose: impl Fn()) {
    let ids = open();
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.next_ids(5).unwrap(), [1, 2, 3, 4, 5]);
    lose();
    let unused = open();
    for ids in [&ids, &unused] {
        let error = ids.biz_tag("order").unwrap().next_ids(100_000).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StoreRegressed, "{error}");
        assert!(
            error.message().contains("is gone") && error.message().contains("leafmint tags recover order;"),
            "{error}"
        );
        assert!(!error.message().contains("CREATE TABLE") && !error.message().contains("init"), "{error}");
        assert!(ids.list_tags().unwrap().wait().unwrap().is_empty(), "the row was made again");
    }
    assert_eq!(unused.biz_tag("new").unwrap().next_id().unwrap(), 1, "another tag is created on first use");
    // As the command does that the message names, with the highest id of all processes.
    assert!(ids.create_tag_with("order", NewTagOptions::new().step(10)).unwrap().wait().unwrap());
    assert_eq!(ids.raise_tag_above("order", 4999).unwrap().wait().unwrap(), 5000);
    assert_eq!(unused.biz_tag("order").unwrap().next_id().unwrap(), 5000);
    assert!(order.next_ids(100).unwrap().iter().all(|id| *id > 5 && *id != 5000));
}

const GIVEN: [(&str, &str); 4] =
    [("auto_create", "true"), ("default_step", "10"), ("max_step", "10"), ("timeout", "20s")];

#[test]
fn a_tag_whose_row_or_table_is_gone_is_not_created_anew_in_sqlite() {
    for lose in ["DELETE FROM leaf_alloc", "DROP TABLE leaf_alloc", "ALTER TABLE leaf_alloc RENAME TO kept"] {
        let database = Database::new();
        let open = || {
            let ids = database.open(GIVEN);
            // A generator makes the table before its first statement, if it is missing.
            ids.list_tags().unwrap().wait().unwrap();
            ids
        };
        assert_never_anew(open, || database.sql(lose));
    }
}

#[test]
fn a_tag_whose_row_or_table_is_gone_is_not_created_anew_on_mysql() {
    let (of_rows, of_table) = (Table::missing(), Table::missing());
    let open = |table: &str| leafmint::open::segment(&mysql_url(), options(GIVEN).chain(options([("table", table)])));
    assert_never_anew(|| open(&of_rows.0).unwrap(), || drop(stores::sql(&format!("DELETE FROM `{of_rows}`"))));
    assert_never_offered(|| open(&of_table.0).unwrap(), || drop(stores::sql(&format!("DROP TABLE `{of_table}`"))));
}

#[test]
fn a_tag_whose_row_or_table_is_gone_is_not_created_anew_on_postgresql() {
    let (of_rows, of_table) = (postgres::Table::missing(), postgres::Table::missing());
    let open =
        |table: &str| leafmint::open::segment(&postgres_url(), options(GIVEN).chain(options([("table", table)])));
    assert_never_anew(|| open(&of_rows.0).unwrap(), || drop(postgres::sql(&format!("DELETE FROM \"{}\"", of_rows.0))));
    assert_never_offered(
        || open(&of_table.0).unwrap(),
        || drop(postgres::sql(&format!("DROP TABLE \"{}\"", of_table.0))),
    );
}

#[test]
fn what_closed_generators_leased_is_forgotten() {
    let database = Database::new();
    let ids = database.open(GIVEN);
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
    ids.close().unwrap();
    database.sql("DELETE FROM leaf_alloc");
    // As in a test that begins with an empty table.
    assert_eq!(database.open(GIVEN).biz_tag("order").unwrap().next_id().unwrap(), 1);
}

#[test]
fn no_message_of_a_process_that_has_leased_from_a_table_offers_to_create_it() {
    let given = || options([("auto_create", "false"), ("max_step", "10"), ("timeout", "20s")]);
    let (of_mysql, of_postgres) = (Table::missing(), postgres::Table::missing());
    let named = |name: &str| given().chain(options([("table", name)])).collect::<Vec<_>>();
    let on_mysql = || leafmint::open::segment(&mysql_url(), named(&of_mysql.0)).unwrap();
    let on_postgres = || leafmint::open::segment(&postgres_url(), named(&of_postgres.0)).unwrap();
    for offered in [on_mysql(), on_postgres()].map(|unused| unused.check().unwrap().wait().unwrap_err()) {
        assert!(offered.message().contains("so if there was one, undo its renaming"), "{offered}");
        assert!(offered.message().contains("leafmint init") && offered.message().contains("CREATE TABLE"), "{offered}");
    }
    assert_never_offered(on_mysql, || drop(stores::sql(&format!("DROP TABLE `{of_mysql}`"))));
    assert_never_offered(on_postgres, || drop(postgres::sql(&format!("DROP TABLE \"{}\"", of_postgres.0))));
}

/// Asserts that no generator that is open creates a lost table of which one has leased, nor advises to.
fn assert_never_offered(open: impl Fn() -> SegmentGenerator, lose: impl Fn()) {
    let (ids, unused) = (open(), open());
    ids.init_schema().unwrap().wait().unwrap();
    ids.create_tag_with("order", NewTagOptions::new().step(10)).unwrap().wait().unwrap();
    ids.biz_tag("order").unwrap().next_id().unwrap();
    lose();
    for ids in [&ids, &unused] {
        let minted = ids.biz_tag("order").unwrap().next_ids(1000).unwrap_err();
        let other = ids.biz_tag("other").unwrap().next_id().unwrap_err();
        let created = ids.create_tag("other").unwrap().wait().unwrap_err();
        for error in [minted, other, created, ids.check().unwrap().wait().unwrap_err()] {
            assert_eq!(error.reason(), Some(Reason::MissingTable), "{error}");
            assert!(error.message().contains("undo that"), "{error}");
            assert!(!error.message().contains("CREATE TABLE") && !error.message().contains("init"), "{error}");
        }
    }
}
