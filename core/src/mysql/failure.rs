//! What a MySQL answer means: whether to try again, on which host, and what to tell the user.

use crate::error::{Error, ErrorKind};
use mysql_async::{DriverError, IoError};

/// What went wrong on a session.
pub(crate) enum Failure {
    /// The answer is final, and so is its name.
    Named(Error),
    /// The server refused the statement.
    Server { code: u16, text: String },
    /// The session cannot be used any more.
    Broken(String),
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
    /// Another host, if there is one.
    NextHost,
    /// Nothing: tell the caller.
    Tell,
}

impl Failure {
    pub(crate) fn broken(text: impl Into<String>) -> Self {
        Failure::Broken(text.into())
    }

    pub(crate) fn remedy(&self) -> Remedy {
        match self {
            Failure::Named(_) => Remedy::Tell,
            // Lock wait timeout and deadlock; Galera and Group Replication answer conflicts so.
            Failure::Server { code: 1205 | 1213, .. } => Remedy::Again,
            // A demoted primary, or one whose InnoDB only reads; a Galera node that is not in sync, or failed at commit; a server that is shutting down
            // or has too many connections.
            Failure::Server { code: 1290 | 1792 | 1836 | 1036 | 1047 | 1180 | 1053 | 1040, .. } => Remedy::NextHost,
            Failure::Server { .. } => Remedy::Tell,
            Failure::Broken(_) | Failure::NoTls | Failure::OtherName(_) => Remedy::NextHost,
        }
    }

    pub(crate) fn is_missing_table(&self) -> bool {
        matches!(self, Failure::Server { code: 1146, .. })
    }

    /// Tells whether there is no table of that name, or can be none, since the name is too long.
    pub(crate) fn is_no_such_table(&self) -> bool {
        matches!(self, Failure::Server { code: 1146 | 1059 | 1103, .. })
    }

    pub(crate) fn is_denied(&self) -> bool {
        matches!(self, Failure::Server { code: 1044 | 1142 | 1143, .. })
    }

    pub(crate) fn is_duplicate(&self) -> bool {
        matches!(self, Failure::Server { code: 1062, .. })
    }

    /// Gives the failure the name that callers see.
    pub(crate) fn name(self, database: &str) -> Error {
        let (kind, text) = match self {
            Failure::Named(error) => return error,
            Failure::Server { code, text } => match code {
                1044 | 1045 | 1698 => (ErrorKind::InvalidConfig, format!("{text}: check user and password")),
                1049 => (ErrorKind::InvalidConfig, format!("{text}: create the database, or correct the URL")),
                1142 | 1143 => (ErrorKind::InvalidConfig, format!("{text}: grant it to this account")),
                1146 => (ErrorKind::InvalidConfig, text),
                1054 => (ErrorKind::InvalidConfig, format!("{text}: leafmint needs that column")),
                1264 | 1366 | 1406 | 1267 | 1690 => (ErrorKind::InvalidArgument, text),
                _ => (ErrorKind::StoreUnavailable, text),
            },
            Failure::Broken(text) => (ErrorKind::StoreUnavailable, text),
            Failure::OtherName(name) => (
                ErrorKind::StoreUnavailable,
                format!("the server's certificate is for {}, not for this host", name.as_deref().unwrap_or("another name")),
            ),
            Failure::NoTls => {
                (ErrorKind::InvalidConfig, "the server does not speak TLS: set ssl_mode to preferred or disabled".into())
            }
        };
        Error::new(kind, format!("{database}: {text}"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Named(error)
    }
}

impl From<mysql_async::Error> for Failure {
    fn from(error: mysql_async::Error) -> Self {
        match error {
            mysql_async::Error::Server(refusal) => {
                Failure::Server { code: refusal.code, text: format!("error {}: {}", refusal.code, refusal.message) }
            }
            mysql_async::Error::Driver(DriverError::NoClientSslFlagFromServer) => Failure::NoTls,
            mysql_async::Error::Io(IoError::Io(error)) => match error.get_ref().and_then(|cause| cause.downcast_ref()) {
                Some(rustls::Error::InvalidCertificate(rustls::CertificateError::NotValidForNameContext {
                    presented, ..
                })) => Failure::OtherName(presented.iter().find_map(|name| dns_name(name))),
                _ => Failure::broken(error.to_string()),
            },
            other => Failure::broken(other.to_string()),
        }
    }
}

/// Reads a DNS name as rustls presents it, `DnsName("*.example.com")`, into one that the certificate is valid for.
fn dns_name(presented: &str) -> Option<String> {
    let name = presented.strip_prefix("DnsName(\"")?.strip_suffix("\")")?;
    Some(name.replace('*', "any"))
}
