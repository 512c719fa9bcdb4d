//! The statements of PostgreSQL on a table of segments.

mod change;
mod check;
mod judge;
mod lease;
mod listing;
mod row;
mod statements;

use super::dialect::{Answered, Dialect, GeneBits, NoFacts, each_statement};
use super::schema;
use super::table::Table;
use super::{NewTagOptions, SegmentCheck, TableFacts, TagChange, TagInfo};
use crate::database::Statement;
use crate::postgres::{Postgres, Session};
use change::{RaiseTag, SetTag};
use check::CheckTable;
use lease::{Lease, LeaseChecked};
use listing::ListTags;
use statements::{Create, CreateGeneTag, CreateTag, GiveBack, ReadGeneBits, ReadStep};
use std::ops::Range;

impl Dialect for Postgres {
    const QUOTE: char = '"';

    fn table_schema(table: &str) -> String {
        schema::postgres(table)
    }

    fn genes_schema(table: &str) -> String {
        schema::postgres_genes(table)
    }

    each_statement!();

    fn facts(_: &Table) -> impl Statement<Session, Answer = Option<TableFacts>> + Send {
        NoFacts
    }
}
