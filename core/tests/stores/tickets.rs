//! The ticket servers to test against, and databases on them that end with their tests.

use super::proxy::Proxy;
use super::{runtime, unique};
use leafmint_backends::sessions::DatabaseSettings;
use mysql_async::prelude::{FromRow, Queryable};

/// A database on each of the two ticket servers, of the same name.
pub(crate) struct Servers {
    /// The addresses of the servers.
    pub(crate) hosts: Vec<(String, u16)>,
    login: String,
    pub(crate) database: String,
}

impl Servers {
    /// Makes empty databases.
    pub(crate) fn empty() -> Self {
        let url = std::env::var("LEAFMINT_TEST_TICKETS")
            .expect("set LEAFMINT_TEST_TICKETS, or run `make test`, which starts two MariaDB servers");
        let (_, location) = url.split_once("://").unwrap();
        let (authority, _) = location.split_once('/').unwrap();
        let (login, hosts) = authority.rsplit_once('@').unwrap();
        let address = |host: &str| {
            let (name, port) = host.split_once(':').expect("LEAFMINT_TEST_TICKETS names the ports");
            (name.to_owned(), port.parse().unwrap())
        };
        let hosts: Vec<(String, u16)> = hosts.split(',').map(address).collect();
        let servers = Self { hosts, login: login.to_owned(), database: unique("tickets") };
        for at in 0..servers.hosts.len() {
            servers.sql::<mysql_async::Row>(at, &format!("CREATE DATABASE {}", servers.database));
        }
        servers
    }

    /// Returns the URL of these servers, or of proxies for them.
    pub(crate) fn url_of(&self, ports: &[u16]) -> String {
        let hosts: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
        format!("tickets://{}@{}/{}", self.login, hosts.join(","), self.database)
    }

    pub(crate) fn url(&self) -> String {
        self.url_of(&self.hosts.iter().map(|(_, port)| *port).collect::<Vec<_>>())
    }

    /// Starts a proxy for each server.
    pub(crate) fn proxies(&self) -> Vec<Proxy> {
        self.hosts.iter().map(|(host, port)| Proxy::to(host, *port)).collect()
    }

    pub(crate) fn settings(&self) -> DatabaseSettings {
        let (host, port) = &self.hosts[0];
        let of_one = super::settings(&format!("tickets://{}@{host}:{port}/{}", self.login, self.database));
        DatabaseSettings { hosts: self.hosts.clone(), ..of_one }
    }

    /// Runs a statement on one of the servers, as an operator would.
    pub(crate) fn sql<R: FromRow + Send + 'static>(&self, at: usize, statement: &str) -> Vec<R> {
        let (host, port) = &self.hosts[at];
        runtime().block_on(async {
            let url = format!("mysql://{}@{host}:{port}", self.login);
            let mut connection = mysql_async::Conn::from_url(url).await.unwrap();
            // It fails before the database is made.
            let _ = connection.query_drop(format!("USE {}", self.database)).await;
            let rows = connection.query(statement).await.unwrap();
            connection.disconnect().await.unwrap();
            rows
        })
    }

    /// Runs a statement on every server.
    pub(crate) fn on_each(&self, statement: &str) {
        (0..self.hosts.len()).for_each(|at| drop(self.sql::<mysql_async::Row>(at, statement)));
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.on_each(&format!("DROP DATABASE {}", self.database));
    }
}
