//! What the MySQL holders promise beside the suite of all holders: restarts, outages and other clocks, on a real server.

mod holders;
mod stores;

use holders::proxy::Proxy;
use holders::{Database, acquire_soon, crash, database, now, process, wait};
use leafmint::ErrorKind;
use leafmint::clock::{ManualClock, SystemClock};
use leafmint::holder::{MySqlHolderSettings, MySqlLeaseHolder, Pace, WorkerIdHolder};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stores::{number, sql, unique};

fn lease(settings: MySqlHolderSettings) -> Arc<dyn WorkerIdHolder> {
    Arc::new(MySqlLeaseHolder::new(settings, Arc::new(SystemClock)))
}

/// A network to the database, and settings that go through it.
fn through_proxy(settings: MySqlHolderSettings) -> (Proxy, MySqlHolderSettings) {
    let (host, port) = database().hosts.remove(0);
    let proxy = Proxy::to(&host, port);
    let mut settings = settings;
    settings.mysql.hosts = vec![("127.0.0.1".to_owned(), proxy.port)];
    settings.mysql.connect_timeout = Duration::from_millis(500);
    (proxy, settings)
}

fn on_this_host(settings: MySqlHolderSettings, state_dir: &Path) -> MySqlHolderSettings {
    MySqlHolderSettings { state_dir: Some(state_dir.to_owned()), ..settings }
}

fn row_horizon(namespace: &str) -> i64 {
    number(&format!("SELECT MAX(horizon) FROM leafmint_worker WHERE namespace = '{namespace}'"))
}

#[test]
fn a_hundred_processes_that_start_at_once_on_an_empty_database_get_distinct_ids() {
    let empty = Database::empty();
    let holders: Vec<_> = (0..100)
        .map(|number| {
            let mut settings = process("default", number);
            settings.mysql.database = empty.0.clone();
            lease(MySqlHolderSettings { workers: (0..1024).collect(), ..settings })
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
fn ten_crashes_and_restarts_on_one_host_keep_the_worker_id_and_do_not_run_ahead() {
    let (namespace, host) = (unique("restart"), tempfile::tempdir().unwrap());
    let mut horizon = None;
    for _ in 0..10 {
        let holder = lease(on_this_host(process(&namespace, fastrand::u32(..200)), host.path()));
        let lease = wait(holder.acquire()).unwrap();
        assert_eq!(lease.worker_id, 0);
        assert_eq!(lease.floor, horizon.unwrap_or(i64::MIN), "from the state file's horizon, not from the row's");
        assert!(lease.horizon <= now() + 3_000, "{} ms ahead", lease.horizon - now());
        horizon = Some(lease.horizon);
        // A crash long after the last heartbeat would be waited out already.
        let file = wait(holder.extend(&lease, lease.horizon + 1)).unwrap();
        horizon = horizon.max(Some(file));
        assert!(row_horizon(&namespace) >= now() + 590_000);
        crash(holder);
    }
}

#[test]
fn another_host_does_not_take_a_worker_id_whose_owner_crashed() {
    let (namespace, host, other) = (unique("hosts"), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let holder = lease(on_this_host(process(&namespace, 1), host.path()));
    assert_eq!(wait(holder.acquire()).unwrap().worker_id, 0);
    crash(holder);
    assert_eq!(wait(lease(on_this_host(process(&namespace, 2), other.path())).acquire()).unwrap().worker_id, 1);
}

#[test]
fn a_state_file_that_is_damaged_or_says_something_else_than_the_row_is_not_believed() {
    let host = tempfile::tempdir().unwrap();
    let state_file = || {
        let folder = std::fs::read_dir(host.path()).unwrap().next().unwrap().unwrap().path();
        folder.join("0.state")
    };
    let changes: [&dyn Fn(&str) -> String; 5] = [
        &|_| String::new(),
        &|text| text[..text.len() / 2].to_owned(),
        &|text| text.replace("owner ", "owner elsewhere "),
        &|text| {
            text.lines().filter(|line| !line.starts_with("row") && !line.starts_with("aim")).map(|l| format!("{l}\n")).collect()
        },
        // A copy: its original has moved the row on since.
        &|text| {
            sql("UPDATE leafmint_worker SET horizon = horizon + 1 WHERE namespace LIKE 'damaged%'");
            text.to_owned()
        },
    ];
    for (turn, change) in changes.into_iter().enumerate() {
        let namespace = unique("damaged");
        let settings = || on_this_host(process(&namespace, 1), host.path());
        let holder = lease(settings());
        assert_eq!(wait(holder.acquire()).unwrap().worker_id, 0);
        crash(holder);
        let file = state_file();
        std::fs::write(&file, change(&std::fs::read_to_string(&file).unwrap())).unwrap();
        assert_eq!(wait(lease(settings()).acquire()).unwrap().worker_id, 1, "turn {turn}");
        std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
    }
}

#[test]
fn a_state_directory_that_cannot_be_written_is_named_with_the_way_out() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = wait(lease(on_this_host(process(&unique("disk"), 1), file.path())).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("state_dir=none"), "{error}");
}

#[test]
fn an_outage_is_survived_until_the_rows_horizon_also_by_a_restart_here() {
    let (namespace, host) = (unique("outage"), tempfile::tempdir().unwrap());
    let pace = Pace { window: Duration::from_secs(9), heartbeat: Duration::from_millis(500) };
    let settings = MySqlHolderSettings { pace, ..on_this_host(process(&namespace, 1), host.path()) };
    let (proxy, settings) = through_proxy(settings);
    let holder = lease(settings.clone());
    let first = wait(holder.acquire()).unwrap();
    wait(holder.extend(&first, now() + 3_000)).unwrap();
    proxy.cut();
    let reserved = row_horizon(&namespace);
    let mut horizon = wait(holder.extend(&first, now() + 3_100)).unwrap();
    assert!(horizon >= now() + 2_900, "the registry is not needed: {horizon}");
    crash(holder);

    // Nobody else may have it, and the same host goes on from the state file.
    let holder = lease(settings.clone());
    let second = wait(holder.acquire()).unwrap();
    assert_eq!((second.worker_id, second.floor), (first.worker_id, horizon));
    let error = loop {
        match wait(holder.extend(&second, now() + 3_000)) {
            Ok(on) => {
                assert!(on >= horizon && on <= reserved, "{on} is beyond {reserved}");
                horizon = on;
                std::thread::sleep(Duration::from_millis(100));
            }
            Err(error) => break error,
        }
    };
    assert_eq!((error.kind(), horizon), (ErrorKind::StoreUnavailable, reserved), "{error}");

    proxy.pass();
    // The outage is noted by the next attempt at the earliest.
    let back = (0..50).find_map(|_| wait(holder.extend(&second, now() + 3_000)).ok().filter(|&on| on > reserved));
    assert!(back.is_some(), "goes on by itself");
}

#[test]
fn without_registry_and_state_file_there_is_no_worker_id() {
    let host = tempfile::tempdir().unwrap();
    let (proxy, settings) = through_proxy(on_this_host(process(&unique("none"), 1), host.path()));
    proxy.cut();
    assert_eq!(wait(lease(settings).acquire()).unwrap_err().kind(), ErrorKind::StoreUnavailable);
}

#[test]
fn a_clean_close_in_an_outage_lets_this_host_go_on_from_what_was_used() {
    let host = tempfile::tempdir().unwrap();
    let (proxy, settings) = through_proxy(on_this_host(process(&unique("close"), 1), host.path()));
    let holder = lease(settings.clone());
    let mut first = wait(holder.acquire()).unwrap();
    proxy.cut();
    // The row is due ten seconds after it was written: until then nobody notices.
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(11) {
        first.horizon = wait(holder.extend(&first, now() + 3_000)).unwrap();
        std::thread::sleep(Duration::from_millis(500));
    }
    let used = now();
    wait(holder.release(&first, used)).unwrap();
    crash(holder);
    let second = wait(lease(settings).acquire()).unwrap();
    assert_eq!((second.worker_id, second.floor), (first.worker_id, used));
}

#[test]
fn a_release_that_may_still_arrive_lets_nobody_go_on_alone() {
    let host = tempfile::tempdir().unwrap();
    let (proxy, settings) = through_proxy(on_this_host(process(&unique("release"), 1), host.path()));
    let holder = lease(settings.clone());
    let first = wait(holder.acquire()).unwrap();
    proxy.cut();
    assert!(wait(holder.release(&first, now())).is_err());
    crash(holder);
    assert_eq!(wait(lease(settings.clone()).acquire()).unwrap_err().kind(), ErrorKind::StoreUnavailable);
    proxy.pass();
    assert_eq!(wait(lease(settings).acquire()).unwrap().worker_id, first.worker_id, "the row tells that it is still ours");
}

#[test]
fn a_frozen_registry_does_not_hold_up_the_heartbeats() {
    let host = tempfile::tempdir().unwrap();
    let pace = Pace { window: Duration::from_secs(60), heartbeat: Duration::from_millis(1) };
    let settings = MySqlHolderSettings { pace, ..on_this_host(process(&unique("frozen"), 1), host.path()) };
    let (proxy, settings) = through_proxy(settings);
    let holder = lease(settings);
    let lease = wait(holder.acquire()).unwrap();
    proxy.hold();
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(60));
        let started = Instant::now();
        let asked = now() + 3_000;
        assert_eq!(wait(holder.extend(&lease, asked)).unwrap(), asked);
        assert!(started.elapsed() < Duration::from_millis(250), "{:?}", started.elapsed());
    }
}

#[test]
fn an_extension_that_arrives_late_matches_nothing() {
    let namespace = unique("late");
    let (proxy, settings) = through_proxy(process(&namespace, 1));
    let holder = lease(settings);
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
}

#[test]
fn an_extension_whose_answer_was_lost_is_adopted() {
    let namespace = unique("lost");
    let (proxy, settings) = through_proxy(process(&namespace, 1));
    let holder = lease(settings);
    let lease = wait(holder.acquire()).unwrap();
    let first = wait(holder.extend(&lease, lease.horizon + 1_000)).unwrap();
    proxy.hold();
    assert!(wait(holder.extend(&lease, first + 60_000)).is_err());
    proxy.deliver();
    assert!(row_horizon(&namespace) >= first + 60_000, "carried out, and nobody heard of it");
    proxy.pass();
    let second = wait(holder.extend(&lease, first + 60_001)).unwrap();
    assert!(second > first);
    assert_eq!(wait(holder.extend(&lease, first + 60_002)).unwrap(), first + 60_002);
}

#[test]
fn an_acquire_whose_answer_was_lost_finds_its_own_worker_id_again() {
    for host in [None, Some(tempfile::tempdir().unwrap())] {
        let namespace = unique("claim");
        let settings =
            MySqlHolderSettings { state_dir: host.as_ref().map(|host| host.path().to_owned()), ..process(&namespace, 1) };
        let (proxy, settings) = through_proxy(settings);
        let holder = lease(settings);
        for statement in ["INSERT INTO leafmint_worker", "UPDATE leafmint_worker SET token"] {
            proxy.lose_answer_to(statement);
            assert_eq!(wait(holder.acquire()).unwrap_err().kind(), ErrorKind::StoreUnavailable, "{statement}");
            proxy.pass();
            let rows = format!("FROM leafmint_worker WHERE namespace = '{namespace}' AND token IS NOT NULL");
            assert_eq!(number(&format!("SELECT COUNT(*) {rows}")), 1, "it was carried out");
            let found = wait(holder.acquire()).unwrap();
            assert_eq!(found.worker_id, 0);
            assert_eq!(number(&format!("SELECT COUNT(*) {rows} AND token = '{}'", found.token)), 1, "and not done twice");
            wait(holder.release(&found, now())).unwrap();
        }
    }
}

#[test]
fn a_clock_that_differs_too_much_is_refused_at_the_start_with_both_times() {
    let namespace = unique("clock");
    for (off, kind) in [(-60_000, ErrorKind::ClockMovedBackwards), (60_000, ErrorKind::InvalidConfig)] {
        let clock = Arc::new(ManualClock::at(now() + off));
        let error = wait(MySqlLeaseHolder::new(process(&namespace, 1), clock).acquire()).unwrap_err();
        assert_eq!(error.kind(), kind);
        assert!(error.message().matches("Unix ms").count() == 1 && error.message().contains("max_clock_skew"), "{error}");
    }
    // Not the database's clock but everybody else's.
    wait(lease(process(&namespace, 2)).acquire()).unwrap();
    sql(&format!("UPDATE leafmint_worker SET reported = reported + 60000 WHERE namespace = '{namespace}'"));
    let error = wait(lease(process(&namespace, 3)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ClockMovedBackwards);
    assert!(error.message().contains("other owners"), "{error}");
}

#[test]
fn the_shared_clock_is_the_databases_whatever_its_time_zone() {
    let holder = lease(process(&unique("time"), 1));
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
    wait(lease(settings()).acquire()).unwrap();
    sql(&format!("UPDATE `{}`.leafmint_schema SET version = 2", other.0));
    let error = wait(lease(settings()).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("version 2"), "{error}");
}

#[test]
fn an_account_that_may_not_make_the_tables_is_told_the_statements() {
    let other = Database::empty();
    let user = unique("reader");
    sql(&format!("CREATE USER '{user}'@'%' IDENTIFIED BY 'secret'"));
    sql(&format!("GRANT SELECT, INSERT, UPDATE ON `{}`.* TO '{user}'@'%'", other.0));
    let mut settings = process("default", 1);
    (settings.mysql.database, settings.mysql.user, settings.mysql.password) =
        (other.0.clone(), Some(user.clone()), Some("secret".to_owned()));
    let error = wait(lease(settings.clone()).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("CREATE TABLE IF NOT EXISTS `leafmint_worker`"), "{error}");
    for statement in leafmint::schema_sql("mysql").unwrap().split(';').filter(|text| !text.trim().is_empty()) {
        sql(&format!("USE `{}`; {statement}", other.0));
    }
    assert_eq!(acquire_soon(&*lease(settings)).worker_id, 0, "select, insert and update are enough");
    sql(&format!("DROP USER '{user}'@'%'"));
}
