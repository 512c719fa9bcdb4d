//! What was leased stays leased, although the server crashes or its replicas are away.

use crate::holders::{Claimant, Server, acquire_soon, eventually, open, process, wait};
use crate::stores::crashing::Crashing;
use crate::stores::postgres::sql_on;
use crate::stores::{settings, unique, wait_until};
use leafmint::ErrorKind;
use std::time::Duration;

fn on(server: &Crashing, namespace: &str, number: u32) -> Claimant {
    let mut process = process(Server::Postgres, namespace, number);
    process.database = settings(&server.url);
    process
}

#[test]
fn a_lease_and_its_extension_outlive_the_server_that_does_not_wait_for_its_disk() {
    let mut server = Crashing::with(&["synchronous_commit=off", "wal_writer_delay=10s"]);
    let namespace = unique("crash");
    for turn in 1..4 {
        let holder = open(on(&server, &namespace, turn));
        let lease = wait(holder.acquire()).unwrap();
        assert_eq!(lease.worker_id, i64::from(turn) - 1, "those before it are held");
        server.crash();
        let extended = wait(holder.extend(&lease, lease.horizon + 60_000)).unwrap();
        server.crash();
        let rows = format!("SELECT max(horizon) FROM leafmint_worker WHERE worker_id = {}", lease.worker_id);
        assert!(sql_on(&server.url, &rows)[0].parse::<i64>().unwrap() >= extended, "turn {turn}");
    }
}

#[test]
fn a_row_that_replicas_do_not_have_is_not_adopted() {
    let server = Crashing::with(&[]);
    let mut process = on(&server, "replicas", 1);
    process.database.connect_timeout = Duration::from_secs(5);
    let holder = open(process);
    let lease = acquire_soon(&*holder);
    server.lose_replicas();
    let terminate = || {
        sql_on(
            &server.url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE 'UPDATE%'",
        )
    };
    let far = lease.horizon + 60_000;
    std::thread::scope(|scope| {
        let extending = scope.spawn(|| wait(holder.extend(&lease, far)).unwrap_err());
        wait_until("no commit waits for a replica", || !terminate().is_empty());
        extending.join().unwrap();
    });
    let shown = "SELECT horizon FROM leafmint_worker";
    let shown: i64 = sql_on(&server.url, shown)[0].parse().unwrap();
    assert!(shown >= far, "a plain read shows the row of the commit that no replica has: {shown}");
    let again = wait(holder.extend(&lease, far));
    assert_eq!(again.unwrap_err().kind(), ErrorKind::StoreUnavailable, "it is not taken for a lease");
    sql_on(&server.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
    sql_on(&server.url, "SELECT pg_reload_conf()");
    let back = eventually(|| wait(holder.extend(&lease, far)));
    assert!(back > lease.horizon, "recovers by itself: {back}");
}
