//! What a server's errors mean: each kind of server has one table.

use crate::error::{ErrorKind, Reason};

/// What an error means to leafmint.
#[derive(Clone, Copy)]
pub(crate) struct Sense {
    pub(crate) kind: ErrorKind,
    pub(crate) remedy: Remedy,
    pub(crate) reason: Option<Reason>,
    /// What the user can do; empty if there is nothing to say.
    pub(crate) advice: &'static str,
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
    Row(codes, Sense { kind, remedy, reason, advice })
}

/// Returns the first code that `is_it`, and what it means. An error without a row may go away by itself.
pub(crate) fn look_up<C>(table: &[Row<C>], is_it: impl Fn(&C) -> bool) -> (Option<&C>, Sense) {
    let other = Sense { kind: ErrorKind::StoreUnavailable, remedy: Remedy::Report, reason: None, advice: "" };
    let mut codes = table.iter().flat_map(|Row(codes, sense)| codes.iter().map(move |code| (code, sense)));
    codes.find(|(code, _)| is_it(code)).map_or((None, other), |(code, sense)| (Some(code), *sense))
}
