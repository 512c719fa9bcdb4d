//! What differs between the products, as data.

use crate::sessions::Row;

/// A database product.
pub(super) struct Product {
    /// As its drivers call it.
    pub(super) name: &'static str,
    /// What its errors mean. Those without a row may go away by themselves.
    pub(super) errors: &'static [Row<Code>],
    /// Its clock in Unix milliseconds: an expression.
    pub(super) clock: &'static str,
    /// A statement that makes what the clock needs, before the first table.
    pub(super) clock_schema: Option<&'static str>,
    /// The clock is one of a server that several hosts may share, and can be read before there is any table.
    pub(super) shares_clock: bool,
    /// How long ago the column `update_time` was set, in seconds: an expression.
    pub(super) age: &'static str,
    /// Reads what comes before the name of a table that has no schema: so no temporary table hides it.
    pub(super) home: Option<&'static str>,
    /// Returns the question what a table is, by its schema, if it is named with one, and its name. The rows of the
    /// answer have the kind of the table, blank for one that keeps what is written, and the name and the type of a
    /// column.
    pub(super) columns: fn(Option<&str>, &str) -> String,
    /// A condition that the numbers of a row are whole, if columns have no types.
    pub(super) is_whole: &'static str,
    /// Asks for the trigger of the table of sequences without gaps, and for the number of keys of its names.
    pub(super) gapless_facts: Option<&'static str>,
    /// Answers why a commit may be lost with the process of the database: no row, or a blank, if it cannot.
    pub(super) loses_commits: &'static str,
    /// What to do if it may.
    pub(super) remedy: &'static str,
    /// Keeps what was committed, if [`Product::loses_commits`] says so.
    pub(super) sync: Option<&'static str>,
    /// The setting that says how far a commit waits for the disk.
    pub(super) synchronous: Option<&'static str>,
    /// Has a row if the database is in memory, and each connection may have one of its own.
    pub(super) may_be_private: Option<&'static str>,
    /// Reads `IF NOT EXISTS`.
    pub(super) reads_if_missing: bool,
}

/// An error's code.
pub(super) enum Code {
    /// The product's own number.
    Number(i32),
    /// The product's own number, and no other that it is a class of.
    Exactly(i32),
    /// The beginning of the SQLSTATE.
    State(&'static str),
}

pub(super) const GRANT: &str = "grant it to this account";
pub(super) const READ_ONLY: &str = "the database, or this connection, only reads: pass one that writes";
pub(super) const COMPARE: &str = "compare the table with the one that leafmint makes in an empty database";
pub(super) const CONSTRAINT: &str =
    "a constraint or a trigger of the table refuses what leafmint writes: drop or widen it";
pub(super) const NARROW: &str = "widen that column to BIGINT";
pub(super) const CLOSED: &str = "the database was closed";
