//! What was handed out stays leased, although the server crashes or fails to commit.

use super::open;
use crate::stores::crashing::Crashing;
use crate::stores::options;
use crate::stores::postgres::{Table, sql, sql_on};
use leafmint::{ErrorKind, SegmentGenerator};
use std::time::{Duration, Instant};

fn open_own(server: &Crashing) -> SegmentGenerator {
    let given = [("auto_create", "true"), ("default_step", "10"), ("max_step", "10"), ("timeout", "20s")];
    leafmint::open::segment(&server.url, options(given)).unwrap()
}

#[test]
fn a_lease_outlives_the_server_that_does_not_wait_for_its_disk() {
    let mut server = Crashing::with(&["synchronous_commit=off", "wal_writer_delay=10s"]);
    let mut last = 0;
    for _ in 0..3 {
        let ids = open_own(&server);
        let order = ids.biz_tag("order").unwrap();
        let minted = order.next_ids(200).unwrap();
        assert!(minted[0] > last && minted.is_sorted(), "after {last} came {minted:?}");
        last = *minted.last().unwrap();
        server.crash();
    }
}

#[test]
fn a_commit_that_an_operator_cuts_off_from_its_replicas_hands_nothing_out() {
    // Of warnings, the one about replicas among them, this server would say nothing.
    let server = Crashing::with(&["client_min_messages=error"]);
    let ids = open_own(&server);
    let order = ids.biz_tag("order").unwrap();
    let first = order.next_id().unwrap();
    server.lose_replicas();
    let (began, mut minted) = (Instant::now(), vec![first]);
    let other = open_own(&server).biz_tag("order").unwrap();
    let mut cancelled = 0;
    while cancelled < 3 {
        assert!(began.elapsed() < Duration::from_secs(60), "no commit waits for a replica");
        minted.extend(other.try_next_id().unwrap_or_default());
        cancelled += sql_on(
            &server.url,
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE 'UPDATE%'",
        )
        .len();
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(minted.len(), 1, "of a commit that no replica has: {minted:?}");
}

#[test]
fn a_row_that_comes_before_a_commit_that_fails_leases_nothing() {
    let table = Table::with_order(1, 10);
    sql(&format!(
        "CREATE FUNCTION \"{table}_refuses\"() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''not today''; END'; \
         CREATE CONSTRAINT TRIGGER at_commit AFTER UPDATE ON \"{table}\" DEFERRABLE INITIALLY DEFERRED \
         FOR EACH ROW EXECUTE FUNCTION \"{table}_refuses\"()"
    ));
    let ids = open(&table, [("timeout", "3s")]);
    let order = ids.biz_tag("order").unwrap();
    for error in [order.next_id().unwrap_err(), order.next_range(5000).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::SegmentUnavailable, "{error}");
        assert!(error.message().contains("not today"), "{error}");
    }
    assert_eq!(ids.stats().tags[0].1.leased, 0);
    assert_eq!(table.max_id(), 1);
}
