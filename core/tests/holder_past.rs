//! What every holder promises that keeps worker ids for the past: one suite, run on each of them.

use crate::holder_spec::{Directory, Pool, Process, fixed, lease, one};
use crate::holders::{Server, wait};
use crate::stores::zookeeper::{Operator, path};
use leafmint::holder::{Pace, PastBlock, WorkerIdHolder};
use leafmint::{ErrorKind, Result};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
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
    a_block_that_needs_more_than_the_share_of_the_past_takes_nothing,
    processes_that_fill_at_once_leave_half_of_the_worker_ids_to_the_living,
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
fn counters_in_a_database_that_were_deleted_never_begin_again() {
    for server in [Server::MySql, Server::Postgres] {
        let pool = lease(server, false);
        let delete = || server.sql(&format!("DELETE FROM leafmint_backfill WHERE namespace = '{}'", pool.namespace));
        never_begin_again(&pool, delete);
    }
}

#[test]
fn counters_in_zookeeper_that_were_deleted_never_begin_again() {
    let pool = lease(Server::ZooKeeper, false);
    let mut operator = Operator::new();
    never_begin_again(&pool, || {
        let folder = path(&pool.namespace, "/backfill");
        for mark in operator.children(&folder) {
            let mark = format!("{folder}/{mark}");
            operator.children(&mark).iter().for_each(|block| operator.delete(&format!("{mark}/{block}")));
            operator.delete(&mark);
        }
    });
}

#[test]
fn counters_in_a_directory_that_were_deleted_or_emptied_never_begin_again() {
    for delete in [|file: &Path| std::fs::remove_file(file), |file: &Path| std::fs::write(file, "")] {
        let pool = Directory(tempfile::tempdir().unwrap(), "local");
        never_begin_again(&pool, || delete(&pool.0.path().join("default/3.past")).unwrap());
    }
}

fn never_begin_again(pool: &impl Pool, delete: impl FnOnce()) {
    let (first, second) = (pool.open(one(1, FEW)), pool.open(one(2, FEW)));
    assert_eq!(leased(&*first, 0, 4).unwrap(), lease_of(3, 0..4));
    assert_eq!(leased(&*second, 10, 4).unwrap(), lease_of(3, 0..4));
    delete();
    // One that has leased of this worker id, but not of this block, one that has, and one that starts.
    for holder in [first, second, pool.open(one(3, FEW))] {
        for block in [10, 0, 11] {
            let error = leased(&*holder, block, 4).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::StoreRegressed, "{error}");
            assert!(error.message().contains("worker id 3"), "{error}");
        }
    }
    // As the message advises.
    assert_eq!(leased(&*pool.open(one(4, 0..3)), 10, 4).unwrap(), lease_of(2, 0..4));
}

/// Returns the worker id and the sequence numbers of a lease.
fn leased(holder: &dyn WorkerIdHolder, block: i64, count: i64) -> Result<(i64, Range<i64>)> {
    loop {
        // `None` if another process is leasing just now.
        if let Some(lease) = wait(holder.lease_past(PastBlock { block, count, limit: 16 }))? {
            return Ok((lease.worker_id, lease.sequences));
        }
    }
}

fn lease_of(worker_id: i64, sequences: Range<i64>) -> (i64, Range<i64>) {
    (worker_id, sequences)
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
        leases.flat_map(|(block, lease)| lease.1.map(move |number| (block, lease.0, number))).collect()
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
    assert_eq!(leased(&*filling, 0, 4).unwrap().0, 3);
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
    assert_eq!(
        leased(&*again, 0, 4).unwrap_err().kind(),
        ErrorKind::WorkerIdUnavailable,
        "the others are the living's"
    );
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

fn a_block_that_needs_more_than_the_share_of_the_past_takes_nothing(pool: &impl Pool) {
    let filling = pool.open(one(1, FEW));
    let error = leased(&*filling, 0, 33).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
    let needs =
        "33 more ids of one tick need 3 more worker ids for past moments, of 16 ids each, and 2 may still be taken";
    assert!(error.message().contains(needs) && error.message().contains("nothing was taken"), "{error}");
    assert_eq!(wait(filling.list_workers()).unwrap(), []);
    assert_eq!(leased(&*filling, 0, 32).unwrap(), lease_of(3, 0..16), "all that it may take");
    assert_eq!(leased(&*filling, 0, 17).unwrap_err().kind(), ErrorKind::WorkerIdUnavailable);
    assert_eq!(wait(filling.list_workers()).unwrap().len(), 1);
    assert_eq!(leased(&*filling, 0, 16).unwrap(), lease_of(2, 0..16));
}

fn processes_that_fill_at_once_leave_half_of_the_worker_ids_to_the_living(pool: &impl Pool) {
    let holders: Vec<_> = (0..4).map(|number| pool.open(one(number, 0..8))).collect();
    let fill = |holder: &Arc<dyn WorkerIdHolder>| while leased(&**holder, 0, 5).is_ok() {};
    std::thread::scope(|scope| holders.iter().for_each(|holder| drop(scope.spawn(move || fill(holder)))));
    let past: Vec<i64> = wait(holders[0].list_workers()).unwrap().iter().map(|worker| worker.worker_id).collect();
    assert_eq!(past, [4, 5, 6, 7]);
    assert_eq!(wait(holders[0].acquire()).unwrap().worker_id, 0);
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
