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
    /// The database and the table, for messages.
    pub(super) scope: String,
    /// The table of the gene bits was read, or no read was tried yet. Only a hint: it decides what is read first.
    pub(super) reads_genes: AtomicBool,
    /// There is a column `update_time` that the account may set, as far as a row was read. Only a hint; a database that
    /// sets the column by itself has no use for it.
    pub(super) sets_time: AtomicBool,
}

impl Table {
    /// Describes a table of a database. `quote` stands around a name in its SQL.
    pub(super) fn new(name: &str, database: &str, quote: char) -> Self {
        Self {
            name: name.to_owned(),
            quoted: schema::quoted(name, quote),
            genes: schema::quoted(&schema::genes(name), quote),
            scope: format!("{database}, table {name} (scope: everyone on that database)"),
            reads_genes: AtomicBool::new(true),
            sets_time: AtomicBool::new(false),
        }
    }
}
