//! The registry: leafmint's own tables in the database, created if they are missing, and one layout per namespace.

use super::allocation_table::{self, Assign, ReadEndpoints, Report};
use super::statements::{OnRow, ReadClock, ReadRows};
use crate::answer::Answer;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::Workers;
use crate::holder::lease::other_layout;
use crate::holder::row_state::RowVersion;
use crate::holder::rows::{Assigned, Claim, Eviction, Registry, Release, Renewal, RowHolderSettings, Survey};
use crate::mutants::weaken;
use crate::mysql::{MySqlSettings, OWN_TABLES, Outcome, Refusal, SCHEMA_VERSION, Session, Sessions, Statement};
use crate::printable::one_line;
use std::ops::RangeInclusive;
use std::sync::Arc;

pub(super) struct MySqlRegistry {
    sessions: Sessions,
    namespace: String,
    layout: String,
    /// From the first to the last worker id that may be taken.
    workers: RangeInclusive<i64>,
}

impl MySqlRegistry {
    pub(super) fn new(mysql: MySqlSettings, settings: &RowHolderSettings) -> Self {
        let (namespace, layout) = (settings.namespace().to_owned(), settings.layout.clone());
        Self { sessions: Sessions::new(mysql), namespace, layout, workers: settings.workers.span() }
    }

    /// Creates the tables that are missing, and refuses a namespace that belongs to another layout.
    async fn check(&self) -> Result<()> {
        let check = Check { registry: self };
        match self.sessions.run(&check).await {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(refusal) if refusal.missing_table => {}
            Err(refusal) => return Err(refusal.error),
        }
        self.make(&OWN_TABLES.map(str::to_owned)).await?;
        match self.sessions.run(&check).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Error::new(
                ErrorKind::InvalidConfig,
                format!(
                    "{}: the table leafmint_schema has no row with id 1 and version {SCHEMA_VERSION}",
                    self.sessions.name()
                ),
            )),
            Err(refusal) => Err(refusal.error),
        }
    }

    /// Returns whether the namespace has been used. Creates nothing.
    async fn find(&self, to_write: bool) -> Result<bool> {
        match self.sessions.run(&Inspect { registry: self, to_write }).await {
            Err(refusal) if refusal.missing_table => Ok(false),
            answer => answer.map_err(|refusal| refusal.error),
        }
    }

    /// Refuses a namespace that belongs to another layout.
    fn check_layout(&self, found: Option<String>) -> Result<()> {
        if weaken!("registry-of-another-layout", found.as_ref() == Some(&self.layout), without = true) {
            return Ok(());
        }
        let name = format!("{}, namespace {}", self.sessions.name(), self.namespace);
        Err(other_layout(&name, &found.unwrap_or_default(), &self.layout))
    }

    /// Creates tables. If the account may not, the error holds the statements.
    async fn make(&self, statements: &[String]) -> Result<()> {
        self.sessions.run(&Make(statements)).await.map_err(|Refusal { error, .. }| {
            Error::new(
                error.kind(),
                format!("{error}: or run this with an account that has CREATE: {};", one_line(&statements.join("; "))),
            )
        })
    }

    /// Finds the worker id of an endpoint, in a table that is created if it is missing.
    async fn find_assigned(&self, table: &str, endpoint: &str, workers: &Workers) -> Result<Option<Assigned>> {
        let table = allocation_table::quoted(table);
        let assign = Assign { table: &table, endpoint, workers };
        match self.sessions.run(&assign).await {
            Err(refusal) if refusal.missing_table => {
                self.make(&[allocation_table::schema(&table)]).await?;
                self.run(&assign).await
            }
            other => other.map_err(|refusal| refusal.error),
        }
    }

    fn on_row<'a, T>(&'a self, change: &'a T) -> OnRow<'a, T> {
        OnRow { namespace: &self.namespace, change }
    }

    async fn run<S: Statement>(&self, statement: &S) -> Result<S::Answer> {
        self.sessions.run(statement).await.map_err(|refusal| refusal.error)
    }
}

impl Registry for MySqlRegistry {
    fn database(&self) -> &str {
        self.sessions.name()
    }

    fn prepare(&self) -> Answer<'_, ()> {
        Box::pin(self.check())
    }

    fn inspect(&self, to_write: bool) -> Answer<'_, bool> {
        Box::pin(self.find(to_write))
    }

    fn survey(&self) -> Answer<'_, Survey> {
        Box::pin(async { self.run(&ReadRows { namespace: &self.namespace, workers: &self.workers }).await })
    }

    fn clock(&self) -> Answer<'_, i64> {
        Box::pin(self.run(&ReadClock))
    }

    fn claim<'a>(&'a self, claim: &'a Claim) -> Answer<'a, bool> {
        Box::pin(async move { self.run(&self.on_row(claim)).await })
    }

    fn renew<'a>(&'a self, renewal: &'a Renewal) -> Answer<'a, RowVersion> {
        Box::pin(async move { self.run(&self.on_row(renewal)).await })
    }

    fn release<'a>(&'a self, release: &'a Release) -> Answer<'a, ()> {
        Box::pin(async move { self.sessions.once(&self.on_row(release)).await.map(|_| ()) })
    }

    fn evict<'a>(&'a self, eviction: &'a Eviction) -> Answer<'a, bool> {
        Box::pin(async move { self.run(&self.on_row(eviction)).await })
    }

    fn assign<'a>(&'a self, table: &'a str, endpoint: &'a str, workers: &'a Workers) -> Answer<'a, Option<Assigned>> {
        Box::pin(self.find_assigned(table, endpoint, workers))
    }

    fn assignments<'a>(&'a self, table: &'a str) -> Answer<'a, Vec<(i64, String)>> {
        Box::pin(async move { self.run(&ReadEndpoints { table: &allocation_table::quoted(table) }).await })
    }

    fn report<'a>(&'a self, table: &'a str, worker_id: i64, at: i64) -> Answer<'a, ()> {
        Box::pin(async move { self.run(&Report { table: &allocation_table::quoted(table), worker_id, at }).await })
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.sessions.close().await;
            Ok(())
        })
    }

    fn in_child(&self) -> Arc<dyn Registry> {
        let Self { sessions, namespace, layout, workers } = self;
        let (namespace, layout, workers) = (namespace.clone(), layout.clone(), workers.clone());
        Arc::new(Self { sessions: Sessions::new(sessions.settings().clone()), namespace, layout, workers })
    }
}

struct Make<'a>(&'a [String]);

impl Statement for Make<'_> {
    type Answer = ();

    async fn run(&self, session: &mut Session) -> Outcome<()> {
        for statement in self.0 {
            session.run(statement, &[]).await?;
        }
        Ok(())
    }
}

/// Checks version and layout. The answer is whether the tables have a version at all.
struct Check<'a> {
    registry: &'a MySqlRegistry,
}

impl Statement for Check<'_> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let MySqlRegistry { namespace, layout, .. } = self.registry;
        if !self.registry.has_version(session).await? {
            return Ok(false);
        }
        let mut found: Option<String> = session.first(READ_LAYOUT, &[namespace.into()]).await?;
        if found.is_none() {
            let insert = "INSERT INTO leafmint_namespace (namespace, layout) VALUES (?, ?)";
            match session.run(insert, &[namespace.into(), layout.into()]).await {
                Err(failure) if !failure.is_duplicate() => return Err(failure),
                _ => found = session.first(READ_LAYOUT, &[namespace.into()]).await?,
            }
        }
        Ok(self.registry.check_layout(found).map(|()| true)?)
    }
}

const READ_LAYOUT: &str = "SELECT layout FROM leafmint_namespace WHERE namespace = ?";

/// Checks version and layout, and whether the account may write. Writes nothing. The answer is whether the namespace
/// has been used.
struct Inspect<'a> {
    registry: &'a MySqlRegistry,
    to_write: bool,
}

impl Statement for Inspect<'_> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        if !self.registry.has_version(session).await? {
            return Ok(false);
        }
        if self.to_write {
            session.run("UPDATE leafmint_worker SET horizon = horizon WHERE worker_id = -1 AND FALSE", &[]).await?;
        }
        let found: Option<String> = session.first(READ_LAYOUT, &[(&self.registry.namespace).into()]).await?;
        if found.is_none() {
            return Ok(false);
        }
        Ok(self.registry.check_layout(found).map(|()| true)?)
    }
}

impl MySqlRegistry {
    /// Returns whether the tables have a version, and refuses one that is not known here.
    async fn has_version(&self, session: &mut Session) -> Outcome<bool> {
        match session.first("SELECT version FROM leafmint_schema WHERE id = 1", &[]).await? {
            Some(SCHEMA_VERSION) => Ok(true),
            None => Ok(false),
            Some(other) => {
                let text = format!(
                    "{}: leafmint's tables have version {other}, and this leafmint knows version {SCHEMA_VERSION}: use \
                     a leafmint that knows version {other}",
                    self.sessions.name()
                );
                Err(Error::new(ErrorKind::InvalidConfig, text).into())
            }
        }
    }
}
