//! What reads one kind of database.

use super::assemble::{Listed, ListedCounter};
use super::catalogue::{Column, Tag};
use crate::error::{Error, Reason, Result, ServerError};
use std::future::Future;

/// What reads one kind of database. No call of it writes, or scans a table.
pub(crate) trait Reader: Send + Sync + 'static {
    /// Names the database without credentials.
    fn scope(&self) -> String;

    /// Lists columns and foreign keys.
    fn listed(&self) -> impl Future<Output = Result<Listed>> + Send;

    /// Reads the highest number of a column from the end of its index.
    fn highest(&self, column: &Column) -> impl Future<Output = Result<Option<u64>>> + Send;

    /// Reads the lowest number of a column from the beginning of its index.
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

    /// Lists the tags, if there is a table of tags.
    fn tags(&self) -> impl Future<Output = Result<Vec<Tag>>> + Send;

    /// Ends the sessions.
    fn close(&self) -> impl Future<Output = ()> + Send;
}

/// Returns `None` for what the account may not read, what is gone, locked or took too long.
pub(crate) fn if_allowed<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Err(error) if is_of_one_table(&error) => Ok(None),
        answer => answer.map(Some),
    }
}

/// Returns whether other tables can be read nevertheless.
fn is_of_one_table(error: &Error) -> bool {
    let is_reason = matches!(error.reason(), Some(Reason::Denied | Reason::Locked | Reason::MissingTable));
    let server = error.server();
    is_reason
        || server.and_then(ServerError::state) == Some(CANCELLED)
        || server.and_then(ServerError::number).is_some_and(|number| TOO_LONG.contains(&number))
}

/// PostgreSQL's SQLSTATE of a statement that took longer than its timeout.
const CANCELLED: &str = "57014";

/// The numbers of the same in MariaDB and MySQL, and of a table that stayed locked.
const TOO_LONG: [i32; 3] = [1969, 3024, 1205];
