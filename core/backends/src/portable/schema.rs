//! The tables as text: words that each product reads alike. Derby's session leaves out `IF NOT EXISTS`.

use crate::tables::names;
use leafmint_ids::text::pasted::SqlDialect;

/// What Derby does not read. It names a table that is there by a code of its own.
pub(super) const IF_MISSING: &str = " IF NOT EXISTS";

/// Returns the SQL that creates a table of segments.
pub(super) fn segments(table: &str) -> String {
    let table = SqlDialect::Portable.quoted_path(table);
    format!(
        "CREATE TABLE IF NOT EXISTS {table} (
  biz_tag VARCHAR(128) NOT NULL PRIMARY KEY,
  max_id BIGINT DEFAULT 1 NOT NULL,
  step INTEGER NOT NULL,
  description VARCHAR(256),
  update_time TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)"
    )
}

/// Returns the SQL that creates the table of the gene bits of `table`.
pub(super) fn genes(table: &str) -> String {
    let genes = SqlDialect::Portable.quoted_path(&names::genes(table));
    format!(
        "CREATE TABLE IF NOT EXISTS {genes} (
  biz_tag VARCHAR(128) NOT NULL PRIMARY KEY,
  gene_bits INTEGER NOT NULL
)"
    )
}

/// Returns the SQL that creates the table of the series of `table`.
pub(super) fn series(table: &str) -> String {
    let series = SqlDialect::Portable.quoted_path(&names::series(table));
    format!(
        "CREATE TABLE IF NOT EXISTS {series} (
  name VARCHAR(128) NOT NULL PRIMARY KEY,
  period VARCHAR(16) NOT NULL,
  zone VARCHAR(64) NOT NULL,
  format VARCHAR(256)
)"
    )
}

/// The table of the numbers without gaps: the last number that was taken of each series.
pub(super) const GAPLESS: &str = "CREATE TABLE IF NOT EXISTS leafmint_gapless (
  name VARCHAR(128) NOT NULL PRIMARY KEY,
  number BIGINT NOT NULL
)";

/// The tables of the worker ids. What their columns mean, `mysql::schema` says.
pub(super) const OWN_TABLES: [&str; 5] = [
    "CREATE TABLE IF NOT EXISTS leafmint_worker (
  namespace VARCHAR(128) NOT NULL,
  worker_id INTEGER NOT NULL,
  token VARCHAR(32),
  horizon BIGINT NOT NULL,
  reported BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  endpoint VARCHAR(255) NOT NULL,
  PRIMARY KEY (namespace, worker_id)
)",
    "CREATE TABLE IF NOT EXISTS leafmint_backfill (
  namespace VARCHAR(128) NOT NULL,
  worker_id INTEGER NOT NULL,
  block BIGINT NOT NULL,
  next_sequence BIGINT NOT NULL,
  PRIMARY KEY (namespace, worker_id, block)
)",
    "CREATE TABLE IF NOT EXISTS leafmint_namespace (
  namespace VARCHAR(128) NOT NULL PRIMARY KEY,
  layout VARCHAR(255) NOT NULL
)",
    "CREATE TABLE IF NOT EXISTS leafmint_schema (
  id INTEGER NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL
)",
    "INSERT INTO leafmint_schema (id, version) VALUES (1, 1)",
];

/// Returns the SQL that creates the table that assigns worker ids, by its quoted name.
pub(super) fn allocation(quoted: &str) -> String {
    format!(
        "CREATE TABLE IF NOT EXISTS {quoted} (
  id BIGINT NOT NULL PRIMARY KEY,
  ip VARCHAR(127),
  port VARCHAR(127),
  ip_port VARCHAR(127) NOT NULL UNIQUE,
  max_timestamp BIGINT
)"
    )
}
