//! The address of a database and how to log in.

use super::credentials::LogIn;
use crate::borrowed::Borrowing;
use leafmint_engine::store::Location;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Whether and how sessions are encrypted.
///
/// The modes ascend: each asks for more than the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SslMode {
    /// Never.
    Disabled,
    /// If the server can, without checking its certificate.
    Preferred,
    /// Always, without checking the server's certificate.
    Required,
    /// Always, with a certificate of a known authority.
    VerifyCa,
    /// Always, with a certificate of a known authority for this host name.
    VerifyIdentity,
}

/// The address of the database, and how to log in.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseSettings {
    /// Host and port; a fail-over list over one data set.
    pub hosts: Vec<(String, u16)>,
    /// The database.
    pub database: String,
    /// How to log in.
    pub log_in: LogIn,
    /// Whether to log in to ZooKeeper by SASL (DIGEST-MD5), not by its scheme `digest`.
    pub sasl: bool,
    /// Encryption.
    pub ssl_mode: SslMode,
    /// A PEM file with the authorities to trust, instead of the built-in ones.
    pub ssl_ca: Option<PathBuf>,
    /// The longest wait for one connection or statement.
    pub connect_timeout: Duration,
    /// Whether a replica will do, for work that only reads. What it has is older than what the primary has.
    pub takes_replica: bool,
    /// The application's way to connect, in place of all of the above but the timeout.
    pub lender: Option<Borrowing>,
}

/// How long a statement waits for a row that another transaction has locked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LockWait {
    /// As `DatabaseSettings::lock_wait` says.
    Usual,
    /// For `LOCK_MOMENT`, if the server can wait for less than a second, to find out whether the row is locked.
    Moment,
}

/// For longer than a lease of another process keeps the row, unless the server is overloaded.
pub(crate) const LOCK_MOMENT: Duration = Duration::from_millis(50);

impl DatabaseSettings {
    /// Connects as the application does.
    pub fn borrowed(lender: Borrowing, connect_timeout: Duration) -> Self {
        Self {
            hosts: vec![(lender.name().to_owned(), 0)],
            database: String::new(),
            log_in: LogIn::Configured { user: None, password: None },
            sasl: false,
            ssl_mode: SslMode::Disabled,
            ssl_ca: None,
            connect_timeout,
            takes_replica: false,
            lender: Some(lender),
        }
    }

    /// Accepts a replica too.
    pub fn of_replica(self) -> Self {
        Self { takes_replica: true, ..self }
    }

    /// Names each host with its port.
    pub(super) fn host_names(&self) -> Vec<String> {
        if let Some(lender) = &self.lender {
            return vec![lender.name().to_owned()];
        }
        self.hosts.iter().map(|(host, port)| format!("{host}:{port}")).collect()
    }

    /// Names the database without credentials, for the scheme of its engine.
    pub(crate) fn name(&self, scheme: &str) -> String {
        match &self.lender {
            Some(lender) => lender.name().to_owned(),
            None => format!("{scheme}://{}/{}", self.host_names().join(","), self.database),
        }
    }

    /// Names where the data set is, for the scheme of its engine.
    pub fn location(&self, scheme: &'static str) -> Location {
        Location::new(scheme, &self.host_names(), self.database.clone())
    }

    /// Returns whether the connection to one of the hosts does not leave this one.
    pub(crate) fn is_on_this_host(&self, host: usize) -> bool {
        let name = &self.hosts[host].0;
        name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// Says that the application gave no connection in time. Which of the two it is cannot be seen from here.
    pub(crate) fn nothing_lent(&self) -> String {
        format!(
            "got no connection within connect_timeout={:?}: the database is silent, or threads that wait for ids hold all \
             connections of the pool; in that case give leafmint a pool or a URL of its own",
            self.connect_timeout
        )
    }

    /// Returns how long a statement may wait for a lock, in seconds: where the server cannot tell at once that a row is
    /// locked, the tags of a process that starts wait as long for their turn.
    ///
    /// A statement that is given up must not wait in the server's lock queue and burn a range later. The server's
    /// answer comes before our own deadline, so that a locked row is not taken for a silent host.
    pub(crate) fn lock_wait(&self) -> u64 {
        (self.connect_timeout.as_secs() / 3).max(1)
    }

    /// Returns how long the server may take for a statement, in seconds: so it ends it before our own deadline.
    pub fn statement_wait(&self) -> u64 {
        self.connect_timeout.as_secs().saturating_sub(1).max(1)
    }
}
