//! The tables, as text: `leaf_alloc` with the columns of Leaf's own, and leafmint's own.

use crate::error::{Error, ErrorKind, Result};
use crate::pasted::SqlDialect;
use crate::{mysql, postgres};

/// The default of the option `table`.
pub const TABLE: &str = "leaf_alloc";

/// The table of the gene bits of [`TABLE`]. For a table of another name, it is this name, `_` and that name.
pub const GENES: &str = "leafmint_gene";

/// The table of the series of [`TABLE`], named by the same rule.
const SERIES: &str = "leafmint_series";

/// The table of the numbers without gaps: the last number that was taken of each series.
pub(crate) const MYSQL_GAPLESS: &str = "CREATE TABLE IF NOT EXISTS `leafmint_gapless` (
  `name` varchar(128) NOT NULL,
  `number` bigint NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
";

/// The same table in PostgreSQL.
pub(crate) const POSTGRES_GAPLESS: &str = "CREATE TABLE IF NOT EXISTS leafmint_gapless (
  name varchar(128) COLLATE pg_catalog.\"C\" NOT NULL PRIMARY KEY,
  number bigint NOT NULL
);
";

/// The same table in SQLite.
pub(crate) const SQLITE_GAPLESS: &str = "CREATE TABLE IF NOT EXISTS leafmint_gapless (
  name TEXT NOT NULL PRIMARY KEY,
  number INTEGER NOT NULL
) WITHOUT ROWID;
";

/// Returns the SQL that creates another table, for the schema that the table of segments is in.
pub(crate) fn in_schema_of(table: &str, sql: &str, dialect: SqlDialect) -> String {
    match table.rsplit_once('.') {
        Some((schema, _)) => sql.replacen("EXISTS ", &format!("EXISTS {}.", dialect.quoted(schema)), 1),
        None => sql.to_owned(),
    }
}

/// Returns the SQL that creates leafmint's tables, for migration tools.
///
/// `dialect` is `mysql` (MariaDB too), `postgresql`, `sqlite` or `tickets`. Raises `invalid_argument` for any other.
///
/// ```
/// assert!(leafmint::schema_sql("mysql").unwrap().contains("leaf_alloc"));
/// ```
pub fn schema_sql(dialect: &str) -> Result<String> {
    match dialect {
        "mysql" => {
            let (tags, own) = (mysql(TABLE), mysql::OWN_TABLES.join(";\n"));
            Ok(format!("{tags}{}{}{MYSQL_GAPLESS}{own};\n", mysql_genes(TABLE), mysql_series(TABLE)))
        }
        "postgresql" => {
            let (tags, own) = (postgres(TABLE), postgres::OWN_TABLES.join(";\n"));
            Ok(format!("{tags}{}{}{POSTGRES_GAPLESS}{own};\n", postgres_genes(TABLE), postgres_series(TABLE)))
        }
        "sqlite" => Ok(sqlite(TABLE)),
        "tickets" => Ok(format!("{};\n", super::ticket_servers::OWN_TABLES.join(";\n"))),
        other => Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("schema_sql knows the dialects mysql, postgresql, sqlite and tickets, not {other:?}"),
        )),
    }
}

pub(crate) fn mysql(table: &str) -> String {
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

/// Returns the name of the table of the gene bits of a table of segments. A tag in another table is another tag.
pub(crate) fn genes(table: &str) -> String {
    of_table(GENES, table)
}

/// Returns the name of the table of the series of a table of segments.
pub(crate) fn series(table: &str) -> String {
    of_table(SERIES, table)
}

fn of_table(own: &str, table: &str) -> String {
    let (schema, name) = match table.rsplit_once('.') {
        Some((schema, name)) => (format!("{schema}."), name),
        None => (String::new(), table),
    };
    if name.eq_ignore_ascii_case(TABLE) { format!("{schema}{own}") } else { format!("{schema}{own}_{name}") }
}

/// Returns the SQL that creates the table of the gene bits of `table`.
pub(crate) fn mysql_genes(table: &str) -> String {
    let genes = SqlDialect::MySql.quoted_path(&genes(table));
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
pub(crate) fn mysql_series(table: &str) -> String {
    let series = SqlDialect::MySql.quoted_path(&series(table));
    format!(
        "CREATE TABLE IF NOT EXISTS {series} (
  `name` varchar(128) NOT NULL,
  `period` varchar(16) NOT NULL,
  `zone` varchar(64) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
"
    )
}

pub(crate) fn postgres(table: &str) -> String {
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
pub(crate) fn postgres_genes(table: &str) -> String {
    format!(
        "CREATE TABLE IF NOT EXISTS {} (
  biz_tag varchar(128) NOT NULL PRIMARY KEY,
  gene_bits int NOT NULL
);
",
        SqlDialect::Postgres.quoted_path(&genes(table))
    )
}

/// Returns the SQL that creates the table of the series of `table`.
pub(crate) fn postgres_series(table: &str) -> String {
    format!(
        "CREATE TABLE IF NOT EXISTS {} (
  name varchar(128) NOT NULL PRIMARY KEY,
  period varchar(16) NOT NULL,
  zone varchar(64) NOT NULL
);
",
        SqlDialect::Postgres.quoted_path(&series(table))
    )
}

pub(crate) fn sqlite(table: &str) -> String {
    let quoted = |name: &str| SqlDialect::Sqlite.quoted(name);
    let (genes, series, table) = (quoted(&genes(table)), quoted(&series(table)), quoted(table));
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
  zone TEXT NOT NULL
) WITHOUT ROWID;
{SQLITE_GAPLESS}"
    )
}
