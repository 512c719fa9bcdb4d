//! The registry of a namespace: its tables, and all its worker ids at once.

use super::backfill::PostgresBlock;
use super::claims::{PostgresRow, any_text, now};
use crate::postgresql::operators::{EQ, GE, LE};
use crate::postgresql::schema::{OWN_SHAPES, OWN_TABLES};
use crate::postgresql::{Row, Session, column, number, table};
use crate::rows::tables::{Registered, TableSession};
use crate::rows::{Assigned, BlockStatements, Columns, RowStatements, Survey};
use crate::sessions::{Failure, Outcome};
use leafmint_engine::holder::past::PastWorker;
use leafmint_ids::text::pasted::SqlDialect;
use std::ops::RangeInclusive;

impl TableSession for Session {
    const OWN_TABLES: &'static [&'static str] = &OWN_TABLES;

    // By its search path.
    const FINDS_TABLES_BY_ACCOUNT: bool = true;

    fn allocation_schema(quoted: &str) -> String {
        format!(
            "CREATE TABLE IF NOT EXISTS {quoted} (
  id bigint NOT NULL PRIMARY KEY,
  ip varchar(127) DEFAULT NULL,
  port varchar(127) DEFAULT NULL,
  ip_port varchar(127) NOT NULL UNIQUE,
  max_timestamp bigint DEFAULT NULL,
  create_time timestamp with time zone DEFAULT CURRENT_TIMESTAMP,
  update_time timestamp with time zone DEFAULT NULL
)"
        )
    }

    fn quoted(table: &str) -> String {
        SqlDialect::Postgres.quoted_path(table)
    }

    async fn create(&mut self, sql: &str) -> Outcome<()> {
        self.make(sql).await
    }

    async fn look(&mut self, namespace: &str) -> Outcome<Registered> {
        let read = format!(
            "SELECT (SELECT version::bigint FROM leafmint_schema WHERE id {EQ} 1), \
             (SELECT layout::pg_catalog.text FROM leafmint_namespace WHERE namespace {EQ} $1) \
             WHERE NOT EXISTS (SELECT FROM leafmint_worker WHERE FALSE)"
        );
        let (catalog, found) =
            self.query_both((&table::catalog(&OWN_SHAPES), &[]), (&read, &[any_text(&namespace)])).await?;
        table::check_own(&OWN_SHAPES, &catalog?)?;
        match found?.first() {
            Some(row) => Ok(Registered { version: column(row, 0)?, layout: column(row, 1)? }),
            None => Ok(Registered { version: None, layout: None }),
        }
    }

    async fn try_to_write(&mut self) -> Outcome<()> {
        let insert = "INSERT INTO leafmint_worker (namespace, worker_id, token, horizon, reported, updated, endpoint) \
                      SELECT namespace, worker_id, token, horizon, reported, updated, endpoint FROM leafmint_worker WHERE FALSE";
        self.write("UPDATE leafmint_worker SET horizon = horizon WHERE FALSE", &[]).await?;
        self.write(insert, &[]).await.map(drop)
    }

    async fn insert_namespace(&mut self, namespace: &str, layout: &str) -> Outcome<()> {
        let sql = format!(
            "INSERT INTO leafmint_namespace (namespace, layout) SELECT $1, $2 FROM ({}) AS s ON CONFLICT DO NOTHING",
            self.settings()
        );
        self.write(&sql, &[any_text(&namespace), any_text(&layout)]).await.map(drop)
    }

    async fn survey(&mut self, namespace: &str, workers: &RangeInclusive<i64>) -> Outcome<Survey> {
        let sql = format!(
            "SELECT n.present, w.worker_id::bigint, w.token::pg_catalog.text, w.horizon::bigint, w.reported::bigint, \
             w.updated::bigint, w.endpoint::pg_catalog.text FROM (SELECT {} AS present) AS n LEFT JOIN leafmint_worker AS w \
             ON w.namespace {EQ} $1 AND w.worker_id {GE} $2 AND w.worker_id {LE} $3 ORDER BY w.worker_id",
            now()
        );
        let params = [any_text(&namespace), number(workers.start()), number(workers.end())];
        let rows = self.query(&sql, &params).await?;
        Ok(Survey::of(rows.iter().map(columns).collect::<Outcome<_>>()?))
    }

    async fn clock(&mut self) -> Outcome<i64> {
        let rows = self.query(&format!("SELECT {}", now()), &[]).await?;
        column(rows.first().ok_or_else(|| Failure::broken("the server returned no time"))?, 0)
    }

    fn row<'a>(&'a mut self, namespace: &'a str, worker_id: i64) -> impl RowStatements + 'a {
        PostgresRow { session: self, namespace, worker_id }
    }

    fn block<'a>(&'a mut self, namespace: &'a str, worker: PastWorker, block: i64) -> impl BlockStatements + 'a {
        PostgresBlock { session: self, namespace, worker, block }
    }

    async fn find_assigned(&mut self, table: &str, endpoint: &str) -> Outcome<Option<Assigned>> {
        let sql =
            format!("SELECT id::bigint, max_timestamp::bigint FROM {table} WHERE ip_port {EQ} $1 ORDER BY id LIMIT 1");
        let rows = self.query(&sql, &[any_text(&endpoint)]).await?;
        let assigned = |row| Ok(Assigned::in_table(column(row, 0)?, column(row, 1)?));
        rows.first().map(assigned).transpose()
    }

    async fn assigned(&mut self, table: &str) -> Outcome<Vec<i64>> {
        let rows = self.query(&format!("SELECT id::bigint FROM {table}"), &[]).await?;
        rows.iter().map(|row| column(row, 0)).collect()
    }

    async fn assign(&mut self, table: &str, worker_id: i64, endpoint: &str) -> Outcome<()> {
        // No id was stamped with it, and the fork refuses a time in the future.
        let sql = format!(
            "INSERT INTO {table} (id, ip, port, ip_port, max_timestamp) SELECT $1, $2, $3, $4, 0 FROM ({}) AS s \
             ON CONFLICT DO NOTHING",
            self.settings()
        );
        let (ip, port) = endpoint.rsplit_once(':').unwrap_or((endpoint, ""));
        let params = [number(&worker_id), any_text(&ip), any_text(&port), any_text(&endpoint)];
        self.write(&sql, &params).await.map(drop)
    }

    async fn endpoints(&mut self, table: &str) -> Outcome<Vec<(i64, String)>> {
        let sql = format!("SELECT id::bigint, ip_port::pg_catalog.text FROM {table} ORDER BY id LIMIT 17");
        self.query(&sql, &[]).await?.iter().map(|row| Ok((column(row, 0)?, column(row, 1)?))).collect()
    }

    async fn report(&mut self, table: &str, worker_id: i64, at: i64) -> Outcome<()> {
        let sql =
            format!("UPDATE {table} AS t SET max_timestamp = $1 FROM ({}) AS s WHERE t.id {EQ} $2", self.settings());
        self.write(&sql, &[number(&at), number(&worker_id)]).await.map(drop)
    }
}

/// Reads a row of the survey.
pub(super) fn columns(row: &Row) -> Outcome<Columns> {
    Ok((
        column(row, 0)?,
        column(row, 1)?,
        column(row, 2)?,
        column(row, 3)?,
        column(row, 4)?,
        column(row, 5)?,
        column(row, 6)?,
    ))
}
