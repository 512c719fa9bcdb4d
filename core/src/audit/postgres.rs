//! What PostgreSQL says about the keys of a database.

use super::assemble::{Listed, ListedColumn, ListedCounter, ListedReference};
use super::catalogue::{Column, Counter, Tag};
use super::integer_type::largest;
use super::reader::{Reader, if_allowed};
use super::tags;
use crate::database::{DatabaseSettings, Outcome, Sessions};
use crate::error::Result;
use crate::postgres::{Postgres, Session, column as cell};
use crate::store;
use tokio_postgres::Row;

const COLUMNS: &str = "SELECT n.nspname::text, c.relname::text, a.attname::text, format_type(a.atttypid, NULL), \
    EXISTS (SELECT FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam \
        WHERE i.indrelid = c.oid AND i.indkey[0] = a.attnum AND i.indisvalid AND i.indpred IS NULL AND m.amname = 'btree'), \
    EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND i.indnkeyatts = 1 \
        AND i.indkey[0] = a.attnum), \
    a.attidentity <> '' OR EXISTS (SELECT FROM pg_attrdef f JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass \
        AND d.objid = f.oid AND d.refclassid = 'pg_class'::regclass JOIN pg_sequence s ON s.seqrelid = d.refobjid \
        WHERE f.adrelid = c.oid AND f.adnum = a.attnum) \
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped \
    AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND (c.relpersistence = 'p' OR NOT pg_is_in_recovery()) \
    AND format_type(a.atttypid, NULL) ~ '^(smallint|integer|bigint|date|timestamp.*)$' ORDER BY 1, 2, a.attnum";
const REFERENCES: &str = "SELECT n.nspname::text, c.relname::text, a.attname::text, \
    tn.nspname::text, t.relname::text, b.attname::text \
    FROM pg_constraint k CROSS JOIN LATERAL unnest(k.conkey, k.confkey) AS pair(own, target) \
    JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
    JOIN pg_class t ON t.oid = k.confrelid JOIN pg_namespace tn ON tn.oid = t.relnamespace \
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = pair.own \
    JOIN pg_attribute b ON b.attrelid = t.oid AND b.attnum = pair.target \
    WHERE k.contype = 'f' AND NOT c.relispartition AND NOT t.relispartition ORDER BY 1, 2, 3";
/// A sequence is its column's if the column's default takes numbers from it, or if it is the column's identity.
const COUNTERS: &str = "SELECT n.nspname::text, q.relname::text, format_type(s.seqtypid, NULL), s.seqmax, \
    CASE WHEN has_sequence_privilege(q.oid, 'SELECT, USAGE') \
        THEN (pg_sequence_last_value(q.oid)::numeric + s.seqincrement)::text END, o.schema, o.\"table\", o.\"column\", o.type \
    FROM pg_sequence s JOIN pg_class q ON q.oid = s.seqrelid JOIN pg_namespace n ON n.oid = q.relnamespace \
    LEFT JOIN (SELECT d.objid AS sequence, d.refobjid AS relation, d.refobjsubid AS number FROM pg_depend d \
        WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'i' \
        UNION SELECT d.refobjid, f.adrelid, f.adnum FROM pg_attrdef f JOIN pg_depend d \
        ON d.classid = 'pg_attrdef'::regclass AND d.objid = f.oid AND d.refclassid = 'pg_class'::regclass JOIN pg_class p ON p.oid = f.adrelid AND NOT p.relispartition) AS filled \
        ON filled.sequence = s.seqrelid \
    LEFT JOIN LATERAL (SELECT m.nspname::text AS schema, c.relname::text AS \"table\", a.attname::text AS \"column\", \
        format_type(a.atttypid, NULL) AS type FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid \
        JOIN pg_namespace m ON m.oid = c.relnamespace WHERE a.attrelid = filled.relation AND a.attnum = filled.number \
        AND NOT c.relispartition) AS o ON true \
    WHERE s.seqincrement > 0 AND NOT s.seqcycle AND s.seqmax > 0 AND (q.relpersistence = 'p' OR NOT pg_is_in_recovery()) \
    AND n.nspname !~ '^pg_' ORDER BY 1, 2";

/// Maximum size of a list: some 300,000 columns.
const MOST_BYTES: usize = 64 << 20;

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
        self.with(&settings(self.sessions.settings().lock_wait(), &[]), sql).await
    }

    /// Reads one row of a table by an index, even if the planner takes the table for a small one.
    async fn row(&self, sql: &str) -> Result<Vec<Row>> {
        let by_index = ["enable_seqscan", "enable_bitmapscan", "enable_sort"];
        self.with(&settings(self.sessions.settings().lock_wait(), &by_index), sql).await
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
    async fn end_of_index(&self, column: &Column, order: &str) -> Result<Option<u64>> {
        let name = quoted(&column.name);
        let sql = format!(
            "SELECT t.{name}::bigint FROM {} AS t WHERE t.{name} IS NOT NULL ORDER BY t.{name} {order} LIMIT 1",
            column.quoted
        );
        let rows = self.row(&sql).await?;
        let highest = rows.first().map(|row| cell::<i64>(row, 0)).transpose().map_err(plain)?;
        Ok(highest.map(|highest| u64::try_from(highest).unwrap_or(0)))
    }

    /// Reads the number that a sequence begins with, which only the sequence itself has until it is used. Returns
    /// `None` if the account may not read it.
    async fn first_of(&self, sequence: &str) -> Result<Option<u64>> {
        let rows = if_allowed(self.rows(&format!("SELECT last_value FROM {sequence}")).await)?.unwrap_or_default();
        let first = rows.first().map(|row| cell::<i64>(row, 0)).transpose().map_err(plain)?;
        Ok(first.and_then(|first| u64::try_from(first).ok()))
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
        })
    }

    async fn highest(&self, column: &Column) -> Result<Option<u64>> {
        self.end_of_index(column, "DESC").await
    }

    async fn lowest(&self, column: &Column) -> Result<Option<u64>> {
        self.end_of_index(column, "ASC").await
    }

    async fn counters(&self) -> Result<Vec<ListedCounter>> {
        let rows = self.rows(COUNTERS).await?;
        let mut counters = Vec::new();
        for row in &rows {
            let sequence = sequence(row).map_err(plain)?;
            let next = match cell::<Option<&str>>(row, 4).map_err(plain)? {
                Some(next) => next.parse().ok(),
                None => self.first_of(&sequence).await?,
            };
            counters.extend(next.and_then(|next| counter(row, &sequence, next).transpose()));
        }
        counters.into_iter().collect::<Outcome<_>>().map_err(plain)
    }

    async fn first_from(&self, column: &Column, time: &str, from: u64) -> Result<Option<(u64, Option<i64>)>> {
        let (name, time) = (quoted(&column.name), quoted(time));
        let sql = format!(
            "SELECT t.{name}::bigint, (extract(epoch FROM t.{time}) * 1000)::bigint FROM {} AS t \
             WHERE t.{name} >= {from} ORDER BY t.{name} LIMIT 1",
            column.quoted
        );
        let rows = self.row(&sql).await?;
        let read = |row: &Row| Ok((cell::<i64>(row, 0)?.unsigned_abs(), cell(row, 1)?));
        rows.first().map(read).transpose().map_err(plain)
    }

    async fn tags(&self) -> Result<Vec<Tag>> {
        let store = store::over_postgres(self.sessions.settings().clone(), &self.table, false);
        tags::of(&*store).await
    }

    async fn close(&self) {
        self.sessions.close().await;
    }
}

fn plain(failure: crate::database::Failure) -> crate::error::Error {
    failure.into_plain_error()
}

fn listed(row: &Row) -> Outcome<ListedColumn> {
    let (schema, table, data_type): (&str, &str, String) = (cell(row, 0)?, cell(row, 1)?, cell(row, 3)?);
    Ok(ListedColumn {
        table: shown(schema, table),
        quoted: qualified(schema, table),
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
    let name =
        |at: usize| Ok::<_, crate::database::Failure>((shown(cell(row, at)?, cell(row, at + 1)?), cell(row, at + 2)?));
    Ok(ListedReference { from: name(0)?, to: name(3)? })
}

/// Returns the name of a sequence as statements write it.
fn sequence(row: &Row) -> Outcome<String> {
    Ok(qualified(cell(row, 0)?, cell(row, 1)?))
}

/// Describes a counter whose column holds whole numbers, or that fills none.
fn counter(row: &Row, sequence: &str, next: u64) -> Outcome<Option<ListedCounter>> {
    let (schema, name): (&str, &str) = (cell(row, 0)?, cell(row, 1)?);
    let raise = Some(format!("ALTER SEQUENCE {sequence} RESTART WITH "));
    let counter = Counter { next, largest: cell::<i64>(row, 3)?.unsigned_abs(), raise };
    let column = match cell::<Option<&str>>(row, 6)? {
        Some(table) => filled(row, table)?,
        None => {
            let data_type = format!("{} sequence", cell::<&str>(row, 2)?);
            Some(Column { table: shown(schema, name), largest: counter.largest, data_type, ..Column::default() })
        }
    };
    Ok(column.map(|column| ListedCounter { column, counter }))
}

/// Describes the column that a sequence fills, if it holds whole numbers.
fn filled(row: &Row, table: &str) -> Outcome<Option<Column>> {
    let (schema, data_type): (&str, String) = (cell(row, 5)?, cell(row, 8)?);
    let Some(largest) = largest(&data_type) else { return Ok(None) };
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
    format!("\"{}\"", name.replace('"', "\"\""))
}
