//! What every holder promises that keeps worker ids for the past: one suite, run on each of them.

use crate::holder_spec::{Directory, Pool, Process, fixed, lease, one};
use crate::holders::{Server, wait};
use leafmint::holder::{Pace, PastBlock, PastLease, WorkerIdHolder};
use leafmint::{ErrorKind, Result};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// The last worker ids of these are for the past.
const FEW: std::ops::Range<i64> = 0..4;

macro_rules! suite {
    ($($promise:ident),* $(,)?) => {
        suite! { @on local, super::Directory(tempfile::tempdir().unwrap(), "local"); $($promise),* }
        suite! { @on mysql_lease, super::lease(super::Server::MySql, false); $($promise),* }
        suite! { @on mysql_lease_with_state, super::lease(super::Server::MySql, true); $($promise),* }
        suite! { @on postgres_lease, super::lease(super::Server::Postgres, false); $($promise),* }
        suite! { @on postgres_lease_with_state, super::lease(super::Server::Postgres, true); $($promise),* }
        suite! { @on zookeeper_lease, super::lease(super::Server::ZooKeeper, false); $($promise),* }
    };
    (@on $holder:ident, $pool:expr; $($promise:ident),* $(,)?) => {
        mod $holder { $(#[test] fn $promise() { super::$promise(&$pool); })* }
    };
}

suite! {
    the_past_takes_the_last_worker_ids_that_were_never_held,
    processes_that_fill_at_once_lease_nothing_twice,
    a_worker_id_for_the_past_is_never_free_again,
    a_worker_id_whose_sequence_numbers_are_used_up_is_followed_by_the_next,
    without_a_worker_id_that_was_never_held_nothing_is_filled,
    the_one_worker_id_of_a_process_is_not_taken_for_the_past,
    the_past_of_another_layout_is_refused,
    a_child_of_a_fork_leases_for_itself,
}

#[test]
fn worker_ids_that_are_assigned_have_no_past() {
    let fixed_of_a_table = |server| fixed(server, false).open(one(1, FEW));
    for holder in [fixed_of_a_table(Server::MySql), fixed_of_a_table(Server::Postgres)] {
        let error = leased(&*holder, 0, 1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        assert!(error.message().contains("worker_mode=lease"), "{error}");
    }
}

#[test]
fn a_worker_id_for_the_past_whose_counters_are_gone_is_refused() {
    for server in [Server::MySql, Server::Postgres] {
        let pool = lease(server, false);
        assert_eq!(leased(&*pool.open(one(1, FEW)), 7, 4).unwrap(), lease_of(3, 0..4));
        server.sql(&format!("DELETE FROM leafmint_backfill WHERE namespace = '{}'", pool.namespace));
        let error = leased(&*pool.open(one(2, FEW)), 7, 4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StoreRegressed);
        assert!(error.message().contains("worker id 3"), "{error}");
        // As the message advises.
        assert_eq!(leased(&*pool.open(one(3, 0..3)), 7, 4).unwrap(), lease_of(2, 0..4));
    }
}

fn leased(holder: &dyn WorkerIdHolder, block: i64, count: i64) -> Result<PastLease> {
    wait(holder.lease_past(PastBlock { block, count, limit: 16 }))
}

fn lease_of(worker_id: i64, sequences: std::ops::Range<i64>) -> PastLease {
    PastLease { worker_id, sequences }
}

fn the_past_takes_the_last_worker_ids_that_were_never_held(pool: &impl Pool) {
    let owner = pool.open(one(1, [3]));
    wait(owner.acquire()).unwrap();
    let filling = pool.open(one(2, FEW));
    assert_eq!(leased(&*filling, 7, 4).unwrap(), lease_of(2, 0..4), "worker id 3 has been held");
    assert_eq!(leased(&*filling, 7, 4).unwrap(), lease_of(2, 4..8));
    assert_eq!(leased(&*filling, 8, 2).unwrap(), lease_of(2, 0..2));
    let again = pool.open(one(3, FEW));
    assert_eq!(leased(&*again, 7, 1).unwrap(), lease_of(2, 8..9), "after a restart, or in another process");
}

fn processes_that_fill_at_once_lease_nothing_twice(pool: &impl Pool) {
    let holders: Vec<_> = (0..4).map(|number| pool.open(one(number, 0..16))).collect();
    let fill = |holder: &Arc<dyn WorkerIdHolder>| -> Vec<(i64, i64, i64)> {
        let leases = (0..12).map(|turn| (turn % 3, leased(&**holder, turn % 3, 3).unwrap()));
        leases.flat_map(|(block, lease)| lease.sequences.map(move |number| (block, lease.worker_id, number))).collect()
    };
    let all: Vec<_> = std::thread::scope(|scope| {
        let filling: Vec<_> = holders.iter().map(|holder| scope.spawn(move || fill(holder))).collect();
        filling.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let distinct: BTreeSet<_> = all.iter().collect();
    assert_eq!(distinct.len(), all.len(), "{all:?}");
}

fn a_worker_id_for_the_past_is_never_free_again(pool: &impl Pool) {
    let filling = pool.open(one(1, FEW));
    assert_eq!(leased(&*filling, 0, 4).unwrap().worker_id, 3);
    let looking = pool.open(one(2, FEW));
    let workers = wait(looking.list_workers()).unwrap();
    let [worker] = &workers[..] else { panic!("{workers:?}") };
    let shown = (worker.worker_id, worker.held, worker.endpoint.as_str(), worker.horizon);
    assert_eq!(shown, (3, true, "backfill", None));
    assert_eq!(wait(looking.check()).unwrap().free_workers, 3);
    for force in [false, true] {
        let error = wait(looking.release_worker(3, force)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
        assert!(error.message().contains("past"), "{error}");
    }
    let long = Pace { lease_duration: Duration::from_secs(600), heartbeat: Duration::from_secs(1) };
    let owners: Vec<_> = (10..13).map(|number| pool.open(Process { pace: long, ..one(number, FEW) })).collect();
    let leases: BTreeSet<i64> = owners.iter().map(|owner| wait(owner.acquire()).unwrap().worker_id).collect();
    assert_eq!(leases, [0, 1, 2].into());
    let error = wait(pool.open(one(20, FEW)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
    assert!(error.message().contains("3 by backfill (reserved for good)"), "{error}");
    let error = wait(pool.open(one(21, [3])).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
    assert_eq!(leased(&*looking, 0, 4).unwrap(), lease_of(3, 4..8));
}

fn a_worker_id_whose_sequence_numbers_are_used_up_is_followed_by_the_next(pool: &impl Pool) {
    let filling = pool.open(one(1, FEW));
    assert_eq!(leased(&*filling, 0, 12).unwrap(), lease_of(3, 0..12));
    assert_eq!(leased(&*filling, 0, 12).unwrap(), lease_of(3, 12..16), "what is left");
    assert_eq!(leased(&*filling, 0, 12).unwrap(), lease_of(2, 0..12));
    assert_eq!(leased(&*filling, 1, 12).unwrap(), lease_of(3, 0..12), "another block");
    let again = pool.open(one(2, FEW));
    assert_eq!(leased(&*again, 0, 4).unwrap(), lease_of(2, 12..16));
    assert_eq!(leased(&*again, 0, 4).unwrap(), lease_of(1, 0..4));
}

fn without_a_worker_id_that_was_never_held_nothing_is_filled(pool: &impl Pool) {
    for worker_id in [0, 1] {
        let owner = pool.open(one(1, [worker_id]));
        let lease = wait(owner.acquire()).unwrap();
        wait(owner.release(&lease, lease.floor)).unwrap();
    }
    let error = leased(&*pool.open(one(2, [0, 1])), 0, 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
    assert!(error.message().contains("workers"), "{error}");
}

fn the_one_worker_id_of_a_process_is_not_taken_for_the_past(pool: &impl Pool) {
    let process = pool.open(one(1, [3]));
    let error = leased(&*process, 0, 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("more than one worker id"), "{error}");
    assert_eq!(wait(process.acquire()).unwrap().worker_id, 3);
}

fn the_past_of_another_layout_is_refused(pool: &impl Pool) {
    leased(&*pool.open(one(1, FEW)), 0, 1).unwrap();
    let other = pool.open(Process { layout: "javascript", ..one(2, FEW) });
    assert_eq!(leased(&*other, 0, 1).unwrap_err().kind(), ErrorKind::InvalidConfig);
}

fn a_child_of_a_fork_leases_for_itself(pool: &impl Pool) {
    let parent = pool.open(one(1, FEW));
    leased(&*parent, 0, 4).unwrap();
    assert_eq!(leased(&*parent.in_child(), 0, 4).unwrap(), lease_of(3, 4..8));
    assert_eq!(leased(&*parent, 0, 4).unwrap(), lease_of(3, 8..12));
}
