//! The table: its columns, name and character set, and how it is created.

use super::open;
use crate::stores::{Table, mysql_url, number, options, sql};
use leafmint::segment::NewTagOptions;
use leafmint::{ErrorKind, SegmentGenerator};

#[test]
fn a_table_with_just_three_columns_is_enough() {
    let table = Table::missing();
    sql(&format!(
        "CREATE TABLE `{table}` (biz_tag varchar(64) PRIMARY KEY, max_id bigint NOT NULL, step int NOT NULL)"
    ));
    let ids = open(&table, []);
    assert!(ids.create_tag_with("order", NewTagOptions::new().step(10).start(5)).unwrap().wait().unwrap());
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 5);
}

#[test]
fn the_name_of_a_table_may_include_its_database() {
    let table = Table::of_leaf();
    let database = mysql_async::Opts::from_url(&mysql_url()).unwrap().db_name().unwrap().to_owned();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let full = format!("{database}.{table}");
    let ids = SegmentGenerator::open(&mysql_url(), options([("table", full.as_str())])).unwrap();
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
}

#[test]
fn names_are_looked_up_by_index_in_every_character_set() {
    for (set, collation) in
        [("latin1", "latin1_swedish_ci"), ("utf8mb3", "utf8mb3_general_ci"), ("utf8mb4", "utf8mb4_bin")]
    {
        let table = Table::of_leaf();
        sql(&format!("ALTER TABLE `{table}` CONVERT TO CHARACTER SET {set} COLLATE {collation}"));
        let ids = open(&table, []);
        ids.init_schema().unwrap().wait().unwrap();
        for name in ["order", "Straße", "o'\\\"`?; --"] {
            ids.create_tag_with(name, NewTagOptions::new().step(10)).unwrap().wait().unwrap();
            assert_eq!(ids.biz_tag(name).unwrap().next_id().unwrap(), 1, "{set} {name}");
            assert_eq!(
                number(&format!(
                    "SELECT COUNT(*) FROM `{table}` WHERE BINARY CONVERT(biz_tag USING utf8mb4) = X'{}'",
                    hex(name)
                )),
                1
            );
        }
        // MariaDB has no other format for this, and reads none of MySQL's comments.
        let update = format!("UPDATE `{table}` SET max_id = 1 WHERE biz_tag = _utf8mb4 X'{}'", hex("Straße"));
        let plan = sql(&format!("EXPLAIN /*!80000 FORMAT=TRADITIONAL */ {update}"));
        assert_eq!(plan[0].get::<Option<String>, _>("key").unwrap().as_deref(), Some("PRIMARY"), "{set}");
    }
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02X}")).collect()
}

#[test]
fn a_missing_table_is_reported_with_the_statement_that_creates_it() {
    let table = Table::missing();
    let error = open(&table, []).biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains(&format!("CREATE TABLE IF NOT EXISTS `{table}`")), "{error}");
}

#[test]
fn init_schema_and_auto_create_create_the_table() {
    let (by_hand, on_first_use) = (Table::missing(), Table::missing());
    let ids = open(&by_hand, []);
    ids.init_schema().unwrap().wait().unwrap();
    ids.create_tag_with("order", NewTagOptions::new().step(10).description("orders 🙂")).unwrap().wait().unwrap();
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
    let ids = open(&on_first_use, [("auto_create", "true"), ("default_step", "50"), ("default_start", "7")]);
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 7);
}
