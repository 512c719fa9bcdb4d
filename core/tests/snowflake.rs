//! What a snowflake generator promises, on directories of worker ids.

mod stores;

use leafmint::binding::Want;
use leafmint::{ErrorKind, SnowflakeGenerator};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};
use stores::options;

fn url(folder: &Path) -> String {
    format!("local:///{}", folder.display())
}

fn open<const N: usize>(folder: &Path, given: [(&str, &str); N]) -> SnowflakeGenerator {
    SnowflakeGenerator::open(&url(folder), options(given)).unwrap()
}

#[test]
fn ids_increase_are_unique_and_carry_time_and_worker_id() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), []);
    let before = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64;
    let ids: Vec<i64> = (0..50_000).map(|_| flakes.next_id().unwrap()).collect();
    assert!(ids.is_sorted_by(|a, b| a < b));
    let (first, last) = (flakes.decode(ids[0]).unwrap(), flakes.decode(ids[49_999]).unwrap());
    assert_eq!((first.worker_id, last.worker_id), (0, 0));
    assert!(first.timestamp >= before && last.timestamp <= before + 5_000, "{first:?} {last:?}");
}

#[test]
fn a_tick_that_is_used_up_before_the_timeout_is_named_so_and_no_clock_is_blamed() {
    let folder = tempfile::tempdir().unwrap();
    let hours = open(folder.path(), [("layout", "timestamp:20,worker:10,sequence:4,unit:1h"), ("sequence_jitter", "0")]);
    let mut minted = HashSet::new();
    let full = loop {
        match hours.next_id_within(if minted.is_empty() { Duration::from_secs(5) } else { Duration::from_millis(20) }) {
            Ok(id) => assert!(minted.insert(id)),
            Err(error) => break error,
        }
    };
    // Two ticks, if the hour has just ended.
    assert!(minted.len() == 16 || minted.len() == 32, "{minted:?}");
    let batch = hours.begin(Want::Many(3), None, Some(Duration::from_millis(20))).unwrap().finish().unwrap_err();
    for error in [full, batch] {
        assert_eq!(error.kind(), ErrorKind::RateExceeded, "{error}");
        assert!(error.kind().retryable() && error.message().contains("16 per tick"), "{error}");
    }
}

#[test]
fn every_generator_of_a_directory_has_a_worker_id_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let generators: Vec<SnowflakeGenerator> = (0..4).map(|_| open(folder.path(), [("workers", "0-3")])).collect();
    let workers: HashSet<i64> =
        generators.iter().map(|flakes| flakes.decode(flakes.next_id().unwrap()).unwrap().worker_id).collect();
    assert_eq!(workers, HashSet::from([0, 1, 2, 3]));
    let fifth = open(folder.path(), [("workers", "0-3"), ("endpoint", "the-fifth")]);
    let error = fifth.next_id_within(Duration::from_millis(300)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
    assert!(error.message().contains("all 4 worker ids") && error.message().contains("reserved for"), "{error}");
    generators[2].close().unwrap();
    let id = fifth.next_id_within(Duration::from_secs(5)).unwrap();
    assert_eq!(fifth.decode(id).unwrap().worker_id, 2, "a clean close frees it");
}

#[test]
fn after_a_clean_close_the_next_owner_goes_on_at_once_and_above() {
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
fn threads_of_one_generator_share_its_ticks_without_meeting() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), []);
    let all: Vec<i64> = std::thread::scope(|scope| {
        let mint = |number: usize| {
            let flakes = flakes.clone();
            scope.spawn(move || {
                let mut ids = Vec::new();
                for _ in 0..20 {
                    match number % 2 {
                        0 => ids.extend((0..1_000).map(|_| flakes.next_id().unwrap())),
                        _ => ids.extend(flakes.next_ids(1_000).unwrap()),
                    }
                }
                assert!(ids.is_sorted_by(|a, b| a < b));
                ids
            })
        };
        let threads: Vec<_> = (0..8).map(mint).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 160_000);
}

#[test]
fn a_fixed_worker_id_is_kept_by_one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().to_str().unwrap();
    let namespace = folder.path().file_name().unwrap().to_str().unwrap().replace('.', "_");
    let fixed = |given: [(&str, &str); 2]| SnowflakeGenerator::open("fixed:7", options(given)).unwrap();
    let given = [("state_dir", state), ("namespace", &*namespace)];
    let flakes = fixed(given);
    assert_eq!(flakes.decode(flakes.next_id().unwrap()).unwrap().worker_id, 7);
    let second = fixed(given);
    assert_eq!(second.next_id_within(Duration::from_millis(200)).unwrap_err().kind(), ErrorKind::WorkerIdUnavailable);
    let scope = flakes.scope();
    assert!(scope.starts_with("fixed://") && scope.contains(state), "{scope}");
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
fn genes_stand_in_the_lowest_bits_and_cost_no_ids() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [("layout", "timestamp:41,worker:10,sequence:8,gene:4")]);
    let mut seen = HashSet::new();
    for number in 0..2_000 {
        let id = flakes.next_id_with_gene(number % 16).unwrap();
        assert_eq!(flakes.decode(id).unwrap().gene, number % 16);
        assert!(seen.insert(id >> 4), "ids differ above the gene");
    }
    assert_eq!(flakes.next_id_with_gene(16).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let plain = open(folder.path(), [("namespace", "plain")]);
    assert_eq!(plain.next_id_with_gene(0).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn a_layout_is_used_up_to_its_full_rate_by_one_thread_and_by_four() {
    for threads in [1, 4] {
        let folder = tempfile::tempdir().unwrap();
        let flakes = open(folder.path(), [("layout", "timestamp:41,worker:10,sequence:6"), ("sequence_jitter", "0")]);
        let ids: Vec<i64> = std::thread::scope(|scope| {
            let mint = || (0..20_000).map(|_| flakes.next_id_within(Duration::from_secs(60)).unwrap()).collect::<Vec<_>>();
            let minting: Vec<_> = (0..threads).map(|_| scope.spawn(mint)).collect();
            minting.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        let mut ticks = HashMap::<i64, usize>::new();
        for id in &ids {
            *ticks.entry(flakes.decode(*id).unwrap().timestamp).or_default() += 1;
        }
        // Ticks that pass while the threads do not run hold fewer ids, or none.
        let full = ticks.values().filter(|ids| **ids == 64).count();
        assert!(2 * full > ticks.len(), "{threads} threads: {full} of {} ticks are full", ticks.len());
        assert!(ticks.values().all(|ids| *ids <= 64));
    }
}

#[test]
fn every_call_after_the_close_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), []);
    flakes.next_id().unwrap();
    flakes.close().unwrap();
    flakes.close().unwrap();
    for error in [flakes.next_id().unwrap_err(), flakes.try_next_id().unwrap_err(), flakes.next_ids(2).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::Closed);
    }
}

#[test]
fn a_generator_that_nobody_holds_any_more_lets_go_of_its_worker_id() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path(), [("workers", "1")]).next_id().unwrap();
    open(folder.path(), [("workers", "1")]).next_id_within(Duration::from_secs(5)).unwrap();
}

#[test]
fn a_lock_file_that_was_removed_costs_the_lease_which_is_replaced_without_a_duplicate() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [("lease_duration", "400ms"), ("heartbeat", "100ms")]);
    let mut ids = vec![flakes.next_id().unwrap()];
    std::fs::remove_file(folder.path().join("default/0.lock")).unwrap();
    let thief = open(folder.path(), [("lease_duration", "400ms"), ("heartbeat", "100ms"), ("workers", "0")]);
    let until = Instant::now() + Duration::from_secs(2);
    while Instant::now() < until {
        ids.push(flakes.next_id().unwrap());
        if let Some(id) = thief.try_next_id().unwrap() {
            ids.push(id);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(flakes.stats().leases_lost, 1);
    assert_eq!((flakes.worker_id(), thief.worker_id()), (Some(1), Some(0)));
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
}

#[test]
fn eager_takes_a_worker_id_at_open_or_fails_there() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), [("eager", "true")]);
    assert_eq!(flakes.worker_id(), Some(0));
    let taken =
        SnowflakeGenerator::open(&url(folder.path()), options([("eager", "true"), ("workers", "0"), ("timeout", "100ms")]));
    assert_eq!(taken.unwrap_err().kind(), ErrorKind::WorkerIdUnavailable);
}

#[test]
fn bad_configuration_is_refused_with_every_problem_named() {
    for url in ["local:", "local:///", "local://host/x", "fixed:", "fixed:1024", "fixed:-1", "fixed:x", "zookeeper://h", "x"] {
        let error = SnowflakeGenerator::open(url, []).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{url}");
    }
    for (name, value) in [
        ("workers", "0-1024"),
        ("workers", "5-3"),
        ("workers", "a"),
        ("workers", ""),
        ("layout", "huge"),
        ("epoch", "soon"),
        ("namespace", "../x"),
        ("namespace", ""),
        ("datacenter_id", "1"),
        ("heartbeat", "0"),
        ("lease_duration", "1s"),
        ("clock_rollback", "ignore"),
        ("worker_map", "a=1"),
        ("worker_map", "a"),
        ("sequence_jitter", "-1"),
        ("colour", "red"),
    ] {
        let error = SnowflakeGenerator::open("local:///x", options([(name, value)])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{name}={value}");
        assert!(error.message().contains(name), "{error}");
    }
}

#[test]
fn bad_arguments_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let flakes = open(folder.path(), []);
    for want in [Want::Many(-1), Want::Many(1 << 40), Want::Run(5)] {
        assert_eq!(flakes.begin(want, None, None).err().unwrap().kind(), ErrorKind::InvalidArgument);
    }
    for id in [-1, i64::MIN] {
        assert_eq!(flakes.decode(id).unwrap_err().kind(), ErrorKind::InvalidId);
    }
}

#[test]
fn options_and_stats_are_those_of_the_vectors() {
    let vectors: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../tests/vectors/snowflake_options.json")).unwrap();
    assert_eq!(vectors.len(), leafmint::binding::SNOWFLAKE_OPTIONS.len());
    for (vector, option) in vectors.iter().zip(leafmint::binding::SNOWFLAKE_OPTIONS) {
        let fields = ["name", "shape", "default", "meaning"].map(|field| vector[field].as_str().unwrap());
        assert_eq!(fields, [option.name, option.shape, option.default, option.meaning]);
    }
    let stats: serde_json::Value = serde_json::from_str(include_str!("../../tests/vectors/stats.json")).unwrap();
    let names: Vec<&str> = stats["snowflake"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names, leafmint::binding::SNOWFLAKE_STATS);
}

#[test]
fn a_database_leases_worker_ids_and_a_restart_here_keeps_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let namespace = stores::unique("flakes");
    let state = folder.path().to_str().unwrap();
    let given = [("namespace", namespace.as_str()), ("state_dir", state), ("timeout", "20s")];
    let first = SnowflakeGenerator::open(&stores::mysql_url(), options(given)).unwrap();
    let second = SnowflakeGenerator::open(&stores::mysql_url(), options(given)).unwrap();
    let ids = [first.next_id().unwrap(), second.next_id().unwrap()];
    let workers = [first.worker_id().unwrap(), second.worker_id().unwrap()];
    assert_ne!(workers[0], workers[1]);
    first.close().unwrap();
    let again = SnowflakeGenerator::open(&stores::mysql_url(), options(given)).unwrap();
    let id = again.next_id().unwrap();
    assert!(!ids.contains(&id));
    assert_ne!(again.worker_id(), Some(workers[1]));
    let horizon = again.stats().horizon_seconds.unwrap();
    assert!(horizon > 0.0 && horizon <= 600.0, "{horizon}");
    assert!(again.scope().contains("scope: all processes"), "{}", again.scope());
}
