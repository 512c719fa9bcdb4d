//! What differs between the kinds of databases: the statements on a table of segments.

use super::table::Table;
use super::{Checked, NewTagOptions, SegmentCheck, SeriesRule, StoredSeries, TableFacts, TagChange, TagInfo};
use crate::database::{Engine, LockWait, Outcome};
use crate::pasted::SqlDialect;
use std::collections::HashMap;
use std::future::ready;
use std::ops::Range;

/// Maximum number of lost races before the creation of a tag with gene bits gives up.
pub(super) const MOST_TURNS: u32 = 5;

/// A kind of database, whose sessions have the statements, each with the meaning of its answer.
pub(super) trait Dialect:
    Engine<
    Session: LeaseStatements + TagStatements + SeriesStatements + ChangeStatements + ListStatements + CheckStatements,
>
{
    /// How its SQL is written.
    const SQL: SqlDialect;

    /// The SQL that creates the table of the numbers without gaps.
    const GAPLESS_SCHEMA: &str;

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
pub(super) trait LeaseStatements: Send {
    /// Leases a range.
    fn lease(&mut self, table: &Table, tag: &str, step: i64) -> impl Future<Output = Outcome<Range<i64>>> + Send;

    /// Leases a range, of `amount` ids or as many as the `step` column says, and reads the column and the gene bits.
    fn lease_checked(
        &mut self,
        table: &Table,
        tag: &str,
        gene_bits: i64,
        amount: Option<i64>,
        wait: LockWait,
    ) -> impl Future<Output = Outcome<Answered>> + Send;
}

/// What makes a tag, reads it, and takes ids back.
pub(super) trait TagStatements: Send {
    /// Creates a table if it does not exist.
    fn create(&mut self, sql: &str) -> impl Future<Output = Outcome<()>> + Send;

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
pub(super) trait SeriesStatements: Send {
    /// Stores a rule unless one of its name is stored, and reads the stored one; `None` if it is gone each time.
    fn declare_series(
        &mut self,
        table: &Table,
        rule: &SeriesRule,
    ) -> impl Future<Output = Outcome<Option<StoredSeries>>> + Send;

    /// Lists the series with their names.
    fn list_series(&mut self, table: &Table) -> impl Future<Output = Outcome<Vec<(String, StoredSeries)>>> + Send;
}

/// What an operator changes.
pub(super) trait ChangeStatements: Send {
    /// Changes the `step` or the description of a tag.
    fn set_tag(&mut self, table: &Table, change: &TagChange) -> impl Future<Output = Outcome<()>> + Send;

    /// Raises `max_id` to at least a value, and reads it back.
    fn raise_tag(&mut self, table: &Table, tag: &str, max_id: i64) -> impl Future<Output = Outcome<i64>> + Send;
}

/// The list of the tags.
pub(super) trait ListStatements: Send {
    /// Lists the tags, sorted by name.
    fn list_tags(&mut self, table: &Table) -> impl Future<Output = Outcome<Vec<TagInfo>>> + Send;
}

/// What is found out without a lease.
pub(super) trait CheckStatements: Send {
    /// Checks the columns that a lease needs, and the account's privileges, by statements that match no row.
    fn check(&mut self, table: &Table) -> impl Future<Output = Outcome<SegmentCheck>> + Send;
}

/// A range, and the gene bits of the tag that it was leased from, as far as they were read.
pub(super) struct Answered {
    pub(super) checked: Checked,
    pub(super) genes: Option<i64>,
}

/// What is known of a tag's gene bits.
pub(super) struct GeneBits {
    /// 0 if none are stored, `None` if the account may not read them.
    pub(super) bits: Option<i64>,
    /// The table of the gene bits is there, or may not be looked at.
    pub(super) has_table: bool,
}

impl GeneBits {
    /// Makes sense of what the table of the gene bits answered.
    pub(super) fn found(answer: Outcome<Vec<i64>>) -> Outcome<Self> {
        match answer {
            Ok(bits) => Ok(Self { bits: Some(bits.first().copied().unwrap_or(0)), has_table: true }),
            Err(failure) if failure.is_no_such_table() => Ok(Self { bits: Some(0), has_table: false }),
            Err(failure) if failure.is_denied() => Ok(Self { bits: None, has_table: true }),
            Err(failure) => Err(failure),
        }
    }
}

/// The gene bits of all tags; `None` if the account may not read them.
pub(super) struct GeneBitsByTag(Option<HashMap<String, i64>>);

impl GeneBitsByTag {
    /// Makes sense of what the table of the gene bits answered.
    pub(super) fn found(answer: Outcome<HashMap<String, i64>>) -> Outcome<Self> {
        match answer {
            Ok(bits) => Ok(Self(Some(bits))),
            Err(failure) if failure.is_no_such_table() => Ok(Self(Some(HashMap::new()))),
            Err(failure) if failure.is_denied() => Ok(Self(None)),
            Err(failure) => Err(failure),
        }
    }

    /// Returns the gene bits of a tag, 0 for none.
    pub(super) fn of(&self, tag: &str) -> Option<i64> {
        self.0.as_ref().map(|bits| bits.get(tag).copied().unwrap_or(0))
    }
}
