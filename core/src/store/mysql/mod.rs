//! The statements of MySQL and MariaDB on a table of segments.

mod change;
mod check;
mod facts;
#[cfg(test)]
mod fuzz_tests;
mod lease;
mod listing;
mod row;
mod statements;

use super::dialect::{Answered, Dialect, GeneBits, each_statement};
use super::schema;
use super::table::Table;
use super::{NewTagOptions, SegmentCheck, TableFacts, TagChange, TagInfo};
use crate::database::Statement;
use crate::mysql::{MySql, Session};
use change::{RaiseTag, SetTag};
use check::CheckTable;
use facts::ReadFacts;
use lease::{Lease, LeaseChecked};
use listing::ListTags;
use statements::{Create, CreateGeneTag, CreateTag, GiveBack, ReadGeneBits, ReadStep};
use std::ops::Range;

impl Dialect for MySql {
    const QUOTE: char = '`';

    fn table_schema(table: &str) -> String {
        schema::mysql(table)
    }

    fn genes_schema(table: &str) -> String {
        schema::mysql_genes(table)
    }

    each_statement!();

    fn facts(table: &Table) -> impl Statement<Session, Answer = Option<TableFacts>> + Send {
        ReadFacts { table }
    }
}
