//! A pgbouncer that gives each transaction any session: what one client leaves in it, others meet.

use crate::holders::{Server, eventually, open, process, wait};
use crate::stores::crashing::Crashing;
use crate::stores::postgres::sql_on;
use crate::stores::settings;
use leafmint::ErrorKind;
use std::collections::BTreeSet;
use std::time::Duration;

#[test]
fn behind_a_pool_of_transactions_each_worker_id_is_held_once_also_after_a_crash_of_the_server() {
    let mut server = Crashing::with(&["--pooled", "synchronous_commit=off", "wal_writer_delay=10s"]);
    let open_one = |url: &str, number| {
        let mut process = process(Server::Postgres, "pooled", number);
        process.database = settings(url);
        open(process)
    };
    let claim = |number| {
        let holder = open_one(&server.url, number);
        let lease = wait(holder.acquire()).unwrap();
        let horizon = wait(holder.extend(&lease, lease.horizon + 60_000)).unwrap();
        (holder, lease, horizon)
    };
    let held: Vec<_> = std::thread::scope(|scope| {
        let claiming: Vec<_> = (1..7).map(|number| scope.spawn(move || claim(number))).collect();
        claiming.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let ids = |workers: &mut dyn Iterator<Item = i64>| workers.collect::<BTreeSet<_>>();
    let mut distinct = ids(&mut held.iter().map(|(_, lease, _)| lease.worker_id));
    assert_eq!(distinct.len(), 6);
    for _ in 0..4 {
        let others = "SELECT current_setting('synchronous_commit') || current_setting('lock_timeout')";
        assert_eq!(sql_on(&server.url, others), ["off0"], "settings of other clients stay");
    }
    server.crash();
    for (holder, lease, horizon) in &held {
        let again = eventually(|| wait(holder.extend(lease, horizon + 1_000)));
        assert!(again > *horizon, "{again} is not beyond {horizon}");
    }
    let late = open_one(&server.url, 7);
    assert!(distinct.insert(wait(late.acquire()).unwrap().worker_id));
    let listed = wait(late.list_workers()).unwrap();
    assert_eq!(ids(&mut listed.iter().map(|worker| worker.worker_id)), distinct);
    let (first, lease, horizon) = &held[0];
    wait(first.release(lease, *horizon)).unwrap();
    assert!(wait(first.extend(lease, horizon + 100_000)).is_err(), "what was released is not extended");
}

#[test]
fn processes_that_start_at_once_on_an_empty_database_behind_a_pool_all_hold_a_worker_id() {
    let server = Crashing::with(&["--pooled"]);
    for _ in 0..60 {
        sql_on(&server.url, "DROP TABLE IF EXISTS leafmint_worker, leafmint_namespace, leafmint_schema");
        let acquire = &|number| {
            let mut process = process(Server::Postgres, "pooled", number);
            process.database = settings(&server.url);
            let holder = open(process);
            let lease = eventually(|| match wait(holder.acquire()) {
                Err(error) if error.kind() != ErrorKind::StoreUnavailable => panic!("{error}"),
                answer => answer,
            });
            lease.worker_id
        };
        let all: BTreeSet<_> = std::thread::scope(|scope| {
            let starting: Vec<_> = (1..9).map(|number| scope.spawn(move || acquire(number))).collect();
            starting.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(all.len(), 8, "{all:?}");
    }
}

#[test]
fn a_temporary_table_that_another_client_left_in_the_pool_neither_takes_nor_loses_a_worker_id() {
    let server = Crashing::with(&["--pooled"]);
    let on = |number| {
        let mut process = process(Server::Postgres, "pooled", number);
        process.database = settings(&server.url);
        open(process)
    };
    let (first, second) = (on(1), on(2));
    let lease = wait(first.acquire()).unwrap();
    assert_eq!(wait(second.acquire()).unwrap().worker_id, 1);
    std::thread::sleep(Duration::from_millis(200));
    // The pool gives the next transaction the session that was used last.
    sql_on(&server.url, "CREATE TEMPORARY TABLE leafmint_worker (LIKE leafmint_worker INCLUDING ALL)");
    let error = wait(first.extend(&lease, lease.horizon + 60_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
    assert!(error.message().contains("temporary or unlogged table"), "{error}");
    sql_on(&server.url, "DROP TABLE pg_temp.leafmint_worker");
    assert!(wait(first.extend(&lease, lease.horizon + 60_000)).unwrap() >= lease.horizon + 60_000);
    assert_eq!(wait(on(3).acquire()).unwrap().worker_id, 2);
}
