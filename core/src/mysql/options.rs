//! What the driver needs to know for a connection, and what a new session needs.

use crate::background::connecting;
use crate::database::{Account, DatabaseSettings, SslMode, read_authorities};
use crate::error::Result;
use crate::host_names;
use crate::mutants::weaken;
use mysql_async::{Opts, OptsBuilder, SslOpts};

/// Returns what the driver needs to know for a connection to one of the hosts.
///
/// It is given addresses and certificates, not names and paths: it would block threads that it cannot be sure to
/// have.
pub(super) async fn of_driver(
    settings: &DatabaseSettings,
    host: usize,
    mode: SslMode,
    certified: Option<String>,
    account: Account,
) -> Result<Opts> {
    let ssl = ssl_options(settings, mode).await?.map(|ssl| ssl.with_danger_tls_hostname_override(certified));
    let (name, port) = &settings.hosts[host];
    let options = OptsBuilder::default()
        .ip_or_hostname(name)
        .resolved_ips(Some(host_names::addresses(name).await?))
        .tcp_port(*port)
        .enable_cleartext_plugin(account.is_supplied && mode >= SslMode::VerifyCa)
        .user(account.user)
        .pass(account.password)
        .db_name(Some(settings.database.clone()))
        .prefer_socket(false)
        .tcp_nodelay(true)
        .max_allowed_packet(Some(1 << 20))
        .wait_timeout(Some(28_800))
        .ssl_opts(ssl);
    Ok(options.into())
}

/// Returns the statement that each session runs before its first one.
pub(super) fn session_setup(settings: &DatabaseSettings) -> String {
    let lock_wait = settings.lock_wait();
    // The check of every answer also guards against open transactions, so each is tried without the other.
    let second_alone = weaken!("answer-of-an-open-transaction", false, without = true);
    let autocommit = weaken!("autocommit-not-set", if second_alone { "" } else { "autocommit=1, " }, without = "");
    // Else a column may clamp a number that it cannot hold, while the answer shows what was computed. Modes of the
    // server stay.
    let strict = weaken!("sessions-not-strict", ", sql_mode=CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')", without = "");
    format!("SET {autocommit}innodb_lock_wait_timeout={lock_wait}{strict}")
}

async fn ssl_options(settings: &DatabaseSettings, mode: SslMode) -> Result<Option<SslOpts>> {
    let plain = SslOpts::default();
    let options = match mode {
        SslMode::Disabled => return Ok(None),
        SslMode::Preferred | SslMode::Required => {
            plain.with_danger_accept_invalid_certs(true).with_danger_skip_domain_validation(true)
        }
        SslMode::VerifyCa | SslMode::VerifyIdentity => plain,
    };
    let Some(path) = settings.ssl_ca.clone() else { return Ok(Some(options)) };
    let authorities = connecting().run(move || read_authorities(&path)).await?;
    Ok(Some(options.with_root_certs(vec![authorities.bytes.into()]).with_disable_built_in_roots(true)))
}
