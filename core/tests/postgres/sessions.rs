//! Sessions with servers that are down, frozen or slow, that cut sessions, that only read, and that have no TLS.

use super::{open, open_at};
use crate::stores::crashing::Crashing;
use crate::stores::postgres::{Table, number, sql, sql_on};
use crate::stores::{options, postgres_through_proxy, postgres_url, settings, wait_until};
use leafmint::ErrorKind;
use leafmint::store::NewTagOptions;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// Returns the URL of the server with other hosts before its own.
fn url_with_hosts_in_front(hosts: &str) -> String {
    let url = postgres_url();
    let (login, location) = url.rsplit_once('@').unwrap();
    format!("{login}@{hosts},{location}")
}

/// Waits until something holds, for less long than the tests hold their locks.
fn assert_in_time(holds: impl Fn() -> bool, otherwise: &str) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(6), "{otherwise}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until a session that runs these statements has its locks and sleeps on them.
fn wait_for_the_locks_of(url: &str, statements: &str) {
    let asleep = format!(
        "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query = '{}'",
        statements.replace('\'', "''")
    );
    wait_until("the table is not locked", || !sql_on(url, &asleep).is_empty());
}

#[test]
fn a_host_that_is_down_or_frozen_is_passed_over() {
    let table = Table::with_order(1, 10);
    let frozen = TcpListener::bind("127.0.0.1:0").unwrap(); // accepts, says nothing
    let url = url_with_hosts_in_front(&format!("127.0.0.1:1,127.0.0.1:{}", frozen.local_addr().unwrap().port()));
    let ids = open_at(&url, &table, [("connect_timeout", "2s"), ("timeout", "30s")]);
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
}

#[test]
fn a_frozen_server_costs_a_call_its_timeout_and_no_more() {
    let frozen = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgresql://root:hush-hush@127.0.0.1:{}/db", frozen.local_addr().unwrap().port());
    let ids = leafmint::open::segment(&url, options([("timeout", "2s"), ("connect_timeout", "500ms")])).unwrap();
    let began = Instant::now();
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SegmentUnavailable);
    assert!(error.message().contains("connect_timeout") && !error.message().contains("hush"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(20));
    // The socket of an attempt that timed out is closed at once, not when the server answers.
    let (mut first, _) = frozen.accept().unwrap();
    first.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    assert_eq!(first.read(&mut [0; 16]).unwrap(), 8, "the request to encrypt");
    assert_eq!(first.read(&mut [0; 16]).unwrap(), 0, "the client hung up");
}

#[test]
fn sessions_that_the_server_cut_are_replaced_without_an_error() {
    let table = Table::with_order(1, 10);
    let ids = open(&table, [("max_step", "10"), ("timeout", "30s")]);
    let order = ids.biz_tag("order").unwrap();
    for _ in 0..5 {
        order.next_ids(100).unwrap();
        sql(&format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE '%\"{table}\"%'"
        ));
    }
    assert_eq!(order.next_ids(100).unwrap().len(), 100);
}

#[test]
fn a_locked_row_delays_calls_until_it_is_released_and_no_lease_waits_in_the_servers_queue() {
    let table = Table::with_order(1, 10);
    let ids = open(&table, [("connect_timeout", "2s"), ("timeout", "500ms")]);
    let order = ids.biz_tag("order").unwrap();
    let lock = format!("BEGIN; SELECT 1 FROM \"{table}\" FOR UPDATE; SELECT pg_sleep(4); COMMIT");
    std::thread::scope(|scope| {
        let locking = scope.spawn(|| sql(&lock));
        wait_for_the_locks_of(&postgres_url(), &lock);
        assert_eq!(order.next_id().unwrap_err().kind(), ErrorKind::SegmentUnavailable);
        ids.close().unwrap();
        locking.join().unwrap();
    });
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(table.max_id(), 1, "a lease that was given up was carried out later");
}

#[test]
fn a_row_that_stays_locked_on_one_of_several_hosts_means_the_next_host() {
    let (replaced, promoted) = (Crashing::with(&[]), Crashing::with(&[]));
    for server in [&replaced, &promoted] {
        sql_on(&server.url, &leafmint::schema_sql("postgresql").unwrap());
        sql_on(&server.url, "INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 10)");
    }
    let hosts = [&replaced, &promoted].map(|server| settings(&server.url).hosts[0].1);
    let url = replaced.url.replace(&format!(":{}", hosts[0]), &format!(":{},127.0.0.1:{}", hosts[0], hosts[1]));
    let ids = leafmint::open::segment(&url, options([("connect_timeout", "2s"), ("timeout", "20s")])).unwrap();
    let lock = "BEGIN; SELECT 1 FROM leaf_alloc FOR UPDATE; SELECT pg_sleep(8); COMMIT";
    std::thread::scope(|scope| {
        let locking = scope.spawn(|| sql_on(&replaced.url, lock));
        wait_for_the_locks_of(&replaced.url, lock);
        assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
        locking.join().unwrap();
    });
    assert_eq!(sql_on(&replaced.url, "SELECT max_id FROM leaf_alloc"), ["1"]);
}

#[test]
fn attempts_on_a_locked_table_leave_no_sessions_at_the_server_and_burn_no_ranges() {
    let table = Table::with_order(1, 10);
    let ids = open(&table, [("connect_timeout", "1s"), ("timeout", "30s")]);
    let order = ids.biz_tag("order").unwrap();
    let waiting = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'leafmint' AND wait_event_type = 'Lock' AND query LIKE '%\"{table}\"%'"
    );
    let lock = format!("BEGIN; LOCK TABLE \"{table}\"; SELECT pg_sleep(14); COMMIT");
    std::thread::scope(|scope| {
        let locking = scope.spawn(|| sql(&lock));
        wait_for_the_locks_of(&postgres_url(), &lock);
        assert_eq!(order.try_next_id().unwrap(), None);
        // Four attempts by now, or two on a busy machine. Only requests to cancel can lower their number.
        std::thread::sleep(Duration::from_millis(6500));
        assert_in_time(|| number(&waiting) <= 1, "sessions of attempts that were given up wait for the table");
        locking.join().unwrap();
    });
    order.next_id().unwrap();
    // A refill may be under way. One range may be lost: an attempt whose deadline passes in the instant in which the
    // lock is released is carried out before its cancellation arrives. The attempts before it would have cost more.
    wait_until("leases that were given up were carried out later", || {
        table.max_id() - 1 - ids.stats().tags[0].1.leased <= 10
    });
}

#[test]
fn a_change_of_an_operator_that_was_given_up_leaves_no_session_waiting_and_is_not_carried_out() {
    let table = Table::with_order(1, 10);
    let ids = open(&table, [("connect_timeout", "4s"), ("timeout", "2s")]);
    let waiting = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'leafmint' AND wait_event_type = 'Lock' AND query LIKE '%\"{table}\"%'"
    );
    let lock = format!("BEGIN; LOCK TABLE \"{table}\"; SELECT pg_sleep(16); COMMIT");
    std::thread::scope(|scope| {
        let locking = scope.spawn(|| sql(&lock));
        wait_for_the_locks_of(&postgres_url(), &lock);
        let (set, raise) = (ids.set_tag("order", Some(5), None).unwrap(), ids.raise_tag("order", 50).unwrap());
        wait_until("nothing waits for the table", || number(&waiting) > 0);
        set.wait().unwrap_err();
        raise.wait().unwrap_err();
        assert_in_time(|| number(&waiting) == 0, "sessions wait at the server for a change that was given up");
        locking.join().unwrap();
    });
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(sql(&format!("SELECT max_id || ' ' || step FROM \"{table}\"")), ["1 10"]);
}

#[test]
fn a_server_that_only_reads_means_the_next_host() {
    let table = Table::with_order(1, 10);
    let url = postgres_url();
    let database = url.rsplit_once('/').unwrap().1;
    let account = super::accounts::Account::new(&[format!("SELECT, UPDATE ON \"{table}\"")]);
    sql(&format!("ALTER ROLE \"{}\" IN DATABASE \"{database}\" SET default_transaction_read_only = on", account.0));
    let ids = open(&table, [("username", &account.0), ("password", "pw"), ("timeout", "3s")]);
    let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
    assert!(error.kind().retryable() && error.message().contains("25006"), "{error}");
    assert_eq!(table.max_id(), 1);
}

#[test]
fn a_replica_is_left_before_anything_is_read_from_it() {
    let table = Table::with_order(1, 10);
    let replica =
        serve(|client| drop(client.write_all(b"R\0\0\0\x08\0\0\0\0S\0\0\0\x16in_hot_standby\0on\0Z\0\0\0\x05I")));
    let port = replica.split(['/', ':', '?']).nth(5).unwrap();
    let url = url_with_hosts_in_front(&format!("127.0.0.1:{port}"));
    let ids = open_at(&url, &table, [("connect_timeout", "20s"), ("timeout", "40s"), ("ssl_mode", "disabled")]);
    let began = Instant::now();
    assert_eq!(ids.list_tags().unwrap().wait().unwrap().len(), 1);
    assert_eq!(ids.biz_tag("order").unwrap().next_id().unwrap(), 1);
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    let alone = leafmint::open::segment(&replica, options([("timeout", "3s")])).unwrap();
    let error = alone.biz_tag("order").unwrap().next_id().unwrap_err();
    assert!(error.kind().retryable() && error.message().contains("replica"), "{error}");
}

#[test]
fn from_nothing_the_first_id_takes_four_packets_and_each_later_lease_one() {
    let table = Table::with_order(1, 10);
    let (proxy, url) = postgres_through_proxy();
    let ids = open_at(&url, &table, [("max_step", "10"), ("ssl_mode", "disabled")]);
    let order = ids.biz_tag("order").unwrap();
    // The user and two messages of SCRAM. A refill may be under way, whose packet is counted before its answer.
    let beyond_the_leases = || proxy.requests() as i64 - ids.stats().tags[0].1.leased / 10;
    order.next_id().unwrap();
    wait_until("the first id takes more packets", || (3..=5).contains(&beyond_the_leases()));
    order.next_ids(200).unwrap();
    wait_until("a later lease takes more packets", || (3..=7).contains(&beyond_the_leases()));
}

#[test]
fn sessions_that_are_serializable_by_default_lease_each_number_once() {
    let table = Table::with_order(1, 10);
    let account = super::accounts::Account::new(&[format!("SELECT, UPDATE ON \"{table}\"")]);
    sql(&format!("ALTER ROLE \"{}\" SET default_transaction_isolation = 'serializable'", account.0));
    let mint = || {
        let given = [("username", account.0.as_str()), ("password", "pw"), ("max_step", "10"), ("timeout", "20s")];
        open(&table, given).biz_tag("order").unwrap().next_ids(300).unwrap()
    };
    let mut minted: Vec<i64> = std::thread::scope(|scope| {
        let minting = [scope.spawn(mint), scope.spawn(mint), scope.spawn(mint)];
        minting.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    minted.sort_unstable();
    minted.dedup();
    assert_eq!(minted.len(), 900, "an id was handed out twice");
}

#[test]
fn a_server_without_tls_is_refused_if_tls_is_required() {
    let (_proxy, url) = postgres_through_proxy();
    for mode in ["required", "verify_ca", "verify_identity"] {
        let ids = leafmint::open::segment(&url, options([("ssl_mode", mode)])).unwrap();
        let error = ids.biz_tag("order").unwrap().next_id_within(Duration::from_secs(2)).unwrap_err();
        let text = error.message();
        assert!(text.contains("the server does not speak TLS") && text.contains("may not be your server"), "{error}");
    }
}

/// Serves each connection what a server might send instead of an answer, once it has asked.
fn serve(answer: impl Fn(&mut dyn Write) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url =
        format!("postgresql://u:hush-hush@127.0.0.1:{}/db?ssl_mode=disabled", listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let _ = client.read(&mut [0; 1024]);
            answer(&mut client);
            let _ = client.read(&mut [0; 1024]);
        }
    });
    url
}

/// A log-in, and the description of a row.
const COLUMN_OF_TYPE_16384: &[u8] =
    b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05IT\0\0\0\x1a\0\x01c\0\0\0\0\0\0\0\0\0\x40\0\0\x08\0\0\0\0\0\x01";

#[test]
fn an_answer_without_an_end_is_cut_off_and_nonsense_is_an_error() {
    let endless = serve(|client| {
        // It logs in, and a notice of a gigabyte follows.
        let _ = client.write_all(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05IN\x40\0\0\0");
        while client.write_all(&[b'x'; 65_536]).is_ok() {}
    });
    for (url, says) in [
        (endless, "longer than any of leafmint's tables"),
        (serve(|client| drop(client.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"))), "127.0.0.1"),
        (serve(|client| drop(client.write_all(b"E\0\0\0\x04"))), "127.0.0.1"),
        (serve(|client| drop(client.write_all(COLUMN_OF_TYPE_16384))), "a type that leafmint never asks for"),
    ] {
        let ids = leafmint::open::segment(&url, options([("timeout", "5s"), ("connect_timeout", "4s")])).unwrap();
        let error = ids.biz_tag("order").unwrap().next_id().unwrap_err();
        assert!(error.kind().retryable() && error.message().contains(says), "{error}");
        assert!(!error.message().contains("hush"), "{error}");
    }
}

#[test]
fn every_call_ends_at_its_timeout_on_a_server_that_freezes() {
    let table = Table::with_order(1, 10);
    let (proxy, url) = postgres_through_proxy();
    let ids = open_at(&url, &table, [("timeout", "300ms"), ("connect_timeout", "30s")]);
    let order = ids.biz_tag("order").unwrap();
    order.next_id_within(Duration::from_secs(30)).unwrap();
    proxy.hold();
    let began = Instant::now();
    for error in [
        ids.create_tag_with("new", NewTagOptions::new().step(1)).unwrap().wait().unwrap_err(),
        ids.create_tag_with("new", NewTagOptions::new().step(1).gene_bits(4)).unwrap().wait().unwrap_err(),
        ids.init_schema().unwrap().wait().unwrap_err(),
        ids.list_tags().unwrap().wait().unwrap_err(),
        ids.set_tag("order", Some(5), None).unwrap().wait().unwrap_err(),
        ids.raise_tag("order", 5).unwrap().wait().unwrap_err(),
        ids.check().unwrap().wait().unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::StoreUnavailable, "{error}");
        assert!(error.message().contains("timeout=300ms") && error.message().contains(&table.0), "{error}");
    }
    order.next_ids(100).unwrap_err();
    ids.close().unwrap();
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}
