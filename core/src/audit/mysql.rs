//! What MySQL and MariaDB say about the keys of a database.

use super::assemble::{Listed, ListedColumn, ListedCounter, ListedReference};
use super::catalogue::{Column, Counter, Tag};
use super::integer_type::largest;
use super::reader::Reader;
use super::tags;
use crate::database::{DatabaseSettings, Sessions};
use crate::error::Result;
use crate::mysql::MySql;
use crate::store;
use mysql_async::prelude::FromRow;
use std::collections::HashSet;

const COLUMNS: &str = "SELECT c.TABLE_NAME, c.COLUMN_NAME, LOWER(c.COLUMN_TYPE), LOWER(c.EXTRA) \
    FROM information_schema.COLUMNS AS c JOIN information_schema.TABLES AS t \
    ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME \
    WHERE c.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE' AND LOWER(c.DATA_TYPE) IN \
    ('tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'timestamp', 'datetime') ORDER BY 1, c.ORDINAL_POSITION";
const INDEXES: &str = "SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, SEQ_IN_INDEX FROM information_schema.STATISTICS \
    WHERE TABLE_SCHEMA = DATABASE() AND SEQ_IN_INDEX <= 2 AND INDEX_TYPE = 'BTREE'";
const REFERENCES: &str = "SELECT TABLE_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME \
    FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = DATABASE() \
    AND REFERENCED_TABLE_SCHEMA = DATABASE() AND REFERENCED_COLUMN_NAME IS NOT NULL ORDER BY 1, 2";
const COUNTERS: &str = "SELECT t.TABLE_NAME, c.COLUMN_NAME, LOWER(c.COLUMN_TYPE), CAST(t.AUTO_INCREMENT AS CHAR) \
    FROM information_schema.TABLES AS t JOIN information_schema.COLUMNS AS c \
    ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME AND c.EXTRA LIKE '%auto_increment%' \
    WHERE t.TABLE_SCHEMA = DATABASE() AND t.AUTO_INCREMENT IS NOT NULL ORDER BY 1";

/// Reads a database of MySQL or MariaDB.
pub(crate) struct MySqlReader {
    sessions: Sessions<MySql>,
    /// The table of tags.
    table: String,
}

impl MySqlReader {
    pub(crate) fn new(settings: DatabaseSettings, table: String) -> Self {
        Self { sessions: Sessions::new(settings), table }
    }

    /// Runs one statement in a session that may not write.
    ///
    /// MySQL keeps the counters of its catalogue for a day by default. Each server reads the comments
    /// that are meant for it.
    pub(crate) async fn rows<R: FromRow + Send + 'static>(&self, sql: &str) -> Result<Vec<R>> {
        let wait = self.sessions.settings().lock_wait();
        let sql = format!(
            "SET SESSION TRANSACTION READ ONLY; SET SESSION lock_wait_timeout = {wait} \
             /*!50708 , SESSION max_execution_time = {wait}000 */ \
             /*!80000 , SESSION information_schema_stats_expiry = 0 */ \
             /*M!100101 , SESSION max_statement_time = {wait} */; {sql}"
        );
        let work = self.sessions.run(|session, _| {
            let sql = &sql;
            Box::pin(async move {
                session.send_as_written(sql).await?;
                session.skip().await?;
                session.skip().await?;
                session.rows_up_to(MOST_BYTES).await
            })
        });
        work.await
    }

    /// Reads the lowest number of a column from a number on.
    pub(crate) async fn first_id_from(&self, column: &Column, from: u64) -> Result<Option<u64>> {
        let (table, name) = (&column.quoted, quoted(&column.name));
        let sql =
            format!("SELECT CAST({name} AS CHAR) FROM {table} WHERE {name} >= {from} ORDER BY {table}.{name} LIMIT 1");
        let rows: Vec<String> = self.rows(&sql).await?;
        Ok(rows.first().and_then(|row| row.parse().ok()))
    }

    async fn end_of_index(&self, column: &Column, order: &str) -> Result<Option<u64>> {
        let (table, name) = (&column.quoted, quoted(&column.name));
        let sql = format!("SELECT CAST({name} AS CHAR) FROM {table} ORDER BY {table}.{name} {order} LIMIT 1");
        let rows: Vec<String> = self.rows(&sql).await?;
        Ok(rows.first().map(|row| row.parse().unwrap_or(0)))
    }
}

/// Maximum size of a list: some 300,000 columns.
const MOST_BYTES: usize = 64 << 20;

type Four = (String, String, String, String);

impl Reader for MySqlReader {
    fn scope(&self) -> String {
        self.sessions.name().to_owned()
    }

    async fn listed(&self) -> Result<Listed> {
        let columns: Vec<Four> = self.rows(COLUMNS).await?;
        let indexes: Vec<(String, String, String, u32)> = self.rows(INDEXES).await?;
        let references: Vec<Four> = self.rows(REFERENCES).await?;
        let indexes = Indexes::of(indexes);
        let references = references.into_iter();
        let references =
            references.map(|(table, name, to, id)| ListedReference { from: (table, name), to: (to, id) }).collect();
        Ok(Listed { columns: columns.into_iter().map(|column| listed(column, &indexes)).collect(), references })
    }

    async fn highest(&self, column: &Column) -> Result<Option<u64>> {
        self.end_of_index(column, "DESC").await
    }

    async fn lowest(&self, column: &Column) -> Result<Option<u64>> {
        self.end_of_index(column, "ASC").await
    }

    async fn counters(&self) -> Result<Vec<ListedCounter>> {
        let rows: Vec<Four> = self.rows(COUNTERS).await?;
        Ok(rows.into_iter().filter_map(counter).collect())
    }

    async fn first_from(&self, column: &Column, time: &str, from: u64) -> Result<Option<(u64, Option<i64>)>> {
        let (table, name, time) = (&column.quoted, quoted(&column.name), quoted(time));
        let sql = format!(
            "SELECT {name}, CAST(UNIX_TIMESTAMP({time}) * 1000 AS SIGNED) FROM {table} WHERE {name} >= {from} \
             ORDER BY {name} LIMIT 1"
        );
        Ok(self.rows(&sql).await?.into_iter().next())
    }

    async fn tags(&self) -> Result<Vec<Tag>> {
        let store = store::over_mysql(self.sessions.settings().clone(), &self.table, false);
        tags::of(&*store).await
    }

    async fn close(&self) {
        self.sessions.close().await;
    }
}

/// The columns that indexes begin with.
struct Indexes {
    first: HashSet<(String, String)>,
    /// Those that are a whole primary key.
    sole: HashSet<(String, String)>,
}

impl Indexes {
    fn of(rows: Vec<(String, String, String, u32)>) -> Self {
        let in_primary = |row: &&(String, String, String, u32), place| row.1 == "PRIMARY" && row.3 == place;
        let compound: HashSet<&String> = rows.iter().filter(|row| in_primary(row, 2)).map(|row| &row.0).collect();
        let sole = rows.iter().filter(|row| in_primary(row, 1) && !compound.contains(&row.0));
        let name = |(table, _, column, _): &(String, String, String, u32)| (table.clone(), column.clone());
        Self { sole: sole.map(name).collect(), first: rows.iter().filter(|row| row.3 == 1).map(name).collect() }
    }
}

fn listed((table, name, data_type, extra): Four, indexes: &Indexes) -> ListedColumn {
    let id = (table.clone(), name.clone());
    ListedColumn {
        quoted: quoted(&table),
        largest: largest(&data_type),
        is_time: data_type.starts_with("timestamp") || data_type.starts_with("datetime"),
        is_ordered: indexes.first.contains(&id),
        is_identity: indexes.sole.contains(&id),
        is_counted: extra.contains("auto_increment"),
        table,
        name,
        data_type,
    }
}

fn counter((table, name, data_type, next): Four) -> Option<ListedCounter> {
    let (largest, next) = (largest(&data_type)?, next.parse().ok()?);
    let raise = Some(format!("ALTER TABLE {} AUTO_INCREMENT = ", quoted(&table)));
    let column = Column { quoted: quoted(&table), table, name, data_type, largest };
    Some(ListedCounter { column, counter: Counter { next, largest, raise } })
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}
