//! The stores that tests run on, each on data of its own.
#![allow(dead_code)]

pub(crate) mod proxy;
pub(crate) mod refusing;

use leafmint::OptionValue;
use mysql_async::prelude::Queryable;
use proxy::Proxy;
use std::sync::atomic::{AtomicU32, Ordering};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Returns a name that no other test uses.
pub(crate) fn unique(prefix: &str) -> String {
    format!("{prefix}_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Returns the URL of the MariaDB or MySQL to test against.
pub(crate) fn mysql_url() -> String {
    std::env::var("LEAFMINT_TEST_MYSQL").expect("set LEAFMINT_TEST_MYSQL, or run `make test`, which starts a MariaDB")
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

/// Reads one number.
pub(crate) fn number(query: &str) -> i64 {
    mysql_async::from_row(sql(query).remove(0))
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
