//! The kinds of errors.

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
    /// The clock shows a time before one that ids were stamped with, or another one than the database at the start.
    ClockMovedBackwards,
    /// The numbers, the time bits or the digits of a format are used up.
    IdSpaceExhausted,
    /// All ids that the layout has for this tick are used up, and the timeout ends before the next tick.
    RateExceeded,
    /// The value is not an id of this layout, or not a number of this rule or format.
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
