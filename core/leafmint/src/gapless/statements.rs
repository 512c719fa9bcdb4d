//! The statements of each database.

use super::Dialect;
use leafmint_backends::postgresql;
use leafmint_backends::postgresql::operators::EQ;

/// The statements of one call, which a binding runs in this order, with its driver's own placeholder for each `?`.
///
/// No question to the catalog of MySQL is among them, since its answer fixes the snapshot of the caller's transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statements {
    /// Describes the table, for [`Draw::check_table`](super::Draw::check_table): where a number that was taken could
    /// not be given back.
    pub look: Option<&'static str>,
    /// Takes the numbers. Carries the name of the row, and then `numbers`. It changes nothing if they have no room, and
    /// returns the row that answers the call unless there is `read`.
    pub take: Option<String>,
    /// What `take` carries after the name.
    pub numbers: [i64; 3],
    /// Reads the row that answers the call. Carries the name of the row.
    pub read: Option<String>,
}

impl Dialect {
    pub(super) const fn look(self) -> Option<&'static str> {
        match self {
            Dialect::MySql => Some("SHOW CREATE TABLE leafmint_gapless"),
            Dialect::Postgres | Dialect::Sqlite => None,
        }
    }

    /// Returns the statement that takes numbers. After the name it carries the number of a new row, and how many are
    /// taken and the largest number that has room for them: see [`Dialect::in_order`].
    pub(super) fn take(self) -> String {
        let insert = "INSERT INTO leafmint_gapless (name, number) VALUES";
        match self {
            // A sum beyond 64 bits is an error, and the one way to refuse a row here: nothing is changed.
            Dialect::MySql => format!(
                "{insert} (?, ?) ON DUPLICATE KEY UPDATE \
                 number = IF(number BETWEEN 0 AND ?, number + ?, 18446744073709551615 + ABS(number))"
            ),
            Dialect::Postgres => format!(
                "{insert} (?, CAST(? AS pg_catalog.int8)) ON CONFLICT (name) DO UPDATE \
                 SET number = leafmint_gapless.number + CAST(? AS pg_catalog.int8) \
                 WHERE leafmint_gapless.number BETWEEN 0 AND CAST(? AS pg_catalog.int8) RETURNING {}",
                of_postgres()
            ),
            // SQLite stores any type in the column, and makes a sum beyond 64 bits a float.
            Dialect::Sqlite => format!(
                "{insert} (?, ?) ON CONFLICT (name) DO UPDATE SET number = leafmint_gapless.number + ? \
                 WHERE typeof(leafmint_gapless.number) = 'integer' \
                 AND leafmint_gapless.number BETWEEN 0 AND ? RETURNING {OF_SQLITE}"
            ),
        }
    }

    /// Returns what the statement of [`Dialect::take`] carries after the name.
    pub(super) const fn in_order(self, new: i64, count: i64, room: i64) -> [i64; 3] {
        match self {
            Dialect::MySql => [new, room, count],
            Dialect::Postgres | Dialect::Sqlite => [new, count, room],
        }
    }

    /// Returns the statement that reads what was taken, where taking does not return it.
    pub(super) fn read_taken(self) -> Option<String> {
        // FOR UPDATE, because a read without a lock would fix the snapshot of the caller's transaction.
        (self == Dialect::MySql).then(|| format!("SELECT {OF_MYSQL} FROM leafmint_gapless WHERE name = ? FOR UPDATE"))
    }

    /// Returns the statement that reads the last number.
    pub(super) fn read_last(self) -> String {
        let columns = match self {
            Dialect::MySql => OF_MYSQL,
            Dialect::Postgres => &of_postgres(),
            Dialect::Sqlite => OF_SQLITE,
        };
        format!("SELECT {columns} FROM leafmint_gapless WHERE name = ?")
    }
}

// ROW_COUNT() is 1 if the row is new, 2 if it changed, and 0 or 1 if it did not.
const OF_MYSQL: &str = "CAST(MAX(number) AS CHAR), MAX(name), \
                        CAST(MIN(CAST(number * 0 + 9007199254740993 AS SIGNED) = 9007199254740993) AS CHAR), \
                        CAST(ROW_COUNT() AS CHAR), CAST(COUNT(*) AS CHAR)";

const OF_SQLITE: &str = "CAST(number AS TEXT), name, typeof(number) = 'integer', \
     (SELECT max(name) FROM sqlite_temp_master WHERE type = 'table' AND lower(name) = 'leafmint_gapless'), \
     (SELECT max(name) FROM (SELECT name, type, tbl_name FROM sqlite_master \
     UNION ALL SELECT name, type, tbl_name FROM sqlite_temp_master) \
     WHERE type = 'trigger' AND lower(tbl_name) = 'leafmint_gapless')";

fn of_postgres() -> String {
    format!(
        "CAST(number AS pg_catalog.text), CAST(name AS pg_catalog.text), CASE WHEN {} THEN '1' ELSE '0' END, \
         (SELECT CASE WHEN {} THEN NULL ELSE CAST(c.relkind AS pg_catalog.text) END \
         FROM pg_catalog.pg_class AS c WHERE c.oid {EQ} leafmint_gapless.tableoid), \
         (SELECT CAST(t.tgname AS pg_catalog.text) FROM pg_catalog.pg_trigger AS t \
         WHERE t.tgrelid {EQ} leafmint_gapless.tableoid AND NOT t.tgisinternal LIMIT 1)",
        postgresql::does_not_round("number"),
        postgresql::LASTING,
    )
}
