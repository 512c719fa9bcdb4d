//! The tables in a file of SQLite, as text.

use crate::tables::names;
use leafmint_ids::text::pasted::SqlDialect;

/// Returns the SQL that creates every table.
pub(crate) fn all(table: &str) -> String {
    let quoted = |name: &str| SqlDialect::Sqlite.quoted(name);
    let (genes, series, table) = (quoted(&names::genes(table)), quoted(&names::series(table)), quoted(table));
    format!(
        "CREATE TABLE IF NOT EXISTS {table} (
  biz_tag TEXT NOT NULL PRIMARY KEY,
  max_id INTEGER NOT NULL DEFAULT 1,
  step INTEGER NOT NULL,
  description TEXT,
  update_time TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS {genes} (
  biz_tag TEXT NOT NULL PRIMARY KEY,
  gene_bits INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS {series} (
  name TEXT NOT NULL PRIMARY KEY,
  period TEXT NOT NULL,
  zone TEXT NOT NULL,
  format TEXT
) WITHOUT ROWID;
{GAPLESS}"
    )
}

/// The table of the numbers without gaps: the last number that was taken of each series.
pub const GAPLESS: &str = "CREATE TABLE IF NOT EXISTS leafmint_gapless (
  name TEXT NOT NULL PRIMARY KEY,
  number INTEGER NOT NULL
) WITHOUT ROWID;
";

/// Asks for the trigger of [`GAPLESS`], and for the number of its keys of the names alone.
pub(crate) const GAPLESS_FACTS: &str = "SELECT \
     (SELECT max(name) FROM main.sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = 'leafmint_gapless'), \
     (SELECT count(*) FROM pragma_index_list('leafmint_gapless', 'main') AS l WHERE l.\"unique\" AND NOT l.partial \
     AND (SELECT count(*) = 1 AND lower(max(i.name)) = 'name' FROM pragma_index_info(l.name, 'main') AS i))";
