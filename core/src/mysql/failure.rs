//! What a failure means: whether to try again, on which host, and what to report to the user.

use crate::error::{Error, ErrorKind};
use crate::panics;
use mysql_async::{DriverError, IoError};
use std::net::IpAddr;

/// Maximum length of a text that the server chose, in characters.
const MOST_CHARACTERS: usize = 500;

/// What a session answers.
pub(crate) type Outcome<T> = std::result::Result<T, Failure>;

/// What went wrong on a session.
pub(crate) enum Failure {
    /// A final answer, with the error that callers see.
    Named(Error),
    /// The server refused the statement.
    Server { code: u16, text: String },
    /// The session cannot be used any more.
    Broken(String),
    /// No answer in time, neither to this call nor to others.
    Silent(String),
    /// No answer in time from a host that answers others.
    Slow(String),
    /// The server asks for a way of logging in that the driver does not have.
    NoPlugin(String),
    /// The server does not speak TLS.
    NoTls,
    /// The server's certificate is good, but for another name: this one.
    OtherName(Option<String>),
}

/// What to do about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// The same statement on the same host: the server gave up in favour of another transaction.
    Again,
    /// The same statement on another session. If a session that was just opened failed so, another host.
    AnotherSession,
    /// Another host, if there is one.
    NextHost,
    /// None: report it to the caller.
    Report,
}

impl Failure {
    pub(crate) fn broken(text: impl Into<String>) -> Self {
        Failure::Broken(text.into())
    }

    /// The driver panics if the server asks for a login plugin that it was built without: "… for `ed25519`
    /// authentication plugin …"; and if it is sent a key that is none.
    pub(super) fn from_panic_of_driver(panic: Error) -> Self {
        match panic.message().split('`').collect::<Vec<_>>()[..] {
            [_, plugin, rest, ..] if rest.starts_with(" authentication plugin") => Failure::NoPlugin(plugin.to_owned()),
            _ => {
                let cause = panic.message().rsplit(panics::IS_A_BUG).next().unwrap_or_default();
                Failure::Broken(format!("the driver cannot handle the server's answer: {}", cut(cause)))
            }
        }
    }

    pub(crate) fn remedy(&self) -> Remedy {
        match self {
            Failure::Named(_) => Remedy::Report,
            // Lock wait timeout and deadlock; a conflict between nodes of Galera or Group Replication.
            Failure::Server { code: 1205 | 1213 | 3101, .. } => Remedy::Again,
            Failure::Server { code: 1180, text } if is_conflict_at_commit(text) => Remedy::Again,
            // The session or its statement was killed, or the session idled for too long.
            Failure::Server { code: 1317 | 1927 | 4031, .. } => Remedy::AnotherSession,
            // A demoted primary, or one whose InnoDB only reads; a Galera node that is not in sync, or failed at
            // commit; a server that is shutting down or offline, has too many connections, or grants this account no
            // more of them.
            Failure::Server {
                code: 1290 | 1792 | 1836 | 1036 | 1047 | 1180 | 1053 | 3032 | 1040 | 1203 | 1226,
                ..
            } => Remedy::NextHost,
            Failure::Server { .. } | Failure::Slow(_) => Remedy::Report,
            Failure::Broken(_) => Remedy::AnotherSession,
            Failure::Silent(_) | Failure::NoTls | Failure::OtherName(_) | Failure::NoPlugin(_) => Remedy::NextHost,
        }
    }

    /// Returns whether the session must not be used again.
    pub(crate) fn ends_the_session(&self) -> bool {
        matches!(self, Failure::Slow(_)) || matches!(self.remedy(), Remedy::AnotherSession | Remedy::NextHost)
    }

    pub(crate) fn is_missing_table(&self) -> bool {
        matches!(self, Failure::Server { code: 1146, .. })
    }

    /// Returns whether there is no table of that name, or can be none, since the name is too long.
    pub(crate) fn is_no_such_table(&self) -> bool {
        matches!(self, Failure::Server { code: 1146 | 1059 | 1103, .. })
    }

    pub(crate) fn is_denied(&self) -> bool {
        matches!(self, Failure::Server { code: 1044 | 1142 | 1143, .. })
    }

    pub(crate) fn is_duplicate(&self) -> bool {
        matches!(self, Failure::Server { code: 1062, .. })
    }

    /// Returns the error that callers see.
    pub(crate) fn into_error(self, database: &str) -> Error {
        if let Failure::Named(error) = self {
            return error;
        }
        let (kind, text) = self.describe();
        Error::new(kind, format!("{database}: {text}"))
    }

    /// Returns what failed and what to do.
    pub(crate) fn describe(self) -> (ErrorKind, String) {
        match self {
            Failure::Named(error) => (error.kind(), error.message().to_owned()),
            Failure::Server { code, text } => match code {
                1044 | 1045 | 1698 => (ErrorKind::InvalidConfig, format!("{text}: check user and password")),
                1049 => (ErrorKind::InvalidConfig, format!("{text}: create the database, or correct the URL")),
                1142 | 1143 => (ErrorKind::InvalidConfig, format!("{text}: grant it to this account")),
                1146 => (ErrorKind::InvalidConfig, text),
                1054 => (ErrorKind::InvalidConfig, format!("{text}: leafmint needs that column")),
                1364 => (ErrorKind::InvalidConfig, format!("{text}: give that column a default")),
                1264 => (
                    ErrorKind::IdSpaceExhausted,
                    format!("{text}: widen that column (ALTER TABLE … MODIFY … bigint NOT NULL)"),
                ),
                1690 => (ErrorKind::IdSpaceExhausted, text),
                1366 | 1406 | 1267 => (ErrorKind::InvalidArgument, text),
                _ => (ErrorKind::StoreUnavailable, text),
            },
            Failure::Broken(text) | Failure::Silent(text) | Failure::Slow(text) => (ErrorKind::StoreUnavailable, text),
            Failure::OtherName(name) => (
                ErrorKind::StoreUnavailable,
                format!(
                    "the server's certificate is for {}, not for this host",
                    name.as_deref().unwrap_or("another name")
                ),
            ),
            Failure::NoTls => (
                ErrorKind::InvalidConfig,
                "the server does not speak TLS: set ssl_mode to preferred or disabled".into(),
            ),
            Failure::NoPlugin(plugin) => (
                ErrorKind::InvalidConfig,
                format!(
                    "the account logs in with {plugin}, which leafmint does not support: let it log in with caching_sha2_password \
                     or mysql_native_password (servers answer this to an unknown account as well: check user and password)"
                ),
            ),
        }
    }
}

/// Returns whether error 1180 reports a deadlock (the engine's error 149): another node committed first.
fn is_conflict_at_commit(text: &str) -> bool {
    text.contains("Got error 149")
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Named(error)
    }
}

impl From<mysql_async::Error> for Failure {
    fn from(error: mysql_async::Error) -> Self {
        match error {
            mysql_async::Error::Server(refusal) => Failure::Server {
                code: refusal.code,
                text: format!("error {}: {}", refusal.code, cut(&refusal.message)),
            },
            mysql_async::Error::Driver(error) => match error {
                DriverError::NoClientSslFlagFromServer => Failure::NoTls,
                DriverError::UnknownAuthPlugin { name } => Failure::NoPlugin(name),
                DriverError::CleartextPluginDisabled => Failure::NoPlugin("mysql_clear_password".into()),
                DriverError::MysqlOldPasswordDisabled => Failure::NoPlugin("mysql_old_password".into()),
                other => Failure::broken(cut(&other.to_string())),
            },
            mysql_async::Error::Io(IoError::Io(error)) => {
                match error.get_ref().and_then(|cause| cause.downcast_ref()) {
                    Some(rustls::Error::InvalidCertificate(rustls::CertificateError::NotValidForNameContext {
                        presented,
                        ..
                    })) => Failure::OtherName(presented.iter().find_map(|name| name_or_address(name))),
                    _ => Failure::broken(cut(&error.to_string())),
                }
            }
            other => Failure::broken(cut(&other.to_string())),
        }
    }
}

/// Cuts a text that the server chose.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Reads a name as rustls presents it, `DnsName("*.example.com")` or `IpAddress(192.0.2.1)`, into one that the
/// certificate is valid for.
fn name_or_address(presented: &str) -> Option<String> {
    if let Some(address) = presented.strip_prefix("IpAddress(").and_then(|rest| rest.strip_suffix(")")) {
        return address.parse::<IpAddr>().ok().map(|address| address.to_string());
    }
    let name = presented.strip_prefix("DnsName(\"")?.strip_suffix("\")")?;
    Some(name.replace('*', "any"))
}
