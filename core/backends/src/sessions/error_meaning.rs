//! What a failure on a session means: whether to try again, on which host, and what to report to the user. Each kind of
//! server has one table of its errors.

use leafmint_ids::error::{Error, ErrorKind, Reason, ServerError};
use leafmint_ids::text;
use rustls::CertificateError;
use std::io;
use std::net::IpAddr;

/// What an error means to leafmint.
#[derive(Clone, Copy)]
pub struct Sense {
    pub kind: ErrorKind,
    pub remedy: Remedy,
    pub reason: Option<Reason>,
    /// The server does its work, and refused this row or statement.
    pub is_of_one_row: bool,
    /// What the user can do; empty if there is nothing to say.
    pub advice: &'static str,
}

/// What to do about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The same statement on the same host: the server gave up in favour of another transaction.
    Again,
    /// The same, but another host if it goes on: a primary that was replaced may keep rows locked, for a replica that
    /// follows it no more.
    AgainThenNextHost,
    /// The same statement on another session. If a session that was just opened failed so, another host.
    AnotherSession,
    /// Another host, if there is one.
    NextHost,
    /// None: report it to the caller.
    Report,
}

impl Remedy {
    /// Returns whether the same transaction may succeed on the same host.
    pub const fn repeats(self) -> bool {
        matches!(self, Remedy::Again | Remedy::AgainThenNextHost)
    }
}

/// The errors of these codes, and what they mean.
pub struct Row<C: 'static>(&'static [C], Sense);

/// Writes a row of a table. Its last part is the advice.
pub const fn row<C>(
    codes: &'static [C],
    kind: ErrorKind,
    remedy: Remedy,
    reason: Option<Reason>,
    advice: &'static str,
) -> Row<C> {
    let is_of_one_row = remedy.repeats() || matches!(remedy, Remedy::Report);
    Row(codes, Sense { kind, remedy, reason, is_of_one_row, advice })
}

/// Returns the first code that `is_it`, and what it means. An error without a row may go away by itself, and
/// may be one of the whole server, such as a full disk.
pub(crate) fn look_up<C>(table: &[Row<C>], is_it: impl Fn(&C) -> bool) -> (Option<&C>, Sense) {
    let (kind, remedy) = (ErrorKind::StoreUnavailable, Remedy::Report);
    let other = Sense { kind, remedy, reason: None, is_of_one_row: false, advice: "" };
    let mut codes = table.iter().flat_map(|Row(codes, sense)| codes.iter().map(move |code| (code, sense)));
    codes.find(|(code, _)| is_it(code)).map_or((None, other), |(code, sense)| (Some(code), *sense))
}

/// Maximum length of a text that the server chose, in characters.
const MOST_CHARACTERS: usize = 500;

/// What a session answers.
pub type Outcome<T> = std::result::Result<T, Failure>;

/// What went wrong on a session.
pub enum Failure {
    /// A final answer, with the error that callers see.
    Named(Error),
    /// The server refused the statement, or the session.
    Refused(Error, Remedy),
    /// The session cannot be used any more.
    Broken(Error),
    /// No answer in time, neither to this call nor to others.
    Silent(String),
    /// No answer in time from a host that answers others.
    Slow(String),
    /// No credentials to log in with.
    NoCredentials(Error),
    /// The server does not speak TLS.
    NoTls,
    /// The server's certificate is good, but for another name: this one.
    OtherName(Option<String>),
}

impl Failure {
    /// The server refused something, and its table says what that means.
    pub(crate) fn of_server(answer: ServerError, sense: Sense, subject: &str) -> Self {
        match Self::refused(&format!("{subject}{answer}"), sense) {
            Failure::Refused(error, remedy) => Failure::Refused(error.with_source(answer), remedy),
            other => other,
        }
    }

    /// The server refused something without a number of its own.
    pub fn refused(text: &str, sense: Sense) -> Self {
        let text = if sense.advice.is_empty() { text.to_owned() } else { format!("{text}: {}", sense.advice) };
        let error = Error::new(sense.kind, text).because(sense.reason);
        Failure::Refused(if sense.is_of_one_row { error.of_one_tag() } else { error }, sense.remedy)
    }

    pub fn broken(text: impl Into<String>) -> Self {
        Failure::Broken(unavailable(text))
    }

    /// The connection failed, with an error of the system.
    pub(crate) fn of_io(error: &io::Error, text: impl Into<String>) -> Self {
        Failure::Broken(unavailable(text).with_io_source(error))
    }

    pub fn remedy(&self) -> Remedy {
        match self {
            Failure::Refused(_, remedy) => *remedy,
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

    /// Returns why the server refused it, if it did and that is known.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Failure::Refused(error, _) => error.reason(),
            _ => None,
        }
    }

    pub(crate) fn is_missing_table(&self) -> bool {
        self.reason() == Some(Reason::MissingTable)
    }

    /// Returns whether there is no table of that name, or can be none.
    pub(crate) fn is_no_such_table(&self) -> bool {
        self.is_missing_table() || self.reason() == Some(Reason::ImpossibleTable)
    }

    pub(crate) fn is_denied(&self) -> bool {
        self.reason() == Some(Reason::Denied)
    }

    pub(crate) fn is_duplicate(&self) -> bool {
        self.reason() == Some(Reason::Duplicate)
    }

    /// Returns the error that callers see, which names the database.
    pub(crate) fn into_error(self, database: &str) -> Error {
        if let Failure::Named(error) = self {
            return error;
        }
        let error = self.into_plain_error();
        let text = format!("{database}: {error}");
        error.saying(text)
    }

    /// Returns what it means that the server refused credentials that a source supplied: those of the next connection
    /// may be accepted.
    pub(super) fn of_supplied_credentials(self) -> Self {
        match self {
            Failure::Refused(error, _) if error.reason() == Some(Reason::LogInRefused) => {
                let text = format!(
                    "{}: the server refused what the credentials supplier returned; it is asked again for the next connection",
                    error.server().map_or_else(|| error.to_string(), ServerError::to_string)
                );
                Failure::Broken(unavailable(text).with_source(error))
            }
            other => other,
        }
    }

    /// Returns what failed and what to do, without the name of the database.
    pub fn into_plain_error(self) -> Error {
        match self {
            Failure::Named(error)
            | Failure::Refused(error, _)
            | Failure::Broken(error)
            | Failure::NoCredentials(error) => error,
            Failure::Silent(text) | Failure::Slow(text) => unavailable(text),
            Failure::OtherName(name) => unavailable(format!(
                "the server's certificate is for {}, not for this host",
                name.as_deref().unwrap_or("another name")
            )),
            Failure::NoTls => Error::new(
                ErrorKind::InvalidConfig,
                "the server does not speak TLS, which ssl_mode demands: it may not be your server, or something on the way \
                 to it takes TLS away: find that out first. Only if yours has no TLS, set ssl_mode to preferred or disabled",
            ),
        }
    }
}

fn unavailable(text: impl Into<String>) -> Error {
    Error::new(ErrorKind::StoreUnavailable, text)
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Named(error)
    }
}

/// Cuts a text that the server chose.
pub fn cut(text: &str) -> String {
    text::cut(text, MOST_CHARACTERS)
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
