//! The registry: leafmint's own tables in the database, created if they are missing, and one layout per namespace.

use super::SCHEMA_VERSION;
use super::allocation::AllocationTable;
use super::session::{Registered, TableSession, Tables, inspect, prepare};
use crate::rows;
use crate::rows::{
    Assignments, BlockStatements, PastBlocks, Registry, RowHolderSettings, RowStatements, RowsBySession, Survey,
};
use crate::sessions::{DatabaseSettings, Engine, LogIn, Sessions, Work};
use leafmint_engine::answer::Answer;
use leafmint_engine::holder::lease::other_layout;
use leafmint_engine::holder::past::{BlockLease, PastWorker};
use leafmint_engine::holder::{Generation, PastBlock};
use leafmint_ids::error::{Error, ErrorKind, Reason, Result};
use std::ops::RangeInclusive;
use std::sync::Arc;

pub(crate) struct TableRegistry<E: Engine> {
    sessions: Arc<Sessions<E>>,
    settings: RowHolderSettings,
    /// From the first to the last worker id that may be taken.
    workers: RangeInclusive<i64>,
    allocation: Option<AllocationTable<E>>,
}

impl<E: Engine<Session: TableSession>> TableRegistry<E> {
    pub(crate) fn new(database: DatabaseSettings, settings: &RowHolderSettings) -> Self {
        let sessions = Arc::new(Sessions::new(database));
        let allocation = settings.is_assigned.then(|| AllocationTable::new(sessions.clone(), settings));
        Self { sessions, settings: settings.clone(), workers: settings.workers.span(), allocation }
    }

    /// Creates the tables that are missing, and refuses a namespace that belongs to another layout.
    async fn check(&self) -> Result<()> {
        let prepare = || {
            self.sessions.run(|session, _| Box::pin(prepare(session, &self.settings.namespace, &self.settings.layout)))
        };
        let missing = match prepare().await {
            Ok(found) if self.has_version(&found)? => return self.check_layout(found.layout),
            // Another process may be about to insert it.
            Ok(_) => self.without_version(),
            Err(error) if error.reason() == Some(Reason::MissingTable) => error,
            Err(error) => return Err(error),
        };
        self.make(missing).await?;
        let found = prepare().await?;
        match self.has_version(&found)? {
            true => self.check_layout(found.layout),
            false => Err(self.without_version()),
        }
    }

    fn without_version(&self) -> Error {
        let name = self.sessions.name();
        let text = format!("{name}: the table leafmint_schema has no row with id 1 and version {SCHEMA_VERSION}");
        Error::new(ErrorKind::InvalidConfig, text)
    }

    /// Creates the tables, because one is missing.
    async fn make(&self, missing: Error) -> Result<()> {
        self.tables().make(&self.sessions, missing).await
    }

    fn tables(&self) -> Tables<'static> {
        Tables { auto_create: self.settings.auto_create, has_init: true, statements: E::Session::OWN_TABLES }
    }

    /// Returns whether the namespace has been used. Creates nothing.
    async fn find(&self, to_write: bool) -> Result<bool> {
        let inspected =
            self.sessions.run(|session, _| Box::pin(inspect(session, &self.settings.namespace, to_write))).await;
        let found = match inspected {
            Err(error) if error.reason() == Some(Reason::MissingTable) => {
                return self.tables().may_be_made::<E>(error).map(|()| false);
            }
            found => found?,
        };
        if !self.has_version(&found)? || found.layout.is_none() {
            return Ok(false);
        }
        self.check_layout(found.layout).map(|()| true)
    }

    /// Returns whether the tables have a version, and refuses one that is not known here.
    fn has_version(&self, found: &Registered) -> Result<bool> {
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
        if found.as_ref() == Some(&self.settings.layout) {
            return Ok(());
        }
        let name = format!("{}, namespace {}", self.sessions.name(), self.settings.namespace);
        Err(other_layout(&name, &found.unwrap_or_default(), &self.settings.layout))
    }

    fn run<'a, T: Send + 'a>(&'a self, work: impl Work<'a, E::Session, T> + 'a) -> Answer<'a, T> {
        Box::pin(self.sessions.run(work))
    }
}

impl<E: Engine<Session: TableSession>> RowsBySession for TableRegistry<E> {
    type Engine = E;

    fn sessions(&self) -> &Sessions<E> {
        &self.sessions
    }

    fn row<'s>(&'s self, session: &'s mut E::Session, worker_id: i64) -> impl RowStatements + 's {
        session.row(&self.settings.namespace, worker_id)
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
            LogIn::Configured { user, .. } => format!("{database} as {}", user.as_deref().unwrap_or_default()),
            // The accounts of one source take each other's place, so they find the same tables.
            LogIn::Supplied(_) => format!("{database} with supplied credentials"),
        }
    }

    fn init_schema(&self) -> Answer<'_, bool> {
        Box::pin(async {
            self.tables().create(&self.sessions).await?;
            if let Some(allocation) = &self.allocation {
                allocation.create().await?;
            }
            Ok(true)
        })
    }

    fn host(&self) -> Option<String> {
        self.sessions.host()
    }

    fn prepare(&self) -> Answer<'_, ()> {
        Box::pin(self.check())
    }

    fn inspect(&self, to_write: bool) -> Answer<'_, bool> {
        Box::pin(self.find(to_write))
    }

    fn survey(&self) -> Answer<'_, Survey> {
        self.run(|session, _| Box::pin(session.survey(&self.settings.namespace, &self.workers)))
    }

    fn clock(&self) -> Answer<'_, i64> {
        self.run(|session, _| Box::pin(session.clock()))
    }

    fn assignments(&self) -> Option<&dyn Assignments> {
        self.allocation.as_ref().map(|table| table as &dyn Assignments)
    }

    fn past(&self) -> Option<&dyn PastBlocks> {
        self.allocation.is_none().then_some(self)
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.sessions.close().await;
            Ok(())
        })
    }

    fn in_child(&self) -> Arc<dyn Registry> {
        Arc::new(Self::new(self.sessions.settings().clone(), &self.settings))
    }
}

impl<E: Engine<Session: TableSession>> PastBlocks for TableRegistry<E> {
    fn mark(&self, worker_id: i64, generation: Generation) -> Answer<'_, Generation> {
        let worker = PastWorker { worker_id, generation };
        let mark = move || {
            self.sessions.run(move |session, _| {
                Box::pin(async move { session.block(&self.settings.namespace, worker, rows::MARK).mark().await })
            })
        };
        Box::pin(async move {
            match mark().await {
                Err(error) if error.reason() == Some(Reason::MissingTable) => {
                    self.make(error).await?;
                    self.check().await?;
                    mark().await
                }
                marked => marked,
            }
        })
    }

    fn lease(&self, worker: PastWorker, block: PastBlock, least: i64) -> Answer<'_, BlockLease> {
        let lease = self.sessions.run(move |session, _| {
            Box::pin(rows::lease_block(session.block(&self.settings.namespace, worker, block.block), block, least))
        });
        Box::pin(async move {
            match lease.await {
                Err(error) if error.reason() == Some(Reason::MissingTable) => Ok(BlockLease::Unmarked),
                leased => leased,
            }
        })
    }
}
