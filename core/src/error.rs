//! One error vocabulary for Rust, Python and Java.

use crate::printable::printable;
use std::fmt;

/// What went wrong, as a caller would react to it.
///
/// Every face turns each kind into a class of its own; the code is the same in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// A URL, an option or the database it points at cannot be used as it is.
    InvalidConfig,
    /// An argument of one call is out of range.
    InvalidArgument,
    /// The store has no row for the tag.
    UnknownTag,
    /// No id within the timeout: supply ran out and the store has not answered.
    SegmentUnavailable,
    /// The store could not be reached, or refused for now.
    StoreUnavailable,
    /// The store leased a range that lies below one it leased before.
    StoreRegressed,
    /// No worker id is free.
    WorkerIdUnavailable,
    /// The lease of the worker id has ended.
    LeaseLost,
    /// The clock stands before a time that was already used.
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

    /// Tells whether the same call may succeed later without anybody changing anything.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// The result of a leafmint call.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: printable(message.into()) }
    }

    /// Returns the kind, which carries the code and whether a retry can help.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the message without the code: one line of at most some 4,000 characters, with control characters escaped.
    ///
    /// It never holds a password.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
