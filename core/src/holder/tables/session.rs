//! What differs between the kinds of database servers: the statements on leafmint's own tables, and on the table that
//! assigns worker ids.

use crate::database::Outcome;
use crate::holder::past::PastWorker;
use crate::holder::rows::{Assigned, BlockStatements, RowStatements, Survey};
use std::ops::RangeInclusive;

/// What leafmint's own tables hold.
pub(in crate::holder) struct Registered {
    /// The version of the tables.
    pub(in crate::holder) version: Option<i64>,
    /// The layout of the namespace; `None` if that is not used yet.
    pub(in crate::holder) layout: Option<String>,
}

/// The statements of one kind of server. Each is a transaction of its own.
pub(in crate::holder) trait TableSession: Send + 'static {
    /// The statements that create leafmint's own tables if they are missing.
    const OWN_TABLES: &'static [&'static str];

    /// Which tables a name finds is a matter of the account.
    const FINDS_TABLES_BY_ACCOUNT: bool;

    /// Returns the statement that creates the table that assigns worker ids, by its quoted name.
    fn allocation_schema(quoted: &str) -> String;

    /// Quotes the name of a table, which may have that of a database or schema before it.
    fn quoted(table: &str) -> String;

    /// Runs one statement that creates a table, or fills it.
    fn create(&mut self, sql: &str) -> impl Future<Output = Outcome<()>> + Send;

    /// Checks that the tables are fit for use, and reads the version and the layout of a namespace.
    ///
    /// An error of a missing table means that [`TableSession::OWN_TABLES`] are to be run.
    fn look(&mut self, namespace: &str) -> impl Future<Output = Outcome<Registered>> + Send;

    /// Finds out whether the account may write, without writing.
    fn try_to_write(&mut self) -> impl Future<Output = Outcome<()>> + Send;

    /// Inserts a namespace with its layout, unless it is there.
    fn insert_namespace(&mut self, namespace: &str, layout: &str) -> impl Future<Output = Outcome<()>> + Send;

    /// Reads a [`Survey`] of the worker ids between the first and the last one that may be taken: other rows are not
    /// asked for, however many there are.
    fn survey(
        &mut self,
        namespace: &str,
        workers: &RangeInclusive<i64>,
    ) -> impl Future<Output = Outcome<Survey>> + Send;

    /// Reads the server's clock in Unix milliseconds.
    fn clock(&mut self) -> impl Future<Output = Outcome<i64>> + Send;

    /// Returns the statements on one row.
    fn row<'a>(&'a mut self, namespace: &'a str, worker_id: i64) -> impl RowStatements + 'a;

    /// Returns the statements on the row of one block of a worker id for the past.
    fn block<'a>(&'a mut self, namespace: &'a str, worker: PastWorker, block: i64) -> impl BlockStatements + 'a;

    /// Finds the row of an endpoint.
    fn find_assigned(&mut self, table: &str, endpoint: &str) -> impl Future<Output = Outcome<Option<Assigned>>> + Send;

    /// Lists the worker ids that are assigned.
    fn assigned(&mut self, table: &str) -> impl Future<Output = Outcome<Vec<i64>>> + Send;

    /// Inserts the row of an endpoint, unless the endpoint or the worker id has one.
    fn assign(&mut self, table: &str, worker_id: i64, endpoint: &str) -> impl Future<Output = Outcome<()>> + Send;

    /// Reads which endpoints have the first worker ids: 17 at most.
    fn endpoints(&mut self, table: &str) -> impl Future<Output = Outcome<Vec<(i64, String)>>> + Send;

    /// Writes the owner's clock into the table that assigns its worker id.
    fn report(&mut self, table: &str, worker_id: i64, at: i64) -> impl Future<Output = Outcome<()>> + Send;
}
