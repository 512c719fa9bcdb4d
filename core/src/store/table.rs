//! The table of the segments, as statements name it.

use super::schema;
use std::sync::atomic::AtomicBool;

/// The table that the statements are about.
pub(super) struct Table {
    /// The name as passed.
    pub(super) name: String,
    /// The name, quoted for SQL.
    pub(super) quoted: String,
    /// The table of the gene bits, quoted for SQL.
    pub(super) genes: String,
    /// The table of the series, quoted for SQL.
    pub(super) series: String,
    /// The database and the table, for messages.
    pub(super) scope: String,
    /// False after the table of the gene bits could not be read. Only a hint: it decides which table is read first.
    pub(super) reads_genes: AtomicBool,
    /// True once a row was read that has a column `update_time` which the account may set. Only a hint. A database that
    /// sets this column by itself ignores it.
    pub(super) sets_time: AtomicBool,
}

impl Table {
    /// Describes a table of a database. `quote` stands around a name in its SQL.
    pub(super) fn new(name: &str, database: &str, quote: char) -> Self {
        Self {
            name: name.to_owned(),
            quoted: schema::quoted(name, quote),
            genes: schema::quoted(&schema::genes(name), quote),
            series: schema::quoted(&schema::series(name), quote),
            scope: format!("{database}, table {name} (scope: everyone on that database)"),
            reads_genes: AtomicBool::new(true),
            sets_time: AtomicBool::new(false),
        }
    }
}
