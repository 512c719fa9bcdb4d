//! Promises of the MySQL store that the suite of all stores (`store_spec`) does not test. On a real server.

mod stores;

use leafmint::segment::{NewTagOptions, TagOptions};
use leafmint::{ErrorKind, SegmentGenerator, SnowflakeGenerator};
use std::io::Read;
use std::net::TcpListener;
use std::time::{Duration, Instant};
use stores::{Table, mysql_url, number, options, sql};

fn open<const N: usize>(table: &Table, given: [(&str, &str); N]) -> SegmentGenerator {
    SegmentGenerator::open(&mysql_url(), options(given).chain(options([("table", table.0.as_str())]))).unwrap()
}

/// Returns the URL of the server with other hosts before its own.
fn url_with_hosts_in_front(hosts: &str) -> String {
    let url = mysql_url();
    let at = url.find('@').map_or("mysql://".len(), |at| at + 1);
    format!("{}{hosts},{}", &url[..at], &url[at..])
}

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
        let plan =
            sql(&format!("EXPLAIN UPDATE `{table}` SET max_id = 1 WHERE biz_tag = _utf8mb4 X'{}'", hex("Straße")));
        assert_eq!(plan[0].get::<Option<String>, _>("key").unwrap().as_deref(), Some("PRIMARY"), "{set}");
    }
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02X}")).collect()
}

#[test]
fn a_tag_with_other_gene_bits_is_refused_and_its_row_is_unchanged() {
    let table = Table::missing();
    let ids = open(&table, [("auto_create", "true")]);
    ids.biz_tag_with("order", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(0, None).unwrap();
    ids.close().unwrap();
    let max_id = number(&format!("SELECT max_id FROM `{table}`"));
    for _ in 0..3 {
        let error = open(&table, []).biz_tag("order").unwrap().next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    }
    assert_eq!(number(&format!("SELECT max_id FROM `{table}`")), max_id);
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
fn a_host_that_is_down_or_frozen_is_passed_over() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let frozen = TcpListener::bind("127.0.0.1:0").unwrap(); // accepts, says nothing
    let url = url_with_hosts_in_front(&format!("127.0.0.1:1,127.0.0.1:{}", frozen.local_addr().unwrap().port()));
    let given = [("table", table.0.as_str()), ("connect_timeout", "1s"), ("timeout", "30s")];
    let ids = SegmentGenerator::open(&url, options(given)).unwrap();
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
}

#[test]
fn a_frozen_server_costs_a_call_its_timeout_and_no_more() {
    let frozen = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("mysql://root:hush-hush@127.0.0.1:{}/db", frozen.local_addr().unwrap().port());
    let ids = SegmentGenerator::open(&url, options([("timeout", "2s"), ("connect_timeout", "500ms")])).unwrap();
    let began = Instant::now();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable);
    assert!(error.message().contains("connect_timeout") && !error.message().contains("hush"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(20));
    // The socket of an attempt that timed out is closed at once, not when the server answers.
    let (mut first, _) = frozen.accept().unwrap();
    first.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    assert_eq!(first.read(&mut [0; 16]).unwrap(), 0, "the client hung up");
}

#[test]
fn sessions_that_the_server_cut_are_replaced_without_an_error() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let account = Account::new("SELECT, UPDATE");
    let ids = open(&table, [("max_step", "10"), ("timeout", "30s"), ("user", &account.0), ("password", "pw")]);
    let order = ids.biz_tag("order").unwrap();
    for _ in 0..5 {
        order.next_ids(100).unwrap();
        sql(&format!("KILL USER `{}`", account.0));
    }
    assert_eq!(order.next_ids(100).unwrap().len(), 100);
}

#[test]
fn a_locked_row_delays_calls_until_it_is_released() {
    use mysql_async::prelude::Queryable;
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let ids = open(&table, [("connect_timeout", "3s"), ("timeout", "500ms")]);
    let order = ids.biz_tag("order").unwrap();
    let runtime = stores::runtime();
    let mut holder = runtime.block_on(mysql_async::Conn::from_url(mysql_url())).unwrap();
    runtime.block_on(holder.query_drop("BEGIN")).unwrap();
    runtime.block_on(holder.query_drop(format!("SELECT * FROM `{table}` WHERE biz_tag = 'order' FOR UPDATE"))).unwrap();
    assert_eq!(order.next_id().unwrap_err().kind(), ErrorKind::SegmentUnavailable);
    runtime.block_on(holder.query_drop("ROLLBACK")).unwrap();
    order.next_id_within(Duration::from_secs(10)).unwrap();
}

#[test]
fn a_refused_login_is_reported_at_once_and_without_the_password() {
    let ids = SegmentGenerator::open(&mysql_url(), options([("user", "nobody"), ("password", "s3ntinel:/@")])).unwrap();
    let began = Instant::now();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("1045") && !error.message().contains("s3ntinel"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(4), "the call waited");
    assert!(!format!("{:?} {ids:?}", ids.stats()).contains("s3ntinel"));
}

#[test]
fn a_server_without_tls_is_refused_if_tls_is_required() {
    let has_tls: String = mysql_async::from_row(sql("SELECT @@have_ssl").remove(0));
    assert_eq!(has_tls, "DISABLED", "this test needs a server without TLS");
    let ids = SegmentGenerator::open(&mysql_url(), options([("ssl_mode", "required")])).unwrap();
    let error = ids.biz_tag("order").unwrap().next_id_within(Duration::from_millis(500)).unwrap_err();
    assert!(error.message().contains("TLS"), "{error}");
}

#[test]
fn the_error_for_a_read_only_account_says_what_to_grant() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let account = Account::new("SELECT");
    let ids = open(&table, [("user", &account.0), ("password", "pw")]);
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("UPDATE command denied") && error.message().contains("grant"), "{error}");
    assert_eq!(number(&format!("SELECT max_id FROM `{table}`")), 1);
}

/// An account with the password `pw`, dropped at the end of its test.
struct Account(String);

impl Account {
    fn new(privileges: &str) -> Self {
        Self::on(privileges, "*.*")
    }

    fn on(privileges: &str, what: &str) -> Self {
        let name = stores::unique("account");
        sql(&format!("CREATE USER `{name}`@'%' IDENTIFIED BY 'pw'"));
        sql(&format!("GRANT {privileges} ON {what} TO `{name}`@'%'"));
        Account(name)
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        sql(&format!("DROP USER `{}`@'%'", self.0));
    }
}

#[test]
fn gene_bits_of_a_leaf_table_are_stored_under_the_name_in_its_row() {
    let table = Table::of_leaf();
    sql(&format!("ALTER TABLE `{table}` CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"));
    let ids = open(&table, [("auto_create", "true")]);
    assert_eq!(
        ids.biz_tag_with("order", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(7, None).unwrap(),
        1 << 4 | 7
    );
    // In the collation of this table `Order` is the same tag.
    for (tag, bits) in [("order", 0), ("Order", 0), ("Order", 5)] {
        let other =
            open(&table, [("auto_create", "true")]).biz_tag_with(tag, TagOptions::new().gene_bits(bits)).unwrap();
        let answer = if bits == 0 { other.next_id() } else { other.next_id_with_gene(0, None) };
        assert_eq!(answer.unwrap_err().kind(), ErrorKind::InvalidConfig, "{tag} {bits}");
    }
    assert!(
        open(&table, [])
            .biz_tag_with("Order", TagOptions::new().gene_bits(4))
            .unwrap()
            .next_id_with_gene(7, None)
            .is_ok()
    );
}

#[test]
fn an_account_without_access_to_gene_bits_mints_only_raw_ids() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let account = Account::on("SELECT, INSERT, UPDATE", &format!("`{table}`"));
    for gene_table_exists in [false, true] {
        if gene_table_exists {
            open(&table, []).init_schema().unwrap().wait().unwrap();
        }
        let ids = open(&table, [("user", &account.0), ("password", "pw"), ("auto_create", "true")]);
        ids.biz_tag("order").unwrap().next_id().unwrap();
        let error =
            ids.biz_tag_with("new", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(0, None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        assert!(error.message().contains(&format!("leafmint_gene_{table}")), "{error}");
    }
    assert_eq!(number(&format!("SELECT COUNT(*) FROM `{table}`")), 1);
}

#[test]
fn a_tag_creation_that_loses_the_race_stores_no_gene_bits() {
    use mysql_async::prelude::Queryable;
    let table = Table::of_leaf();
    open(&table, []).init_schema().unwrap().wait().unwrap();
    let runtime = stores::runtime();
    let mut raw = runtime.block_on(mysql_async::Conn::from_url(mysql_url())).unwrap();
    runtime.block_on(raw.query_drop("BEGIN")).unwrap();
    runtime.block_on(raw.query_drop(format!("INSERT INTO `{table}` (biz_tag, step) VALUES ('order', 10)"))).unwrap();
    // The creation finds no row, and then waits for the one that is inserted.
    let created = open(&table, []).create_tag_with("order", NewTagOptions::new().step(10).gene_bits(4)).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    runtime.block_on(raw.query_drop("COMMIT")).unwrap();
    let error = created.wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert_eq!(number(&format!("SELECT COUNT(*) FROM `leafmint_gene_{table}`")), 0);
    open(&table, []).biz_tag("order").unwrap().next_id().unwrap();
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
    assert_eq!(
        open(&table, []).biz_tag("order").unwrap().next_id().unwrap(),
        number(&format!("SELECT max_id FROM `{table}`")) - 100
    );
}

/// Runs a call on a server that does not answer, and asserts that it ends at the timeout of 300 ms, not at
/// `connect_timeout`.
fn assert_short<T>(name: &str, call: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let answer = call();
    assert!(began.elapsed() < Duration::from_secs(3), "{name} took {:?}", began.elapsed());
    answer
}

#[test]
fn every_call_ends_at_its_timeout_on_a_server_that_freezes() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let (proxy, url) = stores::through_proxy();
    let given = || options([("timeout", "300ms"), ("connect_timeout", "10s")]);
    let ids = SegmentGenerator::open(&url, given().chain(options([("table", table.0.as_str())]))).unwrap();
    let order = ids.biz_tag("order").unwrap();
    order.next_id_within(Duration::from_secs(5)).unwrap();
    let namespace = stores::unique("frozen");
    let flakes = SnowflakeGenerator::open(&url, given().chain(options([("namespace", namespace.as_str())]))).unwrap();
    flakes.next_id_within(Duration::from_secs(5)).unwrap();
    proxy.hold();
    let errors = [
        assert_short("create_tag", || {
            ids.create_tag_with("new", NewTagOptions::new().step(1)).unwrap().wait().unwrap_err()
        }),
        assert_short("create_tag_with gene bits", || {
            ids.create_tag_with("new", NewTagOptions::new().step(1).gene_bits(4)).unwrap().wait().unwrap_err()
        }),
        assert_short("init_schema", || ids.init_schema().unwrap().wait().unwrap_err()),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
        assert!(error.message().contains("timeout=300ms") && error.message().contains(&table.0), "{error}");
    }
    for eager in [vec![("eager", "true")], vec![("eager", "true"), ("tags", "order")]] {
        let eager = eager.into_iter().map(|(name, value)| (name.to_owned(), value.into()));
        assert_short("eager", || SegmentGenerator::open(&url, given().chain(eager)).unwrap_err());
    }
    assert_short("eager snowflakes", || {
        SnowflakeGenerator::open(&url, given().chain(options([("eager", "true"), ("state_dir", "none")]))).unwrap_err()
    });
    assert_short("next_ids", || order.next_ids(100).unwrap_err());
    assert_short("close", || ids.close().unwrap());
    assert_short("close of snowflakes", || flakes.close().unwrap());
}
