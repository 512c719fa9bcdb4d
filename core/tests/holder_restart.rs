//! What a host's state directory is for: a process survives restarts and outages of the database with the same worker
//! id.

use crate::holders::{Server, crash, eventually, now, on_this_host, open, process, through_proxy, wait};
use crate::lending;
use crate::stores::{self, unique, wait_until};
use leafmint::ErrorKind;
use leafmint::clock::SystemClock;
use leafmint::holder::{Pace, WorkerIdHolder};
use leafmint_backends::rows::RowHolder;
use leafmint_backends::sessions::DatabaseSettings;
use std::sync::Arc;
use std::time::{Duration, Instant};

on_each_registry! {
    ten_crashes_and_restarts_on_one_host_keep_the_worker_id_and_do_not_run_ahead,
    another_host_does_not_take_a_worker_id_whose_owner_crashed,
    a_state_file_that_is_damaged_or_says_something_else_than_the_row_is_not_believed,
    a_state_directory_that_cannot_be_written_is_named_with_the_way_out,
    an_outage_is_survived_until_the_rows_horizon_also_by_a_restart_here,
    without_registry_and_state_file_there_is_no_worker_id,
    a_clean_close_in_an_outage_lets_this_host_continue_from_what_was_used,
    a_release_that_may_still_arrive_forbids_an_offline_restart,
    a_claim_after_that_release_forbids_an_offline_restart_too,
    a_frozen_registry_does_not_hold_up_the_heartbeats,
    the_average_of_heartbeats_is_that_of_the_registry,
}

fn ten_crashes_and_restarts_on_one_host_keep_the_worker_id_and_do_not_run_ahead(server: Server) {
    let (namespace, host) = (unique("restart"), tempfile::tempdir().unwrap());
    // A tenth of the usual time, which each restart waits out.
    let file_pace = Pace { lease_duration: Duration::from_millis(300), heartbeat: Duration::from_millis(100) };
    let mut horizon = None;
    for _ in 0..10 {
        let process = process(server, &namespace, fastrand::u32(..200)).with(|rows| rows.file_pace = file_pace);
        let holder = open(on_this_host(process, host.path()));
        let lease = wait(holder.acquire()).unwrap();
        assert_eq!(lease.worker_id, 0);
        assert_eq!(lease.floor, horizon.unwrap_or(i64::MIN), "from the state file's horizon, not from the row's");
        assert!(lease.horizon <= now() + 300, "{} ms ahead", lease.horizon - now());
        horizon = Some(lease.horizon);
        // A crash long after the last heartbeat would be waited out already.
        let file = wait(holder.extend(&lease, lease.horizon + 1)).unwrap();
        horizon = horizon.max(Some(file));
        assert!(server.row_horizon(&namespace) >= now() + 590_000);
        crash(holder);
    }
}

fn another_host_does_not_take_a_worker_id_whose_owner_crashed(server: Server) {
    let (namespace, host, other) = (unique("hosts"), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let holder = open(on_this_host(process(server, &namespace, 1), host.path()));
    assert_eq!(wait(holder.acquire()).unwrap().worker_id, 0);
    crash(holder);
    assert_eq!(wait(open(on_this_host(process(server, &namespace, 2), other.path())).acquire()).unwrap().worker_id, 1);
}

fn a_state_file_that_is_damaged_or_says_something_else_than_the_row_is_not_believed(server: Server) {
    let host = tempfile::tempdir().unwrap();
    let state_file = || {
        let folder = std::fs::read_dir(host.path()).unwrap().next().unwrap().unwrap().path();
        folder.join("0.state")
    };
    type Change<'a> = &'a dyn Fn(&str, &str) -> String;
    let changes: [Change<'_>; 4] = [
        &|_, _| String::new(),
        &|text, _| text[..text.len() / 2].to_owned(),
        &|text, _| text.replace("owner ", "owner elsewhere "),
        // A copy: its original has moved the row on since.
        &|text, namespace| {
            server.overwrite(namespace, None, server.row_horizon(namespace) + 1);
            text.to_owned()
        },
    ];
    for (turn, change) in changes.into_iter().enumerate() {
        let namespace = unique("damaged");
        let settings = || on_this_host(process(server, &namespace, 1), host.path());
        let holder = open(settings());
        assert_eq!(wait(holder.acquire()).unwrap().worker_id, 0);
        crash(holder);
        let file = state_file();
        std::fs::write(&file, change(&std::fs::read_to_string(&file).unwrap(), &namespace)).unwrap();
        assert_eq!(wait(open(settings()).acquire()).unwrap().worker_id, 1, "turn {turn}");
        std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
    }
}

fn a_state_directory_that_cannot_be_written_is_named_with_the_way_out(server: Server) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = wait(open(on_this_host(process(server, &unique("disk"), 1), file.path())).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("state_files=false"), "{error}");
}

fn an_outage_is_survived_until_the_rows_horizon_also_by_a_restart_here(server: Server) {
    let (namespace, host) = (unique("outage"), tempfile::tempdir().unwrap());
    let pace = Pace { lease_duration: Duration::from_secs(9), heartbeat: Duration::from_millis(500) };
    let settings = on_this_host(process(server, &namespace, 1), host.path()).with(|rows| rows.pace = pace);
    let (proxy, settings) = through_proxy(settings);
    let holder = open(settings.clone());
    let first = wait(holder.acquire()).unwrap();
    wait(holder.extend(&first, now() + 3_000)).unwrap();
    proxy.cut();
    let reserved = server.row_horizon(&namespace);
    let asked = (now() + 3_100).min(reserved);
    let mut horizon = wait(holder.extend(&first, asked)).unwrap();
    assert_eq!(horizon, asked, "the registry is not needed");
    crash(holder);

    // No other host may have it, and this host continues from the state file.
    let holder = open(settings.clone());
    let second = eventually(|| wait(holder.acquire()));
    assert_eq!((second.worker_id, second.floor), (first.worker_id, horizon));
    let error = loop {
        match wait(holder.extend(&second, now() + 3_000)) {
            Ok(on) => {
                assert!(on >= horizon && on <= reserved, "{on} is beyond {reserved}");
                horizon = on;
                std::thread::sleep(Duration::from_millis(100));
            }
            Err(error) => break error,
        }
    };
    assert_eq!((error.kind(), horizon), (ErrorKind::StoreUnavailable, reserved), "{error}");

    proxy.pass();
    // The outage is noted by the next attempt at the earliest.
    wait_until("it does not recover by itself", || {
        wait(holder.extend(&second, now() + 3_000)).is_ok_and(|on| on > reserved)
    });
}

/// An engine or a data source may lead to another database than before the restart, under the same name.
#[test]
fn over_lent_connections_a_restart_continues_only_once_the_database_has_answered() {
    let (host, (proxy, url)) = (tempfile::tempdir().unwrap(), stores::through_proxy());
    let settings = on_this_host(process(Server::MySql, &unique("lent"), 1), host.path());
    let lent = || -> Arc<dyn WorkerIdHolder> {
        let database = lending::settings(lending::mysql::lender(&url));
        let database = DatabaseSettings { connect_timeout: Duration::from_secs(2), ..database };
        Arc::new(RowHolder::borrowed(database, settings.rows.clone(), Arc::new(SystemClock)))
    };
    let holder = lent();
    let first = wait(holder.acquire()).unwrap();
    proxy.cut();
    crash(holder);
    let restarted = lent();
    assert_eq!(wait(restarted.acquire()).unwrap_err().kind(), ErrorKind::StoreUnavailable);
    proxy.pass();
    assert_eq!(eventually(|| wait(restarted.acquire())).worker_id, first.worker_id);
}

fn without_registry_and_state_file_there_is_no_worker_id(server: Server) {
    let host = tempfile::tempdir().unwrap();
    let (proxy, settings) = through_proxy(on_this_host(process(server, &unique("none"), 1), host.path()));
    proxy.cut();
    assert_eq!(wait(open(settings).acquire()).unwrap_err().kind(), ErrorKind::StoreUnavailable);
}

fn a_clean_close_in_an_outage_lets_this_host_continue_from_what_was_used(server: Server) {
    let host = tempfile::tempdir().unwrap();
    let pace = Pace { lease_duration: Duration::from_secs(60), heartbeat: Duration::from_secs(1) };
    let settings = process(server, &unique("close"), 1).with(|rows| rows.pace = pace);
    let (proxy, settings) = through_proxy(on_this_host(settings, host.path()));
    let holder = open(settings.clone());
    let mut first = wait(holder.acquire()).unwrap();
    proxy.cut();
    // The row is due a heartbeat after it was written: until then the outage goes unnoticed, and then for as long as an
    // attempt takes.
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(4) {
        first.horizon = wait(holder.extend(&first, now() + 3_000)).unwrap();
        std::thread::sleep(Duration::from_millis(200));
    }
    let used = now();
    wait(holder.release(&first, used)).unwrap();
    crash(holder);
    let second = wait(open(settings).acquire()).unwrap();
    assert_eq!((second.worker_id, second.floor), (first.worker_id, used));
}

fn a_release_that_may_still_arrive_forbids_an_offline_restart(server: Server) {
    let host = tempfile::tempdir().unwrap();
    let (proxy, settings) = through_proxy(on_this_host(process(server, &unique("release"), 1), host.path()));
    let holder = open(settings.clone());
    let first = wait(holder.acquire()).unwrap();
    proxy.cut();
    assert!(wait(holder.release(&first, now())).is_err());
    crash(holder);
    assert_eq!(wait(open(settings.clone()).acquire()).unwrap_err().kind(), ErrorKind::StoreUnavailable);
    proxy.pass();
    assert_eq!(
        wait(open(settings).acquire()).unwrap().worker_id,
        first.worker_id,
        "the row shows that it is still ours"
    );
}

fn a_claim_after_that_release_forbids_an_offline_restart_too(server: Server) {
    let (namespace, host) = (unique("overtaken"), tempfile::tempdir().unwrap());
    let only = on_this_host(process(server, &namespace, 1), host.path()).with(|rows| rows.workers = 0.into());
    let (proxy, settings) = through_proxy(only);
    let holder = open(settings.clone());
    let first = wait(holder.acquire()).unwrap();
    wait(holder.extend(&first, now() + 6_000)).unwrap();
    proxy.cut();
    let used = now() + 5_000;
    assert!(wait(holder.release(&first, used)).is_err());
    crash(holder);
    proxy.pass();
    // The next process has read the row and waits until the used time has passed. Meanwhile the release arrives, and
    // another host takes the row.
    let next = open(settings.clone());
    let claim = std::thread::spawn(move || (wait(next.acquire()), next));
    std::thread::sleep(Duration::from_millis(1_000));
    server.overwrite(&namespace, Some(&"a".repeat(32)), used + 600_000);
    let (second, next) = claim.join().unwrap();
    assert_eq!(second.unwrap_err().kind(), ErrorKind::WorkerIdUnavailable);
    crash(next);
    proxy.cut();
    assert_eq!(
        wait(open(settings).acquire()).unwrap_err().kind(),
        ErrorKind::StoreUnavailable,
        "it is the other host's"
    );
}

fn a_frozen_registry_does_not_hold_up_the_heartbeats(server: Server) {
    let host = tempfile::tempdir().unwrap();
    let pace = Pace { lease_duration: Duration::from_secs(60), heartbeat: Duration::from_millis(1) };
    let settings = on_this_host(process(server, &unique("frozen"), 1), host.path()).with(|rows| rows.pace = pace);
    let (proxy, mut settings) = through_proxy(settings);
    settings.database.connect_timeout = Duration::from_secs(60);
    let holder = open(settings);
    let lease = wait(holder.acquire()).unwrap();
    proxy.hold();
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(60));
        let started = Instant::now();
        let asked = now() + 3_000;
        assert_eq!(wait(holder.extend(&lease, asked)).unwrap(), asked);
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    }
}

fn the_average_of_heartbeats_is_that_of_the_registry(server: Server) {
    let host = tempfile::tempdir().unwrap();
    let pace = Pace { lease_duration: Duration::from_secs(60), heartbeat: Duration::from_millis(100) };
    let settings = process(server, &unique("average"), 1).with(|rows| rows.pace = pace);
    let (proxy, settings) = through_proxy(on_this_host(settings, host.path()));
    let holder = open(settings);
    let lease = wait(holder.acquire()).unwrap();
    proxy.slow_down(300);
    wait_until("there was no heartbeat", || {
        wait(holder.extend(&lease, now() + 3_000)).unwrap();
        holder.heartbeat_millis().is_some()
    });
    assert!(holder.heartbeat_millis() >= Some(300.0), "{:?}", holder.heartbeat_millis());
}
