//! The holders that tests run on.
#![allow(dead_code)]

use crate::stores::proxy::Proxy;
use crate::stores::{self, zookeeper};
use leafmint::clock::{Clock, SystemClock};
use leafmint::holder::{Pace, WorkerIdHolder, WorkerLease};
use leafmint::{Answer, Error, ErrorKind, Result};
use leafmint_backends::rows::{RowHolder, RowHolderSettings};
use leafmint_backends::sessions::DatabaseSettings;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A kind of database server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Server {
    MySql,
    Postgres,
    ZooKeeper,
}

impl Server {
    /// Returns the URL of the tests' database.
    pub(crate) fn url(self) -> String {
        match self {
            Server::MySql => stores::mysql_url(),
            Server::Postgres => stores::postgres_url(),
            Server::ZooKeeper => stores::zookeeper_url(),
        }
    }

    /// Returns the address of the tests' database.
    pub(crate) fn database(self) -> DatabaseSettings {
        DatabaseSettings { connect_timeout: Duration::from_secs(10), ..stores::settings(&self.url()) }
    }

    /// Runs statements as an operator would.
    pub(crate) fn sql(self, statements: &str) {
        self.sql_in(&self.database().database, statements);
    }

    /// Does the same in another database.
    pub(crate) fn sql_in(self, database: &str, statements: &str) {
        match self {
            Server::MySql => drop(stores::sql(&format!("USE `{database}`; {statements}"))),
            Server::Postgres => drop(stores::postgres::sql_on(&in_database(&self.url(), database), statements)),
            Server::ZooKeeper => unreachable!("ZooKeeper has no SQL"),
        }
    }

    /// Reads one number.
    pub(crate) fn number(self, query: &str) -> i64 {
        match self {
            Server::MySql => stores::number(query),
            Server::Postgres => stores::postgres::number(query),
            Server::ZooKeeper => unreachable!("ZooKeeper has no SQL"),
        }
    }

    /// Changes the horizon of worker id 0, and its token unless that is `None`, as another process would.
    pub(crate) fn overwrite(self, namespace: &str, token: Option<&str>, horizon: i64) {
        if self == Server::ZooKeeper {
            let worker = zookeeper::path(namespace, "/worker/0");
            return zookeeper::Operator::new()
                .edit(&worker, |text| zookeeper::with_version(text, token.unwrap_or(zookeeper::token(text)), horizon));
        }
        let token = token.map(|token| format!("token = '{token}', ")).unwrap_or_default();
        self.sql(&format!("UPDATE leafmint_worker SET {token}horizon = {horizon} WHERE namespace = '{namespace}'"));
    }

    /// Reads the furthest horizon of a namespace.
    pub(crate) fn row_horizon(self, namespace: &str) -> i64 {
        if self == Server::ZooKeeper {
            let (mut operator, workers) = (zookeeper::Operator::new(), zookeeper::path(namespace, "/worker"));
            let names = operator.children(&workers);
            let horizons =
                names.iter().map(|id| zookeeper::horizon(&operator.get(&format!("{workers}/{id}")).unwrap()));
            return horizons.max().unwrap();
        }
        self.number(&format!("SELECT MAX(horizon) FROM leafmint_worker WHERE namespace = '{namespace}'"))
    }
}

/// Returns the URL of another database of the same server.
fn in_database(url: &str, database: &str) -> String {
    format!("{}/{database}", url.rsplit_once('/').unwrap().0)
}

/// Makes a test on each kind of server of functions that take a [`Server`].
#[allow(unused_macros)]
macro_rules! on_each_server {
    ($($promise:ident),* $(,)?) => {
        mod mysql { $(#[test] fn $promise() { super::$promise(crate::holders::Server::MySql); })* }
        mod postgres { $(#[test] fn $promise() { super::$promise(crate::holders::Server::Postgres); })* }
    };
}

/// Makes a test on each kind of server that has a pool of worker ids of functions that take a [`Server`].
#[allow(unused_macros)]
macro_rules! on_each_registry {
    ($($promise:ident),* $(,)?) => {
        on_each_server! { $($promise),* }
        mod zookeeper { $(#[test] fn $promise() { super::$promise(crate::holders::Server::ZooKeeper); })* }
    };
}

/// A process that claims a worker id of a database.
#[derive(Clone)]
pub(crate) struct Claimant {
    pub(crate) server: Server,
    pub(crate) database: DatabaseSettings,
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
        let over = match self.server {
            Server::MySql => RowHolder::over_mysql,
            Server::Postgres => RowHolder::over_postgres,
            Server::ZooKeeper => RowHolder::over_zookeeper,
        };
        Arc::new(over(self.database, self.rows, clock))
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

/// Describes a process that claims a worker id of a namespace.
pub(crate) fn process(server: Server, namespace: &str, number: u32) -> Claimant {
    Claimant { server, database: server.database(), rows: rows(namespace, number) }
}

/// Returns what such a process asks for.
pub(crate) fn rows(namespace: &str, number: u32) -> RowHolderSettings {
    RowHolderSettings {
        is_assigned: false,
        namespace: namespace.to_owned(),
        workers: (0..64).collect(),
        layout: "41-10-12 ms since 1288834974657".to_owned(),
        endpoint: format!("10.0.0.{number}:8080").into(),
        pace: Pace::LEASE,
        file_pace: Pace::LOCAL,
        state_dir: None,
        auto_create: Some(true),
        max_clock_skew: Duration::from_secs(10),
    }
}

/// Opens the holder of a process.
pub(crate) fn open(process: Claimant) -> Arc<dyn WorkerIdHolder> {
    process.open(Arc::new(SystemClock))
}

/// A network to the database, and a process that goes through it.
pub(crate) fn through_proxy(mut process: Claimant) -> (Proxy, Claimant) {
    let (host, port) = process.database.hosts.remove(0);
    let proxy = match process.server {
        Server::MySql => Proxy::to(&host, port),
        Server::Postgres => Proxy::to_postgres(&host, port),
        Server::ZooKeeper => Proxy::to_zookeeper(&host, port),
    };
    process.database.hosts = vec![("127.0.0.1".to_owned(), proxy.port)];
    process.database.connect_timeout = Duration::from_secs(2);
    (proxy, process)
}

/// Gives a process the state directory of a host.
pub(crate) fn on_this_host(process: Claimant, state_dir: &Path) -> Claimant {
    process.with(|rows| rows.state_dir = Some(state_dir.to_owned()))
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

/// Makes a call until it succeeds, as the keepalive task does.
pub(crate) fn eventually<T>(mut call: impl FnMut() -> Result<T>) -> T {
    let started = Instant::now();
    loop {
        match call() {
            Ok(answer) => return answer,
            Err(error) => assert!(started.elapsed() < Duration::from_secs(30), "{error}"),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Makes a call until the proxy has met the statement that it waits for, and returns the error of that call: a server
/// that has just started may be too slow for the statements before.
pub(crate) fn fail_at_it<T: std::fmt::Debug>(proxy: &Proxy, mut call: impl FnMut() -> Result<T>) -> Error {
    let failures = std::iter::repeat_with(|| call().unwrap_err());
    failures.take(10).find(|_| proxy.has_met_it()).expect("the statement is never sent")
}

/// Ends a holder as a crash would, and waits until nothing of it is left in this process.
pub(crate) fn crash(holder: Arc<dyn WorkerIdHolder>) {
    drop(holder);
    std::thread::sleep(Duration::from_millis(30));
}

/// Drops a database at the end of a test.
pub(crate) struct Database {
    pub(crate) server: Server,
    pub(crate) name: String,
}

impl Database {
    pub(crate) fn empty(server: Server) -> Self {
        let name = stores::unique("leafmint_test");
        server.sql(&match server {
            Server::MySql => format!("CREATE DATABASE `{name}` CHARACTER SET utf8mb4"),
            Server::Postgres => format!("CREATE DATABASE {name}"),
            Server::ZooKeeper => unreachable!("ZooKeeper has no databases"),
        });
        Self { server, name }
    }

    /// Describes a process that claims a worker id of this database.
    pub(crate) fn process(&self, number: u32) -> Claimant {
        let mut process = process(self.server, "default", number);
        process.database.database.clone_from(&self.name);
        process
    }

    /// Runs statements in it.
    pub(crate) fn sql(&self, statements: &str) {
        self.server.sql_in(&self.name, statements);
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let how = if self.server == Server::Postgres { " WITH (FORCE)" } else { "" };
        self.server.sql(&format!("DROP DATABASE IF EXISTS {}{how}", self.name));
    }
}
