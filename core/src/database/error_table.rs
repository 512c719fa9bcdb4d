//! What a server's errors mean: each kind of server has one table.

use crate::error::{ErrorKind, Reason};

/// What an error means to leafmint.
#[derive(Clone, Copy)]
pub(crate) struct Sense {
    pub(crate) kind: ErrorKind,
    pub(crate) remedy: Remedy,
    pub(crate) reason: Option<Reason>,
    /// The server does its work, and refused this row or statement.
    pub(crate) is_of_one_row: bool,
    /// What the user can do; empty if there is nothing to say.
    pub(crate) advice: &'static str,
}

/// What to do about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
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
    pub(crate) const fn repeats(self) -> bool {
        matches!(self, Remedy::Again | Remedy::AgainThenNextHost)
    }
}

/// The errors of these codes, and what they mean.
pub(crate) struct Row<C: 'static>(&'static [C], Sense);

/// Writes a row of a table. Its last part is the advice.
pub(crate) const fn row<C>(
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
