//! Answers that are lost, requests that come late, and starts at once.

use super::operator::{Operator, horizon, path, token, with_version};
use crate::holders::{Server, fail_at_it, now, open, process, through_proxy, wait};
use crate::stores::{unique, wait_until};
use leafmint::ErrorKind;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// In every request that writes the node of a worker id, and in no other.
const WRITE: &str = "leafmint worker id 1\ntoken";

#[test]
fn an_extension_that_arrives_late_changes_nothing() {
    let namespace = unique("late");
    let worker = path(&namespace, "/worker/0");
    let (proxy, settings) = through_proxy(process(Server::ZooKeeper, &namespace, 1));
    let holder = open(settings);
    let lease = wait(holder.acquire()).unwrap();
    let first = wait(holder.extend(&lease, lease.horizon + 1_000)).unwrap();
    proxy.hold_at(WRITE);
    let error = fail_at_it(&proxy, || wait(holder.extend(&lease, first + 1_000)));
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    proxy.pass();
    let second = wait(holder.extend(&lease, first + 5_000)).unwrap();
    let before = Operator::new().get(&worker).unwrap();
    assert!(horizon(&before) >= second);
    proxy.deliver();
    assert_eq!(Operator::new().get(&worker).unwrap(), before, "not lowered under its owner");
    assert_eq!(wait(holder.extend(&lease, second + 1_000)).unwrap(), second + 1_000);

    proxy.hold_at(WRITE);
    fail_at_it(&proxy, || wait(holder.extend(&lease, second + 9_000)));
    proxy.pass();
    let used = now();
    wait(holder.release(&lease, used)).unwrap();
    proxy.deliver();
    let left = Operator::new().get(&worker).unwrap();
    assert_eq!(horizon(&left), used, "nor raised after its end");
    assert!(left.contains("token none\n"), "{left}");
}

#[test]
fn an_extension_whose_answer_was_lost_is_adopted() {
    let namespace = unique("lost");
    let (proxy, settings) = through_proxy(process(Server::ZooKeeper, &namespace, 1));
    let holder = open(settings);
    let lease = wait(holder.acquire()).unwrap();
    let first = wait(holder.extend(&lease, lease.horizon + 1_000)).unwrap();
    proxy.lose_answer_to(WRITE);
    fail_at_it(&proxy, || wait(holder.extend(&lease, first + 60_000)));
    let shown = || horizon(&Operator::new().get(&path(&namespace, "/worker/0")).unwrap());
    wait_until("it is not carried out", || shown() >= first + 60_000);
    proxy.pass();
    assert!(wait(holder.extend(&lease, first + 60_001)).unwrap() > first);
    assert_eq!(wait(holder.extend(&lease, first + 60_002)).unwrap(), first + 60_002);
}

#[test]
fn an_acquire_whose_answer_was_lost_finds_its_own_worker_id_again() {
    for host in [None, Some(tempfile::tempdir().unwrap())] {
        let namespace = unique("claim");
        let worker = path(&namespace, "/worker/0");
        let state_dir = host.as_ref().map(|host| host.path().to_owned());
        let process = process(Server::ZooKeeper, &namespace, 1).with(|rows| rows.state_dir = state_dir);
        let (proxy, settings) = through_proxy(process);
        let holder = open(settings);
        for kind in ["create", "set"] {
            proxy.lose_answer_to(WRITE);
            let error = fail_at_it(&proxy, || wait(holder.acquire()));
            assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{kind}");
            let shown = || Operator::new().get(&worker).filter(|text| !text.contains("token none\n"));
            wait_until("it is not carried out", || shown().is_some());
            proxy.pass();
            let shown = shown().unwrap();
            let found = wait(holder.acquire()).unwrap();
            assert_eq!(found.worker_id, 0);
            assert!(shown.contains(&format!("token {}\n", found.token)), "{kind}: not done twice: {shown}");
            wait(holder.release(&found, now())).unwrap();
        }
    }
}

#[test]
fn a_claim_that_is_sent_again_after_another_process_was_faster_takes_nothing() {
    let namespace = unique("again");
    let first = open(process(Server::ZooKeeper, &namespace, 1));
    let lease = wait(first.acquire()).unwrap();
    wait(first.release(&lease, now() - 1_000)).unwrap();
    let (proxy, settings) = through_proxy(process(Server::ZooKeeper, &namespace, 2));
    let holder = open(settings);
    proxy.hold_at(WRITE);
    assert_eq!(fail_at_it(&proxy, || wait(holder.acquire())).kind(), ErrorKind::StoreUnavailable);
    let faster = open(process(Server::ZooKeeper, &namespace, 3));
    let lease = wait(faster.acquire()).unwrap();
    assert_eq!(lease.worker_id, 0);
    proxy.pass();
    assert_eq!(wait(holder.acquire()).unwrap().worker_id, 1);
    assert!(wait(faster.extend(&lease, lease.horizon + 1_000)).unwrap() > lease.horizon);
}

#[test]
fn a_node_that_shows_another_horizon_or_another_token_costs_the_lease() {
    // What the next owner would write, or a clone of this machine.
    let of_other = |text: &str| with_version(text, &"a".repeat(32), horizon(text));
    let by_clone = |text: &str| with_version(text, token(text), horizon(text) + 1_234);
    for change in [&of_other as &dyn Fn(&str) -> String, &by_clone] {
        let namespace = unique("other");
        let worker = path(&namespace, "/worker/0");
        let holder = open(process(Server::ZooKeeper, &namespace, 1));
        let lease = wait(holder.acquire()).unwrap();
        let mut operator = Operator::new();
        operator.edit(&worker, change);
        let shown = operator.get(&worker).unwrap();
        let error = wait(holder.extend(&lease, lease.horizon + 60_000)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::LeaseLost, "{error}");
        assert_eq!(operator.get(&worker).unwrap(), shown);

        let namespace = unique("other");
        let worker = path(&namespace, "/worker/0");
        let holder = open(process(Server::ZooKeeper, &namespace, 1));
        let lease = wait(holder.acquire()).unwrap();
        operator.edit(&worker, change);
        let shown = operator.get(&worker).unwrap();
        wait(holder.release(&lease, now())).unwrap();
        assert_eq!(operator.get(&worker).unwrap(), shown, "a release leaves it alone");
    }
}

#[test]
fn fifty_processes_that_start_at_once_on_an_empty_namespace_get_distinct_ids() {
    let namespace = unique("many");
    let holders: Vec<_> = (0..50).map(|number| open(process(Server::ZooKeeper, &namespace, number))).collect();
    let started = Instant::now();
    let ids: BTreeSet<i64> = std::thread::scope(|scope| {
        let starting: Vec<_> =
            holders.iter().map(|holder| scope.spawn(move || wait(holder.acquire()).unwrap().worker_id)).collect();
        starting.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 50);
    // A second or two; the rest is for a busy machine.
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}
