//! What SQLite says about the keys of a file.

use super::assemble::{Course, Listed, ListedColumn, ListedCounter};
use super::catalogue::{Column, Counter, Tag};
use super::reader::Reader;
use super::tags;
use leafmint_backends::sqlite::SqliteStore;
use leafmint_engine::store::SegmentStore;
use leafmint_ids::error::Result;
use leafmint_ids::text::pasted::SqlDialect;
use rusqlite::{Connection, Row};
use std::path::Path;
use std::time::Duration;

/// A column whose declared type says INT holds whole numbers of 64 bits. The tables in which SQLite's searches (FTS,
/// R-tree) keep their indexes are left out.
const COLUMNS: &str = "SELECT t.name, c.name, lower(c.type), \
    upper(c.type) LIKE '%INT%', upper(c.type) LIKE '%DATE%' OR upper(c.type) LIKE '%TIME%', \
    c.pk = 1 AND (SELECT count(*) FROM pragma_table_info(t.name) WHERE pk > 0) = 1 \
    FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c \
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND t.sql NOT LIKE 'CREATE VIRTUAL%' \
    AND NOT EXISTS (SELECT 1 FROM sqlite_master AS v WHERE v.sql LIKE 'CREATE VIRTUAL%' \
        AND substr(t.name, 1, length(v.name) + 1) = v.name || '_' AND substr(t.name, length(v.name) + 2) \
        IN ('data', 'idx', 'content', 'docsize', 'config', 'segments', 'segdir', 'stat', 'node', 'rowid', 'parent')) \
    ORDER BY t.name, c.cid";

/// Reads a file of SQLite.
pub(super) struct SqliteReader {
    store: SqliteStore,
}

impl SqliteReader {
    pub(super) fn new(path: &Path, table: &str, busy_timeout: Duration) -> Result<Self> {
        Ok(Self { store: SqliteStore::new(path, table, busy_timeout)? })
    }

    async fn end_of_index(&self, column: &Column, least: i64, order: &str) -> Result<Option<u64>> {
        let name = quoted(&column.name);
        let sql = format!(
            "SELECT CAST({name} AS INTEGER) FROM {} WHERE {name} BETWEEN {least} AND {} ORDER BY {name} {order} LIMIT 1",
            column.quoted,
            i64::MAX
        );
        let found = self.store.read(move |connection| rows(connection, &sql, |row| row.get::<_, i64>(0))).await?;
        Ok(found.first().map(|highest| u64::try_from(*highest).unwrap_or(0)))
    }
}

impl Reader for SqliteReader {
    fn scope(&self) -> String {
        let scope = self.store.scope();
        scope.split(" (").next().unwrap_or_default().to_owned()
    }

    async fn listed(&self) -> Result<Listed> {
        let columns = self.store.read(|connection| rows(connection, COLUMNS, listed)).await?;
        // All whole numbers have one range, so no column is narrower than another.
        Ok(Listed { columns, ..Listed::default() })
    }

    async fn highest(&self, column: &Column) -> Result<Option<u64>> {
        self.end_of_index(column, i64::MIN, "DESC").await
    }

    async fn lowest(&self, column: &Column) -> Result<Option<u64>> {
        self.end_of_index(column, 0, "ASC").await
    }

    async fn counters(&self) -> Result<Vec<ListedCounter>> {
        let read = |connection: &Connection| {
            let has_table = "SELECT name FROM sqlite_master WHERE name = 'sqlite_sequence'";
            match rows(connection, has_table, |_| Ok(()))?.is_empty() {
                true => Ok(Vec::new()),
                false => rows(connection, COUNTERS, counter),
            }
        };
        self.store.read(read).await
    }

    async fn first_from(&self, column: &Column, time: &str, from: u64) -> Result<Option<(u64, Option<i64>)>> {
        let (name, time) = (quoted(&column.name), quoted(time));
        let sql = format!(
            "SELECT CAST({name} AS INTEGER), \
             CASE typeof({time}) WHEN 'text' THEN CAST(strftime('%s', {time}) AS INTEGER) * 1000 END \
             FROM {} WHERE {name} BETWEEN {from} AND {} ORDER BY {name} LIMIT 1",
            column.quoted,
            i64::MAX
        );
        let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get(1)?));
        let found = self.store.read(move |connection| rows(connection, &sql, read)).await?;
        Ok(found.into_iter().next())
    }

    async fn tags(&self) -> Result<Vec<Tag>> {
        Ok(self.store.tags_as_stored().await?.into_iter().filter_map(tags::tag).collect())
    }

    async fn close(&self) {
        let _ = self.store.close().await;
    }
}

/// The counter of a table with AUTOINCREMENT, next to its one column that is the row id.
const COUNTERS: &str = "SELECT t.name, c.name, lower(c.type), s.seq FROM sqlite_sequence AS s \
    JOIN sqlite_master AS t ON t.name = s.name JOIN pragma_table_info(t.name) AS c ON c.pk = 1 \
    WHERE typeof(s.seq) = 'integer' AND s.seq >= 0";

fn rows<T>(
    connection: &Connection,
    sql: &str,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    connection.prepare(sql)?.query_map([], read)?.collect()
}

fn listed(row: &Row<'_>) -> rusqlite::Result<ListedColumn> {
    let (table, is_integer, is_identity): (String, bool, bool) = (row.get(0)?, row.get(3)?, row.get(5)?);
    Ok(ListedColumn {
        quoted: quoted(&table),
        table,
        name: row.get(1)?,
        data_type: row.get(2)?,
        largest: is_integer.then_some(i64::MAX.unsigned_abs()),
        is_time: row.get(4)?,
        is_ordered: is_identity,
        is_identity,
        is_counted: false,
    })
}

/// Reads a counter. SQLite raises it to the highest row by itself.
fn counter(row: &Row<'_>) -> rusqlite::Result<ListedCounter> {
    let (table, last): (String, i64) = (row.get(0)?, row.get(3)?);
    let largest = i64::MAX.unsigned_abs();
    let column = Column { quoted: quoted(&table), table, name: row.get(1)?, data_type: row.get(2)?, largest };
    let counter = Counter { next: last.unsigned_abs() + 1, largest, cached: 0, raise: None, is_auto_increment: false };
    Ok(ListedCounter { column, course: Course::Up(counter) })
}

fn quoted(name: &str) -> String {
    SqlDialect::Sqlite.quoted(name)
}
