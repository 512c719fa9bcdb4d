//! Tables that differ from Leaf's: they have triggers, other column types or invalid rows. Each works, or a named error
//! says what is wrong and nothing is leased. On a real server.

use crate::stores::{Table, mysql_url, number, options, sql};
use leafmint::segment::TagOptions;
use leafmint::store::NewTagOptions;
use leafmint::{BizTag, ErrorKind, SegmentGenerator};
use std::collections::HashSet;
use std::time::{Duration, Instant};

fn open<const N: usize>(table: &Table, given: [(&str, &str); N]) -> SegmentGenerator {
    let common = [("table", table.0.as_str()), ("timeout", "10s")];
    leafmint::open::segment(&mysql_url(), options(given).chain(options(common))).unwrap()
}

/// Creates a table whose columns have these types, with rows of the tag `order`.
fn table_with(max_id: &str, step: &str, rows: &str) -> Table {
    let table = Table::missing();
    let key = if rows.contains("), (") { "" } else { " PRIMARY KEY" };
    sql(&format!("CREATE TABLE `{table}` (biz_tag varchar(64){key}, max_id {max_id}, step {step})"));
    sql(&format!("INSERT INTO `{table}` VALUES {rows}"));
    table
}

/// A trigger that counts the updates of a table's rows.
struct Updates(Table);

impl Updates {
    fn of(table: &Table) -> Self {
        let counted = Table(format!("{table}_updates"));
        sql(&format!("CREATE TABLE `{counted}` (max_id varchar(64))"));
        sql(&format!(
            "CREATE TRIGGER `{table}_counted` AFTER UPDATE ON `{table}` FOR EACH ROW INSERT INTO `{counted}` VALUES (NEW.max_id)"
        ));
        Self(counted)
    }

    fn so_far(&self) -> i64 {
        number(&format!("SELECT COUNT(*) FROM `{}`", self.0))
    }
}

/// Asks for ids for some seconds, with calls that wait and calls that do not, and asserts that none gets one.
fn ask_in_vain(tag: &BizTag, seconds: f64) {
    let began = Instant::now();
    while began.elapsed().as_secs_f64() < seconds {
        for _ in 0..100 {
            assert_eq!(tag.try_next_id().unwrap_or_default(), None);
        }
        assert!(tag.next_id_within(Duration::from_millis(20)).is_err());
    }
}

#[test]
fn a_table_with_update_triggers_works_and_no_id_repeats() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let audit = Table(format!("{table}_audit"));
    // Its auto-increment numbers could be mistaken for the end of a lease.
    sql(&format!("CREATE TABLE `{audit}` (id bigint AUTO_INCREMENT PRIMARY KEY, max_id bigint) AUTO_INCREMENT = 3"));
    sql(&format!(
        "CREATE TRIGGER `{table}_after` AFTER UPDATE ON `{table}` FOR EACH ROW INSERT INTO `{audit}` (max_id) VALUES (NEW.max_id)"
    ));
    sql(&format!(
        "CREATE TRIGGER `{table}_before` BEFORE UPDATE ON `{table}` FOR EACH ROW SET NEW.description = LAST_INSERT_ID(7)"
    ));
    let generators = [open(&table, [("max_step", "10")]), open(&table, [("max_step", "10")])];
    let minted: Vec<i64> = std::thread::scope(|scope| {
        let mint = |ids: &SegmentGenerator| {
            let order = ids.biz_tag("order").unwrap();
            (0..200).map(|_| order.next_id().unwrap()).collect::<Vec<_>>()
        };
        let minting: Vec<_> = generators.iter().map(|ids| scope.spawn(move || mint(ids))).collect();
        minting.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(minted.iter().collect::<HashSet<_>>().len(), 400, "an id was handed out twice");
    generators.iter().for_each(|ids| ids.close().unwrap());
    let kept = |ids: &SegmentGenerator| ids.stats().tags[0].1.leased - ids.stats().tags[0].1.given_back;
    assert_eq!(
        number(&format!("SELECT max_id FROM `{table}`")),
        1 + generators.iter().map(kept).sum::<i64>(),
        "a range was skipped"
    );
}

#[test]
fn a_trigger_that_changes_max_id_is_refused_and_no_id_is_handed_out() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1000, 10)"));
    sql(&format!(
        "CREATE TRIGGER `{table}_before` BEFORE UPDATE ON `{table}` FOR EACH ROW SET NEW.max_id = NEW.max_id - 7"
    ));
    let ids = open(&table, []);
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("trigger"), "{error}");
    assert_eq!(ids.stats().tags[0].1.leased, 0);
}

#[test]
fn columns_of_every_type_that_holds_whole_numbers_work() {
    for (max_id, step) in [
        ("bigint unsigned NOT NULL", "int unsigned NOT NULL"),
        ("decimal(20,0) NOT NULL", "decimal(10,0)"),
        ("int(8) zerofill", "smallint(5) zerofill"),
        ("decimal(20,2)", "double"),
    ] {
        let table = table_with(max_id, step, "('order', 1, 10)");
        let order = open(&table, [("max_step", "10")]).biz_tag("order").unwrap();
        assert_eq!(order.next_ids(35).unwrap(), (1..36).collect::<Vec<_>>(), "{max_id} {step}");
    }
}

#[test]
fn a_row_that_cannot_be_leased_from_is_a_named_error_and_is_not_written() {
    let cases = [
        ("double", "int", "('order', 1, 10)", ErrorKind::InvalidConfig, "BIGINT"),
        ("float", "int", "('order', 16777216, 1)", ErrorKind::InvalidConfig, "BIGINT"),
        ("varchar(20)", "int", "('order', '1', 10)", ErrorKind::InvalidConfig, "BIGINT"),
        ("varchar(20)", "int", "('order', 'one', 10)", ErrorKind::InvalidConfig, "BIGINT"),
        ("decimal(20,2)", "int", "('order', 1.5, 10)", ErrorKind::InvalidConfig, "1.50"),
        ("bigint", "int", "('order', NULL, 10)", ErrorKind::InvalidConfig, "max_id of tag \"order\" is NULL"),
        ("bigint", "int", "('order', 1, NULL)", ErrorKind::InvalidConfig, "NULL"),
        (
            "bigint",
            "bigint unsigned",
            "('order', 1, 18446744073709551615)",
            ErrorKind::InvalidConfig,
            "18446744073709551615",
        ),
        ("bigint", "varchar(9)", "('order', 1, 'ten')", ErrorKind::InvalidConfig, "ten"),
        (
            "bigint unsigned",
            "int",
            "('order', 9223372036854775808, 10)",
            ErrorKind::IdSpaceExhausted,
            "9223372036854775808",
        ),
        (
            "bigint unsigned",
            "int",
            "('order', 18446744073709551610, 10)",
            ErrorKind::IdSpaceExhausted,
            "18446744073709551610",
        ),
        ("bigint", "int", "('order', 1, 10), ('order', 1, 10)", ErrorKind::InvalidConfig, "primary key"),
        ("time", "int", "('order', '00:00:01', 10)", ErrorKind::InvalidConfig, "BIGINT"),
        ("time", "int", "('order', '500:00:01', 10)", ErrorKind::InvalidConfig, "BIGINT"),
    ];
    for (max_id, step, rows, kind, says) in cases {
        let table = table_with(max_id, step, rows);
        let updates = Updates::of(&table);
        let ids = open(&table, []);
        let order = ids.biz_tag("order").unwrap();
        // The first call leases as many ids as the step column says, the second a number of its own.
        for error in [order.next_id().unwrap_err(), order.next_range(100_000).unwrap_err()] {
            assert_eq!(error.kind(), kind, "{max_id} {step} {rows}: {error}");
            assert!(error.message().contains(says) && error.message().contains("order"), "{error}");
        }
        ask_in_vain(&order, 0.2);
        assert_eq!(updates.so_far(), 0, "{max_id} {step} {rows}: nothing is written");
        assert!(!ids.stats().tags[0].1.last_error.as_ref().unwrap().contains("panicked"), "{:?}", ids.stats());
    }
}

#[test]
fn a_row_that_becomes_invalid_while_in_use_is_a_named_error_and_leasing_stops() {
    for spoil in [
        "UPDATE `@` SET max_id = NULL",
        "INSERT INTO `@` VALUES ('order', 500, 10)",
        "ALTER TABLE `@` MODIFY max_id float",
    ] {
        let table = table_with("bigint", "int", "('order', 1, 10)");
        sql(&format!("ALTER TABLE `{table}` DROP PRIMARY KEY, ADD KEY (biz_tag)"));
        let order = open(&table, [("max_step", "10")]).biz_tag("order").unwrap();
        order.next_id().unwrap();
        sql(&spoil.replace('@', &table.0));
        let updates = Updates::of(&table);
        let error = (0..100).find_map(|_| order.next_id().err()).unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{spoil}: {error}");
        ask_in_vain(&order, 0.2);
        let written = updates.so_far();
        // A second row is noticed only after both were updated; from then on each lease counts the rows first.
        assert!(written <= 2, "{spoil}: {written} rows were changed");
    }
}

#[test]
fn a_column_that_refuses_every_lease_is_no_outage() {
    for (max_id, rows, says) in [
        ("bigint, CHECK (max_id < 5)", "('order', 1, 10)", "constraint of the table"),
        ("bigint AS (11 - step)", "('order', DEFAULT, 10)", "ordinary one"),
        ("bigint AS (11 - step) STORED", "('order', DEFAULT, 10)", "ordinary one"),
    ] {
        let table = Table::missing();
        sql(&format!("CREATE TABLE `{table}` (biz_tag varchar(64) PRIMARY KEY, step int, max_id {max_id})"));
        sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES {rows}"));
        let error = open(&table, []).biz_tag("order").unwrap().next_id().unwrap_err();
        assert!(!error.kind().retryable() && error.kind() == ErrorKind::InvalidConfig, "{max_id}: {error}");
        assert!(error.message().contains(says), "{max_id}: {error}");
    }
}

#[test]
fn a_column_that_rounds_fails_the_check_as_it_fails_every_lease() {
    for max_id in ["double", "float", "varchar(20)", "time"] {
        let table = table_with(max_id, "int", "('order', 1, 10)");
        let error = open(&table, []).check().unwrap().wait().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{max_id}: {error}");
        assert!(error.message().contains("BIGINT"), "{error}");
    }
}

#[test]
fn polling_with_other_gene_bits_leases_nothing() {
    let table = Table::missing();
    let ids = open(&table, [("auto_create", "true")]);
    ids.create_tag_with("genes", NewTagOptions::new().step(10).gene_bits(4)).unwrap().wait().unwrap();
    ids.create_tag_with("raw", NewTagOptions::new().step(10)).unwrap().wait().unwrap();
    let updates = Updates::of(&table);
    for (tag, bits) in [("genes", 0), ("genes", 5), ("raw", 4)] {
        let other = open(&table, []);
        let tag = other.biz_tag_with(tag, TagOptions::new().gene_bits(bits)).unwrap();
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(500) {
            let drawn = if bits == 0 { tag.try_next_id() } else { tag.try_next_id_with_gene(0) };
            assert_eq!(drawn.unwrap(), None);
        }
        let call = if bits == 0 { tag.next_id() } else { tag.next_id_with_gene(0, None) };
        assert_eq!(call.unwrap_err().kind(), ErrorKind::InvalidConfig);
        assert_eq!(updates.so_far(), 0, "{tag:?} with gene_bits={bits}");
    }
}

#[test]
fn every_row_of_an_odd_table_is_listed_and_those_without_ids_with_their_problem() {
    let table = Table::missing();
    sql(&format!(
        "CREATE TABLE `{table}` (biz_tag varbinary(64), max_id decimal(30,1), step varchar(20), Description text, owner int)"
    ));
    sql(&format!(
        "INSERT INTO `{table}` VALUES ('good', 7, '10', REPEAT('é', 1000), 1), ('half', 1.5, '10', '', 1), ('null', NULL, '10', NULL, 1), \
         ('twice', 1, '10', '', 1), ('twice', 1, '10', '', 1), ('far', 99999999999999999999, '10', '', 1), ('step', 1, 'x', '', 1), \
         (X'ff00', 1, '10', '', 1), (NULL, 1, '10', '', 1)"
    ));
    let ids = open(&table, [("auto_create", "false")]);
    let tags = ids.list_tags().unwrap().wait().unwrap();
    let good = tags.iter().find(|tag| tag.biz_tag == "good").unwrap();
    assert_eq!((good.max_id, good.step, &good.problem, good.update_time), (Some(7), Some(10), &None, None));
    assert_eq!(good.description.as_ref().map(|text| text.chars().count()), Some(256));
    let problem = |name: &str| tags.iter().find(|tag| tag.biz_tag == name).and_then(|tag| tag.problem.clone());
    let hints = [("half", "BIGINT"), ("null", "NULL"), ("twice", "2 rows"), ("far", "2^61"), ("step", "step")];
    for (name, hint) in hints {
        assert!(problem(name).unwrap_or_default().contains(hint), "{name}: {:?}", problem(name));
    }
    assert_eq!(tags.len(), 8, "{tags:?}");
    assert!(problem("").is_some() && problem("\u{fffd}\0").is_some());
    for call in
        [ids.set_tag("twice", Some(5), None).unwrap().wait(), ids.raise_tag("twice", 5).unwrap().wait().map(drop)]
    {
        let error = call.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        assert!(error.message().contains("2 rows"), "{error}");
    }
    assert_eq!(ids.raise_tag("good", 100).unwrap().wait(), Ok(100));
    assert_eq!(ids.raise_tag("half", 100).unwrap().wait(), Ok(100), "so it is mended");
    assert_eq!(ids.raise_tag("null", 100).unwrap().wait().unwrap_err().kind(), ErrorKind::InvalidConfig);
    assert_eq!(
        number(&format!("SELECT COUNT(*) FROM `{table}` WHERE max_id IN (1, 1.0)")),
        5,
        "the others are as before"
    );
}

#[test]
fn a_trigger_that_undoes_a_raise_is_named() {
    let table = table_with("bigint", "int", "('order', 1, 10)");
    sql(&format!("CREATE TRIGGER `{table}_keeps` BEFORE UPDATE ON `{table}` FOR EACH ROW SET NEW.max_id = OLD.max_id"));
    let error = open(&table, []).raise_tag("order", 50).unwrap().wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("trigger"), "{error}");
}
