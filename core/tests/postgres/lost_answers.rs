//! Leases that were carried out and whose answers were lost.

use super::{open, open_at};
use crate::stores::postgres::Table;
use crate::stores::{postgres_through_proxy, wait_until};
use leafmint::ErrorKind;
use std::collections::HashSet;
use std::time::Duration;

const FAST: [(&str, &str); 3] = [("max_step", "100"), ("timeout", "5s"), ("connect_timeout", "2s")];

#[test]
fn a_range_whose_lease_was_carried_out_without_an_answer_is_lost_and_never_handed_out() {
    let table = Table::with_order(1, 100);
    let (proxy, url) = postgres_through_proxy();
    let ids = open_at(&url, &table, FAST);
    proxy.lose_answer_to("UPDATE");
    let order = ids.biz_tag("order").unwrap();
    let error = order.next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable);
    assert!(error.message().contains("connect_timeout"), "{error}");
    wait_until("the lease is not carried out", || table.max_id() >= 101);
    let lost_up_to = table.max_id();
    proxy.pass();
    assert!(order.next_id_within(Duration::from_secs(30)).unwrap() >= lost_up_to);
}

#[test]
fn connections_cut_between_a_commit_and_its_answer_cost_ranges_and_never_an_id_twice() {
    let table = Table::with_order(1, 100);
    let (proxy, url) = postgres_through_proxy();
    let generators = [open_at(&url, &table, FAST), open_at(&url, &table, FAST)];
    let tags = generators.each_ref().map(|ids| ids.biz_tag("order").unwrap());
    let mut minted = Vec::new();
    let heard_of = || generators.iter().map(|ids| ids.stats().tags[0].1.leased).sum::<i64>();
    let lost = || table.max_id() - 1 - heard_of();
    // A refill that is answered just before the network fails may leave nothing to lose.
    let mut turns = 0;
    while lost() < 4 * 100 {
        turns += 1;
        assert!(turns < 20, "{} ids are lost", lost());
        tags.iter().for_each(|order| minted.extend(order.next_ids(150).unwrap()));
        let before = table.max_id();
        proxy.lose_answers();
        for order in &tags {
            while let Ok(Some(id)) = order.try_next_id() {
                minted.push(id);
            }
        }
        wait_until("no lease is carried out", || table.max_id() > before);
        proxy.cut();
        proxy.pass();
        tags.iter().for_each(|order| minted.push(order.next_id_within(Duration::from_secs(30)).unwrap()));
    }
    assert_eq!(minted.iter().collect::<HashSet<_>>().len(), minted.len(), "an id was handed out twice");
}

#[test]
fn a_give_back_whose_answer_is_lost_is_not_sent_again_even_if_the_same_range_was_leased_meanwhile() {
    let table = Table::with_order(1, 100);
    let (proxy, url) = postgres_through_proxy();
    let ids = open_at(&url, &table, FAST);
    assert_eq!(ids.biz_tag("order").unwrap().next_ids(5).unwrap(), [1, 2, 3, 4, 5]);
    let end = table.max_id();
    proxy.lose_answer_to("SET max_id = $2 FROM");
    let closing = std::thread::spawn(move || ids.close());
    wait_until("nothing goes back", || table.max_id() == 6);
    // Another generator leases what was given back, up to the same end: a second give-back would match.
    let other = open(&table, [("max_step", "1")]);
    crate::stores::postgres::sql(&format!("UPDATE \"{table}\" SET step = {}", end - 6));
    assert_eq!(other.biz_tag("order").unwrap().next_ids(3).unwrap(), [6, 7, 8]);
    assert_eq!(table.max_id(), end);
    proxy.pass();
    closing.join().unwrap().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(table.max_id(), end, "it was sent again");
}
