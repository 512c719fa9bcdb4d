//! The store over a table of a database server: everyone on that database shares one id space, a running Leaf too.

use super::dialect::{
    Answered, ChangeStatements, CheckStatements, Dialect, LeaseStatements, ListStatements, SeriesStatements,
    TagStatements,
};
use super::schema;
use super::table::Table;
use super::tag_rules::{check_stored_gene_bits, unknown_tag};
use super::{
    Checked, NewTagOptions, SegmentCheck, SegmentStore, SeriesRule, StoredSeries, TableFacts, TagChange, TagInfo,
};
use crate::answer::Answer;
use crate::database::{DatabaseSettings, Location, LockWait, Sessions, Work};
use crate::error::{Error, ErrorKind, Reason, Result};
use crate::printable::one_line;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Segments in a table of a database.
pub(super) struct TableStore<D: Dialect> {
    sessions: Sessions<D>,
    table: Table,
    auto_create: bool,
}

impl<D: Dialect> TableStore<D> {
    /// Describes the database without connecting to it.
    ///
    /// With `auto_create` a missing table is created, if the account may.
    pub(super) fn new(settings: DatabaseSettings, table: &str, auto_create: bool) -> Self {
        let sessions = Sessions::new(settings);
        let table = Table::new(table, sessions.name(), D::SQL);
        Self { sessions, table, auto_create }
    }

    /// Does work on a session, and again if the table was missing and could be created.
    async fn run<'a, T: Send>(&'a self, work: impl Work<'a, D::Session, T>) -> Result<T> {
        self.run_on(self.tags(), work).await
    }

    /// Does the same for another table of leafmint's.
    async fn run_on<'a, T: Send>(&'a self, missing: Missing, work: impl Work<'a, D::Session, T>) -> Result<T> {
        match self.sessions.run(&work).await {
            Err(error) if error.reason() == Some(Reason::MissingTable) => match self.auto_create && missing.is_new {
                true => {
                    let made = self.create((missing.schema)(&self.table.name)).await;
                    made.map_err(|error| self.with(missing, error))?;
                }
                false => return Err(self.with(missing, error)),
            },
            answer => return answer,
        }
        self.sessions.run(work).await
    }

    /// Does work that does not create the table. Returns `None` if the table is missing, and is created on first use.
    async fn run_if_there<'a, T: Send>(&'a self, work: impl Work<'a, D::Session, T>) -> Result<Option<T>> {
        let missing = self.tags();
        match self.sessions.run(work).await {
            Err(error) if error.reason() == Some(Reason::MissingTable) => match self.auto_create && missing.is_new {
                true => Ok(None),
                false => Err(self.with(missing, error)),
            },
            answer => answer.map(Some),
        }
    }

    /// Describes the table of tags if it is missing. Once this process has leased from it, it is not created, nor is an
    /// operator advised to: a new one leases the same ids again, also of tags that only other processes have used.
    fn tags(&self) -> Missing {
        Missing { schema: D::table_schema, is_new: !self.table.has_leased.load(Relaxed) }
    }

    async fn create(&self, sql: String) -> Result<()> {
        self.sessions.run(|session, _| Box::pin(session.create(&sql))).await
    }

    /// Creates a table of leafmint's own. If the account may not, the error contains the statement.
    async fn create_own(&self, schema: fn(&str) -> String) -> Result<()> {
        let sql = schema(&self.table.name);
        let made = self.create(sql.clone()).await;
        made.map_err(|error| {
            let text = format!("{error}: or run this with an account that has CREATE: {}", one_line(&sql));
            error.saying(text)
        })
    }

    async fn create_gene_tag(&self, tag: &str, new: &NewTagOptions) -> Result<bool> {
        // Usually the table exists, and the account need not be able to create it.
        let read = self.sessions.run(|session, _| Box::pin(session.read_gene_bits(&self.table, tag))).await;
        if !read.is_ok_and(|read| read.has_table) {
            self.create_own(D::genes_schema).await?;
        }
        self.run(|session, _| Box::pin(session.create_gene_tag(&self.table, tag, new))).await
    }

    /// Returns a lease of a tag with the wanted gene bits.
    async fn judge(&self, tag: &str, gene_bits: i64, Answered { checked, genes }: Answered) -> Result<Checked> {
        self.table.has_leased.store(true, Relaxed);
        if let Err(error) = check_stored_gene_bits(tag, genes, gene_bits) {
            // None of the range was handed out, so it is given back, unless another range was leased after it.
            for range in checked.ranges {
                let _ = self.give_back(tag, range).await;
            }
            return Err(error);
        }
        Ok(checked)
    }

    /// Adds to the error of a missing table what to do: to create it only if this process has not leased from it.
    fn with(&self, missing: Missing, error: Error) -> Error {
        let text = match missing.is_new {
            true => format!(
                "{error}: if it was there before, restore it, since a new one leases the same ids again. Otherwise call init_schema(), \
                 run the command leafmint init, or run: {}",
                one_line(&(missing.schema)(&self.table.name))
            ),
            false => format!(
                "{error}: this process has leased ids from it. If it was renamed or moved, undo that; if it was dropped, restore it \
                 as after a lost database: a new table leases the same ids again"
            ),
        };
        // Also if it could not be created because the account may not.
        error.saying(text).because(Reason::MissingTable)
    }
}

/// A table that is missing.
#[derive(Clone, Copy)]
struct Missing {
    /// Returns the statement that creates it, by the name of the table of tags.
    schema: fn(&str) -> String,
    /// An operator may be advised to create it.
    is_new: bool,
}

impl<D: Dialect> SegmentStore for TableStore<D> {
    fn step<'a>(&'a self, tag: &'a str) -> Answer<'a, i64> {
        Box::pin(self.run(move |session, _| Box::pin(session.read_step(&self.table, tag))))
    }

    fn gene_bits<'a>(&'a self, tag: &'a str) -> Answer<'a, Option<i64>> {
        Box::pin(
            async move { Ok(self.run(|session, _| Box::pin(session.read_gene_bits(&self.table, tag))).await?.bits) },
        )
    }

    fn lease<'a>(&'a self, tag: &'a str, step: i64) -> Answer<'a, Vec<Range<i64>>> {
        Box::pin(async move {
            let range = self.run(|session, _| Box::pin(session.lease(&self.table, tag, step))).await?;
            self.table.has_leased.store(true, Relaxed);
            Ok(vec![range])
        })
    }

    fn lease_checked<'a>(&'a self, tag: &'a str, gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        Box::pin(async move {
            let wait = LockWait::Usual;
            let lease =
                self.run(|session, _| Box::pin(session.lease_checked(&self.table, tag, gene_bits, amount, wait)));
            self.judge(tag, gene_bits, lease.await?).await
        })
    }

    fn lease_unless_locked<'a>(&'a self, tag: &'a str, gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        Box::pin(async move {
            let wait = LockWait::Moment;
            let lease = self.sessions.run_waiting(wait, |session, _| {
                Box::pin(session.lease_checked(&self.table, tag, gene_bits, amount, wait))
            });
            match lease.await {
                // Perhaps the table can be made, or the account may not lock the row without a change.
                Err(error) if matches!(error.reason(), Some(Reason::MissingTable | Reason::Denied)) => {
                    self.lease_checked(tag, gene_bits, amount).await
                }
                answer => self.judge(tag, gene_bits, answer?).await,
            }
        })
    }

    fn give_back<'a>(&'a self, tag: &'a str, tail: Range<i64>) -> Answer<'a, bool> {
        Box::pin(self.sessions.once(move |session, _| Box::pin(session.give_back(&self.table, tag, tail.clone()))))
    }

    fn create_tag<'a>(&'a self, tag: &'a str, new: &'a NewTagOptions) -> Answer<'a, bool> {
        if new.gene_bits != 0 {
            return Box::pin(self.create_gene_tag(tag, new));
        }
        Box::pin(self.run(move |session, _| Box::pin(session.create_tag(&self.table, tag, new))))
    }

    fn declare_series<'a>(&'a self, rule: &'a SeriesRule) -> Answer<'a, StoredSeries> {
        let series = Missing { schema: D::series_schema, is_new: true };
        Box::pin(async move {
            let stored = self.run_on(series, |session, _| Box::pin(session.declare_series(&self.table, rule))).await?;
            stored.ok_or_else(|| {
                let text = format!("{}: the rule of series {:?} is gone each time", self.table.scope, rule.name);
                Error::new(ErrorKind::StoreUnavailable, text)
            })
        })
    }

    fn list_series(&self) -> Answer<'_, Vec<(String, StoredSeries)>> {
        Box::pin(async {
            let mut listed = match self.sessions.run(|session, _| Box::pin(session.list_series(&self.table))).await {
                Err(error) if error.reason() == Some(Reason::MissingTable) => Vec::new(),
                answer => answer?,
            };
            listed.sort_by(|(a, _), (b, _)| a.cmp(b));
            Ok(listed)
        })
    }

    fn list_tags(&self) -> Answer<'_, Vec<TagInfo>> {
        Box::pin(async {
            let listed = self.run_if_there(|session, _| Box::pin(session.list_tags(&self.table))).await?;
            Ok(listed.unwrap_or_default())
        })
    }

    fn set_tag<'a>(&'a self, change: &'a TagChange) -> Answer<'a, ()> {
        Box::pin(async move {
            let changed = self.run_if_there(|session, _| Box::pin(session.set_tag(&self.table, change))).await?;
            changed.ok_or_else(|| unknown_tag(&change.tag, &self.table.scope))
        })
    }

    fn raise_tag<'a>(&'a self, tag: &'a str, max_id: i64) -> Answer<'a, i64> {
        Box::pin(async move {
            let raised = self.run_if_there(|session, _| Box::pin(session.raise_tag(&self.table, tag, max_id))).await?;
            raised.ok_or_else(|| unknown_tag(tag, &self.table.scope))
        })
    }

    fn check(&self) -> Answer<'_, SegmentCheck> {
        Box::pin(async {
            let found = self.run_if_there(|session, _| Box::pin(session.check(&self.table))).await?;
            Ok(found.unwrap_or(SegmentCheck { is_new: true, creates_tags: true, ..SegmentCheck::default() }))
        })
    }

    fn table_facts(&self) -> Answer<'_, Option<TableFacts>> {
        Box::pin(async {
            let facts = self.run(|session, _| Box::pin(D::facts(session, &self.table))).await?;
            let location = Location::of(D::SCHEME, self.sessions.settings());
            Ok(facts.map(|facts| TableFacts { location: Some(location), ..facts }))
        })
    }

    fn init_schema(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.create(D::table_schema(&self.table.name)).await?;
            self.create_own(D::genes_schema).await?;
            self.create_own(D::series_schema).await?;
            self.create(schema::in_schema_of(&self.table.name, D::GAPLESS_SCHEMA, D::SQL)).await
        })
    }

    fn scope(&self) -> String {
        self.table.scope.clone()
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.sessions.close().await;
            Ok(())
        })
    }

    fn in_child(&self) -> Arc<dyn SegmentStore> {
        let child = Self::new(self.sessions.settings().clone(), &self.table.name, self.auto_create);
        child.table.has_leased.fetch_or(self.table.has_leased.load(Relaxed), Relaxed);
        Arc::new(child)
    }
}
