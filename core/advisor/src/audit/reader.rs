//! What reads one kind of database.

use super::assemble::{Listed, ListedCounter};
use super::catalogue::{Column, Tag};
use leafmint_backends::sessions::{Remedy, Sense};
use leafmint_backends::{mysql, postgresql as postgres};
use leafmint_ids::error::{Error, Reason, Result};
use std::future::{Future, ready};

/// What reads one kind of database. No call of it writes, or scans a table.
pub trait Reader: Send + Sync + 'static {
    /// Names the database without credentials.
    fn scope(&self) -> String;

    /// Lists columns and foreign keys.
    fn listed(&self) -> impl Future<Output = Result<Listed>> + Send;

    /// Reads the highest number of a column from the end of its index.
    fn highest(&self, column: &Column) -> impl Future<Output = Result<Option<u64>>> + Send;

    /// Reads the lowest number of a column that is not negative, by its index.
    fn lowest(&self, column: &Column) -> impl Future<Output = Result<Option<u64>>> + Send;

    /// Lists the counters.
    fn counters(&self) -> impl Future<Output = Result<Vec<ListedCounter>>> + Send;

    /// Reads the first row from a number on: its number, and its time in Unix milliseconds.
    fn first_from(
        &self,
        column: &Column,
        time_column: &str,
        from: u64,
    ) -> impl Future<Output = Result<Option<(u64, Option<i64>)>>> + Send;

    /// Reads the lowest number of a column from a number on. Only `AUTO_INCREMENT` is judged by it.
    fn first_id_from(&self, _column: &Column, _from: u64) -> impl Future<Output = Result<Option<u64>>> + Send {
        ready(Ok(None))
    }

    /// Lists the tags, if there is a table of tags.
    fn tags(&self) -> impl Future<Output = Result<Vec<Tag>>> + Send;

    /// Ends the sessions.
    fn close(&self) -> impl Future<Output = ()> + Send;
}

/// What came of an attempt to read one table or sequence.
pub(super) enum Sight<T> {
    Read(T),
    /// It was dropped since it was listed.
    Gone,
    /// The account may not read it, or it is locked, damaged or too slow.
    Refused,
}

/// Returns what came of an attempt, or the error if nothing else can be read either.
pub(super) fn sight<T>(answer: Result<T>) -> Result<Sight<T>> {
    match answer {
        Ok(read) => Ok(Sight::Read(read)),
        Err(error) if error.reason() == Some(Reason::MissingTable) => Ok(Sight::Gone),
        Err(error) if is_of_one_table(&error) => Ok(Sight::Refused),
        Err(error) => Err(error),
    }
}

/// Returns what was read, or `None` if that one table or sequence cannot be read.
pub(crate) fn if_allowed<T>(answer: Result<T>) -> Result<Option<T>> {
    match sight(answer)? {
        Sight::Read(read) => Ok(Some(read)),
        Sight::Gone | Sight::Refused => Ok(None),
    }
}

/// Returns whether other tables can be read nevertheless.
fn is_of_one_table(error: &Error) -> bool {
    let is_reason = matches!(error.reason(), Some(Reason::Denied | Reason::Locked));
    is_reason
        || match error.server().map(|server| (server.number(), server.state())) {
            Some((Some(number), Some(_))) => TOO_LONG.contains(&number) || is_final(mysql::meaning(number)),
            Some((None, Some(state))) => state == CANCELLED || is_final(postgres::meaning(state)),
            _ => false,
        }
}

/// Returns whether the server would answer the same to every session, and goes on.
fn is_final(sense: Sense) -> bool {
    sense.remedy == Remedy::Report
}

/// PostgreSQL's SQLSTATE of a statement that took longer than its timeout.
const CANCELLED: &str = "57014";

/// The numbers of the same in MariaDB and MySQL, and of a table that stayed locked.
const TOO_LONG: [i32; 3] = [1969, 3024, 1205];
