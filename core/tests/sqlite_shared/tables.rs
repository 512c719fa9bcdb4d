//! Tables that differ from leafmint's: they have triggers, constraints or invalid rows, or are views. A lease either
//! raises `max_id` for good, or a named error says what is wrong and nothing is leased.

use super::{Shared, assert_refused, create, lease, wait};
use leafmint::Error;
use leafmint::store::SegmentStore;
use std::ops::Range;

/// A file whose table `leaf_alloc` was made by these statements.
fn with_table(statements: &str) -> Shared {
    let shared = Shared::new();
    shared.application().execute_batch(statements).unwrap();
    shared
}

/// A file with leafmint's own table, a tag `order` whose next id is 1, and these statements.
fn with(statements: &str) -> Shared {
    let shared = Shared::new();
    create(&shared.store());
    shared.application().execute_batch(statements).unwrap();
    shared
}

const PLAIN: &str = "CREATE TABLE leaf_alloc (biz_tag TEXT, max_id INTEGER, step INTEGER, update_time TEXT);";

/// Leases in three ways, and asserts that each is refused with these words and that no row was changed. A check and the
/// list of the tags find the same.
#[track_caller]
fn assert_no_lease(shared: &Shared, words: &str) {
    let rows = |shared: &Shared| -> Vec<String> {
        let app = shared.application();
        let mut statement = app.prepare("SELECT biz_tag || '=' || quote(max_id) FROM leaf_alloc ORDER BY 1").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let before = rows(shared);
    let store = shared.store();
    let checked = |amount| wait(store.lease_checked("order", 0, amount)).map(|mut checked| checked.ranges.remove(0));
    let answers: [Result<Range<i64>, Error>; 3] = [lease(&store), checked(None), checked(Some(10))];
    for answer in answers {
        assert_refused(&answer.unwrap_err(), words);
    }
    let listed = wait(store.list_tags()).unwrap();
    let order = listed.iter().find(|tag| tag.biz_tag == "order").unwrap();
    let found = [checked(None).unwrap_err().message().to_owned(), order.problem.clone().unwrap()];
    assert_eq!(found[0], found[1], "the list says another thing than a lease");
    assert_eq!(rows(shared), before, "a refused lease changed a row");
}

#[test]
fn a_table_that_does_not_keep_what_a_lease_writes_is_refused_and_nothing_is_leased() {
    let undo = "BEGIN UPDATE leaf_alloc SET max_id = OLD.max_id WHERE biz_tag = OLD.biz_tag; END";
    let cases = [
        format!("CREATE TRIGGER undo AFTER UPDATE ON leaf_alloc {undo}"),
        format!("CREATE TRIGGER undo AFTER UPDATE OF update_time ON leaf_alloc {undo}"),
        "CREATE TRIGGER less AFTER UPDATE ON leaf_alloc WHEN NEW.max_id > OLD.max_id BEGIN
           UPDATE leaf_alloc SET max_id = NEW.max_id - 3 WHERE biz_tag = OLD.biz_tag; END"
            .to_owned(),
        "CREATE TRIGGER passed_over BEFORE UPDATE ON leaf_alloc BEGIN SELECT RAISE(IGNORE); END".to_owned(),
        "ALTER TABLE leaf_alloc RENAME TO rows;
         CREATE VIEW leaf_alloc AS SELECT * FROM rows;
         CREATE TRIGGER idle INSTEAD OF UPDATE ON leaf_alloc BEGIN SELECT 1; END"
            .to_owned(),
        "DROP TABLE leaf_alloc;
         CREATE TABLE leaf_alloc (biz_tag TEXT PRIMARY KEY, max_id INTEGER UNIQUE ON CONFLICT IGNORE, step INTEGER, update_time TEXT);
         INSERT INTO leaf_alloc VALUES ('order', 1, 10, ''), ('taken', 11, 10, '')"
            .to_owned(),
    ];
    for statements in cases {
        let shared = with(&statements);
        assert_no_lease(&shared, "reads lower");
        assert_refused(&wait(shared.store().check()).unwrap_err(), "reads lower");
    }
}

#[test]
fn a_tag_with_two_rows_is_refused() {
    assert_no_lease(
        &with_table(&format!("{PLAIN} INSERT INTO leaf_alloc VALUES ('order', 1, 10, ''), ('order', 1, 10, '')")),
        "2 rows",
    );
}

#[test]
fn a_row_that_cannot_be_leased_from_is_named_as_on_a_server() {
    for (row, words) in [
        ("NULL, 10", "NULL"),
        ("1.5, 10", "1.5"),
        ("'one', 10", "one"),
        ("1e300, 10", "BIGINT"),
        ("1, NULL", "NULL"),
        ("1, 'ten'", "ten"),
        ("1, 2.5", "2.5"),
        ("1, 0", "step"),
    ] {
        let rows = format!("{PLAIN} INSERT INTO leaf_alloc VALUES ('order', {row}, '')");
        let shared = with_table(&rows);
        let error = wait(shared.store().lease_checked("order", 0, None)).unwrap_err();
        assert_refused(&error, words);
    }
    let text = "CREATE TABLE leaf_alloc (biz_tag TEXT, max_id TEXT, step INTEGER, update_time TEXT);
                INSERT INTO leaf_alloc VALUES ('order', '1', 10, '')";
    assert_no_lease(&with_table(text), "BIGINT");
}

#[test]
fn a_table_with_triggers_that_leave_max_id_alone_works() {
    let shared = with(
        "CREATE TABLE audit (tag TEXT, max_id INTEGER);
         CREATE TRIGGER noted AFTER UPDATE ON leaf_alloc BEGIN INSERT INTO audit VALUES (NEW.biz_tag, NEW.max_id); END;
         CREATE TRIGGER ahead AFTER UPDATE ON leaf_alloc WHEN NEW.max_id = 21 BEGIN
           UPDATE leaf_alloc SET max_id = 1000 WHERE biz_tag = NEW.biz_tag; END",
    );
    let store = shared.store();
    let leased: Vec<Range<i64>> = (0..3).map(|_| lease(&store).unwrap()).collect();
    assert_eq!(leased, [1..11, 11..21, 1000..1010]);
}

#[test]
fn a_raise_that_a_trigger_undoes_is_named() {
    let shared = with(
        "CREATE TRIGGER undo AFTER UPDATE ON leaf_alloc BEGIN
           UPDATE leaf_alloc SET max_id = OLD.max_id WHERE biz_tag = OLD.biz_tag; END",
    );
    assert_refused(&wait(shared.store().raise_tag("order", 5000)).unwrap_err(), "left it at 1");
}

#[test]
fn what_no_retry_mends_is_no_retryable_error() {
    let shared = with_table(
        "CREATE TABLE leaf_alloc (biz_tag TEXT PRIMARY KEY, max_id INTEGER CHECK (max_id < 15), step INTEGER, update_time TEXT);
         INSERT INTO leaf_alloc VALUES ('order', 1, 10, '')",
    );
    let store = shared.store();
    assert_eq!(lease(&store).unwrap(), 1..11);
    assert_no_lease(&shared, "constraint");
    let raises = with("CREATE TRIGGER no BEFORE UPDATE ON leaf_alloc BEGIN SELECT RAISE(ABORT, 'not today'); END");
    assert_no_lease(&raises, "not today");
    for column in ["biz_tag", "max_id", "step", "update_time"] {
        let shared = with(&format!("ALTER TABLE leaf_alloc RENAME COLUMN {column} TO another"));
        let error = lease(&shared.store()).unwrap_err();
        assert_refused(&error, column);
        assert_refused(&wait(shared.store().check()).unwrap_err(), column);
    }
    let view = with("ALTER TABLE leaf_alloc RENAME TO rows; CREATE VIEW leaf_alloc AS SELECT * FROM rows");
    assert_no_lease(&view, "view");
    for shared in [raises, view] {
        let lease = lease(&shared.store()).unwrap_err();
        assert_eq!(wait(shared.store().check()).unwrap_err(), lease);
    }
}

#[test]
fn a_list_while_the_application_writes_is_complete_and_names_no_problem() {
    let shared = Shared::new();
    let store = shared.store();
    create(&store);
    let mut app = shared.application();
    let transaction = super::write(&mut app);
    let listed = wait(store.list_tags()).unwrap();
    assert_eq!((listed.len(), &listed[0].problem), (1, &None));
    drop(transaction);
    assert_eq!(lease(&store).unwrap(), 1..11, "a list leases nothing");
}
