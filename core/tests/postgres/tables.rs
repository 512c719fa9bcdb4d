//! Tables that differ from leafmint's: each works, or a named error says what is wrong and nothing is leased.

use super::open;
use crate::holders::{Database, Server};
use crate::stores::postgres::{Table, number, sql};
use crate::stores::{options, postgres_url, unique};
use leafmint::segment::TagOptions;
use leafmint::store::NewTagOptions;
use leafmint::{ErrorKind, Reason, SegmentGenerator};
use std::collections::HashSet;

/// Creates a table whose columns have these types, with rows of the tag `order`.
fn table_with(max_id: &str, step: &str, rows: &str) -> Table {
    let table = Table::missing();
    sql(&format!("CREATE TABLE \"{table}\" (biz_tag varchar(64), max_id {max_id}, step {step})"));
    sql(&format!("INSERT INTO \"{table}\" VALUES {rows}"));
    table
}

/// Makes a trigger of these statements. `when` is as in `BEFORE UPDATE`.
fn trigger(table: &Table, when: &str, statements: &str) {
    sql(&format!(
        "CREATE FUNCTION \"{table}_does\"() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {statements} END$$; \
         CREATE TRIGGER changes {when} ON \"{table}\" FOR EACH ROW EXECUTE FUNCTION \"{table}_does\"()"
    ));
}

/// Asks for ids in vain, and asserts that the row stays as it is.
fn assert_refused(table: &Table, kind: ErrorKind, says: &str) {
    let before = sql(&format!("SELECT string_agg(t::text, ' ') FROM \"{table}\" AS t"));
    let ids = open(table, [("timeout", "10s")]);
    let order = ids.biz_tag("order").unwrap();
    // The first call leases as many ids as the step column says, the second a number of its own.
    for error in [order.next_id().unwrap_err(), order.next_range(100_000).unwrap_err()] {
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(says), "{error}");
    }
    assert_eq!(ids.stats().tags[0].1.leased, 0);
    assert_eq!(sql(&format!("SELECT string_agg(t::text, ' ') FROM \"{table}\" AS t")), before, "nothing is written");
}

#[test]
fn a_table_with_just_three_columns_is_enough_whatever_whole_numbers_they_hold() {
    for (max_id, step) in
        [("bigint", "int"), ("numeric", "numeric"), ("numeric(30,1)", "varchar(9)"), ("int", "smallint")]
    {
        let table = table_with(max_id, step, "('order', 5, 10)");
        let ids = open(&table, []);
        let made = ids.create_tag_with("new", NewTagOptions::new().step(10).start(7)).unwrap().wait();
        if step != "varchar(9)" {
            assert!(made.unwrap(), "{max_id} {step}");
            assert_eq!(ids.biz_tag("new").unwrap().next_id().unwrap(), 7);
            assert_eq!(ids.biz_tag("order").unwrap().next_ids(30).unwrap()[0], 5);
        }
    }
}

#[test]
fn tags_in_a_column_of_an_extensions_type_are_leased_and_listed() {
    let database = Database::empty(Server::Postgres);
    database.sql(
        "CREATE EXTENSION citext; CREATE TABLE leaf_alloc (biz_tag citext PRIMARY KEY, max_id bigint, step int); \
         INSERT INTO leaf_alloc VALUES ('order', 1, 10)",
    );
    let url = format!("{}/{}", postgres_url().rsplit_once('/').unwrap().0, database.name);
    let ids = leafmint::open::segment(&url, options([("max_step", "10")])).unwrap();
    assert_eq!(ids.check().unwrap().wait().unwrap().tags, 1);
    assert_eq!(ids.biz_tag("order").unwrap().next_ids(50).unwrap().len(), 50);
    assert_eq!(ids.list_tags().unwrap().wait().unwrap()[0].problem, None);
    assert_eq!(ids.raise_tag("order", 500).unwrap().wait(), Ok(500));
}

#[test]
fn a_row_that_cannot_be_leased_from_is_a_named_error_and_is_not_written() {
    for (max_id, step, rows, kind, says) in [
        ("bigint", "int", "('order', NULL, 10)", ErrorKind::InvalidConfig, "NULL"),
        ("bigint", "int", "('order', 1, NULL)", ErrorKind::InvalidConfig, "step"),
        ("bigint", "int", "('order', 1, 0)", ErrorKind::InvalidConfig, "step"),
        ("numeric", "int", "('order', 1.5, 10)", ErrorKind::InvalidConfig, "BIGINT"),
        ("double precision", "int", "('order', 1, 10)", ErrorKind::InvalidConfig, "BIGINT"),
        ("real", "int", "('order', 1, 10)", ErrorKind::InvalidConfig, "BIGINT"),
        ("numeric", "int", "('order', 99999999999999999999, 10)", ErrorKind::IdSpaceExhausted, "2^61"),
        ("numeric", "int", "('order', 'NaN', 10)", ErrorKind::InvalidConfig, "NaN"),
        ("int", "int", "('order', 2147483647, 10)", ErrorKind::IdSpaceExhausted, "TYPE bigint"),
        ("varchar(20)", "int", "('order', '1', 10)", ErrorKind::InvalidConfig, "schema_sql"),
        ("bigint", "int", "('order', 1, 10), ('order', 1, 10)", ErrorKind::InvalidConfig, "2 rows"),
    ] {
        assert_refused(&table_with(max_id, step, rows), kind, says);
    }
}

#[test]
fn a_constraint_that_refuses_what_a_lease_writes_is_a_named_error_at_once() {
    let table = Table::with_order(1, 10);
    sql(&format!("ALTER TABLE \"{table}\" ADD CONSTRAINT small CHECK (max_id < 10)"));
    assert_refused(&table, ErrorKind::InvalidConfig, "\"small\": a constraint of the table");
}

#[test]
fn a_table_that_a_crash_empties_is_refused_and_nothing_is_leased() {
    let table = Table::with_order(1, 10);
    sql(&format!("ALTER TABLE \"{table}\" SET UNLOGGED"));
    assert_refused(&table, ErrorKind::InvalidConfig, "SET LOGGED");
    sql(&format!("ALTER TABLE \"{table}\" SET LOGGED"));
    assert_eq!(open(&table, []).biz_tag("order").unwrap().next_id().unwrap(), 1);
}

#[test]
fn the_check_and_the_list_refuse_the_tables_that_no_lease_takes_ids_from() {
    let columns = "(biz_tag varchar(64), max_id bigint, step int)";
    for (made, says) in [
        (format!("UNLOGGED TABLE \"@\" {columns}"), "SET LOGGED"),
        ("VIEW \"@\" AS SELECT 'order'::text AS biz_tag, 1::bigint AS max_id, 10 AS step".to_owned(), "it is a view"),
        (format!("TABLE \"@_log\" {columns}; CREATE VIEW \"@\" AS SELECT * FROM \"@_log\""), "it is a view"),
        ("TABLE \"@\" (biz_tag varchar(64), max_id float8, step int)".to_owned(), "BIGINT"),
        ("TABLE \"@\" (biz_tag varchar(64), max_id real, step int)".to_owned(), "BIGINT"),
        (
            format!(
                "TABLE \"@\" {columns} PARTITION BY LIST (biz_tag); CREATE UNLOGGED TABLE \"@_log\" PARTITION OF \"@\" DEFAULT"
            ),
            "SET LOGGED",
        ),
    ] {
        let table = Table::missing();
        sql(&format!("CREATE {made}").replace('@', &table.0));
        if !made.contains("VIEW \"@\" AS SELECT 'order'") {
            sql(&format!("INSERT INTO \"{table}\" VALUES ('order', 1, 10)"));
        }
        let ids = open(&table, [("timeout", "10s")]);
        let lease = ids.biz_tag("order").unwrap().next_id().unwrap_err();
        let check = ids.check().unwrap().wait().map(drop).unwrap_err();
        let listed = ids.list_tags().unwrap().wait().unwrap();
        assert_eq!([lease.kind(), check.kind()], [ErrorKind::InvalidConfig; 2], "{made}: {lease}; {check}");
        let problem = listed[0].problem.as_deref().unwrap_or_default();
        for text in [lease.message(), check.message(), problem] {
            assert!(text.contains(says), "{made}: {lease}; {check}; {problem}");
        }
        sql(&format!(
            "DROP {} IF EXISTS \"{table}\" CASCADE",
            if made.contains("VIEW \"@\"") { "VIEW" } else { "TABLE" }
        ));
        sql(&format!("DROP TABLE IF EXISTS \"{table}_log\""));
    }
}

#[test]
fn a_trigger_that_changes_max_id_is_refused_and_no_id_is_handed_out() {
    for (when, statements) in [
        ("BEFORE UPDATE", "NEW.max_id = NEW.max_id - 7; RETURN NEW;"),
        ("BEFORE UPDATE", "NEW.max_id = OLD.max_id; RETURN NEW;"),
        ("BEFORE UPDATE", "RETURN NULL;"),
        (
            "AFTER UPDATE",
            "IF pg_trigger_depth() = 1 THEN EXECUTE format('UPDATE %I SET max_id = 3', TG_TABLE_NAME); END IF; RETURN NULL;",
        ),
    ] {
        let table = Table::with_order(1000, 10);
        trigger(&table, when, statements);
        let ids = open(&table, [("timeout", "3s")]);
        let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
        assert!(error.message().contains("trigger"), "{when} {statements}: {error}");
        assert_eq!(ids.stats().tags[0].1.leased, 0);
    }
}

/// Mints from two processes that have leased before, and makes something that undoes each lease once it was answered.
fn assert_undone_leases_are_refused(table: &Table, undo: &str) {
    let generators = [open(table, FEW_AT_A_TIME), open(table, FEW_AT_A_TIME)];
    let tags = generators.each_ref().map(|ids| ids.biz_tag("order").unwrap());
    let mut minted: Vec<i64> = tags.iter().flat_map(|order| order.next_ids(5).unwrap()).collect();
    sql(undo);
    let refusals = tags.iter().map(|order| {
        let mut ids = std::iter::repeat_with(|| order.next_id());
        let error = ids.by_ref().take(100).find_map(|id| id.map(|id| minted.push(id)).err());
        error.expect("leases that are undone are taken for leases")
    });
    let refusals: Vec<_> = refusals.collect();
    assert_eq!(minted.iter().collect::<HashSet<_>>().len(), minted.len(), "an id was handed out twice: {minted:?}");
    for error in refusals {
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        assert!(error.message().contains("trigger"), "{error}");
    }
}

const FEW_AT_A_TIME: [(&str, &str); 2] = [("max_step", "10"), ("timeout", "5s")];

#[test]
fn a_trigger_that_is_made_under_load_and_undoes_each_lease_repeats_no_id() {
    for kind in ["TRIGGER", "CONSTRAINT TRIGGER"] {
        let table = Table::with_order(1, 10);
        let when = if kind == "TRIGGER" { "" } else { "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW" };
        // It applies to what it does itself.
        let undo = format!(
            "CREATE FUNCTION \"{table}_does\"() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN \
             IF set_config('test.depth', current_setting('test.depth', true) || 'x', true) = 'x' THEN \
             UPDATE \"{table}\" SET max_id = max_id - 10; END IF; RETURN NULL; END$$; \
             CREATE {kind} undoes AFTER UPDATE ON \"{table}\" {when} EXECUTE FUNCTION \"{table}_does\"()"
        );
        assert_undone_leases_are_refused(&table, &undo);
    }
}

#[test]
fn a_table_with_other_triggers_works_and_no_id_repeats() {
    let table = Table::with_order(1, 10);
    trigger(&table, "BEFORE UPDATE", "NEW.description = 'seen'; RAISE WARNING 'seen'; RETURN NEW;");
    let generators = [open(&table, [("max_step", "10")]), open(&table, [("max_step", "10")])];
    let minted: Vec<i64> = std::thread::scope(|scope| {
        let mint = |ids: &SegmentGenerator| ids.biz_tag("order").unwrap().next_ids(200).unwrap();
        let minting: Vec<_> = generators.iter().map(|ids| scope.spawn(move || mint(ids))).collect();
        minting.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(minted.iter().collect::<HashSet<_>>().len(), 400, "an id was handed out twice");
}

#[test]
fn a_number_too_large_for_its_column_is_an_error_until_the_column_is_widened() {
    let table = table_with("int", "int", "('order', 2147483500, 100)");
    let ids = open(&table, [("max_step", "100")]);
    let order = ids.biz_tag("order").unwrap();
    let first = order.next_ids(100).unwrap();
    for _ in 0..2 {
        let error = order.next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted, "{error}");
        assert!(error.message().contains("ALTER COLUMN"), "{error}");
    }
    sql(&format!("ALTER TABLE \"{table}\" ALTER COLUMN max_id TYPE bigint"));
    let next = order.next_ids(200).unwrap();
    assert!(first.last() < next.first() && next.is_sorted(), "{first:?} {next:?}");
}

#[test]
fn a_missing_table_is_reported_with_the_statement_that_creates_it_also_in_a_schema_off_the_search_path() {
    let table = Table::missing();
    let error = open(&table, []).biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains(&format!("CREATE TABLE IF NOT EXISTS \"{table}\"")), "{error}");
    assert_eq!(error.reason(), Some(Reason::MissingTable));
    let schema = unique("schema");
    sql(&format!("CREATE SCHEMA {schema}"));
    let full = format!("{schema}.leaf_alloc");
    let ids = leafmint::open::segment(&postgres_url(), options([("table", full.as_str())])).unwrap();
    ids.init_schema().unwrap().wait().unwrap();
    assert!(ids.create_tag("order").unwrap().wait().unwrap());
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
    sql(&format!("DROP SCHEMA {schema} CASCADE"));
}

#[test]
fn other_gene_bits_than_the_stored_ones_lease_nothing() {
    let table = Table::with_order(1, 10);
    let ids = open(&table, []);
    ids.create_tag_with("genes", NewTagOptions::new().step(10).gene_bits(4)).unwrap().wait().unwrap();
    let before = number(&format!("SELECT sum(max_id) FROM \"{table}\""));
    for (tag, bits) in [("genes", 0), ("genes", 5), ("order", 4)] {
        let other = open(&table, []);
        let tag = other.biz_tag_with(tag, TagOptions::new().gene_bits(bits)).unwrap();
        let call = if bits == 0 { tag.next_id() } else { tag.next_id_with_gene(0, None) };
        let error = call.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        assert!(error.message().contains("gene_bits="), "{error}");
    }
    assert_eq!(number(&format!("SELECT sum(max_id) FROM \"{table}\"")), before);
}

#[test]
fn a_view_and_a_table_with_rules_are_refused_or_lease_safely() {
    let table = Table::with_order(1, 10);
    let view = Table(format!("{table}_view"));
    sql(&format!("CREATE VIEW \"{view}\" AS SELECT * FROM \"{table}\""));
    let error = open(&view, [("timeout", "10s")]).biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    sql(&format!("DROP VIEW \"{view}\""));
    sql(&format!("CREATE RULE nothing AS ON UPDATE TO \"{table}\" DO INSTEAD NOTHING"));
    let error = open(&table, [("timeout", "10s")]).biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert_eq!(table.max_id(), 1);
}

#[test]
fn rows_that_a_policy_hides_or_refuses_are_named_with_the_statement_that_mends_it() {
    let table = Table::with_order(1, 10);
    let account = super::accounts::Account::new(&[format!("SELECT, INSERT, UPDATE ON \"{table}\"")]);
    sql(&format!("ALTER TABLE \"{table}\" ENABLE ROW LEVEL SECURITY"));
    let log_in = [("username", account.0.as_str()), ("password", "pw"), ("timeout", "5s"), ("max_step", "10")];
    let refusal = |auto_create: &str| {
        let [user, password, timeout, most] = log_in;
        let ids = open(&table, [user, password, timeout, most, ("auto_create", auto_create), ("default_step", "10")]);
        ids.biz_tag("order").unwrap().next_id().unwrap_err()
    };
    let error = refusal("false");
    assert_eq!(error.kind(), ErrorKind::UnknownTag, "{error}");
    assert!(error.message().contains("DISABLE ROW LEVEL SECURITY"), "{error}");
    let error = refusal("true");
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("WITH CHECK (true)") && !error.message().contains("GRANT"), "{error}");
    sql(&format!("CREATE POLICY reads ON \"{table}\" FOR SELECT USING (true)"));
    let error = refusal("false");
    assert!(error.kind().retryable() && error.message().contains("DISABLE ROW LEVEL SECURITY"), "{error}");
    assert_eq!(table.max_id(), 1);
    sql(&format!("CREATE POLICY writes ON \"{table}\" USING (true)"));
    assert_eq!(open(&table, log_in).biz_tag("order").unwrap().next_id().unwrap(), 1);
}

#[test]
fn two_rows_of_a_tag_that_policies_show_to_one_account_each_are_refused() {
    let table = table_with("bigint", "int", "('order', 1, 10), ('order', 1, 10)");
    let grant = format!("SELECT, UPDATE ON \"{table}\"");
    let accounts = [(); 2].map(|()| super::accounts::Account::new(std::slice::from_ref(&grant)));
    sql(&format!(
        "ALTER TABLE \"{table}\" ADD COLUMN owner text; \
         UPDATE \"{table}\" SET owner = '{}' WHERE ctid = '(0,1)'; UPDATE \"{table}\" SET owner = '{}' WHERE owner IS NULL; \
         ALTER TABLE \"{table}\" ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON \"{table}\" USING (owner = current_user)",
        accounts[0].0, accounts[1].0
    ));
    for account in &accounts {
        let ids = open(&table, [("username", &account.0), ("password", "pw"), ("timeout", "5s")]);
        let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        assert!(error.message().contains("ADD UNIQUE (biz_tag)"), "{error}");
    }
}

#[test]
fn a_lease_sets_the_update_time_as_mysql_does_if_the_account_may() {
    let table = Table::with_order(1, 10);
    let lease_twice = |ids: &SegmentGenerator| ids.biz_tag("order").unwrap().next_ids(40).unwrap();
    let long_ago = || sql(&format!("UPDATE \"{table}\" SET update_time = '2001-01-01'"));
    let year = || number(&format!("SELECT extract(year FROM update_time)::bigint FROM \"{table}\""));
    let ids = open(&table, [("max_step", "10")]);
    long_ago();
    lease_twice(&ids);
    assert!(year() > 2020);
    let account = super::accounts::Account::new(&[format!("SELECT, UPDATE (max_id) ON \"{table}\"")]);
    ids.close().unwrap();
    long_ago();
    lease_twice(&open(&table, [("max_step", "10"), ("username", &account.0), ("password", "pw")]));
    assert_eq!(year(), 2001, "a column that the account may not write is left alone");
}

#[test]
fn a_column_that_goes_while_ids_are_minted_does_not_end_the_leases() {
    let table = Table::with_order(1, 10);
    let ids = open(&table, [("max_step", "10"), ("timeout", "10s")]);
    let order = ids.biz_tag("order").unwrap();
    order.next_ids(40).unwrap();
    sql(&format!("ALTER TABLE \"{table}\" DROP COLUMN update_time"));
    let began = std::time::Instant::now();
    let minted = (0..50).filter_map(|_| order.next_ids(10).ok()).count();
    assert!(minted >= 40, "{minted} of 50 calls were served");
    assert!(began.elapsed() < std::time::Duration::from_secs(60), "{:?}", began.elapsed());
}
