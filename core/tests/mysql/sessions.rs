//! Sessions with servers that are down, frozen or slow, that cut sessions, and that have no TLS.

use super::accounts::Account;
use super::open;
use crate::stores::{Table, kill_sessions_of, mysql_url, options, runtime, sql, through_proxy, unique};
use leafmint::ErrorKind;
use leafmint::store::NewTagOptions;
use mysql_async::prelude::Queryable;
use std::io::Read;
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// Returns the URL of the server with other hosts before its own.
fn url_with_hosts_in_front(hosts: &str) -> String {
    let url = mysql_url();
    let at = url.find('@').map_or("mysql://".len(), |at| at + 1);
    format!("{}{hosts},{}", &url[..at], &url[at..])
}

#[test]
fn a_host_that_is_down_or_frozen_is_passed_over() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let frozen = TcpListener::bind("127.0.0.1:0").unwrap(); // accepts, says nothing
    let url = url_with_hosts_in_front(&format!("127.0.0.1:1,127.0.0.1:{}", frozen.local_addr().unwrap().port()));
    let given = [("table", table.0.as_str()), ("connect_timeout", "2s"), ("timeout", "30s")];
    let ids = leafmint::open::segment(&url, options(given)).unwrap();
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
}

#[test]
fn a_frozen_server_costs_a_call_its_timeout_and_no_more() {
    let frozen = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("mysql://root:hush-hush@127.0.0.1:{}/db", frozen.local_addr().unwrap().port());
    let ids = leafmint::open::segment(&url, options([("timeout", "2s"), ("connect_timeout", "500ms")])).unwrap();
    let began = Instant::now();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable);
    assert!(error.message().contains("connect_timeout") && !error.message().contains("hush"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(20));
    // The socket of an attempt that timed out is closed at once, not when the server answers.
    let (mut first, _) = frozen.accept().unwrap();
    first.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    assert_eq!(first.read(&mut [0; 16]).unwrap(), 0, "the client hung up");
}

#[test]
fn sessions_that_the_server_cut_are_replaced_without_an_error() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let account = Account::new("SELECT, UPDATE");
    let ids = open(&table, [("max_step", "10"), ("timeout", "30s"), ("username", &account.0), ("password", "pw")]);
    let order = ids.biz_tag("order").unwrap();
    for _ in 0..5 {
        order.next_ids(100).unwrap();
        kill_sessions_of(&account.0);
    }
    assert_eq!(order.next_ids(100).unwrap().len(), 100);
}

#[test]
fn a_locked_row_delays_calls_until_it_is_released() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let ids = open(&table, [("connect_timeout", "3s"), ("timeout", "500ms")]);
    let order = ids.biz_tag("order").unwrap();
    let runtime = runtime();
    let mut holder = runtime.block_on(mysql_async::Conn::from_url(mysql_url())).unwrap();
    runtime.block_on(holder.query_drop("BEGIN")).unwrap();
    runtime.block_on(holder.query_drop(format!("SELECT * FROM `{table}` WHERE biz_tag = 'order' FOR UPDATE"))).unwrap();
    assert_eq!(order.next_id().unwrap_err().kind(), ErrorKind::SegmentUnavailable);
    runtime.block_on(holder.query_drop("ROLLBACK")).unwrap();
    order.next_id_within(Duration::from_secs(10)).unwrap();
}

#[test]
fn a_server_without_tls_is_refused_if_tls_is_required() {
    // The proxy takes TLS out of the server's greeting.
    let (_proxy, url) = through_proxy();
    let ids = leafmint::open::segment(&url, options([("ssl_mode", "required")])).unwrap();
    let error = ids.biz_tag("order").unwrap().next_id_within(Duration::from_secs(2)).unwrap_err();
    assert!(error.message().contains("TLS"), "{error}");
}

/// Runs a call on a server that does not answer, and asserts that it ends at the timeout of 300 ms, not at
/// `connect_timeout`.
fn assert_short<T>(name: &str, call: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let answer = call();
    assert!(began.elapsed() < Duration::from_secs(10), "{name} took {:?}", began.elapsed());
    answer
}

#[test]
fn every_call_ends_at_its_timeout_on_a_server_that_freezes() {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 10)"));
    let (proxy, url) = through_proxy();
    let given = || options([("timeout", "300ms"), ("connect_timeout", "20s")]);
    let ids = leafmint::open::segment(&url, given().chain(options([("table", table.0.as_str())]))).unwrap();
    let order = ids.biz_tag("order").unwrap();
    order.next_id_within(Duration::from_secs(30)).unwrap();
    let namespace = unique("frozen");
    let place = options([("namespace", namespace.as_str()), ("auto_create", "true")]);
    let flakes = leafmint::open::snowflake(&url, given().chain(place)).unwrap();
    flakes.next_id_within(Duration::from_secs(30)).unwrap();
    proxy.hold();
    let errors = [
        assert_short("create_tag", || {
            ids.create_tag_with("new", NewTagOptions::new().step(1)).unwrap().wait().unwrap_err()
        }),
        assert_short("create_tag_with gene bits", || {
            ids.create_tag_with("new", NewTagOptions::new().step(1).gene_bits(4)).unwrap().wait().unwrap_err()
        }),
        assert_short("init_schema", || ids.init_schema().unwrap().wait().unwrap_err()),
        assert_short("list_tags", || ids.list_tags().unwrap().wait().unwrap_err()),
        assert_short("set_tag", || ids.set_tag("order", Some(5), None).unwrap().wait().unwrap_err()),
        assert_short("raise_tag", || ids.raise_tag("order", 5).unwrap().wait().unwrap_err()),
        assert_short("check", || ids.check().unwrap().wait().unwrap_err()),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
        assert!(error.message().contains("timeout=300ms") && error.message().contains(&table.0), "{error}");
    }
    for error in [
        assert_short("list_workers", || flakes.list_workers().unwrap().wait().unwrap_err()),
        assert_short("release_worker", || flakes.release_worker(0, true).unwrap().wait().unwrap_err()),
        assert_short("check of worker ids", || flakes.check().unwrap().wait().unwrap_err()),
    ] {
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
        assert!(error.message().contains("timeout=300ms") && error.message().contains(&namespace), "{error}");
    }
    for eager in [vec![("eager", "true")], vec![("eager", "true"), ("eager_tags", "order")]] {
        let eager = eager.into_iter().map(|(name, value)| (name.to_owned(), value.into()));
        assert_short("eager", || leafmint::open::segment(&url, given().chain(eager)).unwrap_err());
    }
    assert_short("eager snowflakes", || {
        leafmint::open::snowflake(&url, given().chain(options([("eager", "true"), ("state_files", "false")])))
            .unwrap_err()
    });
    // More than a slow start can have leased ahead.
    assert_short("next_ids", || order.next_ids(5_000_000).unwrap_err());
    assert_short("close", || ids.close().unwrap());
    assert_short("close of snowflakes", || flakes.close().unwrap());
}
