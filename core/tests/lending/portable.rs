//! Tables of H2, HSQLDB, Derby and SQLite that differ from leafmint's own, through an application's connections: each
//! works, or a named error says what is wrong and nothing is leased.

use super::drivers::Lent;
use crate::stores::runtime;
use leafmint::ErrorKind::{IdSpaceExhausted, InvalidArgument, InvalidConfig, StoreUnavailable};
use leafmint::store::{NewTagOptions, SegmentStore, TagChange};
use leafmint::{Answer, ErrorKind, Result};
use leafmint_backends::borrowed::Ran;
use leafmint_backends::sqlite::SqliteStore;
use std::sync::Arc;
use std::time::Duration;

macro_rules! suite {
    ($driver:ident, $lent:expr; $($promise:ident),* $(,)?) => {
        mod $driver { $(#[test] fn $promise() { super::$promise(&$lent); })* }
    };
}

macro_rules! on_each_product {
    ($($promise:ident),* $(,)?) => {
        suite! { lent_sqlite, crate::lending::drivers::Lent::native_sqlite(); $($promise),* }
        suite! { lent_jdbc_h2, crate::lending::drivers::Lent::jdbc("h2:mem:{}"); $($promise),* }
        suite! { lent_jdbc_hsqldb, crate::lending::drivers::Lent::jdbc("hsqldb:mem:{}"); $($promise),* }
        suite! { lent_jdbc_derby, crate::lending::drivers::Lent::jdbc("derby:memory:{};create=true"); $($promise),* }
        suite! { lent_jdbc_sqlite, crate::lending::drivers::Lent::jdbc_in_folder("sqlite:{}/app.db"); $($promise),* }
    };
}

on_each_product! {
    a_row_that_cannot_be_leased_from_is_a_named_error_and_is_not_written,
    columns_of_every_type_that_holds_whole_numbers_work,
    a_view_is_refused,
    a_table_with_the_columns_of_a_lease_alone_works,
    a_table_that_is_gone_is_not_made_again_once_ids_were_leased_from_it,
    a_text_with_a_nul_is_refused,
    a_table_in_another_schema_is_another_table,
    no_range_comes_twice_whatever_answers_are_lost,
    a_pool_of_one_connection_is_enough,
}

fn wait<T>(answer: Answer<'_, T>) -> Result<T> {
    runtime().block_on(answer)
}

/// Makes the table of tags with columns of these types, and rows of the tag `order`.
fn table_with(lent: &Lent, max_id: &str, step: &str, rows: &[&str]) {
    lent.sql(&format!("CREATE TABLE leaf_alloc (biz_tag VARCHAR(64), max_id {max_id}, step {step})"));
    for row in rows {
        lent.sql(&format!("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', {row})"));
    }
}

fn a_row_that_cannot_be_leased_from_is_a_named_error_and_is_not_written(lent: &Lent) {
    let cases: [(&str, &str, &[&str], ErrorKind, &str); 9] = [
        ("DOUBLE PRECISION", "INT", &["1, 10"], InvalidConfig, "BIGINT"),
        ("REAL", "INT", &["16777216, 1"], InvalidConfig, "BIGINT"),
        ("BIGINT", "INT", &["NULL, 10"], InvalidConfig, "max_id of tag \"order\" is NULL"),
        ("BIGINT", "INT", &["1, NULL"], InvalidConfig, "NULL"),
        ("BIGINT", "BIGINT", &["1, 1073741825"], InvalidConfig, "1073741825"),
        ("BIGINT", "INT", &["1, 0"], InvalidConfig, "step"),
        ("BIGINT", "INT", &["-1, 10"], IdSpaceExhausted, "-1"),
        ("BIGINT", "INT", &["2305843009213693952, 10"], IdSpaceExhausted, "2^61"),
        ("BIGINT", "INT", &["1, 10", "1, 10"], InvalidConfig, "primary key"),
    ];
    for (max_id, step, rows, kind, says) in cases {
        table_with(lent, max_id, step, rows);
        let before = lent.texts("SELECT max_id FROM leaf_alloc");
        let store = lent.store();
        for amount in [None, Some(10)] {
            let error = wait(store.lease_checked("order", 0, amount)).unwrap_err();
            assert_eq!(error.kind(), kind, "{max_id} {step} {rows:?}: {error}");
            assert!(error.message().contains(says), "{max_id} {step} {rows:?}: {error}");
        }
        assert_eq!(lent.texts("SELECT max_id FROM leaf_alloc"), before, "{max_id} {step} {rows:?}");
        lent.sql("DROP TABLE leaf_alloc");
    }
}

fn columns_of_every_type_that_holds_whole_numbers_work(lent: &Lent) {
    for (max_id, step) in [("BIGINT", "SMALLINT"), ("NUMERIC(20, 0)", "NUMERIC(10, 0)"), ("INT", "BIGINT")] {
        table_with(lent, max_id, step, &["1, 10"]);
        let store = lent.store();
        assert_eq!(wait(store.lease_checked("order", 0, None)).unwrap().ranges[0], 1..11, "{max_id} {step}");
        assert_eq!(wait(store.lease("order", 5)).unwrap()[0], 11..16, "{max_id} {step}");
        lent.sql("DROP TABLE leaf_alloc");
    }
    table_with(lent, "SMALLINT", "INT", &["32760, 10"]);
    if !lent.is_sqlite() {
        let error = wait(lent.store().lease("order", 10)).unwrap_err();
        assert_eq!(error.kind(), IdSpaceExhausted, "{error}");
        assert_eq!(lent.texts("SELECT max_id FROM leaf_alloc"), ["32760"]);
    }
}

fn a_view_is_refused(lent: &Lent) {
    lent.sql("CREATE TABLE tags (biz_tag VARCHAR(64) NOT NULL PRIMARY KEY, max_id BIGINT, step INT)");
    lent.sql("INSERT INTO tags (biz_tag, max_id, step) VALUES ('order', 1, 10)");
    lent.sql("CREATE VIEW leaf_alloc AS SELECT * FROM tags");
    let store = lent.store();
    for error in [
        wait(store.lease_checked("order", 0, None)).unwrap_err(),
        wait(store.lease("order", 10)).unwrap_err(),
        wait(store.create_tag("order", &NewTagOptions::new())).unwrap_err(),
        wait(store.raise_tag("order", 100)).map(drop).unwrap_err(),
    ] {
        assert_eq!(error.kind(), InvalidConfig, "{error}");
        assert!(error.message().contains("the table leaf_alloc is a view"), "{error}");
    }
    assert_eq!(lent.texts("SELECT max_id FROM tags"), ["1"]);
}

fn a_table_with_the_columns_of_a_lease_alone_works(lent: &Lent) {
    table_with(lent, "BIGINT", "INT", &["1, 10"]);
    let store = lent.store();
    assert!(wait(store.create_tag("invoice", &NewTagOptions::new().step(5))).unwrap());
    assert_eq!(wait(store.lease_checked("order", 0, None)).unwrap().ranges[0], 1..11);
    wait(store.set_tag(&TagChange { tag: "order".into(), step: Some(20), description: None })).unwrap();
    assert_eq!(wait(store.raise_tag("order", 100)).unwrap(), 100);
    let listed = wait(store.list_tags()).unwrap();
    let shown: Vec<_> = listed.iter().map(|tag| (tag.biz_tag.as_str(), tag.max_id, tag.step, &tag.problem)).collect();
    assert_eq!(shown, [("invoice", Some(1), Some(5), &None), ("order", Some(100), Some(20), &None)]);
    assert_eq!(wait(store.check()).unwrap().tags, 2);
}

fn a_table_that_is_gone_is_not_made_again_once_ids_were_leased_from_it(lent: &Lent) {
    let store = lent.store();
    wait(store.create_tag("order", &NewTagOptions::new().step(10))).unwrap();
    assert_eq!(wait(store.lease("order", 10)).unwrap()[0], 1..11);
    lent.sql("DROP TABLE leaf_alloc");
    for store in [&store, &lent.store()] {
        let error = wait(store.create_tag("order", &NewTagOptions::new())).unwrap_err();
        assert_eq!(error.kind(), InvalidConfig, "{error}");
        assert!(error.message().contains("this process has leased ids from it"), "{error}");
    }
}

fn a_text_with_a_nul_is_refused(lent: &Lent) {
    let store = lent.store();
    let new = NewTagOptions::new().description("a\0b");
    let error = wait(store.create_tag("order", &new)).unwrap_err();
    assert_eq!(error.kind(), InvalidArgument, "{error}");
    assert!(wait(store.list_tags()).unwrap().is_empty());
}

fn a_table_in_another_schema_is_another_table(lent: &Lent) {
    let schema = if lent.is_sqlite() { "main" } else { "shop" };
    if !lent.is_sqlite() {
        lent.sql("CREATE SCHEMA shop");
    }
    let (here, there) = (lent.store(), super::store(lent.lender(), &format!("{schema}.leaf_alloc")));
    let new = NewTagOptions::new().step(10).gene_bits(4);
    assert!(wait(there.create_tag("order", &new)).unwrap());
    assert_eq!(wait(there.lease_checked("order", 4, None)).unwrap().ranges[0], 1..11);
    wait(there.init_schema()).unwrap();
    assert_eq!(wait(here.create_tag("order", &new)).unwrap(), !lent.is_sqlite());
}

fn a_pool_of_one_connection_is_enough(lent: &Lent) {
    let pool = super::pool_of_one::lender(lent.lender());
    let store = over(pool.clone());
    wait(store.create_tag("order", &NewTagOptions::new().step(10).gene_bits(4))).unwrap();
    for turn in 0..3 {
        let checked = wait(store.lease_checked("order", 4, None)).unwrap();
        assert_eq!(checked.ranges[0], turn * 10 + 1..turn * 10 + 11);
        assert!(wait(over(pool.clone()).gene_bits("order")).unwrap() == Some(4), "the connection was not given back");
    }
}

fn no_range_comes_twice_whatever_answers_are_lost(lent: &Lent) {
    wait(lent.store().create_tag("order", &NewTagOptions::new().step(3).gene_bits(2))).unwrap();
    let mut leased: Vec<_> = std::thread::scope(|scope| {
        let leasing = || {
            let store = over(super::faulty::lender(lent.lender()));
            let lease = move |turn: i64| {
                let amount = (turn % 2 == 0).then_some(1 + turn % 7);
                let range = wait(store.lease_checked("order", 2, amount)).ok()?.ranges.remove(0);
                // What goes back is another's then, also if the answer is lost.
                let (kept, tail) = (range.start..range.end - 1, range.end - 1..range.end);
                let _ = wait(store.give_back("order", tail));
                Some(kept)
            };
            // On a busy machine most leases of a turn may come to nothing.
            scope.spawn(move || (0..).filter_map(lease).filter(|kept| !kept.is_empty()).take(10).collect::<Vec<_>>())
        };
        let threads: Vec<_> = (0..3).map(|_| leasing()).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    leased.sort_by_key(|range| range.start);
    assert!(leased.windows(2).all(|pair| pair[0].end <= pair[1].start), "{leased:?}");
}

/// Returns a store over what leads to a table.
fn over(lender: Arc<dyn leafmint_backends::borrowed::Lender>) -> Arc<dyn SegmentStore> {
    super::store(lender, "leaf_alloc")
}

#[test]
fn a_file_that_the_application_uses_too_is_one_id_space_with_the_native_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app.db");
    let native: Arc<dyn SegmentStore> =
        Arc::new(SqliteStore::new(&path, "leaf_alloc", Duration::from_secs(60)).unwrap());
    wait(native.create_tag("order", &NewTagOptions::new().step(7).gene_bits(4))).unwrap();
    let mut leased: Vec<_> = std::thread::scope(|scope| {
        let leasing = |store: Arc<dyn SegmentStore>| {
            let lease = move |_| wait(store.lease_checked("order", 4, None)).unwrap().ranges.remove(0);
            scope.spawn(move || (0..30).map(lease).collect::<Vec<_>>())
        };
        let lent = || over(super::sqlite::lender(path.to_str().unwrap()));
        let threads: Vec<_> = [native, lent(), lent()].map(leasing).into();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    leased.sort_by_key(|range| range.start);
    assert_eq!((leased.len(), leased[0].start), (90, 1));
    assert!(leased.windows(2).all(|pair| pair[0].end == pair[1].start), "{leased:?}");
}

#[test]
fn a_database_in_memory_that_each_connection_has_for_itself_is_refused() {
    let error = wait(over(super::sqlite::lender(":memory:")).lease("order", 10)).unwrap_err();
    assert_eq!(error.kind(), InvalidConfig, "{error}");
    assert!(error.message().contains("a database in memory of its own"), "{error}");
    let store = over(super::sqlite::lender("file:spec?mode=memory&cache=shared"));
    wait(store.create_tag("order", &NewTagOptions::new().step(10))).unwrap();
    assert_eq!(wait(store.lease("order", 10)).unwrap()[0], 1..11);
}

#[test]
fn a_file_that_is_only_read_is_refused_by_name() {
    let lent = Lent::native_sqlite();
    wait(lent.store().create_tag("order", &NewTagOptions::new().step(10))).unwrap();
    let read_only = super::sqlite::lender(&format!("file:{}?mode=ro", lent.path().unwrap()));
    let error = wait(over(read_only).lease("order", 10)).unwrap_err();
    assert_eq!(error.kind(), InvalidConfig, "{error}");
    assert!(error.message().contains("only reads"), "{error}");
}

#[test]
fn a_temporary_table_hides_none_that_others_use() {
    let lent = Lent::native_sqlite();
    wait(lent.store().create_tag("order", &NewTagOptions::new().step(10))).unwrap();
    const SETUP: &[&str] = &["CREATE TEMP TABLE leaf_alloc AS SELECT 'order' AS biz_tag, 500 AS max_id, 10 AS step"];
    let hiding = super::sqlite::lender_after(lent.path().unwrap(), SETUP);
    assert_eq!(wait(over(hiding).lease("order", 10)).unwrap()[0], 1..11);
}

#[test]
fn a_connection_of_a_pool_goes_back_with_the_settings_that_it_had() {
    let lent = Lent::native_sqlite();
    wait(lent.store().create_tag("order", &NewTagOptions::new().step(10))).unwrap();
    let lender = super::sqlite::lender_after(lent.path().unwrap(), &["PRAGMA synchronous = NORMAL"]);
    let pool = super::pool_of_one::lender(lender);
    assert_eq!(wait(over(pool.clone()).lease("order", 10)).unwrap()[0], 1..11);
    let (connection, _) = super::spec::Asked::open(&pool);
    let shown = connection.run(&["PRAGMA synchronous"]).remove(0).unwrap();
    assert_eq!(shown, Ran::Rows(vec![vec![Some("1".to_owned())]]));
}

#[test]
fn a_trigger_that_changes_max_id_is_refused_and_no_range_exists() {
    for by in ["- 7", "+ 7"] {
        let lent = Lent::native_sqlite();
        wait(lent.store().create_tag("order", &NewTagOptions::new().step(10).start(1000))).unwrap();
        lent.sql(&format!(
            "CREATE TRIGGER cut AFTER UPDATE OF max_id ON leaf_alloc WHEN NEW.max_id <> OLD.max_id BEGIN \
             UPDATE leaf_alloc SET max_id = NEW.max_id {by} WHERE biz_tag = NEW.biz_tag; END"
        ));
        let error = wait(lent.store().lease_checked("order", 0, None)).unwrap_err();
        assert_eq!(error.kind(), InvalidConfig, "{error}");
        assert!(error.message().contains("trigger"), "{error}");
    }
}

#[test]
fn while_another_connection_writes_a_lease_waits_and_then_fails_for_now() {
    let lent = Lent::native_sqlite();
    wait(lent.store().create_tag("order", &NewTagOptions::new().step(10))).unwrap();
    let writing = rusqlite::Connection::open(lent.path().unwrap()).unwrap();
    writing.execute_batch("BEGIN IMMEDIATE").unwrap();
    let store = lent.store();
    let error = wait(store.lease("order", 10)).unwrap_err();
    assert_eq!((error.kind(), error.reason()), (StoreUnavailable, Some(leafmint::Reason::Locked)), "{error}");
    writing.execute_batch("ROLLBACK").unwrap();
    assert_eq!(wait(store.lease("order", 10)).unwrap()[0], 1..11, "nothing was leased meanwhile");
}

mod lent_jdbc_settings {
    use super::*;
    use crate::lending::bridge::{Language, lender};
    use crate::stores::unique;

    fn jdbc(url: &str) -> Arc<dyn SegmentStore> {
        over(lender(Language::Java, &format!("jdbc:{url}")))
    }

    #[test]
    fn a_database_of_h2_that_each_connection_has_for_itself_is_refused() {
        let error = wait(jdbc("h2:mem:").lease("order", 10)).unwrap_err();
        assert_eq!(error.kind(), InvalidConfig, "{error}");
        assert!(error.message().contains("a database in memory of its own"), "{error}");
    }

    #[test]
    fn a_file_of_h2_whose_commits_may_be_lost_is_refused_without_the_right_to_keep_them() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("h2:file:{}/app", folder.path().display());
        let lent = Lent::jdbc_at(&format!("{url};USER=sa"));
        wait(lent.store().create_tag("order", &NewTagOptions::new().step(10))).unwrap();
        for statement in ["CREATE USER app PASSWORD 'pw'", "GRANT ALL ON SCHEMA PUBLIC TO app"] {
            lent.sql(statement);
        }
        let as_app = format!("{url};USER=app;PASSWORD=pw");
        let error = wait(jdbc(&as_app).lease("order", 10)).unwrap_err();
        assert_eq!(error.kind(), InvalidConfig, "{error}");
        assert!(
            error.message().contains("WRITE_DELAY is 500") && error.message().contains("SET WRITE_DELAY 0"),
            "{error}"
        );
        lent.sql("SET WRITE_DELAY 0");
        assert_eq!(wait(jdbc(&as_app).lease("order", 10)).unwrap()[0], 1..11);
    }

    #[test]
    fn files_of_hsqldb_whose_commits_may_be_lost_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let url = |name: &str, rest: &str| format!("hsqldb:file:{}/{name}{rest}", folder.path().display());
        let error = wait(jdbc(&url("a", "")).lease("order", 10)).unwrap_err();
        assert_eq!(error.kind(), InvalidConfig, "{error}");
        assert!(error.message().contains("write_delay_millis is 500"), "{error}");
        let store = jdbc(&url("b", ";hsqldb.write_delay=false"));
        wait(store.create_tag("order", &NewTagOptions::new().step(10))).unwrap();
        assert_eq!(wait(store.lease("order", 10)).unwrap()[0], 1..11);
    }

    #[test]
    fn a_temporary_table_of_h2_is_refused() {
        let init =
            "CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS leaf_alloc(biz_tag VARCHAR(9)\\, max_id BIGINT\\, step INT)";
        let url = format!("h2:mem:{};DB_CLOSE_DELAY=-1;INIT={init}", unique("lent"));
        let error = wait(jdbc(&url).lease("order", 10)).unwrap_err();
        assert_eq!(error.kind(), InvalidConfig, "{error}");
        assert!(error.message().contains("is a temporary table"), "{error}");
    }

    #[test]
    fn names_that_do_not_tell_upper_from_lower_case_are_one_tag_and_its_genes_are_found() {
        let store = jdbc(&format!(
            "h2:mem:{};DB_CLOSE_DELAY=-1;MODE=MySQL;IGNORECASE=TRUE;DATABASE_TO_LOWER=TRUE",
            unique("lent")
        ));
        wait(store.create_tag("Order", &NewTagOptions::new().step(10).gene_bits(4))).unwrap();
        let checked = wait(store.lease_checked("order", 4, None)).unwrap();
        assert_eq!((&checked.ranges[0], checked.other_name.as_deref()), (&(1..11), Some("Order")));
        assert_eq!(wait(store.lease_checked("ORDER", 0, None)).unwrap_err().kind(), InvalidConfig);
        assert!(!wait(store.create_tag("ORDER", &NewTagOptions::new())).unwrap());
    }
}

mod lent_jdbc_kills {
    use super::*;
    use crate::lending::bridge::{Language, Program, lender_at};
    use crate::stores::wait_until;
    use std::ops::Range;
    use std::sync::Mutex;

    /// Leases while the process of the database is killed, again and again. No range may come twice.
    fn no_range_comes_twice(url: &str) {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("jdbc:{}", url.replace("{}", folder.path().to_str().unwrap()));
        let leased = Mutex::new(Vec::<Range<i64>>::new());
        for round in 0..3 {
            let (program, address) = Program::start();
            let store = || over(lender_at(&address, Language::Java, &url));
            if round == 0 {
                wait(store().create_tag("order", &NewTagOptions::new().step(10))).unwrap();
            }
            std::thread::scope(|scope| {
                for store in [store(), store()] {
                    let leased = &leased;
                    scope.spawn(move || {
                        while let Ok(mut checked) = wait(store.lease_checked("order", 0, None)) {
                            leased.lock().unwrap().push(checked.ranges.remove(0));
                        }
                    });
                }
                let least = leased.lock().unwrap().len() + 30;
                wait_until("nothing is leased", || leased.lock().unwrap().len() >= least);
                drop(program);
            });
        }
        let mut leased = leased.into_inner().unwrap();
        leased.sort_by_key(|range| range.start);
        assert!(leased.windows(2).all(|pair| pair[0].end <= pair[1].start), "{leased:?}");
    }

    #[test]
    fn of_h2_in_a_file() {
        no_range_comes_twice("h2:file:{}/app");
    }

    #[test]
    fn of_hsqldb_in_files() {
        // The lock of a process that was killed would count for ten seconds.
        no_range_comes_twice("hsqldb:file:{}/app;hsqldb.write_delay=false;hsqldb.lock_file=false");
    }

    #[test]
    fn of_derby() {
        no_range_comes_twice("derby:{}/app;create=true");
    }

    #[test]
    fn of_a_file_of_sqlite() {
        no_range_comes_twice("sqlite:{}/app.db");
    }
}
