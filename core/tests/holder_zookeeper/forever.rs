//! The mode `forever`: worker ids of Leaf's own tree, beside Leaf servers that run.

use super::operator::{Operator, path};
use crate::holders::{
    Claimant, Server, crash, eventually, fail_at_it, now, on_this_host, open, process, through_proxy, wait,
};
use crate::stores::{unique, wait_until};
use leafmint::{Error, ErrorKind};
use std::time::Duration;

/// A tree that no Leaf server has used, with the name of its Leaf.
struct Tree(String);

impl Tree {
    fn new() -> Self {
        Self(unique("leaf"))
    }

    /// Describes the process of an endpoint.
    fn process(&self, number: u32) -> Claimant {
        let mut process = process(Server::ZooKeeper, "default", number).with(|rows| {
            rows.is_assigned = true;
            rows.workers = (1..1024).collect();
        });
        process.database.database.clone_from(&self.0);
        process
    }

    fn forever(&self) -> String {
        format!("/snowflake/{}/forever", self.0)
    }

    fn nodes(&self) -> Vec<String> {
        let mut nodes = Operator::new().children(&self.forever());
        nodes.retain(|name| !name.starts_with("leafmint-"));
        nodes
    }

    fn node(&self, number: u32, worker_id: i64) -> String {
        format!("{}/10.0.0.{number}:8080-{worker_id:010}", self.forever())
    }

    /// Reads token and horizon of a worker id.
    fn row(&self, worker_id: i64) -> Option<String> {
        Operator::new().get(&format!("/snowflake/{}/leafmint/default/worker/{worker_id}", self.0))
    }

    /// Does what a Leaf server did on an endpoint: it left a node, and reported into it.
    fn leaf_reports(&self, number: u32, worker_id: i64, timestamp: i64) {
        let (mut operator, node) = (Operator::new(), self.node(number, worker_id));
        operator.create_all(&node);
        operator.set(&node, &of_leaf(number, timestamp));
    }

    /// Reads the timestamp of a node, which must hold exactly what Leaf writes.
    fn timestamp(&self, number: u32, worker_id: i64) -> i64 {
        let data = Operator::new().get(&self.node(number, worker_id)).unwrap();
        let timestamp = data.rsplit(':').next().unwrap().trim_end_matches('}').parse().unwrap();
        assert_eq!(data, of_leaf(number, timestamp));
        timestamp
    }
}

fn of_leaf(number: u32, timestamp: i64) -> String {
    format!(r#"{{"ip":"10.0.0.{number}","port":"8080","timestamp":{timestamp}}}"#)
}

#[test]
fn an_endpoint_gets_the_number_of_its_node_and_never_the_worker_id_0() {
    let tree = Tree::new();
    let first = open(tree.process(1));
    assert_eq!(wait(first.acquire()).unwrap().worker_id, 1);
    assert_eq!(wait(open(tree.process(2)).acquire()).unwrap().worker_id, 2);
    assert_eq!(tree.nodes(), ["10.0.0.1:8080-0000000001", "10.0.0.2:8080-0000000002"]);
    crash(first);
    let there = tempfile::tempdir().unwrap();
    let error = wait(open(on_this_host(tree.process(1), there.path())).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable, "its time has not passed: {error}");
    assert_eq!(tree.nodes().len(), 2, "an endpoint keeps its node");
}

#[test]
fn a_node_holds_exactly_what_leaf_writes_3_seconds_ahead() {
    let (tree, host) = (Tree::new(), tempfile::tempdir().unwrap());
    let holder = open(on_this_host(tree.process(1), host.path()));
    let before = now();
    let lease = wait(holder.acquire()).unwrap();
    let announced = tree.timestamp(1, 1);
    assert!((before + 3_000..=now() + 3_000).contains(&announced), "before an id is stamped");
    wait(holder.release(&lease, now())).unwrap();
    let again = wait(holder.acquire()).unwrap();
    assert_eq!(again.worker_id, 1);
    assert!(tree.timestamp(1, 1) >= announced, "our own reports ask for no floor");
    assert!(again.floor < now() + 10_000);
}

#[test]
fn token_and_horizon_are_in_the_pool_which_leaf_does_not_read() {
    let tree = Tree::new();
    let lease = wait(open(tree.process(1)).acquire()).unwrap();
    let row = tree.row(1).unwrap();
    assert!(row.contains(&format!("token {}\nhorizon {}\n", lease.token, lease.horizon)), "{row}");
}

#[test]
fn a_leaf_that_reports_on_our_endpoint_costs_the_lease_and_keeps_its_worker_id() {
    let (tree, host) = (Tree::new(), tempfile::tempdir().unwrap());
    let holder = open(on_this_host(tree.process(1), host.path()).with(|rows| {
        rows.pace.heartbeat = Duration::from_millis(10);
    }));
    let lease = wait(holder.acquire()).unwrap();
    wait(holder.extend(&lease, now() + 3_000)).unwrap();
    tree.leaf_reports(1, 1, now());
    let mut lost = None;
    wait_until("it goes on", || {
        lost = wait(holder.extend(&lease, now() + 3_000)).err();
        lost.is_some()
    });
    let error = lost.unwrap();
    assert_eq!(error.kind(), ErrorKind::LeaseLost, "{error}");
    assert!(error.message().contains(&tree.node(1, 1)) && error.message().contains("Leaf server"), "{error}");
    let error = wait(holder.acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable, "{error}");
    assert!(error.message().contains("used by another program"), "{error}");
}

#[test]
fn a_leaf_that_has_just_reported_is_alive_and_its_worker_id_is_refused() {
    let tree = Tree::new();
    // The second one's clock is a minute behind.
    for (number, worker_id, timestamp) in [(1, 7, now()), (2, 8, now() - 61_000)] {
        tree.leaf_reports(number, worker_id, timestamp);
        let error = wait(open(tree.process(number)).acquire()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable, "{error}");
        let named = format!("the worker id {worker_id} of 10.0.0.{number}:8080");
        assert!(error.message().contains(&named) && error.message().contains("reported"), "{error}");
    }
    assert!(wait(open(tree.process(3)).acquire()).is_ok(), "other endpoints are free");
}

#[test]
fn the_endpoint_of_a_stopped_leaf_is_taken_over_a_minute_above_its_last_report() {
    let tree = Tree::new();
    let reported = now() - 49_000;
    tree.leaf_reports(1, 7, reported);
    tree.leaf_reports(2, 8, now());
    std::thread::sleep(Duration::from_millis(10_200));
    let lease = wait(open(tree.process(1)).acquire()).unwrap();
    assert_eq!((lease.worker_id, lease.floor), (7, reported + 60_000));
    assert!(now() >= lease.floor, "a Leaf that comes back would reach stamps ahead of the clock");
    let error = wait(open(tree.process(2)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable, "{error}");
    assert!(error.message().contains("the worker id 8 of 10.0.0.2:8080"), "{error}");
    assert!(error.message().contains(" is free in ") && error.message().contains("ahead of the clock"), "{error}");
    assert_eq!(tree.row(8), None, "nothing is taken");
}

#[test]
fn a_node_that_may_not_be_written_is_refused_as_no_leaf_on_it_would_be_noticed() {
    let tree = Tree::new();
    let (mut leaf, node) = (Operator::new().log_in("leaf", "word"), tree.node(1, 7));
    leaf.create_all(&tree.forever());
    leaf.create_for(&node, &of_leaf(1, 0), &[(31, "auth", ""), (1, "world", "anyone")]);
    let holder = open(tree.process(1));
    for _ in 0..2 {
        let error = wait(holder.acquire()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        assert!(error.message().contains(&node) && error.message().contains("NoAuth"), "{error}");
        assert!(tree.row(7).unwrap().contains("token none\n"), "given back");
    }
    leaf.delete(&node);
    Operator::new().create(&node, &of_leaf(1, 0));
    let lease = wait(holder.acquire()).unwrap();
    leaf.delete(&node);
    leaf.create_for(&node, &of_leaf(1, 0), &[(31, "auth", ""), (1, "world", "anyone")]);
    let error = wait(holder.extend(&lease, lease.horizon + 3_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
}

#[test]
fn a_leaf_that_reports_while_the_answer_to_a_claim_is_lost_keeps_its_worker_id() {
    let tree = Tree::new();
    let (proxy, settings) = through_proxy(tree.process(1));
    let holder = open(settings);
    proxy.lose_answer_to("leafmint worker id 1\ntoken");
    assert_eq!(fail_at_it(&proxy, || wait(holder.acquire())).kind(), ErrorKind::StoreUnavailable);
    wait_until("it is not carried out", || tree.row(1).is_some_and(|row| row.contains("10.0.0.1:8080")));
    tree.leaf_reports(1, 1, now());
    proxy.pass();
    let error = wait(holder.acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable, "{error}");
    assert!(error.message().contains("written by another program"), "{error}");
}

#[test]
fn a_lease_whose_announcement_was_not_answered_is_announced_anew_before_it_is_used() {
    let tree = Tree::new();
    tree.leaf_reports(1, 1, 0);
    let (proxy, settings) = through_proxy(tree.process(1));
    let holder = open(settings);
    proxy.lose_answer_to(r#"{"ip""#);
    let error = fail_at_it(&proxy, || wait(holder.acquire()));
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
    assert!(tree.row(1).unwrap().contains("10.0.0.1:8080"), "it was taken");
    std::thread::sleep(Duration::from_millis(1_100));
    proxy.pass();
    let before = now();
    assert_eq!(wait(holder.acquire()).unwrap().worker_id, 1);
    assert!(tree.timestamp(1, 1) >= before + 3_000, "no Leaf takes it for old");
}

#[test]
fn a_lease_that_was_continued_without_an_ensemble_is_lost_if_a_leaf_reported_meanwhile() {
    for is_leaf_there in [false, true] {
        let (tree, host) = (Tree::new(), tempfile::tempdir().unwrap());
        let (proxy, settings) = through_proxy(on_this_host(tree.process(1), host.path()));
        let first = open(settings.clone());
        let lease = wait(first.acquire()).unwrap();
        wait(first.extend(&lease, now() + 3_000)).unwrap();
        crash(first);
        proxy.cut();
        let again = open(settings);
        let lease = eventually(|| wait(again.acquire()));
        if is_leaf_there {
            tree.leaf_reports(1, 1, now());
        }
        proxy.pass();
        let mut lost = None;
        wait_until("it neither loses the lease nor reports again", || {
            lost = wait(again.extend(&lease, now() + 3_000)).err();
            lost.is_some() || !is_leaf_there && tree.timestamp(1, 1) > now()
        });
        assert_eq!(lost.as_ref().map(Error::kind), is_leaf_there.then_some(ErrorKind::LeaseLost), "{lost:?}");
        let says = |part| lost.as_ref().is_none_or(|error| error.message().contains(part));
        assert!(says("10.0.0.1:8080") && says("Leaf server"), "{lost:?}");
    }
}

#[test]
fn numbers_that_leaf_or_the_layout_does_not_allow_are_refused() {
    for (worker_id, part) in
        [(0, "all take the worker id 0"), (1024, "refuse worker ids above 1023"), (99, "the option workers")]
    {
        let tree = Tree::new();
        tree.leaf_reports(1, worker_id, 0);
        let process = tree.process(1).with(|rows| rows.workers = [0..=50, 1000..=2000].into_iter().collect());
        let error = wait(open(process).acquire()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
        assert!(error.message().contains(part) && error.message().contains(&tree.node(1, worker_id)), "{error}");
    }
    let tree = Tree::new();
    tree.leaf_reports(2, 1023, 0);
    let error = wait(open(tree.process(1)).acquire()).unwrap_err();
    assert!(error.message().contains("the next number is 1024"), "{error}");
    assert_eq!(tree.nodes().len(), 1, "no node is made in vain");
}

#[test]
fn a_node_that_no_leaf_wrote_is_refused_with_its_path() {
    let tree = Tree::new();
    tree.leaf_reports(1, 7, 0);
    Operator::new().set(&tree.node(1, 7), "by hand");
    let error = wait(open(tree.process(1)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains(&tree.node(1, 7)) && error.message().contains("by hand"), "{error}");
}

#[test]
fn a_node_whose_creation_was_not_answered_is_found_and_not_made_again() {
    let tree = Tree::new();
    let (proxy, settings) = through_proxy(tree.process(1));
    let holder = open(settings);
    proxy.lose_answer_to(r#""timestamp":0"#);
    assert_eq!(fail_at_it(&proxy, || wait(holder.acquire())).kind(), ErrorKind::StoreUnavailable);
    wait_until("it is not made", || tree.nodes() == ["10.0.0.1:8080-0000000001"]);
    proxy.pass();
    assert_eq!(wait(holder.acquire()).unwrap().worker_id, 1);
    assert_eq!(tree.nodes().len(), 1);
}

#[test]
fn a_report_whose_answer_was_lost_is_recognised_and_one_that_was_deleted_costs_the_lease() {
    let tree = Tree::new();
    let (proxy, settings) = through_proxy(tree.process(1));
    let holder = open(settings);
    let lease = wait(holder.acquire()).unwrap();
    let (announced, mut horizon) = (tree.timestamp(1, 1), lease.horizon);
    for _ in 0..2 {
        proxy.lose_answer_to(r#"{"ip""#);
        wait_until("it is not written", || {
            // Beyond what the row has, so that it is moved on and reported.
            horizon += 60_000;
            let _ = wait(holder.extend(&lease, horizon));
            proxy.has_met_it() && tree.timestamp(1, 1) > announced
        });
        proxy.pass();
    }
    horizon += 60_000;
    assert!(eventually(|| wait(holder.extend(&lease, horizon))) >= horizon);
    Operator::new().delete(&tree.node(1, 1));
    let error = wait(holder.extend(&lease, horizon + 60_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LeaseLost, "{error}");
    assert!(error.message().contains("was deleted"), "{error}");
}

#[test]
fn a_name_that_stops_every_leaf_server_does_not_stop_leafmint() {
    let tree = Tree::new();
    Operator::new().create_all(&format!("{}/bad", tree.forever()));
    assert!(wait(open(tree.process(1)).acquire()).unwrap().worker_id > 0);
    assert!(path("default", "").starts_with("/snowflake/"), "the tests' own Leaf is another one");
}
