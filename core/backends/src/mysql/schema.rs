//! The tables in a MySQL or MariaDB database, as text.

use crate::tables::names;
use leafmint_ids::text::pasted::SqlDialect;

/// Returns the SQL that creates every table, for migration tools.
pub(crate) fn all(table: &str) -> String {
    let (segments, genes, series) = (segments(table), genes(table), series(table));
    format!("{segments}{genes}{series}{GAPLESS}{};\n", OWN_TABLES.join(";\n"))
}

/// Returns the SQL that creates a table of segments, with the columns of Leaf's own.
pub(crate) fn segments(table: &str) -> String {
    let table = SqlDialect::MySql.quoted_path(table);
    format!(
        "CREATE TABLE IF NOT EXISTS {table} (
  `biz_tag` varchar(128) NOT NULL DEFAULT '',
  `max_id` bigint NOT NULL DEFAULT 1,
  `step` int NOT NULL,
  `description` varchar(256) DEFAULT NULL,
  `update_time` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`biz_tag`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"
    )
}

/// Returns the SQL that creates the table of the gene bits of `table`.
pub(crate) fn genes(table: &str) -> String {
    let genes = SqlDialect::MySql.quoted_path(&names::genes(table));
    format!(
        "CREATE TABLE IF NOT EXISTS {genes} (
  `biz_tag` varchar(128) NOT NULL,
  `gene_bits` int NOT NULL,
  PRIMARY KEY (`biz_tag`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"
    )
}

/// Returns the SQL that creates the table of the series of `table`.
pub(crate) fn series(table: &str) -> String {
    let series = SqlDialect::MySql.quoted_path(&names::series(table));
    format!(
        "CREATE TABLE IF NOT EXISTS {series} (
  `name` varchar(128) NOT NULL,
  `period` varchar(16) NOT NULL,
  `zone` varchar(64) NOT NULL,
  `format` varchar(256) DEFAULT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"
    )
}

/// The table of the numbers without gaps: the last number that was taken of each series.
pub const GAPLESS: &str = "CREATE TABLE IF NOT EXISTS `leafmint_gapless` (
  `name` varchar(128) NOT NULL,
  `number` bigint NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
";

/// The statements that create the tables if they are missing. Their order matters: the version comes last, so that a
/// process that sees it finds the rest.
///
/// In `leafmint_worker` the columns `horizon`, `reported` and `updated` are Unix milliseconds: what the lease may not
/// stamp any more, the owner's wall clock and the database's at the last change. Numbers, because a timestamp column
/// depends on the session's time zone and ends in 2038.
///
/// A row of `leafmint_backfill` is the counter of sequence numbers that the ticks of one block of past time share.
pub(crate) const OWN_TABLES: [&str; 5] = [
    "CREATE TABLE IF NOT EXISTS `leafmint_worker` (
  `namespace` varchar(128) NOT NULL,
  `worker_id` int NOT NULL,
  `token` char(32) DEFAULT NULL,
  `horizon` bigint NOT NULL,
  `reported` bigint NOT NULL,
  `updated` bigint NOT NULL,
  `endpoint` varchar(255) NOT NULL,
  PRIMARY KEY (`namespace`, `worker_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
    "CREATE TABLE IF NOT EXISTS `leafmint_backfill` (
  `namespace` varchar(128) NOT NULL,
  `worker_id` int NOT NULL,
  `block` bigint NOT NULL,
  `next_sequence` bigint NOT NULL,
  PRIMARY KEY (`namespace`, `worker_id`, `block`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
    "CREATE TABLE IF NOT EXISTS `leafmint_namespace` (
  `namespace` varchar(128) NOT NULL,
  `layout` varchar(255) NOT NULL,
  PRIMARY KEY (`namespace`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
    "CREATE TABLE IF NOT EXISTS `leafmint_schema` (
  `id` int NOT NULL,
  `version` int NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
    "INSERT IGNORE INTO `leafmint_schema` (`id`, `version`) VALUES (1, 1)",
];
