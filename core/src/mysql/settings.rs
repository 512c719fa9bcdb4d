//! The address of a database and how to log in, for the driver and for a new session.

use super::authorities;
use crate::background::connecting;
use crate::error::Result;
use crate::host_names;
use crate::mutants::weaken;
use mysql_async::{Opts, OptsBuilder, SslOpts};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Whether and how sessions are encrypted.
///
/// The modes ascend: each asks for more than the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
pub struct MySqlSettings {
    /// Host and port; a fail-over list over one data set.
    pub hosts: Vec<(String, u16)>,
    /// The database.
    pub database: String,
    /// The account.
    pub user: Option<String>,
    /// Its password.
    pub password: Option<String>,
    /// Encryption.
    pub ssl_mode: SslMode,
    /// A PEM file with the authorities to trust, instead of the built-in ones.
    pub ssl_ca: Option<PathBuf>,
    /// The longest wait for one connection or statement.
    pub connect_timeout: Duration,
}

impl MySqlSettings {
    /// Names each host with its port.
    pub(super) fn host_names(&self) -> Vec<String> {
        self.hosts.iter().map(|(host, port)| format!("{host}:{port}")).collect()
    }

    /// Returns whether the connection to one of the hosts does not leave this one.
    pub(super) fn is_on_this_host(&self, host: usize) -> bool {
        let name = &self.hosts[host].0;
        name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// Returns what the driver needs to know for a connection to one of the hosts.
    ///
    /// It is given addresses and certificates, not names and paths: it would block threads that it cannot be sure to
    /// have.
    pub(super) async fn driver_options(&self, host: usize, mode: SslMode, certified: Option<String>) -> Result<Opts> {
        let ssl = self.ssl_options(mode).await?.map(|ssl| ssl.with_danger_tls_hostname_override(certified));
        let (name, port) = &self.hosts[host];
        let options = OptsBuilder::default()
            .ip_or_hostname(name)
            .resolved_ips(Some(host_names::addresses(name).await?))
            .tcp_port(*port)
            .user(self.user.clone())
            .pass(self.password.clone())
            .db_name(Some(self.database.clone()))
            .prefer_socket(false)
            .tcp_nodelay(true)
            .max_allowed_packet(Some(1 << 20))
            .wait_timeout(Some(28_800))
            .ssl_opts(ssl);
        Ok(options.into())
    }

    /// Returns the statement that each session runs before its first one.
    pub(super) fn session_setup(&self) -> String {
        // A statement that is given up must not wait in the server's lock queue and burn a range later. The server's
        // answer comes before our own deadline, so that a locked row is not taken for a silent host.
        let lock_wait = self.connect_timeout.as_secs().saturating_sub(1).max(1);
        // The check of every answer also guards against open transactions, so each is tried without the other.
        let second_alone = weaken!("answer-of-an-open-transaction", false, without = true);
        let autocommit = weaken!("autocommit-not-set", if second_alone { "" } else { "autocommit=1, " }, without = "");
        // Else a column may clamp a number that it cannot hold, while the answer shows what was computed. Modes of the
        // server stay.
        let strict =
            weaken!("sessions-not-strict", ", sql_mode=CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')", without = "");
        format!("SET {autocommit}innodb_lock_wait_timeout={lock_wait}{strict}")
    }

    async fn ssl_options(&self, mode: SslMode) -> Result<Option<SslOpts>> {
        let plain = SslOpts::default();
        let options = match mode {
            SslMode::Disabled => return Ok(None),
            SslMode::Preferred | SslMode::Required => {
                plain.with_danger_accept_invalid_certs(true).with_danger_skip_domain_validation(true)
            }
            SslMode::VerifyCa | SslMode::VerifyIdentity => plain,
        };
        let Some(path) = self.ssl_ca.clone() else { return Ok(Some(options)) };
        let authorities = connecting().run(move || authorities::read(&path)).await?;
        Ok(Some(options.with_root_certs(vec![authorities.into()]).with_disable_built_in_roots(true)))
    }
}
