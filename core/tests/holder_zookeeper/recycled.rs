//! Worker ids that NotFound9's fork of Leaf used before.

use super::operator::{Operator, horizon};
use crate::holders::{Claimant, Server, now, open, process, through_proxy, wait};
use crate::stores::unique;
use leafmint::ErrorKind;
use std::time::Duration;

const MINUTE: i64 = 60_000;

/// A tree of the fork.
struct Fork(String);

impl Fork {
    fn new() -> Self {
        Self(unique("fork"))
    }

    fn process(&self, number: u32) -> Claimant {
        let mut process = process(Server::ZooKeeper, "default", number);
        process.database.database.clone_from(&self.0);
        process
    }

    /// Does what the fork does: it notes in its node when it used the worker id last.
    fn uses(&self, worker_id: i64, last: &str) {
        self.writes(&mut Operator::new(), worker_id, last);
    }

    fn writes(&self, operator: &mut Operator, worker_id: i64, last: &str) {
        let path = format!("/snowflake/{}/recycle/inuse/workId:{worker_id}", self.0);
        operator.create_all(&path);
        let data = format!(
            r#"{{"workId":{worker_id},"lastUsedIp":"10.0.0.1","lastUsedPort":"8080","lastUsedTimestamp":{last}}}"#
        );
        operator.set(&path, &data);
    }

    /// Returns the path of leafmint's own node.
    fn row(&self, worker_id: i64) -> String {
        format!("/snowflake/{}/leafmint/default/worker/{worker_id}", self.0)
    }
}

#[test]
fn a_worker_id_that_notfound9s_leaf_used_rests_for_an_hour() {
    let fork = Fork::new();
    let long_ago = now() - 61 * MINUTE;
    fork.uses(0, &(now() - 10 * MINUTE).to_string());
    fork.uses(1, &long_ago.to_string());
    let first = wait(open(fork.process(1)).acquire()).unwrap();
    assert_eq!((first.worker_id, first.floor), (1, long_ago + 60 * MINUTE));
    let second = wait(open(fork.process(2)).acquire()).unwrap();
    assert_eq!(second.worker_id, 2, "the worker id 0 still rests");
}

#[test]
fn a_row_follows_a_fork_that_still_reports_and_a_lease_is_left_alone() {
    let fork = Fork::new();
    fork.uses(0, &(now() - 61 * MINUTE).to_string());
    let holder = open(fork.process(1));
    let lease = wait(holder.acquire()).unwrap();
    assert_eq!(lease.worker_id, 0);
    let last = now();
    fork.uses(0, &last.to_string());
    wait(open(fork.process(2)).acquire()).unwrap();
    assert!(wait(holder.extend(&lease, lease.horizon + 1_000)).is_ok(), "the lease is left alone");
    wait(holder.release(&lease, now())).unwrap();
    assert_eq!(wait(open(fork.process(3)).acquire()).unwrap().worker_id, 2, "it rests again");
    let only = fork.process(4).with(|rows| rows.workers = 0.into());
    let error = wait(open(only).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable, "it rests also if no other is free: {error}");
    assert!(error.message().contains("0 by NotFound9's Leaf (reserved for another 3"), "{error}");
}

#[test]
fn a_worker_id_of_an_owner_that_crashed_rests_if_the_fork_used_it_since() {
    let fork = Fork::new();
    let lease = wait(open(fork.process(1)).acquire()).unwrap();
    let mut operator = Operator::new();
    let crashed = operator.get(&fork.row(0)).unwrap();
    let over = crashed.replace(&lease.horizon.to_string(), &(now() - MINUTE).to_string());
    assert_ne!(over, crashed);
    operator.set(&fork.row(0), &over);
    let last = now() - MINUTE / 2;
    fork.uses(0, &last.to_string());
    assert_eq!(wait(open(fork.process(2)).acquire()).unwrap().worker_id, 1);
    assert_eq!(horizon(&operator.get(&fork.row(0)).unwrap()), last + 60 * MINUTE);
}

#[test]
fn a_start_beside_many_nodes_of_the_fork_needs_no_long_statement_and_later_ones_only_read() {
    let fork = Fork::new();
    let mut operator = Operator::new();
    for worker_id in 0..250 {
        fork.writes(&mut operator, worker_id, &now().to_string());
    }
    let start = |number| {
        let process = fork.process(number).with(|rows| rows.workers = (0..256).collect());
        let (proxy, mut process) = through_proxy(process);
        process.database.connect_timeout = Duration::from_secs(6);
        proxy.slow_down(30);
        (wait(open(process).acquire()).unwrap().worker_id, proxy.requests())
    };
    assert_eq!(start(1).0, 250, "one statement for all would take more than six seconds");
    let (worker_id, round_trips) = start(2);
    assert_eq!(worker_id, 251);
    assert!(round_trips < 40, "{round_trips}");
}

#[test]
fn a_node_of_the_fork_without_a_time_is_refused_with_its_path() {
    let fork = Fork::new();
    fork.uses(0, "null");
    let error = wait(open(fork.process(1)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("/recycle/inuse/workId:0"), "{error}");
}
