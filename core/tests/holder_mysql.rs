//! What the holder over MySQL promises in addition to the suite: many starts at once, late statements, other clocks and
//! accounts, on a real server.

mod holders;
mod stores;

use holders::{Database, acquire_soon, now, open, process, row_horizon, through_proxy, wait};
use leafmint::clock::ManualClock;
use leafmint::{ErrorKind, SnowflakeGenerator};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stores::{number, sql, unique};

#[test]
fn a_hundred_processes_that_start_at_once_on_an_empty_database_get_distinct_ids() {
    let empty = Database::empty();
    let holders: Vec<_> = (0..100)
        .map(|number| {
            let mut settings = process("default", number);
            settings.mysql.database = empty.0.clone();
            open(settings.with(|rows| rows.workers = (0..1024).collect()))
        })
        .collect();
    let started = Instant::now();
    let ids: BTreeSet<i64> = std::thread::scope(|scope| {
        let starting: Vec<_> =
            holders.iter().map(|holder| scope.spawn(move || wait(holder.acquire()).unwrap().worker_id)).collect();
        starting.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 100);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    eprintln!("a hundred in {:?}, up to {:?}", started.elapsed(), ids.last());
}

#[test]
fn a_choice_among_hundreds_of_millions_of_worker_ids_with_a_thousand_owners_takes_the_first_free_one() {
    let empty = Database::empty();
    let mut settings = process("default", 1);
    settings.mysql.database = empty.0.clone();
    let holder = open(settings.clone());
    let first = wait(holder.acquire()).unwrap();
    wait(holder.release(&first, now())).unwrap();
    let owned: Vec<String> =
        (0..1000).map(|id| format!("('default', {id}, 'other', {0}, {0}, 'host', {0})", now() + 600_000)).collect();
    let insert =
        "REPLACE INTO leafmint_worker (namespace, worker_id, token, horizon, reported, endpoint, updated) VALUES";
    sql(&format!("{insert} {}", owned.join(", ")).replace("leafmint_worker", &format!("{}.leafmint_worker", empty.0)));
    let all = [0..=(1_i64 << 28) - 1].into_iter().collect();
    let started = Instant::now();
    let lease = wait(open(settings.with(|rows| rows.workers = all)).acquire()).unwrap();
    assert_eq!(lease.worker_id, 1000);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[test]
fn rows_of_worker_ids_that_may_not_be_taken_are_not_read_however_many_there_are() {
    let empty = Database::empty();
    let mut settings = process("default", 1);
    settings.mysql.database = empty.0.clone();
    let holder = open(settings.clone());
    let first = wait(holder.acquire()).unwrap();
    wait(holder.release(&first, now())).unwrap();
    let table = format!("{}.leafmint_worker", empty.0);
    sql(&format!(
        "INSERT INTO {table} (namespace, worker_id, horizon, reported, endpoint, updated) \
         VALUES ('default', 10000, 0, {}, REPEAT('x', 250), 0)",
        now()
    ));
    for doublings in 0..16 {
        sql(&format!(
            "INSERT INTO {table} (namespace, worker_id, horizon, reported, endpoint, updated) \
             SELECT namespace, worker_id + {}, horizon, reported, endpoint, updated FROM {table} WHERE worker_id >= 10000",
            1 << doublings
        ));
    }
    assert!(number(&format!("SELECT SUM(LENGTH(endpoint)) FROM {table}")) > 8 << 20, "more than an answer may hold");
    wait(open(settings).acquire()).unwrap();
}

#[test]
fn with_a_state_file_two_ticks_are_reserved_however_long_a_tick_is() {
    let (namespace, host) = (unique("ticks"), tempfile::tempdir().unwrap());
    for (tick, seconds) in [("10s", 10.0), ("1m", 60.0)] {
        let layout = format!("timestamp:28,worker:10,sequence:12,unit:{tick}");
        let given = [("namespace", format!("{namespace}-{tick}")), ("layout", layout), ("timeout", "10s".to_owned())];
        let given = given.map(|(name, value)| (name.to_owned(), value.into())).into_iter();
        let state_dir = ("state_dir".to_owned(), host.path().display().to_string().into());
        let flakes = SnowflakeGenerator::open(&stores::mysql_url(), given.chain([state_dir])).unwrap();
        flakes.next_id().unwrap();
        // A heartbeat may be late by seconds on a busy machine.
        let reserved = flakes.stats().horizon_seconds.unwrap();
        assert!(reserved > 2.0 * seconds - 8.0, "ticks of {tick}: {reserved} s");
        flakes.close().unwrap();
    }
}

#[test]
fn an_extension_that_arrives_late_matches_nothing() {
    let namespace = unique("late");
    let (proxy, settings) = through_proxy(process(&namespace, 1));
    let holder = open(settings);
    let lease = wait(holder.acquire()).unwrap();
    let first = wait(holder.extend(&lease, lease.horizon + 1_000)).unwrap();
    proxy.hold();
    assert_eq!(wait(holder.extend(&lease, first + 1_000)).unwrap_err().kind(), ErrorKind::StoreUnavailable);
    proxy.pass();
    let second = wait(holder.extend(&lease, first + 5_000)).unwrap();
    let before = row_horizon(&namespace);
    assert!(before >= second);
    proxy.deliver();
    assert_eq!(row_horizon(&namespace), before, "not lowered under its owner");
    assert_eq!(wait(holder.extend(&lease, second + 1_000)).unwrap(), second + 1_000);

    proxy.hold();
    assert!(wait(holder.extend(&lease, second + 9_000)).is_err());
    proxy.pass();
    let used = now();
    wait(holder.release(&lease, used)).unwrap();
    proxy.deliver();
    assert_eq!(row_horizon(&namespace), used, "nor raised after its end");
    let left = format!("SELECT COUNT(*) FROM leafmint_worker WHERE namespace = '{namespace}' AND token IS NOT NULL");
    assert_eq!(number(&left), 0);
}

#[test]
fn an_extension_whose_answer_was_lost_is_adopted() {
    let namespace = unique("lost");
    let (proxy, settings) = through_proxy(process(&namespace, 1));
    let holder = open(settings);
    let lease = wait(holder.acquire()).unwrap();
    let first = wait(holder.extend(&lease, lease.horizon + 1_000)).unwrap();
    proxy.hold();
    assert!(wait(holder.extend(&lease, first + 60_000)).is_err());
    proxy.deliver();
    assert!(row_horizon(&namespace) >= first + 60_000, "carried out, without an answer");
    proxy.pass();
    let second = wait(holder.extend(&lease, first + 60_001)).unwrap();
    assert!(second > first);
    assert_eq!(wait(holder.extend(&lease, first + 60_002)).unwrap(), first + 60_002);
}

#[test]
fn a_clone_of_the_machine_that_moved_the_horizon_on_with_the_same_token_costs_the_lease() {
    let namespace = unique("clone");
    let holder = open(process(&namespace, 1));
    let lease = wait(holder.acquire()).unwrap();
    wait(holder.extend(&lease, lease.horizon + 1_000)).unwrap();
    // What a clone would write: it compares with what the two of them know.
    sql(&format!("UPDATE leafmint_worker SET horizon = horizon + 1234 WHERE namespace = '{namespace}'"));
    let error = wait(holder.extend(&lease, lease.horizon + 60_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LeaseLost);
}

#[test]
fn a_release_leaves_a_row_alone_that_shows_another_horizon_or_another_token() {
    for change in ["horizon = horizon + 660000", "token = REPEAT('a', 32)"] {
        let namespace = unique("release");
        let holder = open(process(&namespace, 1));
        let lease = wait(holder.acquire()).unwrap();
        // What a clone of this machine would write, or the next owner.
        sql(&format!("UPDATE leafmint_worker SET {change} WHERE namespace = '{namespace}'"));
        let horizon = row_horizon(&namespace);
        wait(holder.release(&lease, now())).unwrap();
        assert_eq!(row_horizon(&namespace), horizon, "{change}");
        let held =
            format!("SELECT COUNT(*) FROM leafmint_worker WHERE namespace = '{namespace}' AND token IS NOT NULL");
        assert_eq!(number(&held), 1, "{change}");
    }
}

#[test]
fn a_row_with_another_token_belongs_to_another_owner_even_if_its_horizon_is_the_known_one() {
    let namespace = unique("token");
    let holder = open(process(&namespace, 1));
    let lease = wait(holder.acquire()).unwrap();
    sql(&format!("UPDATE leafmint_worker SET token = REPEAT('a', 32) WHERE namespace = '{namespace}'"));
    let error = wait(holder.extend(&lease, lease.horizon + 60_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LeaseLost);
}

#[test]
fn an_acquire_whose_answer_was_lost_finds_its_own_worker_id_again() {
    for host in [None, Some(tempfile::tempdir().unwrap())] {
        let namespace = unique("claim");
        let state_dir = host.as_ref().map(|host| host.path().to_owned());
        let (proxy, settings) = through_proxy(process(&namespace, 1).with(|rows| rows.state_dir = state_dir));
        let holder = open(settings);
        for statement in ["INSERT INTO leafmint_worker", "UPDATE leafmint_worker SET token"] {
            proxy.lose_answer_to(statement);
            assert_eq!(wait(holder.acquire()).unwrap_err().kind(), ErrorKind::StoreUnavailable, "{statement}");
            proxy.pass();
            let rows = format!("FROM leafmint_worker WHERE namespace = '{namespace}' AND token IS NOT NULL");
            assert_eq!(number(&format!("SELECT COUNT(*) {rows}")), 1, "it was carried out");
            let found = wait(holder.acquire()).unwrap();
            assert_eq!(found.worker_id, 0);
            assert_eq!(
                number(&format!("SELECT COUNT(*) {rows} AND token = '{}'", found.token)),
                1,
                "and not done twice"
            );
            wait(holder.release(&found, now())).unwrap();
        }
    }
}

#[test]
fn a_clock_that_differs_too_much_is_refused_at_the_start_with_both_times() {
    let namespace = unique("clock");
    for (off, kind) in [(-60_000, ErrorKind::ClockMovedBackwards), (60_000, ErrorKind::InvalidConfig)] {
        let clock = Arc::new(ManualClock::at(now() + off));
        let error = wait(process(&namespace, 1).open(clock).acquire()).unwrap_err();
        assert_eq!(error.kind(), kind);
        assert!(
            error.message().matches("Unix ms").count() == 1 && error.message().contains("max_clock_skew"),
            "{error}"
        );
    }
    // The clocks of the other owners, not the database's.
    wait(open(process(&namespace, 2)).acquire()).unwrap();
    sql(&format!("UPDATE leafmint_worker SET reported = reported + 60000 WHERE namespace = '{namespace}'"));
    let error = wait(open(process(&namespace, 3)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ClockMovedBackwards);
    assert!(error.message().contains("other owners"), "{error}");
}

#[test]
fn owners_with_a_wrong_clock_stop_a_newcomer_only_if_they_are_the_majority() {
    let namespace = unique("median");
    let owners: Vec<_> = (1..=3).map(|number| open(process(&namespace, number))).collect();
    for owner in &owners {
        wait(owner.acquire()).unwrap();
    }
    let set_wrong = |worker_id| {
        let set = "UPDATE leafmint_worker SET reported = reported + 86400000";
        sql(&format!("{set} WHERE namespace = '{namespace}' AND worker_id = {worker_id}"));
    };
    set_wrong(0);
    let fourth = open(process(&namespace, 4));
    wait(fourth.acquire()).unwrap();
    set_wrong(1);
    let fifth = open(process(&namespace, 5));
    wait(fifth.acquire()).unwrap();
    set_wrong(2);
    let error = wait(open(process(&namespace, 6)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ClockMovedBackwards, "{error}");
}

#[test]
fn the_shared_clock_is_the_databases_whatever_its_time_zone() {
    let holder = open(process(&unique("time"), 1));
    let shared = wait(holder.shared_clock()).unwrap().unwrap();
    assert!((shared - now()).abs() < 2_000, "{shared}");
}

#[test]
fn tables_of_a_newer_version_are_refused() {
    let other = Database::empty();
    let settings = || {
        let mut settings = process("default", 1);
        settings.mysql.database = other.0.clone();
        settings
    };
    wait(open(settings()).acquire()).unwrap();
    sql(&format!("UPDATE `{}`.leafmint_schema SET version = 2", other.0));
    let error = wait(open(settings()).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("version 2"), "{error}");
}

#[test]
fn an_account_that_may_not_create_the_tables_gets_an_error_with_the_statements() {
    let other = Database::empty();
    let user = unique("reader");
    sql(&format!("CREATE USER '{user}'@'%' IDENTIFIED BY 'secret'"));
    sql(&format!("GRANT SELECT, INSERT, UPDATE ON `{}`.* TO '{user}'@'%'", other.0));
    let mut settings = process("default", 1);
    (settings.mysql.database, settings.mysql.user, settings.mysql.password) =
        (other.0.clone(), Some(user.clone()), Some("secret".to_owned()));
    let error = wait(open(settings.clone()).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("CREATE TABLE IF NOT EXISTS `leafmint_worker`"), "{error}");
    for statement in leafmint::schema_sql("mysql").unwrap().split(';').filter(|text| !text.trim().is_empty()) {
        sql(&format!("USE `{}`; {statement}", other.0));
    }
    assert_eq!(acquire_soon(&*open(settings)).worker_id, 0, "select, insert and update are enough");
    sql(&format!("DROP USER '{user}'@'%'"));
}
