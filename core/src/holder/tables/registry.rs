//! The registry: leafmint's own tables in the database, created if they are missing, and one layout per namespace.

use super::SCHEMA_VERSION;
use super::session::{Found, TableSession};
use super::statements::{assign, inspect, prepare};
use crate::answer::Answer;
use crate::database::{DatabaseSettings, Engine, LogIn, Sessions, Work};
use crate::error::{Error, ErrorKind, Reason, Result};
use crate::holder::Workers;
use crate::holder::lease::other_layout;
use crate::holder::row_state::RowVersion;
use crate::holder::rows::{
    self, Assigned, Claim, Eviction, Registry, Release, Renewal, RowHolderSettings, RowStatements, Survey,
};
use crate::printable::one_line;
use std::ops::RangeInclusive;
use std::sync::Arc;

pub(in crate::holder) struct TableRegistry<E: Engine> {
    sessions: Sessions<E>,
    namespace: String,
    layout: String,
    /// From the first to the last worker id that may be taken.
    workers: RangeInclusive<i64>,
}

impl<E: Engine<Session: TableSession>> TableRegistry<E> {
    pub(in crate::holder) fn new(database: DatabaseSettings, settings: &RowHolderSettings) -> Self {
        let (namespace, layout) = (settings.namespace.clone(), settings.layout.clone());
        Self { sessions: Sessions::new(database), namespace, layout, workers: settings.workers.span() }
    }

    /// Creates the tables that are missing, and refuses a namespace that belongs to another layout.
    async fn check(&self) -> Result<()> {
        let prepare = || self.sessions.run(|session, _| Box::pin(prepare(session, &self.namespace, &self.layout)));
        let found = match prepare().await {
            Ok(found) if found.version.is_some() => found,
            Err(error) if error.reason() != Some(Reason::MissingTable) => return Err(error),
            _ => {
                self.make(E::Session::OWN_TABLES).await?;
                prepare().await?
            }
        };
        if self.has_version(&found)? {
            return self.check_layout(found.layout);
        }
        Err(Error::new(
            ErrorKind::InvalidConfig,
            format!(
                "{}: the table leafmint_schema has no row with id 1 and version {SCHEMA_VERSION}",
                self.sessions.name()
            ),
        ))
    }

    /// Returns whether the namespace has been used. Creates nothing.
    async fn find(&self, to_write: bool) -> Result<bool> {
        let inspected = self.sessions.run(|session, _| Box::pin(inspect(session, &self.namespace, to_write))).await;
        let found = match inspected {
            Err(error) if error.reason() == Some(Reason::MissingTable) => return Ok(false),
            found => found?,
        };
        if !self.has_version(&found)? || found.layout.is_none() {
            return Ok(false);
        }
        self.check_layout(found.layout).map(|()| true)
    }

    /// Returns whether the tables have a version, and refuses one that is not known here.
    fn has_version(&self, found: &Found) -> Result<bool> {
        match found.version {
            Some(SCHEMA_VERSION) => Ok(true),
            None => Ok(false),
            Some(other) => {
                let text = format!(
                    "{}: leafmint's tables have version {other}, and this leafmint knows version {SCHEMA_VERSION}: use \
                     a leafmint that knows version {other}",
                    self.sessions.name()
                );
                Err(Error::new(ErrorKind::InvalidConfig, text))
            }
        }
    }

    /// Refuses a namespace that belongs to another layout.
    fn check_layout(&self, found: Option<String>) -> Result<()> {
        if found.as_ref() == Some(&self.layout) {
            return Ok(());
        }
        let name = format!("{}, namespace {}", self.sessions.name(), self.namespace);
        Err(other_layout(&name, &found.unwrap_or_default(), &self.layout))
    }

    /// Creates tables. If the account may not, the error holds the statements.
    async fn make(&self, statements: &[&str]) -> Result<()> {
        let made = self.sessions.run(|session, _| {
            Box::pin(async {
                for statement in statements {
                    session.create(statement).await?;
                }
                Ok(())
            })
        });
        made.await.map_err(|error| {
            let text =
                format!("{error}: or run this with an account that has CREATE: {};", one_line(&statements.join("; ")));
            error.saying(text)
        })
    }

    /// Finds the worker id of an endpoint, in a table that is created if it is missing.
    async fn find_assigned(&self, table: &str, endpoint: &str, workers: &Workers) -> Result<Option<Assigned>> {
        let table = E::Session::quoted(table);
        let assign = || self.sessions.run(|session, _| Box::pin(assign(session, &table, endpoint, workers)));
        match assign().await {
            Err(error) if error.reason() == Some(Reason::MissingTable) => {
                self.make(&[&E::Session::allocation_schema(&table)]).await?;
                assign().await
            }
            assigned => assigned,
        }
    }

    fn run<'a, T: Send + 'a>(&'a self, work: impl Work<'a, E::Session, T> + 'a) -> Answer<'a, T> {
        Box::pin(self.sessions.run(work))
    }
}

impl<E: Engine<Session: TableSession>> Registry for TableRegistry<E> {
    fn database(&self) -> &str {
        self.sessions.name()
    }

    fn tables(&self) -> String {
        let database = self.sessions.name();
        match &self.sessions.settings().log_in {
            _ if !E::Session::FINDS_TABLES_BY_ACCOUNT => database.to_owned(),
            LogIn::Fixed { user, .. } => format!("{database} as {}", user.as_deref().unwrap_or_default()),
            // The accounts of one source take each other's place, so they find the same tables.
            LogIn::Supplied(_) => format!("{database} with supplied credentials"),
        }
    }

    fn prepare(&self) -> Answer<'_, ()> {
        Box::pin(self.check())
    }

    fn inspect(&self, to_write: bool) -> Answer<'_, bool> {
        Box::pin(self.find(to_write))
    }

    fn survey(&self) -> Answer<'_, Survey> {
        self.run(|session, _| Box::pin(session.survey(&self.namespace, &self.workers)))
    }

    fn clock(&self) -> Answer<'_, i64> {
        self.run(|session, _| Box::pin(session.clock()))
    }

    fn claim<'a>(&'a self, claim: &'a Claim) -> Answer<'a, bool> {
        self.run(move |session, _| Box::pin(rows::claim(session.row(&self.namespace, claim.worker_id), claim)))
    }

    fn renew<'a>(&'a self, renewal: &'a Renewal) -> Answer<'a, RowVersion> {
        self.run(move |session, _| Box::pin(rows::renew(session.row(&self.namespace, renewal.worker_id), renewal)))
    }

    fn release<'a>(&'a self, release: &'a Release) -> Answer<'a, ()> {
        Box::pin(self.sessions.once(move |session, _| {
            Box::pin(async move { session.row(&self.namespace, release.worker_id).release(release).await })
        }))
    }

    fn evict<'a>(&'a self, eviction: &'a Eviction) -> Answer<'a, bool> {
        self.run(move |session, _| {
            Box::pin(async move { session.row(&self.namespace, eviction.worker_id).evict(eviction).await })
        })
    }

    fn assign<'a>(&'a self, table: &'a str, endpoint: &'a str, workers: &'a Workers) -> Answer<'a, Option<Assigned>> {
        Box::pin(self.find_assigned(table, endpoint, workers))
    }

    fn assignments<'a>(&'a self, table: &'a str) -> Answer<'a, Vec<(i64, String)>> {
        self.run(move |session, _| Box::pin(async move { session.endpoints(&E::Session::quoted(table)).await }))
    }

    fn report<'a>(&'a self, table: &'a str, worker_id: i64, at: i64) -> Answer<'a, ()> {
        self.run(move |session, _| {
            Box::pin(async move { session.report(&E::Session::quoted(table), worker_id, at).await })
        })
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
