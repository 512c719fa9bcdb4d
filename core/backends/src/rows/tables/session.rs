//! What differs between the kinds of database servers: the statements on leafmint's own tables, and on the table that
//! assigns worker ids.

use crate::rows::{Assigned, BlockStatements, RowStatements, Survey};
use crate::sessions::{Engine, Outcome, Sessions};
use leafmint_engine::holder::Workers;
use leafmint_engine::holder::past::PastWorker;
use leafmint_ids::error::{Error, Reason, Result};
use leafmint_ids::text::one_line;
use leafmint_ids::text::pasted::ShellCommand;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// What leafmint's own tables hold.
pub(crate) struct Registered {
    /// The version of the tables.
    pub version: Option<i64>,
    /// The layout of the namespace; `None` if that is not used yet.
    pub layout: Option<String>,
}

/// The statements of one kind of server. Each is a transaction of its own.
pub(crate) trait TableSession: Send + 'static {
    /// The statements that create leafmint's own tables if they are missing.
    const OWN_TABLES: &'static [&'static str];

    /// Whether missing tables are created unless the settings say otherwise.
    const CREATES_TABLES: bool = false;

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

/// Tables that may be missing.
pub(super) struct Tables<'a> {
    /// Whether they are then created.
    pub auto_create: Option<bool>,
    /// Whether a command of leafmint creates them.
    pub has_init: bool,
    /// The statements that create them.
    pub statements: &'a [&'a str],
}

impl Tables<'_> {
    /// Adds to the error of a missing table what to do, unless it is to be created.
    pub(super) fn may_be_made<E: Engine<Session: TableSession>>(&self, missing: Error) -> Result<()> {
        if self.auto_create.unwrap_or(E::Session::CREATES_TABLES) {
            return Ok(());
        }
        let init = if self.has_init { format!("run the command {}, ", ShellCommand::init()) } else { String::new() };
        let text = format!("{missing}: {init}set auto_create=true, or run: {}", self.sql());
        Err(missing.saying(text).because(Reason::MissingTable))
    }

    /// Creates the tables, if they may be. If the account may not, the error holds the statements.
    pub(super) async fn make<E: Engine<Session: TableSession>>(
        &self,
        sessions: &Sessions<E>,
        missing: Error,
    ) -> Result<()> {
        self.may_be_made::<E>(missing)?;
        self.create(sessions).await
    }

    /// Creates the tables that are missing. If the account may not, the error holds the statements.
    pub(super) async fn create<E: Engine<Session: TableSession>>(&self, sessions: &Sessions<E>) -> Result<()> {
        let made = sessions.run(|session, _| {
            Box::pin(async {
                for statement in self.statements {
                    session.create(statement).await?;
                }
                Ok(())
            })
        });
        made.await.map_err(|error| {
            let text = format!("{error}: or run this with an account that has CREATE: {}", self.sql());
            error.saying(text)
        })
    }

    fn sql(&self) -> String {
        format!("{};", one_line(&self.statements.join("; ")))
    }
}

/// Reads version and layout. A namespace that is not used yet gets its layout, if the tables have a version.
pub(super) async fn prepare(session: &mut impl TableSession, namespace: &str, layout: &str) -> Outcome<Registered> {
    let found = session.look(namespace).await?;
    if found.version != Some(super::SCHEMA_VERSION) || found.layout.is_some() {
        return Ok(found);
    }
    session.insert_namespace(namespace, layout).await?;
    session.look(namespace).await
}

/// Reads version and layout, and finds out whether the account may write. Writes nothing.
pub(super) async fn inspect(session: &mut impl TableSession, namespace: &str, to_write: bool) -> Outcome<Registered> {
    let found = session.look(namespace).await?;
    if to_write && found.version == Some(super::SCHEMA_VERSION) {
        session.try_to_write().await?;
    }
    Ok(found)
}

/// Finds the row of an endpoint, or inserts one with the smallest free id. `None` if all ids are taken.
pub(super) async fn assign(
    session: &mut impl TableSession,
    table: &str,
    endpoint: &str,
    workers: &Workers,
) -> Outcome<Option<Assigned>> {
    loop {
        if let Some(assigned) = session.find_assigned(table, endpoint).await? {
            return Ok(Some(assigned));
        }
        let taken: HashSet<i64> = session.assigned(table).await?.into_iter().collect();
        let Some(worker_id) = workers.iter().find(|id| !taken.contains(id)) else { return Ok(None) };
        // Read it, or if another process was faster, try the next one: each turn finds one id less.
        session.assign(table, worker_id, endpoint).await?;
    }
}
