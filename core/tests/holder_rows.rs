//! What the holders over database servers promise in addition to the suite: many starts at once, late statements, other
//! clocks and accounts, on a real server of each kind.

use crate::holders::{Database, Server, acquire_soon, fail_at_it, now, open, process, through_proxy, wait};
use crate::stores::{unique, wait_until};
use leafmint::clock::ManualClock;
use leafmint::{ErrorKind, Reason, schema_sql};
use leafmint_backends::servers::{over_mysql, over_postgres};
use leafmint_backends::sessions::LogIn;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

on_each_server! {
    a_hundred_processes_that_start_at_once_on_an_empty_database_get_distinct_ids,
    a_choice_among_hundreds_of_millions_of_worker_ids_with_a_thousand_owners_takes_the_first_free_one,
    rows_of_worker_ids_that_may_not_be_taken_are_not_read_however_many_there_are,
    with_a_state_file_two_ticks_are_reserved_however_long_a_tick_is,
    an_extension_that_arrives_late_matches_nothing,
    an_extension_whose_answer_was_lost_is_adopted,
    a_clone_of_the_machine_that_moved_the_horizon_on_with_the_same_token_costs_the_lease,
    a_release_leaves_a_row_alone_that_shows_another_horizon_or_another_token,
    a_row_with_another_token_belongs_to_another_owner_even_if_its_horizon_is_the_known_one,
    an_acquire_whose_answer_was_lost_finds_its_own_worker_id_again,
    a_clock_that_differs_too_much_is_refused_at_the_start_with_both_times,
    owners_with_a_wrong_clock_stop_a_newcomer_only_if_they_are_the_majority,
    the_shared_clock_is_the_databases_whatever_its_time_zone,
    tables_of_a_newer_version_are_refused,
    no_table_is_created_unless_it_is_asked_for,
    an_account_that_may_not_create_the_tables_gets_an_error_with_the_statements,
}

fn a_hundred_processes_that_start_at_once_on_an_empty_database_get_distinct_ids(server: Server) {
    let empty = Database::empty(server);
    let holders: Vec<_> =
        (0..100).map(|number| open(empty.process(number).with(|rows| rows.workers = (0..1024).collect()))).collect();
    let started = Instant::now();
    let ids: BTreeSet<i64> = std::thread::scope(|scope| {
        let starting: Vec<_> =
            holders.iter().map(|holder| scope.spawn(move || wait(holder.acquire()).unwrap().worker_id)).collect();
        starting.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 100);
    // A second or two; the rest is for a busy machine.
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    eprintln!("a hundred in {:?}, up to {:?}", started.elapsed(), ids.last());
}

fn a_choice_among_hundreds_of_millions_of_worker_ids_with_a_thousand_owners_takes_the_first_free_one(server: Server) {
    let empty = Database::empty(server);
    let settings = empty.process(1);
    let holder = open(settings.clone());
    let first = wait(holder.acquire()).unwrap();
    wait(holder.release(&first, now())).unwrap();
    let owned: Vec<String> =
        (1..1000).map(|id| format!("('default', {id}, 'other', {0}, {0}, 'host', {0})", now() + 600_000)).collect();
    empty.sql(&format!("UPDATE leafmint_worker SET token = 'other', horizon = {}", now() + 600_000));
    empty.sql(&format!(
        "INSERT INTO leafmint_worker (namespace, worker_id, token, horizon, reported, endpoint, updated) VALUES {}",
        owned.join(", ")
    ));
    let all = [0..=(1_i64 << 28) - 1].into_iter().collect();
    let started = Instant::now();
    let lease = wait(open(settings.with(|rows| rows.workers = all)).acquire()).unwrap();
    assert_eq!(lease.worker_id, 1000);
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
}

fn rows_of_worker_ids_that_may_not_be_taken_are_not_read_however_many_there_are(server: Server) {
    let empty = Database::empty(server);
    let settings = empty.process(1);
    let holder = open(settings.clone());
    let first = wait(holder.acquire()).unwrap();
    wait(holder.release(&first, now())).unwrap();
    empty.sql(&format!(
        "INSERT INTO leafmint_worker (namespace, worker_id, horizon, reported, endpoint, updated) \
         VALUES ('default', 10000, 0, {}, REPEAT('x', 250), 0)",
        now()
    ));
    for doublings in 0..16 {
        // More than an answer may hold in the end: 65,536 rows of 250 bytes.
        empty.sql(&format!(
            "INSERT INTO leafmint_worker (namespace, worker_id, horizon, reported, endpoint, updated) \
             SELECT namespace, worker_id + {}, horizon, reported, endpoint, updated FROM leafmint_worker \
             WHERE worker_id >= 10000",
            1 << doublings
        ));
    }
    wait(open(settings).acquire()).unwrap();
}

fn with_a_state_file_two_ticks_are_reserved_however_long_a_tick_is(server: Server) {
    let (namespace, host) = (unique("ticks"), tempfile::tempdir().unwrap());
    for (tick, seconds) in [("10s", 10.0), ("1m", 60.0)] {
        let layout = format!("timestamp:28,worker:10,sequence:12,unit:{tick}");
        let given = [("namespace", format!("{namespace}-{tick}")), ("layout", layout), ("timeout", "10s".to_owned())];
        let given = given.map(|(name, value)| (name.to_owned(), value.into())).into_iter();
        let state_dir = ("state_dir".to_owned(), host.path().display().to_string().into());
        let given = given.chain([state_dir, ("auto_create".to_owned(), "true".into())]);
        let flakes = leafmint::open::snowflake(&server.url(), given).unwrap();
        flakes.next_id().unwrap();
        // A heartbeat may be late by seconds on a busy machine.
        let reserved = flakes.stats().horizon_seconds.unwrap();
        assert!(reserved > 2.0 * seconds - 8.0, "ticks of {tick}: {reserved} s");
        flakes.close().unwrap();
    }
}

fn an_extension_that_arrives_late_matches_nothing(server: Server) {
    let namespace = unique("late");
    let (proxy, settings) = through_proxy(process(server, &namespace, 1));
    let holder = open(settings);
    let lease = wait(holder.acquire()).unwrap();
    let first = wait(holder.extend(&lease, lease.horizon + 1_000)).unwrap();
    proxy.hold();
    assert_eq!(wait(holder.extend(&lease, first + 1_000)).unwrap_err().kind(), ErrorKind::StoreUnavailable);
    proxy.pass();
    let second = wait(holder.extend(&lease, first + 5_000)).unwrap();
    let before = server.row_horizon(&namespace);
    assert!(before >= second);
    proxy.deliver();
    assert_eq!(server.row_horizon(&namespace), before, "not lowered under its owner");
    assert_eq!(wait(holder.extend(&lease, second + 1_000)).unwrap(), second + 1_000);

    proxy.hold();
    assert!(wait(holder.extend(&lease, second + 9_000)).is_err());
    proxy.pass();
    let used = now();
    wait(holder.release(&lease, used)).unwrap();
    proxy.deliver();
    assert_eq!(server.row_horizon(&namespace), used, "nor raised after its end");
    let left = format!("SELECT COUNT(*) FROM leafmint_worker WHERE namespace = '{namespace}' AND token IS NOT NULL");
    assert_eq!(server.number(&left), 0);
}

fn an_extension_whose_answer_was_lost_is_adopted(server: Server) {
    let namespace = unique("lost");
    let (proxy, settings) = through_proxy(process(server, &namespace, 1));
    let holder = open(settings);
    let lease = wait(holder.acquire()).unwrap();
    let first = wait(holder.extend(&lease, lease.horizon + 1_000)).unwrap();
    proxy.hold();
    assert!(wait(holder.extend(&lease, first + 60_000)).is_err());
    proxy.deliver();
    wait_until("it is not carried out", || server.row_horizon(&namespace) >= first + 60_000);
    proxy.pass();
    let second = wait(holder.extend(&lease, first + 60_001)).unwrap();
    assert!(second > first);
    assert_eq!(wait(holder.extend(&lease, first + 60_002)).unwrap(), first + 60_002);
}

fn a_clone_of_the_machine_that_moved_the_horizon_on_with_the_same_token_costs_the_lease(server: Server) {
    let namespace = unique("clone");
    let holder = open(process(server, &namespace, 1));
    let lease = wait(holder.acquire()).unwrap();
    wait(holder.extend(&lease, lease.horizon + 1_000)).unwrap();
    // What a clone would write: it compares with what the two of them know.
    server.sql(&format!("UPDATE leafmint_worker SET horizon = horizon + 1234 WHERE namespace = '{namespace}'"));
    let error = wait(holder.extend(&lease, lease.horizon + 60_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LeaseLost);
}

fn a_release_leaves_a_row_alone_that_shows_another_horizon_or_another_token(server: Server) {
    for change in ["horizon = horizon + 660000", "token = REPEAT('a', 32)"] {
        let namespace = unique("release");
        let holder = open(process(server, &namespace, 1));
        let lease = wait(holder.acquire()).unwrap();
        // What a clone of this machine would write, or the next owner.
        server.sql(&format!("UPDATE leafmint_worker SET {change} WHERE namespace = '{namespace}'"));
        let horizon = server.row_horizon(&namespace);
        wait(holder.release(&lease, now())).unwrap();
        assert_eq!(server.row_horizon(&namespace), horizon, "{change}");
        let held =
            format!("SELECT COUNT(*) FROM leafmint_worker WHERE namespace = '{namespace}' AND token IS NOT NULL");
        assert_eq!(server.number(&held), 1, "{change}");
    }
}

fn a_row_with_another_token_belongs_to_another_owner_even_if_its_horizon_is_the_known_one(server: Server) {
    let namespace = unique("token");
    let holder = open(process(server, &namespace, 1));
    let lease = wait(holder.acquire()).unwrap();
    server.sql(&format!("UPDATE leafmint_worker SET token = REPEAT('a', 32) WHERE namespace = '{namespace}'"));
    let error = wait(holder.extend(&lease, lease.horizon + 60_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LeaseLost);
}

fn an_acquire_whose_answer_was_lost_finds_its_own_worker_id_again(server: Server) {
    for host in [None, Some(tempfile::tempdir().unwrap())] {
        let namespace = unique("claim");
        let state_dir = host.as_ref().map(|host| host.path().to_owned());
        let (proxy, settings) = through_proxy(process(server, &namespace, 1).with(|rows| rows.state_dir = state_dir));
        let holder = open(settings);
        for statement in ["INSERT INTO leafmint_worker", "UPDATE leafmint_worker"] {
            proxy.lose_answer_to(statement);
            let error = fail_at_it(&proxy, || wait(holder.acquire()));
            assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{statement}");
            let rows = format!("FROM leafmint_worker WHERE namespace = '{namespace}' AND token IS NOT NULL");
            wait_until("it is not carried out", || server.number(&format!("SELECT COUNT(*) {rows}")) == 1);
            proxy.pass();
            let found = wait(holder.acquire()).unwrap();
            assert_eq!(found.worker_id, 0);
            assert_eq!(
                server.number(&format!("SELECT COUNT(*) {rows} AND token = '{}'", found.token)),
                1,
                "and not done twice"
            );
            wait(holder.release(&found, now())).unwrap();
        }
    }
}

fn a_clock_that_differs_too_much_is_refused_at_the_start_with_both_times(server: Server) {
    let namespace = unique("clock");
    for off in [-60_000, 60_000] {
        let clock = Arc::new(ManualClock::at(now() + off));
        let error = wait(process(server, &namespace, 1).open(clock).acquire()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ClockMovedBackwards);
        assert!(error.message().matches('Z').count() == 2 && error.message().contains("max_clock_skew"), "{error}");
    }
    // The clocks of the other owners, not the database's.
    wait(open(process(server, &namespace, 2)).acquire()).unwrap();
    server.sql(&format!("UPDATE leafmint_worker SET reported = reported + 60000 WHERE namespace = '{namespace}'"));
    let error = wait(open(process(server, &namespace, 3)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ClockMovedBackwards);
    assert!(error.message().contains("other owners"), "{error}");
}

fn owners_with_a_wrong_clock_stop_a_newcomer_only_if_they_are_the_majority(server: Server) {
    let namespace = unique("median");
    let owners: Vec<_> = (1..=3).map(|number| open(process(server, &namespace, number))).collect();
    for owner in &owners {
        wait(owner.acquire()).unwrap();
    }
    let set_wrong = |worker_id| {
        let set = "UPDATE leafmint_worker SET reported = reported + 86400000";
        server.sql(&format!("{set} WHERE namespace = '{namespace}' AND worker_id = {worker_id}"));
    };
    set_wrong(0);
    let fourth = open(process(server, &namespace, 4));
    wait(fourth.acquire()).unwrap();
    set_wrong(1);
    let fifth = open(process(server, &namespace, 5));
    wait(fifth.acquire()).unwrap();
    set_wrong(2);
    let error = wait(open(process(server, &namespace, 6)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ClockMovedBackwards, "{error}");
}

fn the_shared_clock_is_the_databases_whatever_its_time_zone(server: Server) {
    let holder = open(process(server, &unique("time"), 1));
    let shared = wait(holder.shared_clock()).unwrap().unwrap();
    // A time zone is off by a quarter of an hour or more.
    assert!((shared - now()).abs() < 60_000, "{shared}");
}

fn tables_of_a_newer_version_are_refused(server: Server) {
    let other = Database::empty(server);
    wait(open(other.process(1)).acquire()).unwrap();
    other.sql("UPDATE leafmint_schema SET version = 2");
    let error = wait(open(other.process(1)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("version 2"), "{error}");
}

fn no_table_is_created_unless_it_is_asked_for(server: Server) {
    let empty = Database::empty(server);
    let process = empty.process(1).with(|rows| rows.auto_create = None);
    let unasked = open(process.clone());
    for error in [
        wait(unasked.acquire()).map(drop).unwrap_err(),
        wait(unasked.check()).map(drop).unwrap_err(),
        wait(unasked.list_workers()).map(drop).unwrap_err(),
    ] {
        assert_eq!((error.kind(), error.reason()), (ErrorKind::InvalidConfig, Some(Reason::MissingTable)), "{error}");
        for advice in ["leafmint init", "auto_create=true", "CREATE TABLE IF NOT EXISTS"] {
            assert!(error.message().contains(advice), "{error}");
        }
    }
    let tags = match server {
        Server::MySql => over_mysql(process.database, "leaf_alloc", false),
        _ => over_postgres(process.database, "leaf_alloc", false),
    };
    wait(tags.init_schema()).unwrap();
    assert!(wait(unasked.check()).unwrap().is_new);
    assert_eq!(acquire_soon(&*unasked).worker_id, 0);
}

fn an_account_that_may_not_create_the_tables_gets_an_error_with_the_statements(server: Server) {
    let other = Database::empty(server);
    let user = unique("reader");
    let (made, granted, dropped, dialect) = match server {
        Server::MySql => (
            format!("CREATE USER '{user}'@'%' IDENTIFIED BY 'secret'"),
            format!("GRANT SELECT, INSERT, UPDATE ON `{}`.* TO '{user}'@'%'", other.name),
            format!("DROP USER '{user}'@'%'"),
            "mysql",
        ),
        Server::Postgres => (
            format!("CREATE ROLE {user} LOGIN PASSWORD 'secret'; REVOKE CREATE ON SCHEMA public FROM PUBLIC"),
            format!("GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO {user}"),
            format!("DROP OWNED BY {user}; DROP ROLE {user}"),
            "postgresql",
        ),
        Server::ZooKeeper => unreachable!("ZooKeeper has no tables"),
    };
    other.sql(&made);
    other.sql(&granted);
    let mut process = other.process(1);
    process.database.log_in = LogIn::Configured { user: Some(user.clone()), password: Some("secret".to_owned()) };
    let error = wait(open(process.clone()).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    let statement = error.message().split("CREATE TABLE IF NOT EXISTS").nth(1).unwrap_or_default();
    assert!(statement.contains("leafmint_worker"), "{error}");
    for statement in leafmint::schema_sql(dialect).unwrap().split(';').filter(|text| !text.trim().is_empty()) {
        other.sql(statement);
    }
    other.sql(&granted);
    assert_eq!(acquire_soon(&*open(process)).worker_id, 0, "select, insert and update are enough");
    other.sql(&dropped);
}

#[test]
fn worker_ids_in_an_engine_that_may_forget_them_are_refused() {
    let database = Database::empty(Server::MySql);
    database.sql(&schema_sql("mysql").unwrap());
    for (table, engine) in
        [("leafmint_worker", "MEMORY"), ("leafmint_namespace", "MyISAM"), ("leafmint_schema", "MEMORY")]
    {
        database.sql(&format!("ALTER TABLE {table} ENGINE={engine}"));
        let error = wait(open(database.process(1)).acquire()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{table}: {error}");
        assert!(error.message().contains(table) && error.message().contains(engine), "{error}");
        database.sql(&format!("ALTER TABLE {table} ENGINE=InnoDB"));
    }
    let holder = open(database.process(1));
    assert_eq!(wait(holder.acquire()).unwrap().worker_id, 0);
}
