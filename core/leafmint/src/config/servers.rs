//! The table of servers: the scheme of each, and what its URLs open.

use Opens::{Apart, Database, Nothing};
use leafmint_backends::directory::DirectorySettings;
use leafmint_backends::postgresql::sequences::{SequenceName, SequenceOptimizer};
use leafmint_backends::rows::RowHolderSettings;
use leafmint_backends::sessions::DatabaseSettings;
use leafmint_engine::holder::Workers;
use std::path::PathBuf;
use std::time::Duration;

pub enum StoreConfig {
    Memory {
        name: String,
    },
    Sqlite {
        path: PathBuf,
        busy_timeout: Duration,
    },
    MySql(DatabaseSettings),
    Postgres(DatabaseSettings),
    Sequence(DatabaseSettings, SequenceName, SequenceOptimizer),
    Tickets(DatabaseSettings),
    /// Over connections of the application: a table, or a sequence.
    Borrowed(DatabaseSettings, Option<(SequenceName, SequenceOptimizer)>),
}

pub enum HolderConfig {
    Directory(DirectorySettings),
    MySql(DatabaseSettings, RowHolderSettings),
    Postgres(DatabaseSettings, RowHolderSettings),
    ZooKeeper(DatabaseSettings, RowHolderSettings),
    /// Over connections of the application.
    Borrowed(DatabaseSettings, RowHolderSettings),
}

impl HolderConfig {
    /// Returns the worker ids that may be taken.
    pub fn workers(&self) -> &Workers {
        match self {
            Self::Directory(settings) => &settings.workers,
            Self::MySql(_, settings)
            | Self::Postgres(_, settings)
            | Self::ZooKeeper(_, settings)
            | Self::Borrowed(_, settings) => &settings.workers,
        }
    }
}

/// A server, or a place on this host.
pub(super) struct Server {
    pub(super) scheme: &'static str,
    /// `None` for a place on this host. Its URLs have no login, and after an empty authority their path may contain
    /// an `@`.
    pub(super) port: Option<u16>,
    pub(super) store: Opens<fn(DatabaseSettings) -> StoreConfig>,
    pub(super) holder: Opens<fn(DatabaseSettings, RowHolderSettings) -> HolderConfig>,
}

/// What the URLs of a server open.
pub(super) enum Opens<F> {
    Nothing,
    /// The settings are not, or not only, those of a database.
    Apart,
    /// The settings are those of a database on a server.
    Database(F),
}

impl<F> Opens<F> {
    pub(super) fn is_something(&self) -> bool {
        !matches!(self, Nothing)
    }
}

const SERVERS: &[Server] = &[
    Server { scheme: "memory", port: None, store: Apart, holder: Nothing },
    Server { scheme: "sqlite", port: None, store: Apart, holder: Nothing },
    Server { scheme: "local", port: None, store: Nothing, holder: Apart },
    Server { scheme: "fixed", port: None, store: Nothing, holder: Apart },
    Server {
        scheme: "mysql",
        port: Some(3306),
        store: Database(StoreConfig::MySql),
        holder: Database(HolderConfig::MySql),
    },
    Server {
        scheme: "postgresql",
        port: Some(5432),
        store: Database(StoreConfig::Postgres),
        holder: Database(HolderConfig::Postgres),
    },
    Server { scheme: "tickets", port: Some(3306), store: Apart, holder: Nothing },
    Server { scheme: "zookeeper", port: Some(2181), store: Nothing, holder: Database(HolderConfig::ZooKeeper) },
    Server { scheme: "zookeeper+sasl", port: Some(2181), store: Nothing, holder: Database(HolderConfig::ZooKeeper) },
];

/// Returns the server of a scheme.
pub(super) fn of_scheme(scheme: &str) -> Option<&'static Server> {
    SERVERS.iter().find(|server| server.scheme == scheme)
}

/// Returns whether the scheme is that of a place on this host.
pub(super) fn is_on_host(scheme: &str) -> bool {
    of_scheme(scheme).is_some_and(|server| server.port.is_none())
}

/// Returns the scheme without another name of the same server.
pub(super) fn canonical(scheme: &str) -> &str {
    match scheme {
        "mariadb" | "mysql2" => "mysql",
        "postgres" | "postgis" => "postgresql",
        other => other,
    }
}

/// Lists the schemes of some servers, for messages.
pub(super) fn list(is_listed: fn(&Server) -> bool) -> String {
    let mut schemes: Vec<_> = SERVERS.iter().filter(|server| is_listed(server)).map(|server| server.scheme).collect();
    let last = schemes.pop().unwrap_or_default();
    format!("{} and {last}", schemes.join(", "))
}
