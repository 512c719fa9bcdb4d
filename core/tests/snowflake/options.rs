//! The options of a snowflake generator.

use crate::stores::options;
use leafmint::ErrorKind;

#[test]
fn each_bad_option_is_refused_by_name() {
    for url in [
        "local:",
        "local:/",
        "local://host/x",
        "local:///x",
        "local://",
        "fixed:",
        "fixed:1024",
        "fixed:-1",
        "fixed:x",
        "zookeeper://h",
        "x",
    ] {
        let error = leafmint::open::snowflake(url, []).unwrap_err();
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
        ("clock", "atomic"),
        ("clock_rollback", "ignore"),
        ("worker_map", "a=1"),
        ("worker_map", "a"),
        ("sequence_jitter", "-1"),
        ("colour", "red"),
    ] {
        let error = leafmint::open::snowflake("local:/x", options([(name, value)])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{name}={value}");
        assert!(error.message().contains(name), "{error}");
    }
}

#[test]
fn a_heartbeat_after_which_a_leaf_server_could_start_on_the_endpoint_is_refused() {
    let url = "zookeeper://127.0.0.1:1/shop?worker_mode=leaf&endpoint=10.0.0.1:8080";
    let open = |heartbeat| leafmint::open::snowflake(url, options([("heartbeat", heartbeat)]));
    open("2s").unwrap();
    let error = open("2001ms").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("heartbeat=2.001s is longer than 2s"), "{error}");
}

#[test]
fn a_holder_that_is_away_and_its_failed_calls_are_counted_and_end_with_a_close() {
    let flakes = leafmint::open::snowflake("mysql://root@127.0.0.1:1/shop", options([("timeout", "300ms")])).unwrap();
    assert!(flakes.stats().holder_up);
    flakes.next_id().unwrap_err();
    let stats = flakes.stats();
    assert!(!stats.holder_up && stats.lease_failures > 0 && stats.failed_calls == 1, "{stats:?}");
    assert!(stats.last_error_at > Some(1_700_000_000_000), "{stats:?}");
    assert_eq!(stats.last_error_code, Some("store_unavailable"));
    let _ = flakes.close();
    assert!(flakes.stats().holder_up);
}

#[test]
fn statistics_match_the_vectors() {
    let stats: serde_json::Value = serde_json::from_str(include_str!("../../../tests/vectors/stats.json")).unwrap();
    let names: Vec<&str> = stats["snowflake"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names, leafmint::snowflake::SNOWFLAKE_STATS);
}

#[test]
fn the_namespace_is_that_of_the_worker_ids() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let (away, billing) = ("mysql://root@127.0.0.1:1/shop", ("namespace", "billing"));
    assert_eq!(namespace(&format!("local:{path}"), []), "default");
    assert_eq!(namespace(&format!("local:{path}"), [billing]), "billing");
    assert_eq!(namespace("fixed:7", [billing, ("state_dir", path)]), "billing");
    assert_eq!(namespace(away, [billing]), "billing");
    let assigned = [billing, ("worker_mode", "endpoint"), ("endpoint", "10.0.0.7:8080")];
    assert_eq!(namespace(away, assigned), "leaf_workerid_alloc");
}

fn namespace<const N: usize>(url: &str, given: [(&str, &str); N]) -> String {
    leafmint::open::snowflake(url, options(given)).unwrap().stats().namespace
}
