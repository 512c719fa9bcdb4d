//! Settings of a database that change what a statement means, or how its answer is spelt.

use crate::holders::{Database, Server, now, open as open_holder, wait};
use crate::stores::{options, postgres_url};
use leafmint::SegmentGenerator;
use leafmint::segment::TagOptions;
use leafmint::store::NewTagOptions;
use std::collections::BTreeSet;

/// Settings with a value that a database may give each session.
const SETTINGS: [(&str, &str); 30] = [
    ("default_transaction_isolation", "'repeatable read'"),
    ("default_transaction_isolation", "serializable"),
    ("default_transaction_deferrable", "on"),
    ("default_table_access_method", "heap"),
    ("bytea_output", "escape"),
    ("DateStyle", "'German, DMY'"),
    ("IntervalStyle", "sql_standard"),
    ("TimeZone", "'Pacific/Auckland'"),
    ("row_security", "off"),
    ("transform_null_equals", "on"),
    ("standard_conforming_strings", "off"),
    ("backslash_quote", "off"),
    ("extra_float_digits", "-15"),
    ("array_nulls", "off"),
    ("quote_all_identifiers", "on"),
    ("check_function_bodies", "off"),
    ("client_encoding", "LATIN1"),
    ("client_min_messages", "error"),
    ("lc_messages", "'C'"),
    ("lc_numeric", "'C'"),
    ("xmloption", "document"),
    ("synchronous_commit", "off"),
    ("enable_indexscan", "off"),
    ("enable_seqscan", "off"),
    ("plan_cache_mode", "force_generic_plan"),
    ("jit_above_cost", "0"),
    ("from_collapse_limit", "1"),
    ("join_collapse_limit", "1"),
    ("constraint_exclusion", "on"),
    ("session_replication_role", "replica"),
];

fn url_of(database: &Database) -> String {
    format!("{}/{}", postgres_url().rsplit_once('/').unwrap().0, database.name)
}

fn open<const N: usize>(database: &Database, given: [(&str, &str); N]) -> SegmentGenerator {
    let usual = [("auto_create", "true"), ("default_step", "20"), ("max_step", "20"), ("timeout", "20s")];
    leafmint::open::segment(&url_of(database), options(usual).chain(options(given))).unwrap()
}

/// Does everything that a generator does, and asserts that all of it means what it means elsewhere.
#[track_caller]
fn use_all(database: &Database, what: &str) {
    let ids = open(database, []);
    ids.init_schema().unwrap().wait().unwrap();
    for tag in ["order", "Straße 🙂\\'"] {
        assert_eq!(ids.biz_tag(tag).unwrap().next_ids(150).unwrap(), (1..151).collect::<Vec<_>>(), "{what}: {tag}");
    }
    assert!(
        ids.create_tag_with("genes", NewTagOptions::new().step(10).gene_bits(4)).unwrap().wait().unwrap(),
        "{what}"
    );
    ids.biz_tag_with("genes", TagOptions::new().gene_bits(4)).unwrap().next_id_with_gene(3, None).unwrap();
    ids.close().unwrap();
    let ids = open(database, []);
    let tags = ids.list_tags().unwrap().wait().unwrap();
    let names: Vec<&str> = tags.iter().map(|tag| tag.biz_tag.as_str()).collect();
    assert_eq!(names, ["Straße 🙂\\'", "genes", "order"], "{what}");
    assert!(tags.iter().all(|tag| tag.problem.is_none()), "{what}: {tags:?}");
    let just_now = now() - 60_000..now() + 60_000;
    assert!(tags.iter().all(|tag| just_now.contains(&tag.update_time.unwrap())), "{what}: {tags:?}");
    assert_eq!(ids.check().unwrap().wait().unwrap().tags, 3, "{what}");
    assert_eq!(ids.raise_tag("order", 10_000).unwrap().wait().unwrap(), 10_000, "{what}");
    ids.set_tag("order", Some(50), Some("orders")).unwrap().wait().unwrap();
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 10_000, "{what}");
    mint_at_once(database, what);
    claim(database, what);
}

/// Two generators that lease from one row at the same time: a conflict costs neither of them an error.
#[track_caller]
fn mint_at_once(database: &Database, what: &str) {
    let generators = [open(database, []), open(database, [])];
    let minted: Vec<i64> = std::thread::scope(|scope| {
        let mint = |ids: &SegmentGenerator| ids.biz_tag("at once").unwrap().next_ids(400).unwrap();
        let minting: Vec<_> = generators.iter().map(|ids| scope.spawn(move || mint(ids))).collect();
        minting.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(minted.iter().collect::<BTreeSet<_>>().len(), 800, "{what}");
}

/// Takes a worker id, extends it and gives it back.
#[track_caller]
fn claim(database: &Database, what: &str) {
    let holder = open_holder(database.process(1));
    let lease = wait(holder.acquire()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let other = wait(open_holder(database.process(2)).acquire()).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_ne!(lease.worker_id, other.worker_id, "{what}");
    assert!((lease.horizon - now()).abs() < 3_600_000, "{what}: {lease:?}");
    wait(holder.release(&lease, now())).unwrap_or_else(|error| panic!("{what}: {error}"));
}

#[test]
fn no_setting_of_the_database_changes_what_is_leased_listed_or_claimed() {
    let database = Database::empty(Server::Postgres);
    for (name, value) in SETTINGS {
        database.sql(&format!("ALTER DATABASE \"{0}\" RESET ALL", database.name));
        database.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
        database.sql(&format!("ALTER DATABASE \"{}\" SET {name} = {value}", database.name));
        use_all(&database, &format!("{name}={value}"));
    }
}
