//! The stores that tests run on, each on data of its own.
#![allow(dead_code)]

pub(crate) mod crashing;
pub(crate) mod postgres;
pub(crate) mod proxy;
pub(crate) mod refusing;
pub(crate) mod tickets;
pub(crate) mod zookeeper;

use leafmint::OptionValue;
use leafmint_backends::sessions::{DatabaseSettings, LogIn, SslMode};
use mysql_async::prelude::Queryable;
use proxy::Proxy;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// When this process first asked for a name. Each test is a process, and their numbers come again within a run.
static BEGAN: LazyLock<u32> = LazyLock::new(|| {
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    since_epoch.as_micros() as u32
});

/// Returns a name that no other test uses.
pub(crate) fn unique(prefix: &str) -> String {
    format!("{prefix}_{}_{:x}_{}", std::process::id(), *BEGAN, NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Returns the URL of the MariaDB or MySQL to test against.
pub(crate) fn mysql_url() -> String {
    std::env::var("LEAFMINT_TEST_MYSQL").expect("set LEAFMINT_TEST_MYSQL, or run `make test`, which starts a MariaDB")
}

/// Returns the URL of the PostgreSQL to test against.
pub(crate) fn postgres_url() -> String {
    std::env::var("LEAFMINT_TEST_POSTGRES")
        .expect("set LEAFMINT_TEST_POSTGRES, or run `make test`, which starts a PostgreSQL")
}

/// Returns the URL of the ZooKeeper to test against.
pub(crate) fn zookeeper_url() -> String {
    std::env::var("LEAFMINT_TEST_ZOOKEEPER")
        .expect("set LEAFMINT_TEST_ZOOKEEPER, or run `make test`, which starts a ZooKeeper")
}

/// Returns the settings of a server by its URL, `scheme://user:password@host:port/database`.
pub(crate) fn settings(url: &str) -> DatabaseSettings {
    let (_, location) = url.split_once("://").unwrap();
    let (authority, database) = location.split_once('/').unwrap();
    let (login, address) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (user, password) = login.split_once(':').unwrap_or((login, ""));
    let host = |text: &str| {
        let (host, port) = text.split_once(':').expect("LEAFMINT_TEST_MYSQL, …_POSTGRES and …_ZOOKEEPER name the port");
        (host.to_owned(), port.parse().unwrap())
    };
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    DatabaseSettings {
        hosts: address.split(',').map(host).collect(),
        database: database.to_owned(),
        log_in: LogIn::Configured { user: given(user), password: given(password) },
        sasl: false,
        takes_replica: false,
        lender: None,
        ssl_mode: SslMode::Preferred,
        ssl_ca: None,
        connect_timeout: Duration::from_secs(20),
    }
}

/// Starts a proxy for the MariaDB. Returns it with the URL that leads through it.
pub(crate) fn through_proxy() -> (Proxy, String) {
    let url = mysql_url();
    let server = mysql_async::Opts::from_url(&url).unwrap();
    let (host, port) = (server.ip_or_hostname(), server.tcp_port());
    let proxy = Proxy::to(host, port);
    let through = url.replace(&format!("{host}:{port}"), &format!("127.0.0.1:{}", proxy.port));
    assert_ne!(through, url, "LEAFMINT_TEST_MYSQL must name the port");
    (proxy, through)
}

/// Starts a proxy for the PostgreSQL. Returns it with the URL that leads through it.
pub(crate) fn postgres_through_proxy() -> (Proxy, String) {
    let url = postgres_url();
    let (host, port) = settings(&url).hosts.remove(0);
    let proxy = Proxy::to_postgres(&host, port);
    let through = url.replace(&format!("{host}:{port}"), &format!("127.0.0.1:{}", proxy.port));
    assert_ne!(through, url, "LEAFMINT_TEST_POSTGRES must name the port");
    (proxy, through)
}

/// Returns options as the bindings pass them.
pub(crate) fn options<const N: usize>(options: [(&str, &str); N]) -> impl Iterator<Item = (String, OptionValue)> {
    options.map(|(name, value)| (name.to_owned(), OptionValue::from(value))).into_iter()
}

/// Runs statements on the MariaDB, as an operator would.
pub(crate) fn sql(statements: &str) -> Vec<mysql_async::Row> {
    runtime().block_on(async {
        let mut connection = mysql_async::Conn::from_url(mysql_url()).await.unwrap();
        let rows = connection.query(statements).await.unwrap();
        connection.disconnect().await.unwrap();
        rows
    })
}

/// Cuts every session of an account, as an operator would. MySQL has no KILL USER.
pub(crate) fn kill_sessions_of(user: &str) {
    runtime().block_on(async {
        let mut connection = mysql_async::Conn::from_url(mysql_url()).await.unwrap();
        let sessions: Vec<mysql_async::Row> = connection.query("SHOW PROCESSLIST").await.unwrap();
        for session in sessions.iter().filter(|row| row.get::<String, _>("User").as_deref() == Some(user)) {
            // It fails if the session has ended meanwhile.
            let _ = connection.query_drop(format!("KILL {}", session.get::<u64, _>("Id").unwrap())).await;
        }
        connection.disconnect().await.unwrap();
    });
}

/// Reads one number.
pub(crate) fn number(query: &str) -> i64 {
    mysql_async::from_row(sql(query).remove(0))
}

/// Waits until something holds that a server or another thread brings about.
#[track_caller]
pub(crate) fn wait_until(otherwise: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(120), "{otherwise}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns a runtime for what the tests themselves wait for.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Drops a table at the end of a test.
pub(crate) struct Table(pub(crate) String);

impl Table {
    /// Names a table that is not there yet.
    pub(crate) fn missing() -> Self {
        Table(unique("leaf_alloc"))
    }

    /// Makes a table as the script that Leaf ships makes it: its columns, types and defaults.
    pub(crate) fn of_leaf() -> Self {
        let table = Self::missing();
        sql(&format!(
            "CREATE TABLE `{table}` (`biz_tag` varchar(128) NOT NULL DEFAULT '', `max_id` bigint(20) NOT NULL DEFAULT '1', \
             `step` int(11) NOT NULL, `description` varchar(256) DEFAULT NULL, `update_time` timestamp NOT NULL \
             DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, PRIMARY KEY (`biz_tag`)) ENGINE=InnoDB"
        ));
        table
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        sql(&format!("DROP TABLE IF EXISTS `{0}`, `leafmint_gene_{0}`", self.0));
    }
}
