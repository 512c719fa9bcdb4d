//! One error vocabulary for Rust, Python and Java.

use crate::text::printable;
pub use config_errors::ConfigErrors;
pub use kind::ErrorKind;
pub use reason::Reason;
use std::error::Error as AnyError;
use std::sync::Arc;
use std::{error, fmt, io, iter};

mod config_errors;
mod kind;
mod reason;

/// A failure: its kind, and a message that says what failed, with which value, and what to do.
///
/// [`Error::context`] is what leafmint was doing, and [`source`](std::error::Error::source) the error behind this one:
/// another error of leafmint, a [`ServerError`] or an [`io::Error`]. The message includes what matters of both. Two
/// errors are equal if their kinds and messages are.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    origin: Option<Box<Origin>>,
}

/// Where an error comes from.
#[derive(Clone, Debug, Default)]
struct Origin {
    context: Option<String>,
    reason: Option<Reason>,
    is_of_one_tag: bool,
    options: Vec<&'static str>,
    source: Option<Arc<dyn AnyError + Send + Sync>>,
}

/// The result of a leafmint call.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: printable(message.into()), origin: None }
    }

    /// Returns the error of every call after a close.
    pub fn closed() -> Self {
        Self::new(ErrorKind::Closed, "this generator was closed: open another one")
    }

    /// Adds what leafmint was doing, unless that is known already: the innermost context is the most exact one.
    pub fn during(mut self, context: fmt::Arguments<'_>) -> Self {
        self.origin.get_or_insert_default().context.get_or_insert_with(|| printable(context.to_string()));
        self
    }

    /// Replaces the message, and keeps everything else.
    pub fn saying(self, message: impl Into<String>) -> Self {
        Self { message: printable(message.into()), ..self }
    }

    /// Adds why, within its kind.
    pub fn because(mut self, reason: impl Into<Option<Reason>>) -> Self {
        if let Some(reason) = reason.into() {
            self.origin.get_or_insert_default().reason = Some(reason);
        }
        self
    }

    /// Says that the store has answered, and that the failure concerns one tag alone: its row is locked, for example.
    pub fn of_one_tag(mut self) -> Self {
        self.origin.get_or_insert_default().is_of_one_tag = true;
        self
    }

    /// Returns whether the store has answered, and failed for one tag alone.
    pub fn is_of_one_tag(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.is_of_one_tag)
    }

    /// Adds the options whose values are wrong.
    pub(crate) fn of_options(mut self, options: Vec<&'static str>) -> Self {
        if !options.is_empty() {
            self.origin.get_or_insert_default().options = options;
        }
        self
    }

    /// Adds the error behind this one.
    pub fn with_source(mut self, source: impl AnyError + Send + Sync + 'static) -> Self {
        self.origin.get_or_insert_default().source = Some(Arc::new(source));
        self
    }

    /// Adds an error of the system behind this one.
    pub fn with_io_source(self, source: &io::Error) -> Self {
        // An io::Error cannot be cloned; the system's number says it all.
        match source.raw_os_error() {
            Some(number) => self.with_source(io::Error::from_raw_os_error(number)),
            None => self.with_source(io::Error::new(source.kind(), printable(source.to_string()))),
        }
    }

    /// Returns the kind, which carries the code and whether a retry can help.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the message without the code: one line of at most some 4,000 characters, with control characters
    /// escaped.
    ///
    /// It never holds a password.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns what leafmint was doing, for example `leasing ids of tag "order"`, if it was more than checking an
    /// argument.
    pub fn context(&self) -> Option<&str> {
        self.origin.as_ref()?.context.as_deref()
    }

    /// Returns why it happened, if that is one of the reasons that programs ask for; else that of the error behind it.
    pub fn reason(&self) -> Option<Reason> {
        self.chain().find_map(|error| error.downcast_ref::<Error>()?.origin.as_ref()?.reason)
    }

    /// Returns the answer of the server, or of SQLite, that this error comes from, with the server's own number.
    pub fn server(&self) -> Option<&ServerError> {
        self.chain().find_map(|error| error.downcast_ref())
    }

    /// Returns the names of the options whose values are wrong, as far as the problem is that of an option.
    pub fn options(&self) -> &[&'static str] {
        self.origin.as_ref().map_or(&[], |origin| &origin.options)
    }

    /// Returns this error and those behind it.
    fn chain(&self) -> impl Iterator<Item = &(dyn AnyError + 'static)> {
        iter::successors(Some(self as &(dyn AnyError + 'static)), |error| {
            let error: &(dyn AnyError + 'static) = *error;
            error.source()
        })
    }
}

impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.message) == (other.kind, &other.message)
    }
}

impl Eq for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl AnyError for Error {
    fn source(&self) -> Option<&(dyn AnyError + 'static)> {
        let source = self.origin.as_ref()?.source.as_deref()?;
        Some(source)
    }
}

/// Makes the error of an argument that is out of range.
pub(crate) fn invalid_argument(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}

/// Makes the error of a number or text that is not an id.
pub(crate) fn invalid_id(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidId, message)
}

pub(crate) fn exhausted(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::IdSpaceExhausted, message)
}

/// An error of the server itself, or of SQLite: its number, its state and its text.
///
/// MySQL and MariaDB have a number and a state, for example 1045 and `28000`; PostgreSQL has a state only, ZooKeeper a
/// number only. SQLite's number is its extended result code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerError {
    number: Option<i32>,
    state: Option<String>,
    text: String,
}

impl ServerError {
    pub fn new(number: Option<i32>, state: Option<String>, text: String) -> Self {
        Self { number, state: state.map(printable), text: printable(text) }
    }

    /// Returns the server's own number.
    pub fn number(&self) -> Option<i32> {
        self.number
    }

    /// Returns the SQLSTATE.
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl error::Error for ServerError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_what_failed_behind_it_without_a_change_of_its_message() {
        let plain = Error::new(ErrorKind::StoreUnavailable, "the disk is full");
        assert!(plain.source().is_none() && plain.context().is_none());
        let cause = io::Error::from_raw_os_error(libc::ENOSPC);
        let error = plain.clone().with_io_source(&cause).during(format_args!("leasing ids of tag {:?}", "a\nb"));
        assert_eq!(error, plain);
        assert_eq!(error.to_string(), "the disk is full");
        assert_eq!(error.context(), Some(r#"leasing ids of tag "a\nb""#));
        let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.and_then(io::Error::raw_os_error), Some(libc::ENOSPC));
    }

    #[test]
    fn an_error_behind_another_keeps_its_kind_and_the_innermost_context_stays() {
        let inner = Error::new(ErrorKind::InvalidConfig, "no table").during(format_args!("leasing"));
        let outer = Error::new(ErrorKind::SegmentUnavailable, "no id")
            .with_source(inner.clone().during(format_args!("refilling")));
        let source = outer.source().and_then(|source| source.downcast_ref::<Error>());
        assert_eq!(
            source.map(|error| (error.kind(), error.context())),
            Some((ErrorKind::InvalidConfig, Some("leasing")))
        );
    }

    #[test]
    fn reason_and_answer_of_a_server_are_those_of_the_error_behind_too() {
        let refused = ServerError::new(Some(1146), Some("42S02".into()), "error 1146: no\ttable".into());
        let inner = Error::new(ErrorKind::InvalidConfig, "no table").because(Reason::MissingTable).with_source(refused);
        let outer = Error::new(ErrorKind::SegmentUnavailable, "no id").with_source(inner.saying("still no table"));
        assert_eq!(outer.reason().map(Reason::code), Some("missing_table"));
        let server = outer.server().unwrap();
        assert_eq!(
            (server.number(), server.state(), server.to_string().as_str()),
            (Some(1146), Some("42S02"), r"error 1146: no\ttable")
        );
    }
}
