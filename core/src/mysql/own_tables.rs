//! Leafmint's own tables in a MySQL database, as text: worker ids, namespaces, and the version of both.

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
