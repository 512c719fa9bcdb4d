//! Leafmint's own tables in a PostgreSQL database, as text: worker ids, namespaces, and the version of both.

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
