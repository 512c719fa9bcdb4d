//! The holders that tests run on.
#![allow(dead_code)]

use crate::stores::{self, proxy::Proxy};
use leafmint::clock::{Clock, SystemClock};
use leafmint::holder::{Pace, RowHolder, RowHolderSettings, WorkerIdHolder, WorkerLease, WorkerMode};
use leafmint::store::{MySqlSettings, SslMode};
use leafmint::{Answer, ErrorKind, Result};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A process that claims a worker id of a database.
#[derive(Clone)]
pub(crate) struct Claimant {
    pub(crate) mysql: MySqlSettings,
    pub(crate) rows: RowHolderSettings,
}

impl Claimant {
    /// Changes some settings.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut RowHolderSettings)) -> Self {
        change(&mut self.rows);
        self
    }

    /// Opens its holder, with a clock of its own.
    pub(crate) fn open(self, clock: Arc<dyn Clock>) -> Arc<dyn WorkerIdHolder> {
        Arc::new(RowHolder::over_mysql(self.mysql, self.rows, clock))
    }
}

/// Waits for an answer.
pub(crate) fn wait<T>(answer: Answer<'_, T>) -> Result<T> {
    stores::runtime().block_on(answer)
}

/// Returns this host's clock in Unix milliseconds.
pub(crate) fn now() -> i64 {
    SystemClock.wall()
}

/// Returns the address of the tests' database.
pub(crate) fn database() -> MySqlSettings {
    let url = mysql_async::Opts::from_url(&stores::mysql_url()).unwrap();
    MySqlSettings {
        hosts: vec![(url.ip_or_hostname().to_owned(), url.tcp_port())],
        database: url.db_name().unwrap().to_owned(),
        user: url.user().map(str::to_owned),
        password: url.pass().map(str::to_owned),
        ssl_mode: SslMode::Preferred,
        ssl_ca: None,
        connect_timeout: Duration::from_secs(10),
    }
}

/// Describes a process that claims a worker id of a namespace.
pub(crate) fn process(namespace: &str, number: u32) -> Claimant {
    let rows = RowHolderSettings {
        mode: WorkerMode::Lease { namespace: namespace.to_owned() },
        workers: (0..64).collect(),
        layout: "41-10-12 ms since 1288834974657".to_owned(),
        endpoint: format!("10.0.0.{number}:8080").into(),
        pace: Pace::LEASE,
        file_pace: Pace::LOCAL,
        state_dir: None,
        max_clock_skew: Duration::from_secs(10),
    };
    Claimant { mysql: database(), rows }
}

/// Opens the holder of a process.
pub(crate) fn open(process: Claimant) -> Arc<dyn WorkerIdHolder> {
    process.open(Arc::new(SystemClock))
}

/// A network to the database, and a process that goes through it.
pub(crate) fn through_proxy(mut process: Claimant) -> (Proxy, Claimant) {
    let (host, port) = database().hosts.remove(0);
    let proxy = Proxy::to(&host, port);
    process.mysql.hosts = vec![("127.0.0.1".to_owned(), proxy.port)];
    process.mysql.connect_timeout = Duration::from_millis(500);
    (proxy, process)
}

/// Gives a process the state directory of a host.
pub(crate) fn on_this_host(process: Claimant, state_dir: &Path) -> Claimant {
    process.with(|rows| rows.state_dir = Some(state_dir.to_owned()))
}

/// Reads the furthest horizon of a namespace.
pub(crate) fn row_horizon(namespace: &str) -> i64 {
    stores::number(&format!("SELECT MAX(horizon) FROM leafmint_worker WHERE namespace = '{namespace}'"))
}

/// Acquires as soon as the owner releases the worker id, or its time has passed.
pub(crate) fn acquire_soon(holder: &dyn WorkerIdHolder) -> WorkerLease {
    let started = Instant::now();
    loop {
        match wait(holder.acquire()) {
            Ok(lease) => return lease,
            Err(error)
                if error.kind() == ErrorKind::WorkerIdUnavailable && started.elapsed() < Duration::from_secs(15) =>
            {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Ends a holder as a crash would, and waits until nothing of it is left in this process.
pub(crate) fn crash(holder: Arc<dyn WorkerIdHolder>) {
    drop(holder);
    std::thread::sleep(Duration::from_millis(30));
}

/// Drops a database at the end of a test.
pub(crate) struct Database(pub(crate) String);

impl Database {
    pub(crate) fn empty() -> Self {
        let name = stores::unique("leafmint_test");
        stores::sql(&format!("CREATE DATABASE `{name}` CHARACTER SET utf8mb4"));
        Self(name)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        stores::sql(&format!("DROP DATABASE IF EXISTS `{}`", self.0));
    }
}
