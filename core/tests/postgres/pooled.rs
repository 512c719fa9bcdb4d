//! A pgbouncer that gives each transaction any session: settings of one are seen by others, and prepared statements get
//! lost.

use crate::stores::crashing::Crashing;
use crate::stores::postgres::sql_on;
use crate::stores::{options, wait_until};
use leafmint::ErrorKind;
use std::collections::HashSet;

#[test]
fn behind_a_pool_of_transactions_leases_are_durable_and_settings_of_others_stay() {
    let mut server = Crashing::with(&["--pooled", "synchronous_commit=off", "wal_writer_delay=10s"]);
    let open = |url: &str| {
        let given = [("auto_create", "true"), ("default_step", "10"), ("max_step", "10"), ("timeout", "20s")];
        leafmint::open::segment(url, options(given)).unwrap()
    };
    let mut minted: Vec<i64> = std::thread::scope(|scope| {
        let minting = || scope.spawn(|| open(&server.url).biz_tag("order").unwrap().next_ids(300).unwrap());
        [minting(), minting(), minting()].into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    for _ in 0..4 {
        let settings = "SELECT current_setting('synchronous_commit') || current_setting('lock_timeout')";
        assert_eq!(sql_on(&server.url, settings), ["off0"]);
    }
    server.crash();
    minted.extend(open(&server.url).biz_tag("order").unwrap().next_ids(300).unwrap());
    assert_eq!(minted.iter().collect::<HashSet<_>>().len(), 1200, "an id was handed out twice");
}

#[test]
fn a_temporary_table_that_another_client_left_in_the_pool_is_not_leased_from() {
    let server = Crashing::with(&["--pooled"]);
    let given = [("auto_create", "true"), ("default_step", "10"), ("max_step", "10"), ("timeout", "20s")];
    let ids = leafmint::open::segment(&server.url, options(given)).unwrap();
    let order = ids.biz_tag("order").unwrap();
    let mut minted = order.next_ids(30).unwrap();
    // Until the refill has ended that looks at what is left.
    let mut calm = 0;
    wait_until("refills go on", || {
        let stored: i64 = sql_on(&server.url, "SELECT max_id FROM leaf_alloc")[0].parse().unwrap();
        calm = if stored == 1 + ids.stats().tags[0].1.leased { calm + 1 } else { 0 };
        calm == 20
    });
    // The pool gives the next transaction the session that was used last.
    sql_on(&server.url, "CREATE TEMPORARY TABLE leaf_alloc AS TABLE leaf_alloc");
    let error = loop {
        match order.next_id() {
            Ok(id) => minted.push(id),
            Err(error) => break error,
        }
        assert!(minted.len() < 300, "it leases from the temporary table");
    };
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("no ordinary table"), "{error}");
    sql_on(&server.url, "DROP TABLE pg_temp.leaf_alloc");
    minted.extend(order.next_ids(30).unwrap());
    assert_eq!(minted.iter().collect::<HashSet<_>>().len(), minted.len(), "an id was handed out twice");
}
