//! Variables of the server that change what a statement reads or writes. One test at a time, as `.config/nextest.toml`
//! says: an init script holds for every account, and each of these is for the account of its test.

use super::accounts::Account;
use super::open;
use crate::stores::{Table, mysql_url, number, sql};
use leafmint::ErrorKind;
use leafmint::segment::TagOptions;
use leafmint::store::NewTagOptions;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts, OptsBuilder};

/// Variables with a value that a server may begin each session with.
const VARIABLES: [(&str, &str); 16] = [
    ("sql_select_limit", "1"),
    ("max_join_size", "1"),
    ("sql_big_selects", "0"),
    ("sql_safe_updates", "1"),
    ("sql_auto_is_null", "1"),
    ("autocommit", "0"),
    ("completion_type", "\"CHAIN\""),
    ("completion_type", "\"RELEASE\""),
    ("unique_checks", "0"),
    ("foreign_key_checks", "0"),
    ("group_concat_max_len", "4"),
    ("time_zone", "\"+13:00\""),
    ("character_set_results", "\"greek\""),
    ("character_set_client", "\"greek\""),
    ("collation_connection", "\"greek_general_ci\""),
    ("div_precision_increment", "0"),
];

/// Modes of which each changes what a statement means, or what the server shows of a table.
const MODES: [&str; 14] = [
    "",
    "ANSI",
    "TRADITIONAL",
    "ORACLE",
    "MSSQL",
    "PAD_CHAR_TO_FULL_LENGTH",
    "HIGH_NOT_PRECEDENCE",
    "IGNORE_SPACE",
    "NO_BACKSLASH_ESCAPES",
    "NO_UNSIGNED_SUBTRACTION",
    "NO_TABLE_OPTIONS",
    "SIMULTANEOUS_ASSIGNMENT",
    "EMPTY_STRING_IS_NULL",
    "TIME_ROUND_FRACTIONAL",
];

/// What each session of an account begins with, until the end of the test.
struct Begin(Account);

impl Begin {
    /// An account that may do what leafmint needs. An administrator's sessions skip the script.
    fn new() -> Self {
        Self(Account::new("SELECT, INSERT, UPDATE, DELETE, CREATE, CREATE TEMPORARY TABLES"))
    }

    fn with(&self, script: &str) {
        sql(&format!("SET GLOBAL init_connect = '{}'", script.replace('\'', "''")));
    }

    /// Begins each session with this value, and others' as they are.
    fn with_variable(&self, name: &str, value: &str) {
        let chosen = format!("IF(USER() LIKE \"{}@%\", {value}, @@{name})", self.0.0);
        match value.starts_with('"') {
            true => self.with(&format!("SET {name} = {chosen}")),
            false => self.with(&format!("SET {name} = CAST({chosen} AS UNSIGNED)")),
        }
    }

    /// Does this at the beginning of each session of the account. MariaDB only.
    fn with_statement(&self, statement: &str) {
        self.with(&format!("BEGIN NOT ATOMIC IF USER() LIKE \"{}@%\" THEN {statement}; END IF; END", self.0.0));
    }

    /// Reads a variable as a session of the account begins with it.
    fn shown(&self, name: &str) -> String {
        let options =
            OptsBuilder::from_opts(Opts::from_url(&mysql_url()).unwrap()).user(Some(&self.0.0)).pass(Some("pw"));
        crate::stores::runtime().block_on(async {
            let mut connection = Conn::new(options).await.unwrap();
            let shown: Option<String> = connection.query_first(format!("SELECT CONCAT(@@{name}, '')")).await.unwrap();
            connection.disconnect().await.unwrap();
            shown.unwrap()
        })
    }

    fn log_in(&self) -> [(&str, &str); 2] {
        [("username", &self.0.0), ("password", "pw")]
    }
}

impl Drop for Begin {
    fn drop(&mut self) {
        sql("SET GLOBAL init_connect = ''");
    }
}

fn is_mariadb() -> bool {
    number("SELECT VERSION() LIKE '%MariaDB%'") == 1
}

/// Does everything that a generator does on a table, and asserts that all of it means what it means elsewhere.
#[track_caller]
fn use_all(begin: &Begin, what: &str) {
    let table = Table::missing();
    let [user, password] = begin.log_in();
    let given =
        || [user, password, ("auto_create", "true"), ("default_step", "100"), ("max_step", "100"), ("timeout", "20s")];
    let ids = open(&table, given());
    ids.init_schema().unwrap().wait().unwrap();
    for tag in ["order", "user", "Straße 🙂"] {
        assert_eq!(ids.biz_tag(tag).unwrap().next_ids(250).unwrap(), (1..251).collect::<Vec<_>>(), "{what}: {tag}");
    }
    let genes = NewTagOptions::new().step(10).gene_bits(4);
    for tag in ["genes", "more"] {
        assert!(ids.create_tag_with(tag, genes.clone()).unwrap().wait().unwrap(), "{what}");
    }
    ids.biz_tag_with("genes", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(3, None).unwrap();
    ids.close().unwrap();
    let ids = open(&table, given());
    let tags = ids.list_tags().unwrap().wait().unwrap();
    let names: Vec<&str> = tags.iter().map(|tag| tag.biz_tag.as_str()).collect();
    assert_eq!(names, ["Straße 🙂", "genes", "more", "order", "user"], "{what}");
    assert!(tags.iter().all(|tag| tag.problem.is_none()), "{what}: {tags:?}");
    assert_eq!(tags.iter().map(|tag| tag.gene_bits.unwrap()).collect::<Vec<_>>(), [0, 4, 4, 0, 0], "{what}");
    assert_eq!(ids.check().unwrap().wait().unwrap().tags, 5, "{what}");
    assert_eq!(ids.raise_tag("order", 10_000).unwrap().wait().unwrap(), 10_000, "{what}");
    ids.set_tag("order", Some(50), Some("orders")).unwrap().wait().unwrap();
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 10_000, "{what}");
    assert_eq!(
        number(&format!("SELECT COUNT(*) FROM `{table}` WHERE biz_tag = 'order' AND max_id > 10000")),
        1,
        "{what}"
    );
}

#[test]
fn no_variable_of_the_server_changes_what_is_leased_or_listed() {
    let begin = Begin::new();
    for (name, value) in VARIABLES {
        begin.with_variable(name, value);
        let usual: String = mysql_async::from_row(sql(&format!("SELECT CONCAT(@@GLOBAL.{name}, '')")).remove(0));
        assert_ne!(begin.shown(name), usual, "{name}");
        use_all(&begin, &format!("{name}={value}"));
    }
}

#[test]
fn no_sql_mode_of_the_server_changes_what_is_leased_or_listed() {
    let begin = Begin::new();
    for mode in MODES.iter().filter(|_| is_mariadb()) {
        begin.with_variable("sql_mode", &format!("\"{mode}\""));
        use_all(&begin, mode);
    }
}

#[test]
fn what_others_have_not_committed_is_not_read_whatever_the_servers_isolation() {
    let begin = Begin::new();
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    begin.with("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
    crate::stores::runtime().block_on(async {
        let mut other = Conn::from_url(mysql_url()).await.unwrap();
        other.query_drop(format!("START TRANSACTION; UPDATE `{table}` SET max_id = 5000")).await.unwrap();
        let [user, password] = begin.log_in();
        let shown = std::thread::scope(|scope| {
            scope.spawn(|| open(&table, [user, password]).list_tags().unwrap().wait().unwrap()).join().unwrap()
        });
        assert_eq!(shown[0].max_id, Some(1));
        other.query_drop("ROLLBACK").await.unwrap();
        other.disconnect().await.unwrap();
    });
}

#[test]
fn a_temporary_table_that_hides_the_table_is_refused_and_leases_nothing() {
    if !is_mariadb() {
        return;
    }
    let begin = Begin::new();
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let hidden = |ids: &leafmint::SegmentGenerator| {
        for error in [
            ids.biz_tag("order").unwrap().next_id().unwrap_err(),
            ids.raise_tag("order", 100).unwrap().wait().unwrap_err(),
            ids.check().unwrap().wait().unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
            assert!(error.message().contains("temporary table"), "{error}");
        }
    };
    let [user, password] = begin.log_in();
    let given = || [user, password, ("max_step", "10"), ("timeout", "10s")];
    begin.with_statement(&format!("CREATE TEMPORARY TABLE IF NOT EXISTS `{table}` AS SELECT * FROM `{table}`"));
    let (first, second) = (open(&table, given()), open(&table, given()));
    hidden(&first);
    hidden(&second);
    begin.with("");
    let ids = open(&table, given());
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(order.next_id().unwrap(), 1);
    // The sessions that come now are hidden from the table, and lease by the short statement.
    begin.with_statement(&format!("CREATE TEMPORARY TABLE IF NOT EXISTS `{table}` AS SELECT * FROM `{table}`"));
    crate::stores::kill_sessions_of(&begin.0.0);
    let error = (0..100).find_map(|_| order.next_id().err()).unwrap();
    assert!(error.message().contains("temporary table"), "{error}");
}
