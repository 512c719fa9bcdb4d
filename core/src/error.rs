//! One error vocabulary for Rust, Python and Java.

use crate::printable::printable;
use std::sync::Arc;
use std::{fmt, io};

/// What went wrong, as a caller would react to it.
///
/// Each binding has a class for each kind; the code is the same in all languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A URL, an option or the database it points at cannot be used as it is.
    InvalidConfig,
    /// An argument of one call is out of range.
    InvalidArgument,
    /// The store has no row for the tag.
    UnknownTag,
    /// No id within the timeout: supply ran out, and the store has not answered.
    SegmentUnavailable,
    /// The store could not be reached, or refused for now.
    StoreUnavailable,
    /// The store leased a range that lies below one that it leased before.
    StoreRegressed,
    /// No worker id is free.
    WorkerIdUnavailable,
    /// The lease of the worker id has ended.
    LeaseLost,
    /// The clock shows a time before one that ids were stamped with.
    ClockMovedBackwards,
    /// The numbers or the time bits are used up.
    IdSpaceExhausted,
    /// All ids that the layout has for this tick are used up, and the timeout ends before the next tick.
    RateExceeded,
    /// The value is not an id of this layout or rule.
    InvalidId,
    /// The generator was closed.
    Closed,
}

impl ErrorKind {
    /// Every kind, in the order of `tests/vectors/errors.json`.
    pub const ALL: [ErrorKind; 13] = [
        ErrorKind::InvalidConfig,
        ErrorKind::InvalidArgument,
        ErrorKind::UnknownTag,
        ErrorKind::SegmentUnavailable,
        ErrorKind::StoreUnavailable,
        ErrorKind::StoreRegressed,
        ErrorKind::WorkerIdUnavailable,
        ErrorKind::LeaseLost,
        ErrorKind::ClockMovedBackwards,
        ErrorKind::IdSpaceExhausted,
        ErrorKind::RateExceeded,
        ErrorKind::InvalidId,
        ErrorKind::Closed,
    ];

    /// Returns the code that all languages share, for example `unknown_tag`.
    pub const fn code(self) -> &'static str {
        match self {
            ErrorKind::InvalidConfig => "invalid_config",
            ErrorKind::InvalidArgument => "invalid_argument",
            ErrorKind::UnknownTag => "unknown_tag",
            ErrorKind::SegmentUnavailable => "segment_unavailable",
            ErrorKind::StoreUnavailable => "store_unavailable",
            ErrorKind::StoreRegressed => "store_regressed",
            ErrorKind::WorkerIdUnavailable => "worker_id_unavailable",
            ErrorKind::LeaseLost => "lease_lost",
            ErrorKind::ClockMovedBackwards => "clock_moved_backwards",
            ErrorKind::IdSpaceExhausted => "id_space_exhausted",
            ErrorKind::RateExceeded => "rate_exceeded",
            ErrorKind::InvalidId => "invalid_id",
            ErrorKind::Closed => "closed",
        }
    }

    /// Returns whether the same call may succeed later without any change by an operator or a developer.
    pub const fn retryable(self) -> bool {
        match self {
            ErrorKind::SegmentUnavailable
            | ErrorKind::StoreUnavailable
            | ErrorKind::WorkerIdUnavailable
            | ErrorKind::LeaseLost
            | ErrorKind::ClockMovedBackwards
            | ErrorKind::RateExceeded => true,
            ErrorKind::InvalidConfig
            | ErrorKind::InvalidArgument
            | ErrorKind::UnknownTag
            | ErrorKind::StoreRegressed
            | ErrorKind::IdSpaceExhausted
            | ErrorKind::InvalidId
            | ErrorKind::Closed => false,
        }
    }
}

/// A failure: its kind, and a message that says what failed, with which value, and what to do.
///
/// ```
/// let error = leafmint::SegmentGenerator::open("oracle://db", []).unwrap_err();
/// assert_eq!(error.kind().code(), "invalid_config");
/// assert!(!error.kind().retryable());
/// ```
///
/// [`Error::context`] is what leafmint was doing, and [`source`](std::error::Error::source) the error behind this one.
/// The message includes what matters of both. Two errors are equal if their kinds and messages are.
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
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// The result of a leafmint call.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: printable(message.into()), origin: None }
    }

    /// Returns the error of every call after a close.
    pub(crate) fn closed() -> Self {
        Self::new(ErrorKind::Closed, "this generator was closed: open another one")
    }

    /// Adds what leafmint was doing, unless that is known already: the innermost context is the most exact one.
    pub(crate) fn during(mut self, context: fmt::Arguments<'_>) -> Self {
        self.origin.get_or_insert_default().context.get_or_insert_with(|| printable(context.to_string()));
        self
    }

    /// Adds the error behind this one.
    pub(crate) fn with_source(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.origin.get_or_insert_default().source = Some(Arc::new(source));
        self
    }

    /// Adds an error of the system behind this one.
    pub(crate) fn with_io_source(self, source: &io::Error) -> Self {
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

    /// Returns what leafmint was doing, for example `leasing ids of biz_tag "order"`, if it was more than checking an
    /// argument.
    pub fn context(&self) -> Option<&str> {
        self.origin.as_ref()?.context.as_deref()
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

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = self.origin.as_ref()?.source.as_deref()?;
        Some(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    #[test]
    fn an_error_names_what_failed_behind_it_without_a_change_of_its_message() {
        let plain = Error::new(ErrorKind::StoreUnavailable, "the disk is full");
        assert!(plain.source().is_none() && plain.context().is_none());
        let cause = io::Error::from_raw_os_error(libc::ENOSPC);
        let error = plain.clone().with_io_source(&cause).during(format_args!("leasing ids of biz_tag {:?}", "a\nb"));
        assert_eq!(error, plain);
        assert_eq!(error.to_string(), "the disk is full");
        assert_eq!(error.context(), Some(r#"leasing ids of biz_tag "a\nb""#));
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
}
