//! The table of the segments, as statements name it.

use super::names;
use leafmint_engine::runtime::process::PerProcess;
use leafmint_engine::sync::Mutex;
use leafmint_ids::text::pasted::SqlDialect;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Weak};

/// Which tables this process has leased from, by scope, for as long as a store over the table is there.
static LEASED: PerProcess<Leased> = PerProcess::unset(Mutex::new(None));

type Leased = Mutex<Option<HashMap<String, Weak<AtomicBool>>>>;

/// The table that the statements are about.
pub struct Table {
    /// The name as passed.
    pub name: String,
    /// The name, quoted for SQL.
    pub quoted: String,
    /// The table of the gene bits, quoted for SQL.
    pub genes: String,
    /// The table of the series, quoted for SQL.
    pub series: String,
    /// The table of the sequences without gaps, quoted for SQL.
    pub gapless: String,
    /// The database and the table, for messages.
    pub scope: String,
    /// False after the table of the gene bits could not be read. Only a hint: it decides which table is read first.
    pub reads_genes: AtomicBool,
    /// True once a row was read that has a column `update_time` which the account may set. Only a hint. A database that
    /// sets this column by itself ignores it.
    pub sets_time: AtomicBool,
    /// True once this process has leased from the table. It is then not new, whatever is missing.
    pub(super) has_leased: Arc<AtomicBool>,
}

impl Table {
    /// Describes a table of a database.
    pub fn new(name: &str, database: &str, sql: SqlDialect, shared_by: &str) -> Self {
        let scope = format!("{database}, table {name} (scope: {shared_by})");
        Self {
            name: name.to_owned(),
            quoted: sql.quoted_path(name),
            genes: sql.quoted_path(&names::genes(name)),
            series: sql.quoted_path(&names::series(name)),
            gapless: sql.quoted_path(&names::gapless(name)),
            has_leased: shared_flag(&scope),
            scope,
            reads_genes: AtomicBool::new(true),
            sets_time: AtomicBool::new(false),
        }
    }
}

/// Returns the flag that all stores over a table share.
fn shared_flag(scope: &str) -> Arc<AtomicBool> {
    let mut flags = LEASED.get(|_| Mutex::default()).lock();
    let flags = flags.get_or_insert_default();
    flags.retain(|_, flag| flag.strong_count() > 0);
    flags.get(scope).and_then(Weak::upgrade).unwrap_or_else(|| {
        let made = Arc::default();
        flags.insert(scope.to_owned(), Arc::downgrade(&made));
        made
    })
}
