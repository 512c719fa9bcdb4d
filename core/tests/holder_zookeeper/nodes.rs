//! Nodes that were written or deleted by hand: one named error, and nothing claimed.

use super::operator::{Operator, horizon, path};
use crate::holders::{Claimant, Server, now, open, process, wait};
use crate::stores::unique;
use leafmint::ErrorKind;

fn on(namespace: &str, number: u32) -> Claimant {
    process(Server::ZooKeeper, namespace, number)
}

/// Returns the error of an acquire that is refused.
fn refusal(namespace: &str) -> String {
    let error = wait(open(on(namespace, 9)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    error.message().to_owned()
}

#[test]
fn the_nodes_are_below_leafs_own_path_and_hold_what_an_operator_can_read() {
    let namespace = unique("shape");
    let holder = open(on(&namespace, 1));
    assert!(holder.scope().ends_with("all processes that use that namespace in that ensemble)"), "{}", holder.scope());
    let lease = wait(holder.acquire()).unwrap();
    let mut operator = Operator::new();
    assert_eq!(operator.children(&path(&namespace, "")), ["clock", "layout", "worker"]);
    let layout = operator.get(&path(&namespace, "/layout")).unwrap();
    assert_eq!(layout, "leafmint layout 1\n41-10-12 ms since 1288834974657\n");
    let text = operator.get(&path(&namespace, "/worker/0")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["leafmint worker id 1".to_owned(), format!("token {}", lease.token)]);
    assert_eq!((horizon(&text), lines[4], lines[5]), (lease.horizon, "endpoint 10.0.0.1:8080", "end"));
    wait(holder.release(&lease, now())).unwrap();
    assert!(operator.get(&path(&namespace, "/worker/0")).unwrap().contains("token none\n"), "it is never deleted");
}

#[test]
fn a_node_that_leafmint_did_not_write_stops_every_start() {
    for hand in ["", "7", "leafmint worker id 1\ntoken none\nhorizon 5\n", "leafmint worker id 2\n"] {
        let namespace = unique("hand");
        wait(open(on(&namespace, 1)).acquire()).unwrap();
        let worker = path(&namespace, "/worker/0");
        let mut operator = Operator::new();
        let before = operator.get(&worker).unwrap();
        operator.set(&worker, hand);
        let message = refusal(&namespace);
        assert!(message.contains(&worker) && message.contains("did not write"), "{message}");
        assert_eq!(operator.children(&path(&namespace, "/worker")), ["0"], "nothing is claimed");
        operator.set(&worker, &before);
        assert_eq!(wait(open(on(&namespace, 2)).acquire()).unwrap().worker_id, 1);
    }
}

#[test]
fn nodes_below_that_are_no_worker_ids_are_nobodys() {
    let namespace = unique("names");
    let holder = open(on(&namespace, 1));
    let lease = wait(holder.acquire()).unwrap();
    wait(holder.release(&lease, now() - 60_000)).unwrap();
    for name in ["lock", "01", "-1", "99999"] {
        Operator::new().create(&path(&namespace, &format!("/worker/{name}")), "hand");
    }
    assert_eq!(wait(open(on(&namespace, 2)).acquire()).unwrap().worker_id, 0);
}

#[test]
fn a_layout_that_differs_or_was_written_by_hand_is_refused() {
    let namespace = unique("layout");
    wait(open(on(&namespace, 1)).acquire()).unwrap();
    let error = wait(open(on(&namespace, 2).with(|rows| rows.layout = "other".into())).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("41-10-12") && error.message().contains("other"), "{error}");
    let layout = path(&namespace, "/layout");
    for hand in ["", "leaf", "leafmint layout 2\n41-10-12 ms since 1288834974657\n"] {
        Operator::new().set(&layout, hand);
        let message = refusal(&namespace);
        assert!(message.contains(&layout) && message.contains("did not write"), "{message}");
    }
}

#[test]
fn nodes_that_were_deleted_are_not_made_again_under_their_owners() {
    let namespace = unique("deleted");
    let holder = open(on(&namespace, 1));
    let lease = wait(holder.acquire()).unwrap();
    let mut operator = Operator::new();
    operator.delete(&path(&namespace, "/worker/0"));
    let error = wait(holder.extend(&lease, lease.horizon + 60_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LeaseLost);
    assert!(error.message().contains("was deleted"), "{error}");
    operator.delete(&path(&namespace, "/worker"));
    let message = refusal(&namespace);
    assert!(message.contains("was deleted") && message.contains(&path(&namespace, "/worker")), "{message}");
}

#[test]
fn a_chroot_is_not_created_and_is_where_everything_is() {
    let chroot = unique("chroot");
    let below = |name: &str| {
        let mut process = on("default", 1);
        process.database.database = format!("{name}/apps/shop");
        process
    };
    let error = wait(open(below(&chroot)).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains(&format!("chroot /{chroot}/apps does not exist")), "{error}");
    Operator::new().create_all(&format!("/{chroot}/apps"));
    wait(open(below(&chroot)).acquire()).unwrap();
    let worker = format!("/{chroot}/apps/snowflake/shop/leafmint/default/worker");
    assert_eq!(Operator::new().children(&worker), ["0"]);
}

#[test]
fn a_namespace_is_checked_without_being_made() {
    let namespace = unique("check");
    let holder = open(on(&namespace, 1));
    let found = wait(holder.check()).unwrap();
    assert!(found.is_new && found.free_workers == 64, "{found:?}");
    assert!(found.clock_skew.unwrap().abs() < 5_000, "{found:?}");
    assert_eq!(Operator::new().get(&path(&namespace, "/layout")), None);
    wait(holder.acquire()).unwrap();
    let found = wait(holder.check()).unwrap();
    assert!(!found.is_new && found.free_workers == 63, "{found:?}");
    assert!((wait(holder.shared_clock()).unwrap().unwrap() - now()).abs() < 5_000);
}
