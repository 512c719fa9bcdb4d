//! The store over a table of a database server: everyone on that database shares one id space, a running Leaf too.

use super::dialect::{
    ChangeStatements, CheckStatements, CheckedLease, Dialect, GaplessStatements, LeaseStatements, ListStatements,
    SeriesStatements, TagStatements,
};
use super::names;
use super::table::Table;
use crate::sessions::{DatabaseSettings, Failure, LockWait, Outcome, Sessions, Work};
use leafmint_engine::answer::Answer;
use leafmint_engine::store::tag_rules::unknown_tag;
use leafmint_engine::store::{
    Checked, GaplessRow, NewTagOptions, SegmentCheck, SegmentStore, SeriesRule, StoredSeries, TableFacts, TagChange,
    TagInfo, check_stored_gene_bits,
};
use leafmint_ids::error::{Error, ErrorKind, Reason, Result};
use leafmint_ids::text::one_line;
use leafmint_ids::text::pasted::ShellCommand;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Segments in a table of a database.
pub struct TableStore<D: Dialect> {
    sessions: Sessions<D>,
    table: Table,
    auto_create: bool,
}

impl<D: Dialect> TableStore<D> {
    /// Describes the database without connecting to it.
    ///
    /// With `auto_create` a missing table is created, if the account may.
    pub fn new(settings: DatabaseSettings, table: &str, auto_create: bool) -> Self {
        let sessions = Sessions::new(settings);
        let table = Table::new(table, sessions.name(), D::SQL, D::SCOPE);
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
                "{error}: a new table leases the same ids again, so if there was one, undo its renaming, or run {} for each \
                 tag and series. If there was none, call init_schema(), run the command {}, or run: {}",
                recover(),
                ShellCommand::init(),
                one_line(&(missing.schema)(&self.table.name))
            ),
            false => format!(
                "{error}: this process has leased ids from it, and a new table leases the same ids again. If it was renamed or \
                 moved, undo that; if it was dropped, run {} for each tag and series, which creates it above the ids in use",
                recover()
            ),
        };
        // Also if it could not be created because the account may not.
        error.saying(text).because(Reason::MissingTable)
    }
}

/// A range, and the gene bits of the tag that it was leased from, as far as they were read.
struct Answered {
    checked: Checked,
    genes: Option<i64>,
}

impl CheckedLease<'_> {
    async fn run(&self, session: &mut (impl LeaseStatements + TagStatements)) -> Outcome<Answered> {
        match self.once(session).await {
            // The row was stored after the lease looked for it, and before it was read to find out why there was none.
            Err(Failure::Named(error)) if error.is_of_one_tag() => self.once(session).await,
            answer => answer,
        }
    }

    /// Reads the gene bits with the lease, or after it if their table was missing or could not be read.
    async fn once(&self, session: &mut (impl LeaseStatements + TagStatements)) -> Outcome<Answered> {
        let Self { table, gene_bits, .. } = *self;
        if gene_bits != 0 || table.reads_genes.load(Relaxed) {
            match session.lease_by_genes(self).await? {
                Some(checked) => return Ok(Answered { checked, genes: Some(gene_bits) }),
                None if gene_bits != 0 => return Err(self.without_genes(session).await?),
                None => table.reads_genes.store(false, Relaxed),
            }
        }
        let (checked, genes) = session.lease_then_genes(self).await?;
        if genes.has_table && genes.bits.is_some() {
            table.reads_genes.store(true, Relaxed);
        }
        Ok(Answered { checked, genes: genes.bits })
    }

    /// Describes a tag whose gene bits cannot be read, although they are wanted.
    async fn without_genes(&self, session: &mut impl TagStatements) -> Outcome<Failure> {
        let Self { table, tag, gene_bits, .. } = *self;
        if !session.has_row(table, tag).await? {
            return Ok(unknown_tag(tag, &table.scope).into());
        }
        check_stored_gene_bits(tag, session.read_gene_bits(table, tag).await?.bits, gene_bits)?;
        Ok(Failure::broken("the gene bits could not be read"))
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
    fn creates_tags(&self) -> bool {
        self.auto_create
    }

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
            let lease = CheckedLease { table: &self.table, tag, gene_bits, amount, wait: LockWait::Usual };
            let answered = self.run(|session, _| Box::pin(async move { lease.run(session).await })).await?;
            self.judge(tag, gene_bits, answered).await
        })
    }

    fn lease_unless_locked<'a>(&'a self, tag: &'a str, gene_bits: i64, amount: Option<i64>) -> Answer<'a, Checked> {
        Box::pin(async move {
            let wait = LockWait::Moment;
            let lease = CheckedLease { table: &self.table, tag, gene_bits, amount, wait };
            match self.sessions.run_waiting(wait, |session, _| Box::pin(async move { lease.run(session).await })).await
            {
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

    fn declare_series<'a>(&'a self, rule: &'a SeriesRule, format: Option<&'a str>) -> Answer<'a, StoredSeries> {
        let series = Missing { schema: D::series_schema, is_new: true };
        Box::pin(async move {
            let stored =
                self.run_on(series, |session, _| Box::pin(session.declare_series(&self.table, rule, format))).await?;
            stored.ok_or_else(|| {
                let text = format!("{}: the rule of series {:?} is gone each time", self.table.scope, rule.name);
                Error::new(ErrorKind::StoreUnavailable, text)
            })
        })
    }

    fn set_series_format<'a>(&'a self, name: &'a str, format: &'a str) -> Answer<'a, ()> {
        Box::pin(self.run(move |session, _| Box::pin(session.set_series_format(&self.table, name, format))))
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

    fn list_gapless(&self) -> Answer<'_, Vec<GaplessRow>> {
        Box::pin(async {
            let listed = self.sessions.run(|session, _| Box::pin(session.list_gapless(&self.table))).await;
            listed.map_err(|error| match error.reason() {
                Some(Reason::MissingTable) => {
                    let sql = one_line(&names::in_schema_of(&self.table.name, D::GAPLESS_SCHEMA, D::SQL));
                    let init = ShellCommand::init();
                    let text = format!(
                        "{error}: if it was in use, restore it. If it never was, call init_schema(), run the command \
                         {init}, or run: {sql}"
                    );
                    error.saying(text).because(Reason::MissingTable)
                }
                _ => error,
            })
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

    fn next_number<'a>(&'a self, tag: &'a str) -> Option<Answer<'a, i64>> {
        // As an UPDATE, so that no replica answers it.
        Some(self.raise_tag(tag, 0))
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
            let location = self.sessions.settings().location(D::SCHEME);
            Ok(facts.map(|facts| TableFacts { location: Some(location), ..facts }))
        })
    }

    fn init_schema(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.create(D::table_schema(&self.table.name)).await?;
            self.create_own(D::genes_schema).await?;
            self.create_own(D::series_schema).await?;
            self.create(names::in_schema_of(&self.table.name, D::GAPLESS_SCHEMA, D::SQL)).await?;
            // They are where the account's tables are, which another schema's may have nothing to do with.
            let workers = if self.table.name.contains('.') { &[] } else { D::WORKERS_SCHEMA };
            for statement in workers {
                self.create((*statement).to_owned()).await?;
            }
            Ok(())
        })
    }

    fn scope(&self) -> String {
        self.table.scope.clone()
    }

    fn host(&self) -> Option<String> {
        self.sessions.host()
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

/// The command that makes the table anew, with a tag above the ids in use.
fn recover() -> ShellCommand {
    ShellCommand::leafmint("tags recover").operand("TAG").flag("--create-table")
}
