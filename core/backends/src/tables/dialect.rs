//! What differs between the kinds of databases: the statements on a table of segments.

use super::table::Table;
use crate::sessions::{Engine, LockWait, Outcome};
use leafmint_engine::store::{
    Checked, GaplessRow, NewTagOptions, SegmentCheck, SeriesRule, StoredSeries, TableFacts, TagChange, TagInfo,
};
use leafmint_ids::text::pasted::SqlDialect;
use std::collections::HashMap;
use std::future::ready;
use std::ops::Range;

/// Maximum number of lost races before the creation of a tag with gene bits gives up.
pub const MOST_TURNS: u32 = 5;

/// A kind of database, whose sessions have the statements, each with the meaning of its answer.
pub trait Dialect:
    Engine<
    Session: LeaseStatements
                 + TagStatements
                 + SeriesStatements
                 + GaplessStatements
                 + ChangeStatements
                 + ListStatements
                 + CheckStatements,
>
{
    /// How its SQL is written.
    const SQL: SqlDialect;

    /// Who shares the ids of a table.
    const SCOPE: &str = "everyone on that database";

    /// The SQL that creates the table of the numbers without gaps.
    const GAPLESS_SCHEMA: &str;

    /// The SQL that creates the tables of worker ids.
    const WORKERS_SCHEMA: &[&str];

    /// Returns the SQL that creates a table of segments.
    fn table_schema(table: &str) -> String;

    /// Returns the SQL that creates the table of the gene bits of a table of segments.
    fn genes_schema(table: &str) -> String;

    /// Returns the SQL that creates the table of the series of a table of segments.
    fn series_schema(table: &str) -> String;

    /// Reads what the server says about the table, apart from its rows; `None` if there is none, or it was not asked.
    fn facts(_: &mut Self::Session, _: &Table) -> impl Future<Output = Outcome<Option<TableFacts>>> + Send {
        ready(Ok(None))
    }
}

/// The leases.
pub trait LeaseStatements: Send {
    /// Leases a range.
    fn lease(&mut self, table: &Table, tag: &str, step: i64) -> impl Future<Output = Outcome<Range<i64>>> + Send;

    /// Leases a range if the stored gene bits are the wanted ones. `None`: they cannot be read, and nothing is leased.
    fn lease_by_genes(&mut self, lease: &CheckedLease<'_>) -> impl Future<Output = Outcome<Option<Checked>>> + Send;

    /// Leases a range first, and reads the gene bits then.
    fn lease_then_genes(
        &mut self,
        lease: &CheckedLease<'_>,
    ) -> impl Future<Output = Outcome<(Checked, GeneBits)>> + Send;
}

/// A lease that reads the `step` column and the gene bits too.
#[derive(Clone, Copy)]
pub struct CheckedLease<'a> {
    pub table: &'a Table,
    pub tag: &'a str,
    pub gene_bits: i64,
    /// Number of ids; as many as the `step` column says if `None`.
    pub amount: Option<i64>,
    pub wait: LockWait,
}

/// What makes a tag, reads it, and takes ids back.
pub trait TagStatements: Send {
    /// Creates a table if it does not exist.
    fn create(&mut self, sql: &str) -> impl Future<Output = Outcome<()>> + Send;

    /// Returns whether the tag has a row.
    fn has_row(&mut self, table: &Table, tag: &str) -> impl Future<Output = Outcome<bool>> + Send;

    /// Reads the `step` column.
    fn read_step(&mut self, table: &Table, tag: &str) -> impl Future<Output = Outcome<i64>> + Send;

    /// Reads the gene bits of a tag.
    fn read_gene_bits(&mut self, table: &Table, tag: &str) -> impl Future<Output = Outcome<GeneBits>> + Send;

    /// Inserts a tag that does not exist.
    fn create_tag(
        &mut self,
        table: &Table,
        tag: &str,
        new: &NewTagOptions,
    ) -> impl Future<Output = Outcome<bool>> + Send;

    /// Inserts a tag and its gene bits in one transaction if the tag does not exist: a session that sees the tag sees
    /// the bits.
    fn create_gene_tag(
        &mut self,
        table: &Table,
        tag: &str,
        new: &NewTagOptions,
    ) -> impl Future<Output = Outcome<bool>> + Send;

    /// Gives an unused tail back, if no range was leased after it.
    fn give_back(&mut self, table: &Table, tag: &str, tail: Range<i64>) -> impl Future<Output = Outcome<bool>> + Send;
}

/// The rules of series.
pub trait SeriesStatements: Send {
    /// Stores a rule unless one of its name is stored, and reads the stored one; `None` if it is gone each time.
    fn declare_series(
        &mut self,
        table: &Table,
        rule: &SeriesRule,
        format: Option<&str>,
    ) -> impl Future<Output = Outcome<Option<StoredSeries>>> + Send;

    /// Stores another format of a series.
    fn set_series_format(
        &mut self,
        table: &Table,
        name: &str,
        format: &str,
    ) -> impl Future<Output = Outcome<()>> + Send;

    /// Lists the series with their names.
    fn list_series(&mut self, table: &Table) -> impl Future<Output = Outcome<Vec<(String, StoredSeries)>>> + Send;
}

/// The sequences without gaps.
pub trait GaplessStatements: Send {
    /// Lists the rows. Refuses a table that cannot count without gaps.
    fn list_gapless(&mut self, table: &Table) -> impl Future<Output = Outcome<Vec<GaplessRow>>> + Send;
}

/// What an operator changes.
pub trait ChangeStatements: Send {
    /// Changes the `step` or the description of a tag.
    fn set_tag(&mut self, table: &Table, change: &TagChange) -> impl Future<Output = Outcome<()>> + Send;

    /// Raises `max_id` to at least a value, and reads it back.
    fn raise_tag(&mut self, table: &Table, tag: &str, max_id: i64) -> impl Future<Output = Outcome<i64>> + Send;
}

/// The list of the tags.
pub trait ListStatements: Send {
    /// Lists the tags, sorted by name.
    fn list_tags(&mut self, table: &Table) -> impl Future<Output = Outcome<Vec<TagInfo>>> + Send;
}

/// What is found out without a lease.
pub trait CheckStatements: Send {
    /// Checks the columns that a lease needs, and the account's privileges, by statements that match no row.
    fn check(&mut self, table: &Table) -> impl Future<Output = Outcome<SegmentCheck>> + Send;
}

/// What is known of a tag's gene bits.
pub struct GeneBits {
    /// 0 if none are stored, `None` if the account may not read them.
    pub bits: Option<i64>,
    /// The table of the gene bits is there, or may not be looked at.
    pub has_table: bool,
}

impl GeneBits {
    /// Makes sense of what the table of the gene bits answered.
    pub fn found(answer: Outcome<Vec<i64>>) -> Outcome<Self> {
        match answer {
            Ok(bits) => Ok(Self { bits: Some(bits.first().copied().unwrap_or(0)), has_table: true }),
            Err(failure) if failure.is_no_such_table() => Ok(Self { bits: Some(0), has_table: false }),
            Err(failure) if failure.is_denied() => Ok(Self { bits: None, has_table: true }),
            Err(failure) => Err(failure),
        }
    }
}

/// The gene bits of all tags; `None` if the account may not read them.
pub struct GeneBitsByTag(Option<HashMap<String, i64>>);

impl GeneBitsByTag {
    /// Makes sense of what the table of the gene bits answered.
    pub fn found(answer: Outcome<HashMap<String, i64>>) -> Outcome<Self> {
        match answer {
            Ok(bits) => Ok(Self(Some(bits))),
            Err(failure) if failure.is_no_such_table() => Ok(Self(Some(HashMap::new()))),
            Err(failure) if failure.is_denied() => Ok(Self(None)),
            Err(failure) => Err(failure),
        }
    }

    /// Returns the gene bits of a tag, 0 for none.
    pub fn of(&self, tag: &str) -> Option<i64> {
        self.0.as_ref().map(|bits| bits.get(tag).copied().unwrap_or(0))
    }
}
