//! The registry: leafmint's own tables in the database, made where they are missing, and one layout per namespace.

use super::statements::{ReadClock, ReadRows, Survey};
use crate::error::{Error, ErrorKind, Result};
use crate::holder::Workers;
use crate::mutants::weaken;
use crate::mysql::{MySqlSettings, OWN_TABLES, Outcome, Refusal, SCHEMA_VERSION, Session, Sessions, Statement};
use crate::printable::one_line;
use std::ops::RangeInclusive;

pub(super) struct Registry {
    pub(super) sessions: Sessions,
    pub(super) namespace: String,
    layout: String,
    /// From the first to the last worker id that may be taken.
    workers: RangeInclusive<i64>,
}

impl Registry {
    pub(super) fn new(settings: MySqlSettings, namespace: &str, layout: &str, workers: &Workers) -> Self {
        let (namespace, layout) = (namespace.to_owned(), layout.to_owned());
        Self { sessions: Sessions::new(settings), namespace, layout, workers: workers.span() }
    }

    /// Names the database and the namespace, without credentials.
    pub(super) fn name(&self) -> String {
        format!("{}, namespace {}", self.sessions.name(), self.namespace)
    }

    /// Makes the tables where they are missing, and refuses a namespace that belongs to another layout.
    pub(super) async fn check(&self) -> Result<()> {
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
                format!("{}: the table leafmint_schema has no row with id 1 and version {SCHEMA_VERSION}", self.sessions.name()),
            )),
            Err(refusal) => Err(refusal.error),
        }
    }

    /// Makes tables. Where the account may not, the error holds the statements.
    pub(super) async fn make(&self, statements: &[String]) -> Result<()> {
        self.sessions.run(&Make(statements)).await.map_err(|Refusal { error, .. }| {
            Error::new(
                error.kind(),
                format!("{error}: or run this with an account that has CREATE: {};", one_line(&statements.join("; "))),
            )
        })
    }

    pub(super) async fn survey(&self) -> Result<Survey> {
        self.run(&ReadRows { namespace: &self.namespace, workers: &self.workers }).await
    }

    pub(super) async fn clock(&self) -> Result<i64> {
        self.run(&ReadClock).await
    }

    pub(super) async fn run<S: Statement>(&self, statement: &S) -> Result<S::Answer> {
        self.sessions.run(statement).await.map_err(|refusal| refusal.error)
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

/// Checks version and layout; the answer is whether the tables tell a version at all.
struct Check<'a> {
    registry: &'a Registry,
}

impl Statement for Check<'_> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let Registry { namespace, layout, sessions, .. } = self.registry;
        let version: Option<i64> = session.first("SELECT version FROM leafmint_schema WHERE id = 1", &[]).await?;
        match version {
            Some(SCHEMA_VERSION) => {}
            Some(other) => {
                let text = format!(
                    "{}: leafmint's tables have version {other}, and this leafmint knows version {SCHEMA_VERSION}: use a leafmint \
                     that knows version {other}",
                    sessions.name()
                );
                return Err(Error::new(ErrorKind::InvalidConfig, text).into());
            }
            None => return Ok(false),
        }
        let read = "SELECT layout FROM leafmint_namespace WHERE namespace = ?";
        let mut found: Option<String> = session.first(read, &[namespace.into()]).await?;
        if found.is_none() {
            let insert = "INSERT INTO leafmint_namespace (namespace, layout) VALUES (?, ?)";
            match session.run(insert, &[namespace.into(), layout.into()]).await {
                Err(failure) if !failure.is_duplicate() => return Err(failure),
                _ => found = session.first(read, &[namespace.into()]).await?,
            }
        }
        if weaken!("registry-of-another-layout", found.as_ref() == Some(layout), without = true) {
            return Ok(true);
        }
        let text = format!(
            "{} holds worker ids of the layout {:?}, not of {layout:?}: use the same layout and epoch, or another namespace",
            self.registry.name(),
            found.unwrap_or_default()
        );
        Err(Error::new(ErrorKind::InvalidConfig, text).into())
    }
}
