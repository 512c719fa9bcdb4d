//! What the driver needs to know for a connection, and what a new session needs.

use crate::sessions::tls::read_authorities;
use crate::sessions::{Account, DatabaseSettings, SslMode, addresses};
use leafmint_engine::runtime::background::connecting;
use leafmint_ids::error::Result;
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
        .resolved_ips(Some(addresses(name).await?))
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
    vec![format!("SET NAMES utf8mb4, autocommit=1, {}", variables(settings)), committed()]
}

/// Else a row that is rolled back later may be read, and a worker id taken by it.
fn committed() -> String {
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ".to_owned()
}

fn variables(settings: &DatabaseSettings) -> String {
    let lock_wait = settings.lock_wait();
    // Without strictness a column may clamp a number that it cannot hold, while the answer shows what was computed.
    format!(
        "innodb_lock_wait_timeout={lock_wait}, \
         sql_mode='STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO', \
         sql_select_limit=18446744073709551615, sql_big_selects=1, sql_safe_updates=0, \
         sql_auto_is_null=0, completion_type=0, unique_checks=1"
    )
}

/// The statement that sets back what [`borrowed_setup`] and an audit set. Each server reads the comments that are
/// meant for it: MariaDB has the new name of the isolation level only in late versions, and skips MySQL's comments from
/// 5.7 on.
pub(super) const RESTORE: &str = "CONCAT('SET SESSION innodb_lock_wait_timeout=', @@session.innodb_lock_wait_timeout, \
     ', sql_mode=''', @@session.sql_mode, ''', sql_select_limit=', @@session.sql_select_limit, \
     ', sql_big_selects=', @@session.sql_big_selects, ', sql_safe_updates=', @@session.sql_safe_updates, \
     ', sql_auto_is_null=', @@session.sql_auto_is_null, ', completion_type=''', @@session.completion_type, \
     ''', unique_checks=', @@session.unique_checks, ', lock_wait_timeout=', @@session.lock_wait_timeout \
     /*!50708 , ', max_execution_time=', @@session.max_execution_time */ \
     /*!80000 , ', information_schema_stats_expiry=', @@session.information_schema_stats_expiry */ \
     /*M!100101 , ', max_statement_time=', @@session.max_statement_time */ \
     /*!50720 , ', transaction_read_only=', @@session.transaction_read_only, \
     ', transaction_isolation=''', @@session.transaction_isolation, '''' */ \
     /*M! , ', tx_read_only=', @@session.tx_read_only, ', tx_isolation=''', @@session.tx_isolation, '''' */)";

/// Returns the statements that a connection of the application runs before the first one of ours. The character set
/// stays the driver's, which reads texts by it; autocommit is set by the driver too.
pub(super) fn borrowed_setup(settings: &DatabaseSettings) -> String {
    format!("SET SESSION {}; {}", variables(settings), committed())
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
