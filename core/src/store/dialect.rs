//! What differs between the kinds of databases: the statements on a table of segments.

use super::table::Table;
use super::{Checked, NewTagOptions, SegmentCheck, TableFacts, TagChange, TagInfo};
use crate::database::{Engine, Outcome, Statement};
use std::collections::HashMap;
use std::ops::Range;

/// Maximum number of lost races before the creation of a tag with gene bits gives up.
pub(super) const MOST_TURNS: u32 = 5;

/// The statements of one kind of database, each with the meaning of its answer.
pub(super) trait Dialect: Engine {
    /// What stands around a name.
    const QUOTE: char;

    /// Returns the SQL that creates a table of segments.
    fn table_schema(table: &str) -> String;

    /// Returns the SQL that creates the table of the gene bits of a table of segments.
    fn genes_schema(table: &str) -> String;

    /// Creates a table if it does not exist.
    fn create(sql: &str) -> impl Statement<Self::Session, Answer = ()> + Send;

    /// Reads the `step` column.
    fn read_step<'a>(table: &'a Table, tag: &'a str) -> impl Statement<Self::Session, Answer = i64> + Send;

    /// Reads the gene bits of a tag.
    fn read_gene_bits<'a>(table: &'a Table, tag: &'a str) -> impl Statement<Self::Session, Answer = GeneBits> + Send;

    /// Leases a range.
    fn lease<'a>(
        table: &'a Table,
        tag: &'a str,
        step: i64,
    ) -> impl Statement<Self::Session, Answer = Range<i64>> + Send;

    /// Leases a range, of `amount` ids or as many as the `step` column says, and reads the column and the gene bits.
    fn lease_checked<'a>(
        table: &'a Table,
        tag: &'a str,
        gene_bits: i64,
        amount: Option<i64>,
    ) -> impl Statement<Self::Session, Answer = Answered> + Send;

    /// Gives an unused tail back, if no range was leased after it.
    fn give_back<'a>(
        table: &'a Table,
        tag: &'a str,
        tail: Range<i64>,
    ) -> impl Statement<Self::Session, Answer = bool> + Send;

    /// Inserts a tag that does not exist.
    fn create_tag<'a>(
        table: &'a Table,
        tag: &'a str,
        new: &'a NewTagOptions,
    ) -> impl Statement<Self::Session, Answer = bool> + Send;

    /// Inserts a tag and its gene bits in one transaction if the tag does not exist: a session that sees the tag sees
    /// the bits.
    fn create_gene_tag<'a>(
        table: &'a Table,
        tag: &'a str,
        new: &'a NewTagOptions,
    ) -> impl Statement<Self::Session, Answer = bool> + Send;

    /// Lists the tags, sorted by name.
    fn list_tags(table: &Table) -> impl Statement<Self::Session, Answer = Vec<TagInfo>> + Send;

    /// Changes the `step` or the description of a tag.
    fn set_tag<'a>(table: &'a Table, change: &'a TagChange) -> impl Statement<Self::Session, Answer = ()> + Send;

    /// Raises `max_id` to at least a value, and reads it back.
    fn raise_tag<'a>(table: &'a Table, tag: &'a str, max_id: i64)
    -> impl Statement<Self::Session, Answer = i64> + Send;

    /// Checks the columns that a lease needs, and the account's privileges, by statements that match no row.
    fn check(table: &Table) -> impl Statement<Self::Session, Answer = SegmentCheck> + Send;

    /// Reads what the server says about the table, apart from its rows; `None` if there is none, or it was not asked.
    fn facts(table: &Table) -> impl Statement<Self::Session, Answer = Option<TableFacts>> + Send;
}

/// Asks nothing about the table.
pub(super) struct NoFacts;

impl<Session: Send> Statement<Session> for NoFacts {
    type Answer = Option<TableFacts>;

    async fn run(&self, _: &mut Session) -> Outcome<Option<TableFacts>> {
        Ok(None)
    }
}

/// Implements the statements of a [`Dialect`], each as the type of its name in the dialect's module.
macro_rules! each_statement {
    () => {
        fn create(sql: &str) -> impl Statement<Session, Answer = ()> + Send {
            Create(sql)
        }

        fn read_step<'a>(table: &'a Table, tag: &'a str) -> impl Statement<Session, Answer = i64> + Send {
            ReadStep { table, tag }
        }

        fn read_gene_bits<'a>(table: &'a Table, tag: &'a str) -> impl Statement<Session, Answer = GeneBits> + Send {
            ReadGeneBits { table, tag }
        }

        fn lease<'a>(table: &'a Table, tag: &'a str, step: i64) -> impl Statement<Session, Answer = Range<i64>> + Send {
            Lease { table, tag, step }
        }

        fn lease_checked<'a>(
            table: &'a Table,
            tag: &'a str,
            gene_bits: i64,
            amount: Option<i64>,
        ) -> impl Statement<Session, Answer = Answered> + Send {
            LeaseChecked { table, tag, gene_bits, amount }
        }

        fn give_back<'a>(
            table: &'a Table,
            tag: &'a str,
            tail: Range<i64>,
        ) -> impl Statement<Session, Answer = bool> + Send {
            GiveBack { table, tag, tail }
        }

        fn create_tag<'a>(
            table: &'a Table,
            tag: &'a str,
            new: &'a NewTagOptions,
        ) -> impl Statement<Session, Answer = bool> + Send {
            CreateTag { table, tag, new }
        }

        fn create_gene_tag<'a>(
            table: &'a Table,
            tag: &'a str,
            new: &'a NewTagOptions,
        ) -> impl Statement<Session, Answer = bool> + Send {
            CreateGeneTag { table, tag, new }
        }

        fn list_tags(table: &Table) -> impl Statement<Session, Answer = Vec<TagInfo>> + Send {
            ListTags { table }
        }

        fn set_tag<'a>(table: &'a Table, change: &'a TagChange) -> impl Statement<Session, Answer = ()> + Send {
            SetTag { table, change }
        }

        fn raise_tag<'a>(table: &'a Table, tag: &'a str, max_id: i64) -> impl Statement<Session, Answer = i64> + Send {
            RaiseTag { table, tag, max_id }
        }

        fn check(table: &Table) -> impl Statement<Session, Answer = SegmentCheck> + Send {
            CheckTable { table }
        }
    };
}

pub(super) use each_statement;

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
