//! What a failure means: whether to try again, on which host, and what to report to the user.

use crate::error::{Error, ErrorKind};
use rustls::CertificateError;
use std::io;
use std::net::IpAddr;

/// Maximum length of a text that the server chose, in characters.
const MOST_CHARACTERS: usize = 500;

/// What a session answers.
pub(crate) type Outcome<T> = std::result::Result<T, Failure>;

/// What went wrong on a session.
pub(crate) enum Failure {
    /// A final answer, with the error that callers see.
    Named(Error),
    /// The server refused the statement, or the session.
    Server(ServerError),
    /// The session cannot be used any more.
    Broken(String),
    /// No answer in time, neither to this call nor to others.
    Silent(String),
    /// No answer in time from a host that answers others.
    Slow(String),
    /// No credentials to log in with.
    NoCredentials(String),
    /// The server does not speak TLS.
    NoTls,
    /// The server's certificate is good, but for another name: this one.
    OtherName(Option<String>),
}

/// An error of the server, and what it means.
pub(crate) struct ServerError {
    pub(crate) kind: ErrorKind,
    /// The server's text, cut.
    pub(crate) text: String,
    /// What to do; empty if there is nothing to say.
    pub(crate) advice: &'static str,
    pub(crate) remedy: Remedy,
    pub(crate) meaning: Meaning,
}

/// What an error of the server says about the table, the row or the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// There is no table of that name.
    MissingTable,
    /// There can be no table of that name.
    ImpossibleTable,
    /// The account may not do this.
    Denied,
    /// The row is there already.
    Duplicate,
    /// The account or its password are wrong.
    LogInRefused,
    /// The account logs in by a way that the driver does not have.
    NoWayToLogIn,
    /// The row stayed locked by another transaction.
    Locked,
    /// The server has no room for another session.
    Full,
    /// Something else.
    Other,
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

    pub(crate) fn remedy(&self) -> Remedy {
        match self {
            Failure::Server(error) => error.remedy,
            Failure::Named(_) | Failure::Slow(_) | Failure::NoCredentials(_) => Remedy::Report,
            Failure::Broken(_) => Remedy::AnotherSession,
            Failure::Silent(_) | Failure::NoTls | Failure::OtherName(_) => Remedy::NextHost,
        }
    }

    /// Returns whether the session must not be used again.
    pub(crate) fn ends_the_session(&self) -> bool {
        matches!(self, Failure::Slow(_)) || matches!(self.remedy(), Remedy::AnotherSession | Remedy::NextHost)
    }

    /// Returns whether no host was asked.
    pub(super) fn is_before_any_host(&self) -> bool {
        matches!(self, Failure::NoCredentials(_))
    }

    pub(crate) fn is_missing_table(&self) -> bool {
        self.means(Meaning::MissingTable)
    }

    /// Returns whether there is no table of that name, or can be none.
    pub(crate) fn is_no_such_table(&self) -> bool {
        self.is_missing_table() || self.means(Meaning::ImpossibleTable)
    }

    pub(crate) fn is_denied(&self) -> bool {
        self.means(Meaning::Denied)
    }

    pub(crate) fn is_duplicate(&self) -> bool {
        self.means(Meaning::Duplicate)
    }

    pub(crate) fn means(&self, meaning: Meaning) -> bool {
        matches!(self, Failure::Server(error) if error.meaning == meaning)
    }

    /// Returns the error that callers see.
    pub(crate) fn into_error(self, database: &str) -> Error {
        if let Failure::Named(error) = self {
            return error;
        }
        let (kind, text) = self.describe();
        Error::new(kind, format!("{database}: {text}"))
    }

    /// Returns what it means that the server refused credentials that a source supplied: those of the next connection
    /// may be accepted.
    pub(super) fn of_supplied_credentials(self) -> Self {
        match self {
            Failure::Server(ServerError { meaning: Meaning::LogInRefused, text, .. }) => Failure::Broken(format!(
                "{text}: the server refused what the credentials supplier returned; it is asked again for the next \
                 connection"
            )),
            other => other,
        }
    }

    /// Returns what failed and what to do.
    pub(crate) fn describe(self) -> (ErrorKind, String) {
        match self {
            Failure::Named(error) => (error.kind(), error.message().to_owned()),
            Failure::Server(ServerError { kind, text, advice: "", .. }) => (kind, text),
            Failure::Server(ServerError { kind, text, advice, .. }) => (kind, format!("{text}: {advice}")),
            Failure::Broken(text) | Failure::Silent(text) | Failure::Slow(text) | Failure::NoCredentials(text) => {
                (ErrorKind::StoreUnavailable, text)
            }
            Failure::OtherName(name) => (
                ErrorKind::StoreUnavailable,
                format!(
                    "the server's certificate is for {}, not for this host",
                    name.as_deref().unwrap_or("another name")
                ),
            ),
            Failure::NoTls => (
                ErrorKind::InvalidConfig,
                "the server does not speak TLS, which ssl_mode demands: it may not be your server, or something on the way \
                 to it takes TLS away: find that out first. Only if yours has no TLS, set ssl_mode to preferred or disabled"
                    .into(),
            ),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Named(error)
    }
}

/// Cuts a text that the server chose.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns what a failed handshake means, if the certificate is for another name.
pub(crate) fn of_tls(error: &io::Error) -> Option<Failure> {
    match error.get_ref()?.downcast_ref()? {
        rustls::Error::InvalidCertificate(CertificateError::NotValidForNameContext { presented, .. }) => {
            Some(Failure::OtherName(presented.iter().find_map(|name| name_or_address(name))))
        }
        _ => None,
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
