//! What was handed out is not given again, although the server crashes.

use super::open_at;
use crate::stores::crashing::Crashing;
use crate::stores::postgres::sql_on;
use std::time::{Duration, Instant};

#[test]
fn a_lease_of_values_that_another_logged_outlives_the_server() {
    let mut server = Crashing::with(&["synchronous_commit=off", "wal_writer_delay=10s"]);
    sql_on(&server.url, "CREATE SEQUENCE s");
    sql_on(&server.url, "CHECKPOINT");
    let mut last = 0;
    for _ in 0..4 {
        // It logs 32 values ahead, and does not wait for the disk.
        let theirs: i64 = sql_on(&server.url, "SELECT nextval('s')")[0].parse().unwrap();
        assert!(theirs > last, "after {last} came {theirs}");
        let minted =
            open_at(&server.url, "s", [("default_step", "10")]).biz_tag("order").unwrap().next_ids(10).unwrap();
        assert!(minted[0] == theirs + 1, "{minted:?} after {theirs}");
        last = minted[9];
        server.crash();
    }
}

#[test]
fn values_that_no_replica_has_are_not_handed_out() {
    let server = Crashing::with(&["client_min_messages=error"]);
    sql_on(&server.url, "CREATE SEQUENCE s");
    server.lose_replicas();
    let (began, mut minted) = (Instant::now(), 0);
    let order = open_at(&server.url, "s", []).biz_tag("order").unwrap();
    let mut cancelled = 0;
    while cancelled < 3 {
        assert!(began.elapsed() < Duration::from_secs(60), "no commit waits for a replica");
        minted += usize::from(order.try_next_id().unwrap_or_default().is_some());
        let waits = "wait_event = 'SyncRep' AND query LIKE 'SELECT q.seen%'";
        let cancel = format!("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE {waits}");
        cancelled += sql_on(&server.url, &cancel).len();
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(minted, 0, "of commits that no replica has");
}
