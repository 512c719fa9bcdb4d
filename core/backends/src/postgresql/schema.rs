//! The tables in a PostgreSQL database, as text.

use super::table::{ColumnShape, Shape};
use crate::tables::names;
use leafmint_ids::text::pasted::SqlDialect;

/// Returns the SQL that creates every table, for migration tools.
pub(crate) fn all(table: &str) -> String {
    let (segments, genes, series) = (segments(table), genes(table), series(table));
    format!("{segments}{genes}{series}{GAPLESS}{};\n", OWN_TABLES.join(";\n"))
}

/// Returns the SQL that creates a table of segments, with the columns of Leaf's own.
pub(crate) fn segments(table: &str) -> String {
    format!(
        "CREATE TABLE IF NOT EXISTS {} (
  biz_tag varchar(128) NOT NULL PRIMARY KEY,
  max_id bigint NOT NULL DEFAULT 1,
  step int NOT NULL,
  description varchar(256) DEFAULT NULL,
  update_time timestamp with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);
",
        SqlDialect::Postgres.quoted_path(table)
    )
}

/// Returns the SQL that creates the table of the gene bits of `table`.
pub(crate) fn genes(table: &str) -> String {
    format!(
        "CREATE TABLE IF NOT EXISTS {} (
  biz_tag varchar(128) NOT NULL PRIMARY KEY,
  gene_bits int NOT NULL
);
",
        SqlDialect::Postgres.quoted_path(&names::genes(table))
    )
}

/// Returns the SQL that creates the table of the series of `table`.
pub(crate) fn series(table: &str) -> String {
    format!(
        "CREATE TABLE IF NOT EXISTS {} (
  name varchar(128) NOT NULL PRIMARY KEY,
  period varchar(16) NOT NULL,
  zone varchar(64) NOT NULL,
  format varchar(256) DEFAULT NULL
);
",
        SqlDialect::Postgres.quoted_path(&names::series(table))
    )
}

/// The table of the numbers without gaps: the last number that was taken of each series.
pub const GAPLESS: &str = "CREATE TABLE IF NOT EXISTS leafmint_gapless (
  name varchar(128) COLLATE pg_catalog.\"C\" NOT NULL PRIMARY KEY,
  number bigint NOT NULL
);
";

/// The statements that create the tables if they are missing. Their order matters: the version comes last, so that a
/// process that sees it finds the rest.
///
/// The columns `horizon`, `reported` and `updated` are Unix milliseconds, as in a MySQL database. Names compare byte by
/// byte, whatever the collation of the database.
pub(crate) const OWN_TABLES: [&str; 5] = [
    "CREATE TABLE IF NOT EXISTS leafmint_worker (
  namespace varchar(128) COLLATE pg_catalog.\"C\" NOT NULL,
  worker_id int NOT NULL,
  token varchar(32) COLLATE pg_catalog.\"C\",
  horizon bigint NOT NULL,
  reported bigint NOT NULL,
  updated bigint NOT NULL,
  endpoint varchar(255) NOT NULL,
  PRIMARY KEY (namespace, worker_id)
)",
    "CREATE TABLE IF NOT EXISTS leafmint_backfill (
  namespace varchar(128) COLLATE pg_catalog.\"C\" NOT NULL,
  worker_id int NOT NULL,
  block bigint NOT NULL,
  next_sequence bigint NOT NULL,
  PRIMARY KEY (namespace, worker_id, block)
)",
    "CREATE TABLE IF NOT EXISTS leafmint_namespace (
  namespace varchar(128) COLLATE pg_catalog.\"C\" NOT NULL PRIMARY KEY,
  layout varchar(255) NOT NULL
)",
    "CREATE TABLE IF NOT EXISTS leafmint_schema (
  id int NOT NULL PRIMARY KEY,
  version int NOT NULL
)",
    "INSERT INTO leafmint_schema (id, version) VALUES (1, 1) ON CONFLICT DO NOTHING",
];

/// What the tables of worker ids must be like, so that a row holds what was written, for every process and after a
/// crash. The counters of the past belong to the worker ids of one table, so both are in one schema.
pub(super) const OWN_SHAPES: [Shape; 4] = [
    Shape {
        table: "leafmint_worker",
        columns: &[
            NAMESPACE,
            ColumnShape::int("worker_id"),
            ColumnShape::text("token", 32, "varchar(32) COLLATE \"C\""),
            ColumnShape::bigint("horizon"),
            ColumnShape::bigint("reported"),
            ColumnShape::bigint("updated"),
            ColumnShape::text("endpoint", 255, "varchar(255)"),
        ],
        key: &["namespace", "worker_id"],
        next_to: None,
    },
    Shape {
        table: "leafmint_backfill",
        columns: &[
            NAMESPACE,
            ColumnShape::int("worker_id"),
            ColumnShape::bigint("block"),
            ColumnShape::bigint("next_sequence"),
        ],
        key: &["namespace", "worker_id", "block"],
        next_to: Some("leafmint_worker"),
    },
    Shape {
        table: "leafmint_namespace",
        columns: &[NAMESPACE, ColumnShape::text("layout", 255, "varchar(255)")],
        key: &["namespace"],
        next_to: None,
    },
    Shape {
        table: "leafmint_schema",
        columns: &[ColumnShape::int("id"), ColumnShape::int("version")],
        key: &["id"],
        next_to: None,
    },
];

const NAMESPACE: ColumnShape = ColumnShape::text("namespace", 128, "varchar(128) COLLATE \"C\"");
