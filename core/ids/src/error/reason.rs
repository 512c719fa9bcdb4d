//! The reasons of errors.

/// Why an error happened, within its kind, if programs have to tell that apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// There is no table, or node of ZooKeeper, of that name.
    MissingTable,
    /// A ticket server was not set up, or lost its data.
    MissingSchema,
    /// There can be no table of that name.
    ImpossibleTable,
    /// The account may not do this.
    Denied,
    /// The row, table or node is there already.
    Duplicate,
    /// The account or its password is wrong.
    LogInRefused,
    /// The account logs in by a method that leafmint does not have.
    LogInUnsupported,
    /// The account logs in with its password in clear text, which leafmint sends to a verified server only.
    ClearPassword,
    /// A row, or SQLite's file, stayed locked by another transaction.
    Locked,
    /// The server has no room for another session.
    TooManySessions,
    /// As many keys of a series are open as `max_keys` allows.
    TooManyKeys,
    /// The URL names a store or has a form that leafmint does not serve.
    UnservedUrl,
    /// The process has no memory for an answer, or an argument, of that length. Nothing was taken.
    OutOfMemory,
}

impl Reason {
    /// Every reason, in the order of `tests/vectors/reasons.json`.
    pub const ALL: [Reason; 13] = [
        Reason::MissingTable,
        Reason::MissingSchema,
        Reason::ImpossibleTable,
        Reason::Denied,
        Reason::Duplicate,
        Reason::LogInRefused,
        Reason::LogInUnsupported,
        Reason::ClearPassword,
        Reason::Locked,
        Reason::TooManySessions,
        Reason::TooManyKeys,
        Reason::UnservedUrl,
        Reason::OutOfMemory,
    ];

    /// Returns the code that all languages share, for example `missing_table`.
    pub const fn code(self) -> &'static str {
        match self {
            Reason::MissingTable => "missing_table",
            Reason::MissingSchema => "missing_schema",
            Reason::ImpossibleTable => "impossible_table",
            Reason::Denied => "denied",
            Reason::Duplicate => "duplicate",
            Reason::LogInRefused => "log_in_refused",
            Reason::LogInUnsupported => "log_in_unsupported",
            Reason::ClearPassword => "clear_password",
            Reason::Locked => "locked",
            Reason::TooManySessions => "too_many_sessions",
            Reason::TooManyKeys => "too_many_keys",
            Reason::UnservedUrl => "unserved_url",
            Reason::OutOfMemory => "out_of_memory",
        }
    }
}
