//! What the driver needs to know for a connection, and what a new session needs.

use crate::background::connecting;
use crate::database::{Account, DatabaseSettings, SslMode, read_authorities};
use crate::error::Result;
use crate::host_names;
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

/// Returns the statements that each session runs before its first one: they set whatever changes what leafmint's
/// statements read or write.
///
/// What stays with the server: limits of time, which end in a named error; whether it takes writes; and time zones, on
/// which no statement depends.
pub(super) fn session_setup(settings: &DatabaseSettings) -> Vec<String> {
    let lock_wait = settings.lock_wait();
    // Without strictness a column may clamp a number that it cannot hold, while the answer shows what was computed.
    let set = format!(
        "SET NAMES utf8mb4, autocommit=1, innodb_lock_wait_timeout={lock_wait}, \
         sql_mode='STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO', \
         sql_select_limit=18446744073709551615, sql_big_selects=1, sql_safe_updates=0, \
         sql_auto_is_null=0, completion_type=0, unique_checks=1"
    );
    // Else a row that is rolled back later may be read, and a worker id taken by it.
    let committed = "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ".to_owned();
    vec![set, committed]
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
