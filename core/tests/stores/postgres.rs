//! A PostgreSQL server, as an operator sees it.

use super::{postgres_url, runtime, settings, unique};
use leafmint_backends::sessions::LogIn;
use std::future::poll_fn;
use std::pin::pin;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio_postgres::{Client, Config, NoTls, SimpleQueryMessage};

/// Runs statements in one transaction, unless they end it, and returns the first column of each row.
pub(crate) fn sql(statements: &str) -> Vec<String> {
    sql_on(&postgres_url(), statements)
}

/// Reads one number.
pub(crate) fn number(query: &str) -> i64 {
    sql(query)[0].parse().unwrap()
}

/// Does the same as [`sql`], on a server of the test's own.
pub(crate) fn sql_on(url: &str, statements: &str) -> Vec<String> {
    try_sql(url, statements).unwrap()
}

pub(crate) fn try_sql(url: &str, statements: &str) -> Result<Vec<String>, tokio_postgres::Error> {
    let (config, host) = log_in(url);
    runtime().block_on(async {
        let stream = TcpStream::connect(host).await.unwrap();
        let (client, mut connection) = config.connect_raw(stream, NoTls).await?;
        let mut answer = pin!(client.simple_query(statements));
        let rows = poll_fn(|cx| {
            let _ = pin!(&mut connection).poll(cx);
            answer.as_mut().poll(cx)
        })
        .await?;
        let first = |message| match message {
            SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or("NULL").to_owned()),
            _ => None,
        };
        Ok(rows.into_iter().filter_map(first).collect())
    })
}

/// Opens a session that `runtime` drives.
pub(crate) fn connect(runtime: &Runtime, url: &str) -> Client {
    let (config, host) = log_in(url);
    runtime.block_on(async {
        let stream = TcpStream::connect(host).await.unwrap();
        let (client, connection) = config.connect_raw(stream, NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    })
}

pub(crate) fn log_in(url: &str) -> (Config, (String, u16)) {
    let mut server = settings(url);
    let LogIn::Configured { user, password } = server.log_in else { unreachable!() };
    let mut config = Config::new();
    config.user(user.unwrap()).password(password.unwrap_or_default()).dbname(server.database);
    (config, server.hosts.swap_remove(0))
}

/// Drops a table at the end of a test.
pub(crate) struct Table(pub(crate) String);

impl Table {
    /// Names a table that is not there yet.
    pub(crate) fn missing() -> Self {
        Table(unique("leaf_alloc"))
    }

    /// Makes leafmint's tables, with the tag `order`.
    pub(crate) fn with_order(max_id: i64, step: i64) -> Self {
        let table = Self::missing();
        let made = leafmint::schema_sql("postgresql").unwrap();
        // Two sessions that create the same table at once disturb each other, IF NOT EXISTS or not.
        let alone = "SELECT pg_advisory_xact_lock(1);".to_owned();
        sql(&(alone
            + &made
                .replace("leafmint_gene", &format!("leafmint_gene_{table}"))
                .replace("\"leaf_alloc\"", &format!("\"{table}\""))));
        sql(&format!("INSERT INTO \"{table}\" (biz_tag, max_id, step) VALUES ('order', {max_id}, {step})"));
        table
    }

    /// Returns `max_id` of the tag `order`.
    pub(crate) fn max_id(&self) -> i64 {
        number(&format!("SELECT max_id FROM \"{self}\" WHERE biz_tag = 'order'"))
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        sql(&format!("DROP TABLE IF EXISTS \"{0}\", \"leafmint_gene_{0}\" CASCADE", self.0));
    }
}
