//! What a ticket leases.

use super::{BLOCK, drawn_by, last_ticket, open, open_at, open_on_one, with_order};
use crate::stores::tickets::Servers;
use leafmint::{ErrorKind, SegmentGenerator};
use std::collections::HashSet;

#[test]
fn a_ticket_leases_the_block_of_its_number_and_each_server_draws_its_own() {
    let servers = with_order();
    let (_ids, got) = open_on_one(&servers);
    let tickets: HashSet<i64> = got.iter().map(|id| id / BLOCK).collect();
    assert_eq!((got.len(), tickets.len()), (350, 4));
    assert!(got.windows(2).all(|pair| pair[0] < pair[1]));
    let at = usize::try_from(drawn_by(got[0]) - 1).unwrap();
    assert!(got.iter().all(|id| id / BLOCK <= last_ticket(&servers, at)));
}

/// Opens one of many generators that wait for the same row, and for longer if the machine is busy.
fn open_patiently(servers: &Servers) -> SegmentGenerator {
    open_at(&servers.url(), [("connect_timeout", "60s"), ("timeout", "300s")])
}

#[test]
fn ids_of_many_generators_on_both_servers_never_repeat() {
    let servers = with_order();
    let all: Vec<Vec<i64>> = std::thread::scope(|scope| {
        let minting = |_| {
            let ids = open_patiently(&servers);
            scope.spawn(move || {
                let order = ids.biz_tag("order").unwrap();
                (0..20).flat_map(|_| order.next_ids(130).unwrap()).collect::<Vec<_>>()
            })
        };
        let threads: Vec<_> = (0..8).map(minting).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(all.iter().all(|ids| ids.windows(2).all(|pair| pair[0] < pair[1])), "they ascend in each generator");
    let distinct: HashSet<i64> = all.iter().flatten().copied().collect();
    assert_eq!(distinct.len(), 8 * 20 * 130);
    assert!(distinct.iter().all(|id| (1..=2).contains(&drawn_by(*id))));
}

#[test]
fn many_generators_on_one_server_never_lower_its_row() {
    let servers = with_order();
    // An error about the row would be hidden by a server that serves.
    servers.sql::<mysql_async::Row>(1, "DELETE FROM leafmint_ticket_tag");
    assert_eq!(servers.sql::<i64>(0, "SELECT @@innodb_autoinc_lock_mode"), [2], "the one that allows most");
    // Numbered while the row is locked, so in the order in which it was stored.
    servers.sql::<mysql_async::Row>(0, "CREATE TABLE stored (number BIGINT AUTO_INCREMENT PRIMARY KEY, id BIGINT)");
    let each = "AFTER INSERT ON `Tickets64_order` FOR EACH ROW INSERT INTO stored (id) VALUES (NEW.id)";
    servers.sql::<mysql_async::Row>(0, &format!("CREATE TRIGGER storing {each}"));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let ids = open_patiently(&servers);
            scope.spawn(move || {
                let order = ids.biz_tag("order").unwrap();
                for _ in 0..300 {
                    order.next_ids(BLOCK).unwrap();
                }
            });
        }
    });
    let stored = servers.sql::<i64>(0, "SELECT id FROM stored ORDER BY number");
    assert!(stored.len() > 2_000, "{} tickets", stored.len());
    assert!(stored.is_sorted(), "the row was lowered");
}

#[test]
fn a_contiguous_range_that_no_block_holds_is_refused_and_costs_no_other_call_an_error() {
    let servers = with_order();
    let ids = open(&servers);
    let order = ids.biz_tag("order").unwrap();
    let error = order.next_range(BLOCK + 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    assert!(error.message().contains("a lease has at most 100"), "{error}");
    let range = order.next_range(BLOCK).unwrap();
    assert_eq!(range.end - range.start, BLOCK);
    order.next_id().unwrap();
}

#[test]
fn the_size_of_the_blocks_is_fixed_by_the_first_set_up() {
    let servers = with_order();
    let ids = open_at(&servers.url(), [("default_step", "7000"), ("max_step", "7000")]);
    ids.init_schema().unwrap().wait().unwrap();
    let order = ids.biz_tag("order").unwrap();
    order.next_id().unwrap();
    assert_eq!(ids.stats().tags[0].1.step, BLOCK);
}

#[test]
fn with_auto_create_the_servers_are_set_up_on_first_use() {
    let servers = super::Servers::empty();
    let ids = open_at(&servers.url(), [("auto_create", "true")]);
    assert!(ids.check().unwrap().wait().unwrap().is_new);
    let first = ids.biz_tag("o'rder 🙂").unwrap().next_id().unwrap();
    assert_eq!(first % BLOCK, 0);
    assert_eq!(ids.check().unwrap().wait().unwrap().tags, 1);
}

#[test]
fn a_tag_whose_numbers_run_out_says_so() {
    let servers = with_order();
    let ids = open(&servers);
    let edge = (1_i64 << 61) / BLOCK;
    servers.on_each(&format!("REPLACE INTO Tickets64_order (id, stub) VALUES ({edge}, 'a')"));
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted, "{error}");
}
