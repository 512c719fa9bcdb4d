//! The table: its columns, name and character set, and how it is created.

use super::open;
use crate::stores::{Table, mysql_url, number, options, sql, wait_until};
use leafmint::segment::TagOptions;
use leafmint::store::NewTagOptions;
use leafmint::{ErrorKind, Reason};

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
    let ids = leafmint::open::segment(&mysql_url(), options([("table", full.as_str())])).unwrap();
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
    assert!(error.message().contains("leafmint init"), "{error}");
    assert_eq!(error.reason(), Some(Reason::MissingTable));
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

/// Engines that lose what was committed: at a restart of the server, or at a crash of its host.
const FORGETFUL: [&str; 4] = ["MEMORY", "MyISAM", "Aria", "CSV"];

#[test]
fn an_engine_that_may_forget_commits_is_refused_and_no_id_is_handed_out() {
    for engine in FORGETFUL.iter().filter(|engine| has_engine(engine)) {
        let table = Table::missing();
        sql(&format!(
            "CREATE TABLE `{table}` (biz_tag varchar(64) NOT NULL, max_id bigint NOT NULL, step int NOT NULL) ENGINE={engine}"
        ));
        sql(&format!("INSERT INTO `{table}` VALUES ('order', 1, 10)"));
        refuses(&table, engine);
        // A refill may still be on its way.
        wait_until("what was leased is given back", || number(&format!("SELECT max_id FROM `{table}`")) == 1);
        sql(&format!("ALTER TABLE `{table}` ENGINE=InnoDB"));
        let ids = open(&table, [("max_step", "10")]);
        assert!(ids.list_tags().unwrap().wait().unwrap().iter().all(|tag| tag.problem.is_none()));
        assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1, "{engine}");
    }
}

/// Asserts that a lease, a check and a list judge the table alike.
fn refuses(table: &Table, says: &str) {
    let ids = open(table, [("max_step", "10"), ("timeout", "5s")]);
    let order = ids.biz_tag("order").unwrap();
    let calls = [
        order.next_id().map(drop),
        ids.raise_tag("order", 100).unwrap().wait().map(drop),
        ids.check().unwrap().wait().map(drop),
    ];
    for call in calls {
        let error = call.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{says}: {error}");
        assert!(error.message().contains(says) && error.message().contains("InnoDB"), "{says}: {error}");
    }
    assert_eq!(order.try_next_id().unwrap_or_default(), None, "{says}");
    let tags = ids.list_tags().unwrap().wait().unwrap();
    assert!(
        tags.iter().all(|tag| tag.problem.as_ref().is_some_and(|problem| problem.contains(says))),
        "{says}: {tags:?}"
    );
}

fn has_engine(name: &str) -> bool {
    number(&format!(
        "SELECT COUNT(*) FROM information_schema.ENGINES WHERE ENGINE = '{name}' AND SUPPORT IN ('YES', 'DEFAULT')"
    )) == 1
}

#[test]
fn a_view_is_refused_and_leases_nothing_from_the_table_below() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let view = Table(format!("{table}_view"));
    sql(&format!("CREATE VIEW `{view}` AS SELECT * FROM `{table}`"));
    let error = open(&view, [("timeout", "5s")]).biz_tag("order").unwrap().next_id().unwrap_err();
    sql(&format!("DROP VIEW `{view}`"));
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("is a view"), "{error}");
    assert_eq!(number(&format!("SELECT max_id FROM `{table}`")), 1);
}

#[test]
fn gene_bits_in_an_engine_that_may_forget_them_are_refused() {
    let table = Table::of_leaf();
    let ids = open(&table, [("max_step", "10")]);
    ids.init_schema().unwrap().wait().unwrap();
    ids.create_tag_with("genes", NewTagOptions::new().step(10).gene_bits(4)).unwrap().wait().unwrap();
    sql(&format!("ALTER TABLE `leafmint_gene_{table}` ENGINE=MEMORY"));
    let genes = open(&table, [("timeout", "5s")]).biz_tag_with("genes", TagOptions::new().gene_bits(4)).unwrap();
    let error = genes.next_id_with_gene(1, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("MEMORY"), "{error}");
}

#[test]
fn an_account_with_rights_on_columns_alone_leases_from_a_table_that_lasts_and_from_no_other() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let account =
        super::accounts::Account::on("SELECT (biz_tag, max_id, step), UPDATE (max_id)", &format!("`{table}`"));
    let given = || [("username", account.0.as_str()), ("password", "pw"), ("max_step", "10"), ("timeout", "5s")];
    let order = open(&table, given()).biz_tag("order").unwrap();
    assert_eq!(order.next_ids(35).unwrap(), (1..36).collect::<Vec<_>>());
    let ids = open(&table, given());
    let problems = || ids.list_tags().unwrap().wait().unwrap().into_iter().map(|tag| tag.problem).collect::<Vec<_>>();
    assert_eq!(problems(), [None]);
    assert!(ids.raise_tag("order", 1000).unwrap().wait().unwrap() >= 1000);
    sql(&format!("ALTER TABLE `{table}` ENGINE=MEMORY"));
    assert!(problems()[0].as_ref().is_some_and(|problem| problem.contains("MEMORY")), "{:?}", problems());
    for error in [
        open(&table, given()).biz_tag("order").unwrap().next_id().unwrap_err(),
        ids.raise_tag("order", 5000).unwrap().wait().unwrap_err(),
    ] {
        assert!(error.message().contains("MEMORY"), "{error}");
    }
}
