//! Worker ids: taken, kept, lost and given back, by each kind of holder.

use super::{open, url};
use crate::stores::{options, through_proxy, unique, wait_until};
use leafmint::{ErrorKind, SnowflakeGenerator};
use std::collections::HashSet;
use std::time::{Duration, Instant};

#[test]
fn every_generator_of_a_directory_has_a_worker_id_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let generators: Vec<SnowflakeGenerator> = (0..4).map(|_| open(folder.path(), [("workers", "0-3")])).collect();
    let workers: HashSet<i64> =
        generators.iter().map(|flakes| flakes.decode(flakes.next_id().unwrap()).unwrap().worker_id).collect();
    assert_eq!(workers, HashSet::from([0, 1, 2, 3]));
    let fifth = open(folder.path(), [("workers", "0-3"), ("endpoint", "the-fifth")]);
    let error = fifth.next_id_within(Duration::from_secs(1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
    assert!(error.message().contains("all 4 worker ids") && error.message().contains("reserved for"), "{error}");
    generators[2].close().unwrap();
    let id = fifth.next_id_within(Duration::from_secs(30)).unwrap();
    assert_eq!(fifth.decode(id).unwrap().worker_id, 2, "a clean close frees it");
}

#[test]
fn eager_takes_a_worker_id_at_open_or_fails_there() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [("eager", "true")]);
    assert_eq!(flakes.worker_id(), Some(0));
    let taken = leafmint::open::snowflake(
        &url(folder.path()),
        options([("eager", "true"), ("workers", "0"), ("timeout", "100ms")]),
    );
    assert_eq!(taken.unwrap_err().kind(), ErrorKind::WorkerIdUnavailable);
}

#[test]
fn after_a_clean_close_the_next_owner_continues_at_once_with_greater_ids() {
    let folder = tempfile::tempdir().unwrap();
    let mut last = 0;
    for _ in 0..10 {
        let flakes = open(folder.path(), [("workers", "5")]);
        let began = Instant::now();
        for _ in 0..5_000 {
            let id = flakes.next_id().unwrap();
            assert!(id > last);
            last = id;
        }
        flakes.close().unwrap();
        assert!(began.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn dropping_the_last_handle_gives_the_worker_id_back() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path(), [("workers", "1")]).next_id().unwrap();
    open(folder.path(), [("workers", "1")]).next_id_within(Duration::from_secs(30)).unwrap();
}

#[test]
fn a_removed_lock_file_costs_the_lease_but_no_id_comes_twice() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [("lease_duration", "2s"), ("heartbeat", "100ms")]);
    let mut ids = vec![flakes.next_id().unwrap()];
    std::fs::remove_file(folder.path().join("default/0.lock")).unwrap();
    let thief = open(folder.path(), [("lease_duration", "2s"), ("heartbeat", "100ms"), ("workers", "0")]);
    // Both mint until the loss is noticed, and then from leases of their own.
    while flakes.stats().leases_lost == 0 || thief.worker_id().is_none() {
        ids.push(flakes.next_id().unwrap());
        ids.extend(thief.try_next_id().unwrap());
        std::thread::sleep(Duration::from_millis(1));
    }
    for _ in 0..1000 {
        ids.extend([flakes.next_id().unwrap(), thief.next_id().unwrap()]);
    }
    assert_eq!(flakes.stats().leases_lost, 1);
    assert_eq!((flakes.worker_id(), thief.worker_id()), (Some(1), Some(0)));
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
}

#[test]
fn a_fixed_worker_id_has_one_owner_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().to_str().unwrap();
    let namespace = folder.path().file_name().unwrap().to_str().unwrap().replace('.', "_");
    let fixed = |given: [(&str, &str); 2]| leafmint::open::snowflake("fixed:7", options(given)).unwrap();
    let given = [("state_dir", state), ("namespace", &*namespace)];
    let flakes = fixed(given);
    assert_eq!(flakes.decode(flakes.next_id().unwrap()).unwrap().worker_id, 7);
    let second = fixed(given);
    assert_eq!(second.next_id_within(Duration::from_millis(200)).unwrap_err().kind(), ErrorKind::WorkerIdUnavailable);
    let scope = flakes.scope();
    assert!(scope.starts_with("fixed:/") && scope.contains(state), "{scope}");
}

#[test]
fn a_worker_map_gives_each_endpoint_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let map = ("worker_map", "10.0.0.1:80=3,10.0.0.2:80=9");
    let flakes = open(folder.path(), [map, ("endpoint", "10.0.0.2:80")]);
    assert_eq!(flakes.decode(flakes.next_id().unwrap()).unwrap().worker_id, 9);
}

#[test]
fn another_layout_in_the_same_directory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path(), []).next_id().unwrap();
    for given in [("layout", "wide"), ("epoch", "1600000000000")] {
        let error = open(folder.path(), [given]).next_id().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    }
    open(folder.path(), [("layout", "wide"), ("namespace", "other")]).next_id().unwrap();
}

#[test]
fn a_database_leases_a_worker_id_to_each_generator_and_frees_it_at_the_close() {
    let folder = tempfile::tempdir().unwrap();
    let namespace = unique("flakes");
    let state = folder.path().to_str().unwrap();
    let place = [("namespace", namespace.as_str()), ("state_dir", state), ("auto_create", "true")];
    let given = [place[0], place[1], place[2], ("timeout", "20s")];
    let first = leafmint::open::snowflake(&crate::stores::mysql_url(), options(given)).unwrap();
    let second = leafmint::open::snowflake(&crate::stores::mysql_url(), options(given)).unwrap();
    let ids = [first.next_id().unwrap(), second.next_id().unwrap()];
    let workers = [first.worker_id().unwrap(), second.worker_id().unwrap()];
    assert_ne!(workers[0], workers[1]);
    first.close().unwrap();
    let again = leafmint::open::snowflake(&crate::stores::mysql_url(), options(given)).unwrap();
    let id = again.next_id().unwrap();
    assert!(!ids.contains(&id));
    assert_ne!(again.worker_id(), Some(workers[1]));
    let horizon = again.stats().horizon_seconds.unwrap();
    assert!(horizon > 0.0 && horizon <= 600.0, "{horizon}");
    assert!(again.scope().contains("scope: all processes"), "{}", again.scope());
}

#[test]
fn an_outage_that_a_state_file_outlasts_is_in_the_figures() {
    let folder = tempfile::tempdir().unwrap();
    let namespace = unique("flakes");
    let (proxy, url) = through_proxy();
    let given = [
        ("namespace", namespace.as_str()),
        ("state_dir", folder.path().to_str().unwrap()),
        ("auto_create", "true"),
        ("lease_duration", "10m"),
        ("heartbeat", "200ms"),
        ("timeout", "60s"),
        ("connect_timeout", "1s"),
    ];
    let flakes = leafmint::open::snowflake(&url, options(given)).unwrap();
    flakes.next_id().unwrap();
    assert!(flakes.stats().holder_up);
    proxy.cut();
    wait_until("the outage is not counted", || {
        flakes.next_id().unwrap();
        let stats = flakes.stats();
        !stats.holder_up && stats.lease_failures > 1 && stats.last_error_code == Some("store_unavailable")
    });
    proxy.pass();
    wait_until("the recovery is not seen", || flakes.stats().holder_up);
    assert_eq!(flakes.stats().leases_lost, 0);
    flakes.close().unwrap();
}
