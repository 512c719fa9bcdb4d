//! The address of a database and how to log in.

use super::log_in::LogIn;
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
}

/// How long a statement waits for a row that another transaction has locked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockWait {
    /// As [`DatabaseSettings::lock_wait`] says.
    Usual,
    /// For [`LOCK_MOMENT`], if the server can wait for less than a second, to find out whether the row is locked.
    Moment,
}

/// For longer than a lease of another process keeps the row, unless the server is overloaded.
pub(crate) const LOCK_MOMENT: Duration = Duration::from_millis(50);

impl DatabaseSettings {
    /// Accepts a replica too.
    pub(crate) fn of_replica(self) -> Self {
        Self { takes_replica: true, ..self }
    }

    /// Names each host with its port.
    pub(super) fn host_names(&self) -> Vec<String> {
        self.hosts.iter().map(|(host, port)| format!("{host}:{port}")).collect()
    }

    /// Returns whether the connection to one of the hosts does not leave this one.
    pub(crate) fn is_on_this_host(&self, host: usize) -> bool {
        let name = &self.hosts[host].0;
        name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
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
    pub(crate) fn statement_wait(&self) -> u64 {
        self.connect_timeout.as_secs().saturating_sub(1).max(1)
    }
}
