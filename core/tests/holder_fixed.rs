//! What the mode `fixed` promises in addition to the suite, on the table that NotFound9's fork of Leaf writes.

mod holders;
mod stores;

use holders::{crash, now, process, wait};
use leafmint::ErrorKind;
use leafmint::clock::SystemClock;
use leafmint::holder::{Pace, WorkerIdHolder, WorkerMode};
use std::path::Path;
use std::sync::Arc;
use stores::{Table, number, sql, unique};

/// Creates the table as that fork's script does, with its names of the two columns that leafmint does not use.
fn of_the_fork(created: &str, modified: &str) -> Table {
    let table = Table(unique("leaf_workerid_alloc"));
    sql(&format!(
        "CREATE TABLE `{table}` (`id` bigint(20) NOT NULL AUTO_INCREMENT, `ip` varchar(127) DEFAULT NULL, `port` varchar(127) \
         DEFAULT NULL, `ip_port` varchar(127) NOT NULL, `max_timestamp` bigint(20) DEFAULT NULL, `{created}` timestamp NULL \
         DEFAULT NULL, `{modified}` timestamp NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (`id`), \
         UNIQUE KEY `idx_ipport` (`ip_port`) USING BTREE) ENGINE=InnoDB AUTO_INCREMENT=0"
    ));
    table
}

fn open(table: &Table, number: u32, state_dir: Option<&Path>) -> Arc<dyn WorkerIdHolder> {
    let process = process("", number).with(|rows| {
        rows.mode = WorkerMode::Fixed { table: table.0.clone() };
        rows.pace = Pace::FIXED;
        rows.state_dir = state_dir.map(Path::to_owned);
        rows.workers = (0..1024).collect();
    });
    process.open(Arc::new(SystemClock))
}

#[test]
fn the_forks_row_gives_the_worker_id_and_its_report_the_floor() {
    for (created, modified) in [("create_time", "update_time"), ("gmt_create", "gmt_modified")] {
        let table = of_the_fork(created, modified);
        let reported = now() - 100_000;
        sql(&format!(
            "INSERT INTO `{table}` (id, ip_port, ip, port, max_timestamp, {created}) VALUES \
             (17, '10.0.0.1:8080', '10.0.0.1', '8080', {reported}, NOW())"
        ));
        let lease = wait(open(&table, 1, None).acquire()).unwrap();
        assert_eq!((lease.worker_id, lease.floor), (17, reported + 60_000));
    }
}

#[test]
fn an_endpoint_without_a_row_gets_the_smallest_free_id_which_may_be_zero() {
    let table = of_the_fork("create_time", "update_time");
    sql(&format!("INSERT INTO `{table}` (ip_port, max_timestamp) VALUES ('elsewhere:1', 1)"));
    let ids: Vec<i64> = (1..4).map(|number| wait(open(&table, number, None).acquire()).unwrap().worker_id).collect();
    assert_eq!(ids, [0, 2, 3]);
    let row = sql(&format!("SELECT CONCAT(ip, '|', port, '|', ip_port) FROM `{table}` WHERE id = 0")).remove(0);
    assert_eq!(mysql_async::from_row::<String>(row), "10.0.0.1|8080|10.0.0.1:8080");
}

#[test]
fn the_owners_clock_is_reported_where_the_fork_looks() {
    let table = of_the_fork("create_time", "update_time");
    let holder = open(&table, 1, None);
    let lease = wait(holder.acquire()).unwrap();
    let before = now();
    wait(holder.extend(&lease, lease.horizon + 1_000)).unwrap();
    let reported = number(&format!("SELECT max_timestamp FROM `{table}`"));
    assert!((before..=now()).contains(&reported), "{reported}");
    wait(holder.release(&lease, now())).unwrap();
    assert!(wait(open(&table, 1, None).acquire()).unwrap().floor <= now(), "our own report is not a foreign one");
}

#[test]
fn the_fork_that_ran_in_between_raises_the_floor() {
    let table = of_the_fork("create_time", "update_time");
    let holder = open(&table, 1, None);
    let lease = wait(holder.acquire()).unwrap();
    wait(holder.release(&lease, now())).unwrap();
    let reported = now() + 1_000;
    sql(&format!("UPDATE `{table}` SET max_timestamp = {reported}"));
    assert_eq!(wait(open(&table, 1, None).acquire()).unwrap().floor, reported + 60_000);
}

#[test]
fn the_second_claimant_of_one_endpoint_is_refused_with_the_owner_and_its_horizon() {
    let table = of_the_fork("create_time", "update_time");
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let owner = open(&table, 1, Some(here.path()));
    let lease = wait(owner.acquire()).unwrap();
    for state_dir in [Some(there.path()), Some(here.path()), None] {
        let error = wait(open(&table, 1, state_dir).acquire()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
        assert!(error.message().contains("held by 10.0.0.1:8080 (reserved for another 863"), "{error}");
    }
    crash(owner);
    assert!(wait(open(&table, 1, Some(there.path())).acquire()).is_err(), "also after a crash: this is another host");
    let again = wait(open(&table, 1, Some(here.path())).acquire()).unwrap();
    assert_eq!((again.worker_id, again.floor), (lease.worker_id, lease.horizon), "this host continues at once");
}

#[test]
fn an_id_that_the_layout_does_not_allow_is_refused() {
    let table = of_the_fork("create_time", "update_time");
    sql(&format!("INSERT INTO `{table}` (id, ip_port, max_timestamp) VALUES (1024, '10.0.0.1:8080', 1)"));
    let error = wait(open(&table, 1, None).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("1024"), "{error}");
}
