//! What PostgreSQL says about the keys of a database.

use super::assemble::{Course, Listed, ListedColumn, ListedCounter, ListedReference};
use super::catalogue::{Column, Counter, Tag};
use super::integer_type::largest;
use super::reader::{Reader, Sight, sight};
use super::tags;
use leafmint_backends::postgresql::{Postgres, Row, Session, column as cell};
use leafmint_backends::servers::over_postgres;
use leafmint_backends::sessions::{DatabaseSettings, Outcome, Sessions};
use leafmint_ids::error::Result;
use leafmint_ids::text::pasted::{Sql, SqlDialect};
use std::collections::HashMap;
use std::slice;

/// A sequence is its column's if it is the column's identity, or if the column's default is the next number of the
/// sequence as it is, perhaps as another type.
macro_rules! filled {
    () => {
        "(SELECT d.objid AS sequence, d.refobjid AS relation, d.refobjsubid AS number FROM pg_depend d \
        WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'i' \
        UNION SELECT d.refobjid, f.adrelid, f.adnum FROM pg_attrdef f JOIN pg_depend d \
        ON d.classid = 'pg_attrdef'::regclass AND d.objid = f.oid AND d.refclassid = 'pg_class'::regclass \
        WHERE pg_get_expr(f.adbin, f.adrelid) ~ '^[(]?nextval[(]''([^'']|'''')*''::regclass[)][)]?(::[a-z]+)?$')"
    };
}

const COLUMNS: &str = concat!(
    "WITH filled AS ",
    filled!(),
    " SELECT n.nspname::text, c.relname::text, a.attname::text, b.type, \
    EXISTS (SELECT FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam \
        WHERE i.indrelid = c.oid AND i.indkey[0] = a.attnum AND i.indisvalid AND i.indpred IS NULL AND m.amname = 'btree' \
        AND i.indoption[0] IN (0, 3)), \
    EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND i.indnkeyatts = 1 \
        AND i.indkey[0] = a.attnum), \
    (c.oid, a.attnum) IN (SELECT filled.relation, filled.number FROM filled), c.relkind = 'r' \
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
    JOIN pg_type y ON y.oid = a.atttypid CROSS JOIN LATERAL \
        (SELECT format_type(CASE y.typtype WHEN 'd' THEN y.typbasetype ELSE y.oid END, NULL) AS type) AS b \
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped \
    AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND (c.relpersistence = 'p' OR NOT pg_is_in_recovery()) \
    AND b.type ~ '^(smallint|integer|bigint|date|timestamp.*)$' ORDER BY 1, 2, a.attnum"
);
const REFERENCES: &str = "SELECT n.nspname::text, c.relname::text, a.attname::text, \
    tn.nspname::text, t.relname::text, b.attname::text \
    FROM pg_constraint k CROSS JOIN LATERAL unnest(k.conkey, k.confkey) AS pair(own, target) \
    JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
    JOIN pg_class t ON t.oid = k.confrelid JOIN pg_namespace tn ON tn.oid = t.relnamespace \
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = pair.own \
    JOIN pg_attribute b ON b.attrelid = t.oid AND b.attnum = pair.target \
    WHERE k.contype = 'f' AND NOT c.relispartition AND NOT t.relispartition ORDER BY 1, 2, 3";
const COUNTERS: &str = concat!(
    "SELECT n.nspname::text, q.relname::text, format_type(s.seqtypid, NULL), s.seqmax, \
    CASE WHEN has_sequence_privilege(q.oid, 'SELECT, USAGE') \
        THEN (pg_sequence_last_value(q.oid)::numeric + s.seqincrement)::text END, \
    o.schema, o.\"table\", o.\"column\", o.type, s.seqincrement > 0 AND NOT s.seqcycle AND s.seqmax > 0, \
    COALESCE(has_sequence_privilege(q.oid, 'SELECT'), false) \
    FROM pg_sequence s JOIN pg_class q ON q.oid = s.seqrelid JOIN pg_namespace n ON n.oid = q.relnamespace \
    LEFT JOIN (SELECT filled.* FROM ",
    filled!(),
    " AS filled JOIN pg_class p ON p.oid = filled.relation AND NOT p.relispartition) AS filled \
        ON filled.sequence = s.seqrelid \
    LEFT JOIN LATERAL (SELECT m.nspname::text AS schema, c.relname::text AS \"table\", a.attname::text AS \"column\", \
        format_type(CASE y.typtype WHEN 'd' THEN y.typbasetype ELSE y.oid END, NULL) AS type \
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type y ON y.oid = a.atttypid \
        JOIN pg_namespace m ON m.oid = c.relnamespace WHERE a.attrelid = filled.relation AND a.attnum = filled.number) \
        AS o ON true \
    WHERE (q.relpersistence = 'p' OR NOT pg_is_in_recovery()) AND n.nspname !~ '^pg_' \
    AND CASE q.relkind WHEN 'S' THEN has_sequence_privilege(q.oid, 'SELECT') END IS NOT NULL ORDER BY 1, 2"
);

/// Maximum size of a list: some 300,000 columns.
const MOST_BYTES: usize = 64 << 20;

/// Sequences that one statement reads.
const MOST_AT_A_TIME: usize = 200;

/// Reads a database of PostgreSQL.
pub(super) struct PostgresReader {
    sessions: Sessions<Postgres>,
    /// The table of tags.
    table: String,
}

impl PostgresReader {
    pub(super) fn new(settings: DatabaseSettings, table: String) -> Self {
        Self { sessions: Sessions::new(settings), table }
    }

    /// Reads a catalogue.
    async fn rows(&self, sql: &str) -> Result<Vec<Row>> {
        self.with(&settings(self.sessions.settings().statement_wait(), &[]), sql).await
    }

    /// Reads one row of a table by an index, even if the planner takes the table for a small one.
    async fn row(&self, sql: &str) -> Result<Vec<Row>> {
        let by_index = ["enable_seqscan", "enable_bitmapscan", "enable_sort"];
        self.with(&settings(self.sessions.settings().statement_wait(), &by_index), sql).await
    }

    /// Runs one statement in a transaction of its own that may not write, so that no replica keeps a snapshot for long.
    async fn with(&self, settings: &str, sql: &str) -> Result<Vec<Row>> {
        let work = self.sessions.run(|session, _| {
            Box::pin(async move {
                session.query("BEGIN TRANSACTION READ ONLY", &[]).await?;
                let answer = within(session, settings, sql).await;
                let end = if answer.is_ok() { "COMMIT" } else { "ROLLBACK" };
                session.query(end, &[]).await?;
                answer
            })
        });
        work.await
    }
}

impl PostgresReader {
    /// Reads the number at an end of an index, among those of a condition.
    async fn end_of_index(&self, column: &Column, condition: &str, order: &str) -> Result<Option<u64>> {
        let name = quoted(&column.name);
        let sql = format!(
            "SELECT t.{name}::bigint FROM {} AS t WHERE t.{name} {condition} ORDER BY t.{name} {order} LIMIT 1",
            column.quoted
        );
        let rows = self.row(&sql).await?;
        let highest = rows.first().map(|row| cell::<i64>(row, 0)).transpose().map_err(plain)?;
        Ok(highest.map(|highest| u64::try_from(highest).unwrap_or(0)))
    }

    /// Reads the numbers that sequences begin with, which only they themselves have until they are used: many at a
    /// time, and each by itself if one of these cannot be read.
    async fn firsts(&self, sequences: &[String]) -> Result<HashMap<String, Sight<String>>> {
        let mut firsts = HashMap::new();
        for some in sequences.chunks(MOST_AT_A_TIME) {
            if let Sight::Read(found) = sight(self.firsts_of(some).await)? {
                firsts.extend(some.iter().cloned().zip(found.into_iter().map(Sight::Read)));
                continue;
            }
            for one in some {
                let first = self.firsts_of(slice::from_ref(one)).await.map(|found| found.concat());
                firsts.insert(one.clone(), sight(first)?);
            }
        }
        Ok(firsts)
    }

    async fn firsts_of(&self, sequences: &[String]) -> Result<Vec<String>> {
        let first = |(place, name): (usize, &String)| format!("SELECT {place} AS place, last_value::text FROM {name}");
        let all: Vec<String> = sequences.iter().enumerate().map(first).collect();
        let rows = self.rows(&format!("{} ORDER BY place", all.join(" UNION ALL "))).await?;
        rows.iter().map(|row| cell(row, 1)).collect::<Outcome<_>>().map_err(plain)
    }
}

async fn within(session: &mut Session, settings: &str, sql: &str) -> Outcome<Vec<Row>> {
    session.query(settings, &[]).await?;
    session.query_up_to(MOST_BYTES, sql, &[]).await
}

/// Returns the query that makes the settings of one transaction, with those that are switched off.
///
/// With this search path a short name is one of PostgreSQL's own, no matter who may create objects elsewhere. Row
/// security would hide rows, or run functions of a policy: a table that has it is refused instead.
fn settings(wait: u64, off: &[&str]) -> String {
    let set = |name: &str, value: &str| format!("pg_catalog.set_config('{name}', '{value}', true)");
    let mut all = vec![
        set("search_path", "pg_catalog, pg_temp"),
        set("statement_timeout", &format!("{wait}s")),
        set("lock_timeout", &format!("{wait}s")),
        set("max_parallel_workers_per_gather", "0"),
        set("row_security", "off"),
    ];
    all.extend(off.iter().map(|name| set(name, "off")));
    format!("SELECT {}", all.join(", "))
}

impl Reader for PostgresReader {
    fn scope(&self) -> String {
        self.sessions.name().to_owned()
    }

    async fn listed(&self) -> Result<Listed> {
        let columns = self.rows(COLUMNS).await?;
        let references = self.rows(REFERENCES).await?;
        Ok(Listed {
            columns: columns.iter().map(listed).collect::<Outcome<_>>().map_err(plain)?,
            references: references.iter().map(reference).collect::<Outcome<_>>().map_err(plain)?,
            ..Listed::default()
        })
    }

    async fn highest(&self, column: &Column) -> Result<Option<u64>> {
        self.end_of_index(column, "IS NOT NULL", "DESC").await
    }

    async fn lowest(&self, column: &Column) -> Result<Option<u64>> {
        self.end_of_index(column, ">= 0", "ASC").await
    }

    async fn counters(&self) -> Result<Vec<ListedCounter>> {
        let rows = self.rows(COUNTERS).await?;
        let named = |row| Ok((sequence(row)?, cell::<Option<String>>(row, 4)?, cell::<bool>(row, 10)?));
        let states = rows.iter().map(named).collect::<Outcome<Vec<_>>>().map_err(plain)?;
        let unused = states.iter().filter(|(_, next, is_readable)| next.is_none() && *is_readable);
        let firsts = self.firsts(&unused.map(|(name, ..)| name.clone()).collect::<Vec<_>>()).await?;
        let mut counters = Vec::new();
        for (row, (name, next, _)) in rows.iter().zip(states) {
            let next = match firsts.get(&name) {
                Some(Sight::Gone) => continue,
                Some(Sight::Read(first)) => Some(first.clone()),
                Some(Sight::Refused) | None => next,
            };
            counters.push(counter(row, next).map_err(plain)?);
        }
        Ok(counters)
    }

    async fn first_from(&self, column: &Column, time: &str, from: u64) -> Result<Option<(u64, Option<i64>)>> {
        let (name, time) = (quoted(&column.name), quoted(time));
        let sql = format!(
            "SELECT t.{name}::bigint, \
             CASE WHEN isfinite(t.{time}) THEN (extract(epoch FROM t.{time}) * 1000)::bigint END FROM {} AS t \
             WHERE t.{name} >= {from} ORDER BY t.{name} LIMIT 1",
            column.quoted
        );
        let rows = self.row(&sql).await?;
        let read = |row: &Row| Ok((cell::<i64>(row, 0)?.unsigned_abs(), cell(row, 1)?));
        rows.first().map(read).transpose().map_err(plain)
    }

    async fn tags(&self) -> Result<Vec<Tag>> {
        let store = over_postgres(self.sessions.settings().clone(), &self.table, false);
        tags::of(&*store).await
    }

    async fn close(&self) {
        self.sessions.close().await;
    }
}

fn plain(failure: leafmint_backends::sessions::Failure) -> leafmint_ids::error::Error {
    failure.into_plain_error()
}

fn listed(row: &Row) -> Outcome<ListedColumn> {
    let (schema, table, data_type): (&str, &str, String) = (cell(row, 0)?, cell(row, 1)?, cell(row, 3)?);
    Ok(ListedColumn {
        table: shown(schema, table),
        quoted: if cell(row, 7)? { format!("ONLY {}", qualified(schema, table)) } else { qualified(schema, table) },
        name: cell(row, 2)?,
        largest: largest(&data_type),
        is_time: data_type.starts_with("timestamp") || data_type == "date",
        data_type,
        is_ordered: cell(row, 4)?,
        is_identity: cell(row, 5)?,
        is_counted: cell(row, 6)?,
    })
}

fn reference(row: &Row) -> Outcome<ListedReference> {
    let name = |at: usize| {
        Ok::<_, leafmint_backends::sessions::Failure>((shown(cell(row, at)?, cell(row, at + 1)?), cell(row, at + 2)?))
    };
    Ok(ListedReference { from: name(0)?, to: name(3)? })
}

/// Returns the name of a sequence as statements write it.
fn sequence(row: &Row) -> Outcome<String> {
    Ok(qualified(cell(row, 0)?, cell(row, 1)?))
}

/// Describes a counter, whose next number is not known if the account may not read it. If it fills no column of whole
/// numbers, it is judged by itself.
fn counter(row: &Row, next: Option<String>) -> Outcome<ListedCounter> {
    let largest = cell::<i64>(row, 3)?.unsigned_abs();
    let name = [cell(row, 0)?, cell(row, 1)?];
    let raise = Some(Sql::new(SqlDialect::Postgres, "ALTER SEQUENCE").name(&name).words("RESTART WITH"));
    let course = match next.map(|next| next.parse()) {
        None => Course::Unread(shown(cell(row, 0)?, cell(row, 1)?)),
        Some(Ok(next)) if cell(row, 9)? => {
            Course::Up(Counter { next, largest, cached: 0, raise, is_auto_increment: false })
        }
        Some(_) => Course::Otherwise,
    };
    let column = match filled(row)? {
        Some(column) => column,
        None => free(row, largest)?,
    };
    Ok(ListedCounter { column, course })
}

/// Describes a sequence that fills no column.
fn free(row: &Row, largest: u64) -> Outcome<Column> {
    let data_type = format!("{} sequence", cell::<&str>(row, 2)?);
    Ok(Column { table: shown(cell(row, 0)?, cell(row, 1)?), largest, data_type, ..Column::default() })
}

/// Describes the column that a sequence fills, if there is one and it holds whole numbers.
fn filled(row: &Row) -> Outcome<Option<Column>> {
    let data_type = cell::<Option<String>>(row, 8)?.unwrap_or_default();
    let Some(largest) = largest(&data_type) else { return Ok(None) };
    let (schema, table): (&str, &str) = (cell(row, 5)?, cell(row, 6)?);
    let quoted = qualified(schema, table);
    Ok(Some(Column { table: shown(schema, table), quoted, name: cell(row, 7)?, data_type, largest }))
}

/// Names a table for people: those of the usual schema by their names alone.
fn shown(schema: &str, table: &str) -> String {
    if schema == "public" { table.to_owned() } else { format!("{schema}.{table}") }
}

fn qualified(schema: &str, table: &str) -> String {
    format!("{}.{}", quoted(schema), quoted(table))
}

fn quoted(name: &str) -> String {
    SqlDialect::Postgres.quoted(name)
}
