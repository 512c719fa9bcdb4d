//! Servers that are away, frozen or back.

use super::{open_at, with_order};
use leafmint::ErrorKind;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Longer than any call while one server answers, also on a busy machine; shorter than a wait for one that does not.
const SLOW: Duration = Duration::from_secs(6);
const PATIENT: (&str, &str) = ("connect_timeout", "8s");

#[test]
fn one_server_away_costs_no_error_and_no_slow_call_and_ids_still_ascend() {
    let servers = with_order();
    let proxies = servers.proxies();
    let ids = open_at(&servers.url_of(&[proxies[0].port, proxies[1].port]), [PATIENT]);
    let order = ids.biz_tag("order").unwrap();
    let mut got = order.next_ids(500).unwrap();
    for turn in 0..6 {
        proxies[turn % 2].cut();
        for _ in 0..5 {
            let asked = Instant::now();
            got.extend(order.next_ids(130).unwrap());
            assert!(asked.elapsed() < SLOW, "{:?}", asked.elapsed());
        }
        proxies[turn % 2].pass();
    }
    assert!(got.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(got.iter().map(|id| super::drawn_by(*id)).collect::<HashSet<_>>(), HashSet::from([1, 2]));
    assert_eq!(ids.stats().tags[0].1.refill_failures, 0);
}

#[test]
fn a_frozen_server_gets_a_rival_long_before_its_timeout() {
    let servers = with_order();
    let proxies = servers.proxies();
    let url = servers.url_of(&[proxies[0].port, proxies[1].port]);
    let ids = open_at(&url, [PATIENT]);
    let order = ids.biz_tag("order").unwrap();
    let first = order.next_ids(150).unwrap();
    let at = usize::try_from(super::drawn_by(first[0]) - 1).unwrap();
    proxies[at].hold();
    for _ in 0..3 {
        let asked = Instant::now();
        order.next_ids(130).unwrap();
        assert!(asked.elapsed() < SLOW, "{:?}", asked.elapsed());
    }
    assert_eq!(ids.stats().tags[0].1.refill_failures, 0);
}

#[test]
fn both_away_waits_like_any_store_and_names_both() {
    let servers = with_order();
    let proxies = servers.proxies();
    let ids = open_at(&servers.url_of(&[proxies[0].port, proxies[1].port]), [("timeout", "2s")]);
    let order = ids.biz_tag("order").unwrap();
    order.next_id_within(Duration::from_secs(20)).unwrap();
    proxies.iter().for_each(|proxy| proxy.cut());
    let error = loop {
        if let Err(error) = order.next_ids(100) {
            break error;
        }
    };
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable, "{error}");
    for proxy in &proxies {
        assert!(error.message().contains(&format!("127.0.0.1:{}", proxy.port)), "{error}");
    }
    proxies[1].pass();
    assert!(order.next_id_within(Duration::from_secs(20)).is_ok());
}

#[test]
fn a_generator_opens_while_one_server_is_away_and_uses_it_once_it_is_back() {
    let servers = with_order();
    let proxies = servers.proxies();
    proxies[0].cut();
    let ids = open_at(&servers.url_of(&[proxies[0].port, proxies[1].port]), []);
    let order = ids.biz_tag("order").unwrap();
    assert_eq!(super::drawn_by(order.next_id().unwrap()), 2);
    proxies[0].pass();
    proxies[1].cut();
    order.next_ids(300).unwrap();
    assert_eq!(super::drawn_by(order.next_id().unwrap()), 1);
}

#[test]
fn a_ticket_whose_answer_was_lost_is_handed_out_by_no_one() {
    let servers = with_order();
    let proxies = servers.proxies();
    let ids = open_at(&servers.url_of(&[proxies[0].port, proxies[1].port]), [("timeout", "60s")]);
    let order = ids.biz_tag("order").unwrap();
    let mut got = order.next_ids(100).unwrap();
    for _ in 0..4 {
        let current = &proxies[usize::try_from(super::drawn_by(got[got.len() - 1]) - 1).unwrap()];
        current.lose_answer_to("REPLACE");
        got.extend(order.next_ids(200).unwrap());
        current.pass();
    }
    assert!(got.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn a_tag_that_only_a_server_has_that_is_away_is_not_unknown_and_waits() {
    let servers = with_order();
    servers.sql::<mysql_async::Row>(1, "DELETE FROM leafmint_ticket_tag");
    let proxies = servers.proxies();
    let open = || open_at(&servers.url_of(&[proxies[0].port, proxies[1].port]), [("timeout", "2s")]);
    let ids = open();
    let order = ids.biz_tag("order").unwrap();
    order.next_id_within(Duration::from_secs(20)).unwrap();
    proxies[0].cut();
    let of_a_new_process = open();
    for order in [&order, &of_a_new_process.biz_tag("order").unwrap()] {
        let error = (0..100).find_map(|_| order.next_ids(100).err()).unwrap();
        assert_eq!(error.kind(), ErrorKind::SegmentUnavailable, "{error}");
        assert!(error.message().contains(&format!("127.0.0.1:{}", proxies[0].port)), "{error}");
    }
    proxies[0].pass();
    for order in [&order, &of_a_new_process.biz_tag("order").unwrap()] {
        assert_eq!(super::drawn_by(order.next_id_within(Duration::from_secs(20)).unwrap()), 1);
    }
    let error = ids.biz_tag("missing").unwrap().next_id_within(Duration::from_secs(20)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownTag, "to both: {error}");
}

#[test]
fn a_tag_is_created_while_another_call_asks_a_slow_server_for_the_first_time() {
    let servers = with_order();
    let proxies = servers.proxies();
    let patient = [PATIENT, ("timeout", "60s")];
    let ids = open_at(&servers.url_of(&[proxies[0].port, proxies[1].port]), patient);
    proxies[0].hold();
    std::thread::scope(|scope| {
        scope.spawn(|| ids.biz_tag("order").unwrap().next_id().unwrap());
        std::thread::sleep(Duration::from_millis(500));
        let created = ids.create_tag("later").unwrap();
        std::thread::sleep(Duration::from_millis(500));
        proxies[0].pass();
        assert!(created.wait().unwrap());
    });
}

#[test]
fn a_tag_is_created_as_soon_as_a_server_is_back() {
    let servers = with_order();
    let proxies = servers.proxies();
    let ids = open_at(&servers.url_of(&[proxies[0].port, proxies[1].port]), []);
    proxies[0].cut();
    for tag in ["later", "again"] {
        let error = ids.create_tag(tag).unwrap().wait().unwrap_err();
        assert!(error.message().contains("all ticket servers must answer"), "{error}");
        proxies[0].pass();
        assert!(ids.create_tag(tag).unwrap().wait().unwrap());
        proxies[0].cut();
        // It is noticed, and its probes pause.
        ids.biz_tag("order").unwrap().next_ids(300).unwrap();
    }
}
