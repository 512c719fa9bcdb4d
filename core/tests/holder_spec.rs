//! What every holder of worker ids promises: one suite, run on each of them.

use crate::holders::{Server, acquire_soon, crash, eventually, now, process, rows, wait};
use crate::lending;
use crate::lending::drivers::Lent;
use crate::stores::wait_until;
use crate::stores::zookeeper::Operator;
use leafmint::ErrorKind;
use leafmint::clock::SystemClock;
use leafmint::holder::{Pace, WorkerIdHolder, WorkerLease, Workers};
use leafmint_backends::directory::{DirectoryHolder, DirectorySettings};
use leafmint_backends::rows::{RowHolder, RowHolderSettings};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A process that claims a worker id.
#[derive(Clone)]
pub(crate) struct Process {
    pub(crate) number: u32,
    pub(crate) host: u32,
    pub(crate) workers: Workers,
    pub(crate) layout: &'static str,
    pub(crate) pace: Pace,
}

/// Short, so that a crash is waited out quickly.
const SHORT: Pace = Pace { lease_duration: Duration::from_millis(500), heartbeat: Duration::from_millis(100) };

pub(crate) fn one(number: u32, workers: impl IntoIterator<Item = i64>) -> Process {
    Process { number, host: number, workers: workers.into_iter().collect(), layout: "leaf", pace: SHORT }
}

/// One and the same worker ids, opened by many processes.
pub(crate) trait Pool: Sync {
    fn open(&self, process: Process) -> Arc<dyn WorkerIdHolder>;

    /// Does what lets a thief in while the owner lives. If their hosts differ, time alone does.
    fn unlock(&self, _lease: &WorkerLease) {}
}

pub(crate) struct Directory(pub(crate) tempfile::TempDir, pub(crate) &'static str);

impl Pool for Directory {
    fn open(&self, process: Process) -> Arc<dyn WorkerIdHolder> {
        let settings = DirectorySettings {
            directory: self.0.path().join("default"),
            workers: process.workers,
            layout: process.layout.into(),
            endpoint: format!("10.0.0.{}:8080", process.number).into(),
            pace: process.pace,
            name: self.1,
            on_host: None,
        };
        Arc::new(DirectoryHolder::new(settings, Arc::new(SystemClock)))
    }

    fn unlock(&self, lease: &WorkerLease) {
        // Both files: while the owner has either of them, no other process gets the worker id.
        let directory = self.0.path().join("default");
        let state = directory.join(format!("{}.state", lease.worker_id));
        std::fs::copy(&state, directory.join("copy")).unwrap();
        std::fs::rename(directory.join("copy"), state).unwrap();
        std::fs::remove_file(directory.join(format!("{}.lock", lease.worker_id))).unwrap();
    }
}

/// Rows of a database.
pub(crate) struct Rows {
    server: Server,
    is_assigned: bool,
    pub(crate) namespace: String,
    /// The directory that holds the hosts' own ones.
    hosts: Option<tempfile::TempDir>,
}

impl Pool for Rows {
    fn open(&self, asked: Process) -> Arc<dyn WorkerIdHolder> {
        let process = process(self.server, &self.namespace, asked.number).with(|rows| {
            rows.is_assigned = self.is_assigned;
            rows.workers = asked.workers;
            rows.layout = asked.layout.into();
            rows.pace = asked.pace;
            rows.state_dir = self.hosts.as_ref().map(|hosts| hosts.path().join(asked.host.to_string()));
        });
        process.open(Arc::new(SystemClock))
    }
}

impl Drop for Rows {
    /// Drops the table that assigned the worker ids.
    fn drop(&mut self) {
        if self.is_assigned {
            self.server.sql(&format!("DROP TABLE IF EXISTS {}", self.namespace));
        }
    }
}

/// Rows of a database that an application's connections lead to.
struct LentRows {
    lent: Lent,
    is_assigned: bool,
    namespace: String,
    hosts: tempfile::TempDir,
}

impl LentRows {
    fn of(lent: Lent, is_assigned: bool) -> Self {
        let namespace = crate::stores::unique(if is_assigned { "leaf_workerid_alloc" } else { "spec" });
        Self { lent, is_assigned, namespace, hosts: tempfile::tempdir().unwrap() }
    }
}

impl Pool for LentRows {
    fn open(&self, asked: Process) -> Arc<dyn WorkerIdHolder> {
        let settings = RowHolderSettings {
            is_assigned: self.is_assigned,
            state_dir: Some(self.hosts.path().join(asked.host.to_string())),
            workers: asked.workers,
            layout: asked.layout.into(),
            pace: asked.pace,
            ..rows(&self.namespace, asked.number)
        };
        let database = lending::settings(self.lent.lender());
        Arc::new(RowHolder::borrowed(database, settings, Arc::new(SystemClock)))
    }
}

impl Drop for LentRows {
    /// Drops the table that assigned the worker ids.
    fn drop(&mut self) {
        if self.is_assigned {
            lending::sql(&self.lent.lender(), &format!("DROP TABLE {}", self.namespace));
        }
    }
}

/// Nodes of Leaf's own tree, which a Leaf server has used before.
struct Forever {
    leaf_name: String,
    hosts: Option<tempfile::TempDir>,
}

impl Forever {
    fn new(with_state: bool) -> Self {
        let forever = Self { leaf_name: crate::stores::unique("leaf"), hosts: hosts(with_state) };
        forever.leaf_has_left("10.0.0.250", 0);
        forever
    }

    /// Makes the node of an endpoint, if it has none.
    fn leaf_has_left(&self, ip: &str, worker_id: i64) {
        let (mut operator, forever) = (Operator::new(), format!("/snowflake/{}/forever", self.leaf_name));
        operator.create_all(&forever);
        let node = format!("{forever}/{ip}:8080-{worker_id:010}");
        if operator.get(&node).is_none() {
            operator.create(&node, &format!(r#"{{"ip":"{ip}","port":"8080","timestamp":0}}"#));
        }
    }
}

impl Pool for Forever {
    fn open(&self, asked: Process) -> Arc<dyn WorkerIdHolder> {
        // Leaf gives an endpoint its worker id; which one that is, no option says.
        if let Some(worker_id) = asked.workers.only() {
            self.leaf_has_left(&format!("10.0.0.{}", asked.number), worker_id);
        }
        let mut process = process(Server::ZooKeeper, "spec", asked.number).with(|rows| {
            rows.is_assigned = true;
            rows.workers = asked.workers;
            rows.layout = asked.layout.into();
            rows.pace = asked.pace;
            rows.state_dir = self.hosts.as_ref().map(|hosts| hosts.path().join(asked.host.to_string()));
        });
        process.database.database.clone_from(&self.leaf_name);
        process.open(Arc::new(SystemClock))
    }
}

fn hosts(with_state: bool) -> Option<tempfile::TempDir> {
    with_state.then(|| tempfile::tempdir().unwrap())
}

pub(crate) fn lease(server: Server, with_state: bool) -> Rows {
    Rows { server, is_assigned: false, namespace: crate::stores::unique("spec"), hosts: hosts(with_state) }
}

pub(crate) fn fixed(server: Server, with_state: bool) -> Rows {
    let namespace = crate::stores::unique("leaf_workerid_alloc");
    Rows { server, is_assigned: true, namespace, hosts: hosts(with_state) }
}

macro_rules! suite {
    ($($promise:ident),* $(,)?) => {
        suite! { @on local, super::Directory(tempfile::tempdir().unwrap(), "local"); $($promise),* }
        suite! { @on fixed, super::Directory(tempfile::tempdir().unwrap(), "fixed"); $($promise),* }
        suite! { @on mysql_lease, super::lease(super::Server::MySql, false); $($promise),* }
        suite! { @on mysql_lease_with_state, super::lease(super::Server::MySql, true); $($promise),* }
        suite! { @on mysql_fixed, super::fixed(super::Server::MySql, false); $($promise),* }
        suite! { @on mysql_fixed_with_state, super::fixed(super::Server::MySql, true); $($promise),* }
        suite! { @on postgres_lease, super::lease(super::Server::Postgres, false); $($promise),* }
        suite! { @on postgres_lease_with_state, super::lease(super::Server::Postgres, true); $($promise),* }
        suite! { @on zookeeper_lease, super::lease(super::Server::ZooKeeper, false); $($promise),* }
        suite! { @on zookeeper_lease_with_state, super::lease(super::Server::ZooKeeper, true); $($promise),* }
        suite! { @on postgres_fixed, super::fixed(super::Server::Postgres, false); $($promise),* }
        suite! { @on postgres_fixed_with_state, super::fixed(super::Server::Postgres, true); $($promise),* }
        on_each_driver! { lent_suite; $($promise),* }
    };
    (@on $holder:ident, $pool:expr; $($promise:ident),* $(,)?) => {
        mod $holder { $(#[test] fn $promise() { super::$promise(&$pool); })* }
    };
}

/// The worker ids of a lease, and fixed ones, over connections of an application.
macro_rules! lent_suite {
    ($driver:ident, $lent:expr; $($promise:ident),* $(,)?) => {
        mod $driver {
            mod lease { $(#[test] fn $promise() { super::super::$promise(&super::super::LentRows::of($lent, false)); })* }
            mod fixed { $(#[test] fn $promise() { super::super::$promise(&super::super::LentRows::of($lent, true)); })* }
        }
    };
}

/// Leaf's tree has no smallest free worker id, and its numbers have no other owners.
macro_rules! suite_of_leafs_tree {
    ($($promise:ident),* $(,)?) => {
        suite! { @on zookeeper_forever, super::Forever::new(false); $($promise),* }
        suite! { @on zookeeper_forever_with_state, super::Forever::new(true); $($promise),* }
    };
}

/// Adds the promises of every holder to a suite.
macro_rules! with_the_promises_of_all {
    ($suite:ident! { $($promise:ident),* $(,)? }) => {
        $suite! {
            $($promise,)*
            processes_that_start_at_once_get_distinct_worker_ids,
            leases_of_one_worker_id_never_overlap,
            a_horizon_never_moves_back,
            a_stolen_lease_is_lost_also_when_its_worker_id_is_taken_back,
            a_release_lets_the_next_owner_in_at_once,
            a_release_never_lowers_the_floor,
            after_a_crash_the_floor_is_the_horizon,
            another_layout_is_refused,
            the_scope_names_the_processes_that_share_the_worker_ids,
            heartbeats_are_timed,
            worker_ids_are_listed_with_their_owners_and_none_is_taken,
            a_check_takes_no_worker_id_and_refuses_another_layout,
            a_worker_id_that_no_process_holds_is_free_already,
            a_living_owner_loses_its_worker_id_only_by_force_and_no_id_can_repeat,
        }
    };
}

with_the_promises_of_all! {
    suite! {
        the_first_process_gets_the_smallest_worker_id,
        without_a_free_worker_id_the_error_names_the_owners,
    }
}
with_the_promises_of_all! { suite_of_leafs_tree! {} }

fn the_first_process_gets_the_smallest_worker_id(pool: &impl Pool) {
    assert_eq!(wait(pool.open(one(1, 0..40)).acquire()).unwrap().worker_id, 0);
}

fn processes_that_start_at_once_get_distinct_worker_ids(pool: &impl Pool) {
    let long = Pace { lease_duration: Duration::from_secs(600), ..SHORT };
    let holders: Vec<_> = (0..24).map(|number| pool.open(Process { pace: long, ..one(number, 0..40) })).collect();
    // First worker ids that no process has had, then those that were released.
    for _ in 0..3 {
        let leases: Vec<WorkerLease> = std::thread::scope(|scope| {
            // A file lets writers in without an order: on a busy machine one may wait for longer than its deadline.
            let starting: Vec<_> =
                holders.iter().map(|holder| scope.spawn(move || eventually(|| wait(holder.acquire())))).collect();
            starting.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let ids: BTreeSet<i64> = leases.iter().map(|lease| lease.worker_id).collect();
        assert_eq!(ids.len(), 24, "{ids:?}");
        assert!(ids.iter().all(|id| (0..40).contains(id)));
        assert!(leases.iter().all(|lease| lease.floor < lease.horizon));
        for (holder, lease) in holders.iter().zip(&leases) {
            wait(holder.release(lease, now())).unwrap();
        }
    }
}

fn leases_of_one_worker_id_never_overlap(pool: &impl Pool) {
    let mut stamped_up_to = i64::MIN;
    let mut tokens = Vec::new();
    for turn in 0..8 {
        // Sometimes the same host again, sometimes another one. The endpoint stays, as fixed worker ids belong to it.
        let holder = pool.open(Process { host: fastrand::u32(..2), ..one(1, [5]) });
        let mut lease = acquire_soon(&*holder);
        assert!(lease.floor >= stamped_up_to, "turn {turn}: {lease:?} starts before {stamped_up_to}");
        assert!(lease.horizon > lease.floor);
        assert!(!tokens.contains(&lease.token), "a fresh token for every lease");
        tokens.push(lease.token);
        for _ in 0..fastrand::u32(..4) {
            let asked = lease.horizon.max(now()) + fastrand::i64(1..150);
            lease.horizon = wait(holder.extend(&lease, asked)).unwrap();
            assert!(lease.horizon <= asked);
        }
        if fastrand::bool() {
            let used = fastrand::i64(lease.floor.max(lease.horizon - 1000)..lease.horizon);
            wait(holder.release(&lease, used)).unwrap();
            stamped_up_to = used;
        } else {
            stamped_up_to = lease.horizon;
        }
        crash(holder);
    }
}

fn a_horizon_never_moves_back(pool: &impl Pool) {
    let holder = pool.open(one(1, [5]));
    let lease = wait(holder.acquire()).unwrap();
    let extended = wait(holder.extend(&lease, lease.horizon + 50)).unwrap();
    assert_eq!(extended, lease.horizon + 50);
    for earlier in [lease.horizon, lease.floor.max(0), i64::MIN, extended] {
        assert_eq!(wait(holder.extend(&lease, earlier)).unwrap(), extended);
    }
    crash(holder);
    assert!(acquire_soon(&*pool.open(one(1, [5]))).floor >= extended);
}

fn a_stolen_lease_is_lost_also_when_its_worker_id_is_taken_back(pool: &impl Pool) {
    let owner = pool.open(one(1, [5]));
    let stolen = wait(owner.acquire()).unwrap();
    pool.unlock(&stolen);
    let thief = pool.open(Process { host: 2, ..one(1, [5]) });
    let theirs = acquire_soon(&*thief);
    assert_eq!(theirs.worker_id, stolen.worker_id);
    assert!(theirs.floor >= stolen.horizon, "{theirs:?} overlaps {stolen:?}");
    assert_ne!(theirs.token, stolen.token);
    assert_eq!(wait(owner.extend(&stolen, now() + 60_000)).unwrap_err().kind(), ErrorKind::LeaseLost);
    assert!(wait(owner.release(&stolen, stolen.floor)).is_err());
    let theirs = WorkerLease { horizon: wait(thief.extend(&theirs, theirs.horizon + 10)).unwrap(), ..theirs };
    wait(thief.release(&theirs, theirs.horizon)).unwrap();

    let taken_back = acquire_soon(&*owner);
    assert_eq!(taken_back.worker_id, stolen.worker_id);
    assert!(taken_back.floor >= theirs.horizon);
    let far = taken_back.horizon + 60_000;
    assert_eq!(wait(owner.extend(&stolen, far)).unwrap_err().kind(), ErrorKind::LeaseLost);
    assert_eq!(wait(thief.extend(&theirs, far)).unwrap_err().kind(), ErrorKind::LeaseLost);
    let asked = taken_back.horizon + 10;
    assert_eq!(wait(owner.extend(&taken_back, asked)).unwrap(), asked, "neither moved the new lease");
}

fn a_release_lets_the_next_owner_in_at_once(pool: &impl Pool) {
    let long = Pace { lease_duration: Duration::from_secs(600), ..SHORT };
    let owner = pool.open(Process { pace: long, ..one(1, [5]) });
    let lease = wait(owner.acquire()).unwrap();
    let used = now();
    wait(owner.release(&lease, used)).unwrap();
    let started = Instant::now();
    let next = wait(pool.open(Process { host: 2, pace: long, ..one(1, [5]) }).acquire()).unwrap();
    // Not after the ten minutes that were reserved.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert_eq!((next.worker_id, next.floor), (5, used));
    assert_eq!(wait(owner.extend(&lease, now() + 900_000)).unwrap_err().kind(), ErrorKind::LeaseLost);
}

fn a_release_never_lowers_the_floor(pool: &impl Pool) {
    let mut floor = i64::MIN;
    for used in [now(), i64::MIN, 0] {
        let holder = pool.open(one(1, [5]));
        let lease = acquire_soon(&*holder);
        assert!(lease.floor >= floor, "{lease:?} starts before {floor}");
        wait(holder.release(&lease, used)).unwrap();
        floor = floor.max(used);
    }
}

fn after_a_crash_the_floor_is_the_horizon(pool: &impl Pool) {
    let holder = pool.open(one(1, [5]));
    let lease = wait(holder.acquire()).unwrap();
    let horizon = wait(holder.extend(&lease, lease.horizon + 100)).unwrap();
    // A row is moved further than that if the call came late.
    let reserved = horizon.max(now() + SHORT.lease_millis());
    crash(holder);
    // The clock must show another time than the horizon.
    std::thread::sleep(Duration::from_millis((reserved + 50 - now()).max(0) as u64));
    let floor = acquire_soon(&*pool.open(one(1, [5]))).floor;
    assert!((horizon..=reserved).contains(&floor), "{horizon} <= {floor} <= {reserved}");
}

fn without_a_free_worker_id_the_error_names_the_owners(pool: &impl Pool) {
    let long = Pace { lease_duration: Duration::from_secs(600), ..SHORT };
    let open = |number| pool.open(Process { pace: long, ..one(number, [3, 4]) });
    let (first, second) = (open(1), open(2));
    wait(first.acquire()).unwrap();
    wait(second.acquire()).unwrap();
    let error = wait(open(3).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
    for part in ["all 2 worker ids", "3 by 10.0.0.", "4 by 10.0.0.", "workers"] {
        assert!(error.message().contains(part), "{part}: {error}");
    }
}

fn another_layout_is_refused(pool: &impl Pool) {
    let holder = pool.open(one(1, [5]));
    wait(holder.acquire()).unwrap();
    let other = pool.open(Process { layout: "javascript", ..one(2, [6]) });
    let error = wait(other.acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig);
    assert!(error.message().contains("\"leaf\"") && error.message().contains("\"javascript\""), "{error}");
}

fn the_scope_names_the_processes_that_share_the_worker_ids(pool: &impl Pool) {
    let holder = pool.open(one(1, [5]));
    assert!(holder.scope().contains("(scope: "), "{}", holder.scope());
    assert!(!holder.name().is_empty());
    assert!(holder.pace().heartbeat < holder.pace().lease_duration);
}

fn heartbeats_are_timed(pool: &impl Pool) {
    let holder = pool.open(one(1, [5]));
    let mut lease = wait(holder.acquire()).unwrap();
    assert_eq!(holder.heartbeat_millis(), None);
    wait_until("there was no heartbeat", || {
        lease.horizon = wait(holder.extend(&lease, now() + 400)).unwrap();
        holder.heartbeat_millis().is_some_and(|millis| millis > 0.0)
    });
}

fn worker_ids_are_listed_with_their_owners_and_none_is_taken(pool: &impl Pool) {
    let looking = pool.open(one(9, 0..40));
    assert_eq!(wait(looking.list_workers()).unwrap(), []);
    let long = Pace { lease_duration: Duration::from_secs(600), ..SHORT };
    let (first, second) =
        (pool.open(Process { pace: long, ..one(1, [3]) }), pool.open(Process { pace: long, ..one(2, [5]) }));
    let (left, held) = (wait(first.acquire()).unwrap(), wait(second.acquire()).unwrap());
    // On a busy machine the lease may have ended by now.
    let used = left.floor.max(now() - 1000).min(left.horizon);
    wait(first.release(&left, used)).unwrap();
    for _ in 0..2 {
        let workers = wait(looking.list_workers()).unwrap();
        let shown: Vec<_> = workers
            .iter()
            .map(|worker| (worker.worker_id, worker.held, worker.horizon, worker.endpoint.as_str()))
            .collect();
        let expected = [(3, false, Some(used), "10.0.0.1:8080"), (5, true, Some(held.horizon), "10.0.0.2:8080")];
        assert_eq!(shown[0], expected[0]);
        assert_eq!((shown[1].0, shown[1].1, shown[1].3), (5, true, "10.0.0.2:8080"));
        assert!(shown[1].2 >= expected[1].2, "the row may reserve more than the state file");
        assert!(workers.iter().all(|worker| (now() - worker.updated.unwrap()).abs() < 60_000), "{workers:?}");
    }
    assert!(wait(second.extend(&held, held.horizon + 1)).is_ok(), "its owner has it still");
    let other: Vec<_> = wait(pool.open(one(9, [3])).list_workers()).unwrap();
    assert_eq!(other.len(), 1, "only those that this process may take: {other:?}");
}

fn a_check_takes_no_worker_id_and_refuses_another_layout(pool: &impl Pool) {
    let looking = pool.open(one(9, 0..40));
    let check = wait(looking.check()).unwrap();
    assert_eq!((check.is_new, check.workers, check.free_workers), (true, 40, 40));
    let owner = pool.open(one(1, [5]));
    let lease = wait(owner.acquire()).unwrap();
    wait(owner.extend(&lease, now() + 60_000)).unwrap();
    for _ in 0..2 {
        let check = wait(looking.check()).unwrap();
        assert_eq!((check.is_new, check.workers, check.free_workers), (false, 40, 39));
        assert!(check.clock_skew.unwrap_or(0).abs() < 5_000);
    }
    assert_eq!(wait(looking.list_workers()).unwrap().len(), 1, "it took none");
    let other = pool.open(Process { layout: "wide", ..one(9, 0..40) });
    assert_eq!(wait(other.check()).unwrap_err().kind(), ErrorKind::InvalidConfig);
}

fn a_worker_id_that_no_process_holds_is_free_already(pool: &impl Pool) {
    let looking = pool.open(one(9, 0..40));
    for force in [false, true] {
        assert!(!wait(looking.release_worker(5, force)).unwrap(), "no process has used the namespace");
    }
    let owner = pool.open(one(1, [5]));
    let lease = wait(owner.acquire()).unwrap();
    wait(owner.release(&lease, lease.floor.max(0))).unwrap();
    assert!(!wait(looking.release_worker(5, false)).unwrap());
    assert!(!wait(looking.release_worker(6, true)).unwrap(), "it was never taken");
    for none in [-1, 40, i64::MAX] {
        assert_eq!(wait(looking.release_worker(none, true)).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

fn a_living_owner_loses_its_worker_id_only_by_force_and_no_id_can_repeat(pool: &impl Pool) {
    let looking = pool.open(one(9, 0..40));
    // It has opened its session before the lease begins.
    assert_eq!(wait(looking.list_workers()).unwrap(), []);
    let owner = pool.open(Process { pace: Pace { lease_duration: Duration::from_secs(5), ..SHORT }, ..one(1, [5]) });
    let mut lease = wait(owner.acquire()).unwrap();
    let error = wait(looking.release_worker(5, false)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
    assert!(error.message().contains("10.0.0.1:8080"), "{error}");
    match wait(looking.release_worker(5, true)) {
        // A directory: the lock belongs to the living process.
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::WorkerIdUnavailable);
            assert!(wait(owner.extend(&lease, lease.horizon + 1)).is_ok());
        }
        Ok(freed) => {
            assert!(freed);
            assert!(!wait(looking.release_worker(5, true)).unwrap(), "it is free already");
            let stored = wait(looking.list_workers()).unwrap()[0].horizon.unwrap();
            assert!(stored >= lease.horizon);
            // The owner may go on up to what is stored, and no further.
            while let Ok(horizon) = wait(owner.extend(&lease, lease.horizon + 500)) {
                lease.horizon = horizon;
                assert!(horizon <= stored, "the owner goes on behind {stored}: {horizon}");
                assert!(horizon < stored || wait(owner.extend(&lease, stored + 1)).is_err());
                if horizon == stored {
                    break;
                }
            }
            let next = acquire_soon(&*pool.open(Process { host: 2, ..one(1, [5]) }));
            assert!(next.floor >= stored, "{next:?} begins before {stored}");
            assert_ne!(next.token, lease.token);
        }
    }
}
