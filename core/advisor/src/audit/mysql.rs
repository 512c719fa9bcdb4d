//! What MySQL and MariaDB say about the keys of a database.

use super::assemble::{Course, Listed, ListedColumn, ListedCounter, ListedReference};
use super::catalogue::{Column, Counter, Tag};
use super::integer_type::largest;
use super::reader::{Reader, Sight, sight};
use super::tags;
use leafmint_backends::mysql::MySql;
use leafmint_backends::servers::over_mysql;
use leafmint_backends::sessions::{DatabaseSettings, Sessions};
use leafmint_ids::error::Result;
use leafmint_ids::text::pasted::{Sql, SqlDialect};
use mysql_async::prelude::FromRow;
use std::collections::{BTreeMap, HashMap, HashSet};

/// MariaDB writes a default that takes numbers from a sequence with the sequence's whole name, quoted. It joins these
/// views without an index, so each is read by itself.
const COLUMNS: &str = "SELECT TABLE_NAME, COLUMN_NAME, LOWER(COLUMN_TYPE), \
    IF(EXTRA LIKE '%auto_increment%' OR COALESCE(COLUMN_DEFAULT, '') LIKE 'nextval(`%', 'counted', '') \
    FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND LOWER(DATA_TYPE) IN \
    ('tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'timestamp', 'datetime') ORDER BY 1, ORDINAL_POSITION";
/// MariaDB lists no indexes of a table that it cannot open, and opens it only for what its definition does not say.
const TABLES: &str = "SELECT TABLE_NAME, ENGINE IS NULL AND TABLE_ROWS IS NULL FROM information_schema.TABLES \
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')";
const VISIBLE: &str = "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() LIMIT 1";
const INDEXES: &str = "SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, SEQ_IN_INDEX FROM information_schema.STATISTICS \
    WHERE TABLE_SCHEMA = DATABASE() AND SEQ_IN_INDEX <= 2 AND INDEX_TYPE = 'BTREE' AND COLUMN_NAME IS NOT NULL \
    /*!80000 AND IS_VISIBLE = 'YES' */ /*M!100600 AND IGNORED = 'NO' */";
const REFERENCES: &str = "SELECT TABLE_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME \
    FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = DATABASE() \
    AND REFERENCED_TABLE_SCHEMA = DATABASE() AND REFERENCED_COLUMN_NAME IS NOT NULL ORDER BY 1, 2";
const COUNTERS: &str = "SELECT TABLE_NAME, CAST(AUTO_INCREMENT AS CHAR) FROM information_schema.TABLES \
    WHERE TABLE_SCHEMA = DATABASE() AND AUTO_INCREMENT IS NOT NULL";
const COUNTED: &str = "SELECT TABLE_NAME, COLUMN_NAME, LOWER(COLUMN_TYPE), COALESCE(COLUMN_DEFAULT, '') \
    FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() \
    AND (EXTRA LIKE '%auto_increment%' OR COLUMN_DEFAULT LIKE 'nextval(`%') ORDER BY 1, 2";
const SEQUENCES: &str = "SELECT TABLE_NAME, CONCAT('`', REPLACE(TABLE_SCHEMA, '`', '``'), '`.`', REPLACE(TABLE_NAME, '`', '``'), \
    '`') FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'SEQUENCE' ORDER BY 1";

/// Reads a database of MySQL or MariaDB.
pub struct MySqlReader {
    sessions: Sessions<MySql>,
    /// The table of tags.
    table: String,
}

impl MySqlReader {
    pub fn new(settings: DatabaseSettings, table: String) -> Self {
        Self { sessions: Sessions::new(settings), table }
    }

    /// Returns the table of tags.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// Runs one statement in a session that may not write.
    ///
    /// MySQL keeps the counters of its catalogue for a day by default. Each server reads the comments
    /// that are meant for it.
    pub async fn rows<R: FromRow + Send + 'static>(&self, sql: &str) -> Result<Vec<R>> {
        let wait = self.sessions.settings().statement_wait();
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

    /// Reads the highest number of a column below a number.
    pub(crate) async fn last_id_below(&self, column: &Column, end: u64) -> Result<Option<u64>> {
        self.end_of_index(column, &format!("< {end}"), "DESC").await
    }

    /// Reads the number at an end of an index, among those of a condition.
    async fn end_of_index(&self, column: &Column, condition: &str, order: &str) -> Result<Option<u64>> {
        let (table, name) = (&column.quoted, quoted(&column.name));
        let sql = format!(
            "SELECT CAST({name} AS CHAR) FROM {table} WHERE {table}.{name} {condition} \
             ORDER BY {table}.{name} {order} LIMIT 1"
        );
        let rows: Vec<String> = self.rows(&sql).await?;
        Ok(rows.first().map(|row| row.parse().unwrap_or(0)))
    }
}

/// Maximum size of a list: some 300,000 columns.
const MOST_BYTES: usize = 64 << 20;

const BIGINT: u64 = i64::MAX as u64;

type Four = (String, String, String, String);

impl Reader for MySqlReader {
    fn scope(&self) -> String {
        self.sessions.name().to_owned()
    }

    async fn listed(&self) -> Result<Listed> {
        let columns: Vec<Four> = self.rows(COLUMNS).await?;
        let tables: HashMap<String, bool> = self.rows(TABLES).await?.into_iter().collect();
        let indexes = Indexes::of(self.rows(INDEXES).await?);
        let references: Vec<Four> = self.rows(REFERENCES).await?;
        let reference = |(table, name, to, id)| ListedReference { from: (table, name), to: (to, id) };
        let columns = columns.into_iter().filter(|column| tables.contains_key(&column.0));
        let sees_nothing = tables.is_empty() && self.rows::<String>(VISIBLE).await?.is_empty();
        Ok(Listed {
            columns: columns.map(|column| listed(column, &indexes)).collect(),
            references: references.into_iter().map(reference).collect(),
            damaged: tables.into_iter().filter(|(_, is_damaged)| *is_damaged).map(|(table, _)| table).collect(),
            sees_nothing,
        })
    }

    async fn highest(&self, column: &Column) -> Result<Option<u64>> {
        self.end_of_index(column, "IS NOT NULL", "DESC").await
    }

    async fn lowest(&self, column: &Column) -> Result<Option<u64>> {
        self.end_of_index(column, ">= 0", "ASC").await
    }

    async fn counters(&self) -> Result<Vec<ListedCounter>> {
        let next: HashMap<String, String> = self.rows(COUNTERS).await?.into_iter().collect();
        let counted: Vec<Four> = self.rows(COUNTED).await?;
        let mut counters: Vec<_> = counted.iter().filter_map(|column| counter(column, next.get(&column.0)?)).collect();
        let mut columns = filled(counted);
        for (table, quoted) in self.rows(SEQUENCES).await? {
            let data_type = "bigint sequence".to_owned();
            let free = || vec![Column { table, largest: BIGINT, data_type, ..Column::default() }];
            columns.entry(quoted).or_insert_with(free);
        }
        for (sequence, columns) in columns {
            let state = sight(self.rows(&state_of(&sequence)).await)?;
            let counted = |column| Some(ListedCounter { column, course: course(&sequence, &state)? });
            counters.extend(columns.into_iter().filter_map(counted));
        }
        Ok(counters)
    }

    async fn first_from(&self, column: &Column, time: &str, from: u64) -> Result<Option<(u64, Option<i64>)>> {
        let (table, name, time) = (&column.quoted, quoted(&column.name), quoted(time));
        let sql = format!(
            "SELECT {name}, CAST(UNIX_TIMESTAMP({time}) * 1000 AS SIGNED) FROM {table} WHERE {name} >= {from} \
             ORDER BY {name} LIMIT 1"
        );
        Ok(self.rows(&sql).await?.into_iter().next())
    }

    async fn first_id_from(&self, column: &Column, from: u64) -> Result<Option<u64>> {
        self.end_of_index(column, &format!(">= {from}"), "ASC").await
    }

    async fn tags(&self) -> Result<Vec<Tag>> {
        let store = over_mysql(self.sessions.settings().clone(), &self.table, false);
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

fn listed((table, name, data_type, counted): Four, indexes: &Indexes) -> ListedColumn {
    let id = (table.clone(), name.clone());
    ListedColumn {
        quoted: quoted(&table),
        largest: largest(&data_type),
        is_time: data_type.starts_with("timestamp") || data_type.starts_with("datetime"),
        is_ordered: indexes.first.contains(&id),
        is_identity: indexes.sole.contains(&id),
        is_counted: !counted.is_empty(),
        table,
        name,
        data_type,
    }
}

fn counter((table, name, data_type, default): &Four, next: &str) -> Option<ListedCounter> {
    let (largest, next) = (largest(data_type)?, next.parse().ok()?);
    if default.starts_with("nextval(") {
        return None;
    }
    let raise = Some(Sql::new(SqlDialect::MySql, "ALTER TABLE").name(&[table]).words("AUTO_INCREMENT ="));
    let column = Column {
        quoted: quoted(table),
        table: table.clone(),
        name: name.clone(),
        data_type: data_type.clone(),
        largest,
    };
    Some(ListedCounter {
        column,
        course: Course::Up(Counter { next, largest, cached: 0, raise, is_auto_increment: true }),
    })
}

/// Lists the columns that each sequence fills.
fn filled(rows: Vec<Four>) -> BTreeMap<String, Vec<Column>> {
    let mut columns: BTreeMap<String, Vec<Column>> = BTreeMap::new();
    for (table, name, data_type, default) in rows {
        let sequence = default.strip_prefix("nextval(").and_then(|rest| rest.strip_suffix(')'));
        let Some((sequence, largest)) = sequence.zip(largest(&data_type)) else { continue };
        let column = Column { quoted: quoted(&table), table, name, data_type, largest };
        columns.entry(sequence.to_owned()).or_default().push(column);
    }
    columns
}

/// Where a sequence of MariaDB is, as [`state_of`] reads it.
type State = (String, String, String, bool);

/// Reads where a sequence of MariaDB is: the number after those in its cache, its end, the numbers that its cache may
/// hold, and whether it counts up to its end.
fn state_of(sequence: &str) -> String {
    format!(
        "SELECT CAST(next_not_cached_value AS CHAR), CAST(maximum_value AS CHAR), \
         CAST(cache_size * GREATEST(increment, 1) AS CHAR), increment >= 0 AND NOT cycle_option FROM {sequence}"
    )
}

/// Returns how a sequence counts; `None` if it was dropped.
fn course(sequence: &str, state: &Sight<Vec<State>>) -> Option<Course> {
    match state {
        Sight::Read(rows) => Some(rows.first().and_then(|row| up(sequence, row)).map_or(Course::Otherwise, Course::Up)),
        Sight::Gone => None,
        Sight::Refused => Some(Course::Unread(sequence.replace('`', ""))),
    }
}

/// Describes a sequence that counts up from zero or more.
fn up(sequence: &str, (next, largest, cached, is_up): &State) -> Option<Counter> {
    let raise = Some(Sql::new(SqlDialect::MySql, "ALTER SEQUENCE").quoted(sequence).words("RESTART WITH"));
    let (next, largest, cached) = (next.parse().ok()?, largest.parse().ok()?, cached.parse().ok()?);
    is_up.then_some(Counter { next, largest, cached, raise, is_auto_increment: false })
}

fn quoted(name: &str) -> String {
    SqlDialect::MySql.quoted(name)
}
