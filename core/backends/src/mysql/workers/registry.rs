//! The registry of a namespace: its tables, and all its worker ids at once.

use super::backfill::MySqlBlock;
use super::claims::{MySqlRow, NOW, TABLES};
use crate::mysql::schema::OWN_TABLES;
use crate::mysql::{self, Session};
use crate::rows::tables::{Registered, TableSession};
use crate::rows::{Assigned, BlockStatements, Columns, RowStatements, Survey};
use crate::sessions::{Failure, Outcome};
use leafmint_engine::holder::past::PastWorker;
use leafmint_ids::text::pasted::SqlDialect;
use std::ops::RangeInclusive;

impl TableSession for Session {
    const OWN_TABLES: &'static [&'static str] = &OWN_TABLES;

    // By the database, which the URL names.
    const FINDS_TABLES_BY_ACCOUNT: bool = false;

    fn allocation_schema(quoted: &str) -> String {
        format!(
            "CREATE TABLE IF NOT EXISTS {quoted} (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `ip` varchar(127) DEFAULT NULL,
  `port` varchar(127) DEFAULT NULL,
  `ip_port` varchar(127) NOT NULL,
  `max_timestamp` bigint DEFAULT NULL,
  `create_time` timestamp NULL DEFAULT CURRENT_TIMESTAMP,
  `update_time` timestamp NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`id`),
  UNIQUE KEY `idx_ipport` (`ip_port`)
) ENGINE=InnoDB"
        )
    }

    fn quoted(table: &str) -> String {
        SqlDialect::MySql.quoted_path(table)
    }

    async fn create(&mut self, sql: &str) -> Outcome<()> {
        self.run(sql, &[]).await
    }

    async fn look(&mut self, namespace: &str) -> Outcome<Registered> {
        let sql = format!(
            "SELECT version FROM leafmint_schema WHERE id = 1; SELECT layout FROM leafmint_namespace WHERE namespace = ?; {}",
            mysql::show(&TABLES)
        );
        self.send(&sql, &[namespace.into()]).await?;
        let found = Registered { version: self.rows().await?.pop(), layout: self.rows().await?.pop() };
        mysql::check(self, &TABLES).await?;
        Ok(found)
    }

    async fn try_to_write(&mut self) -> Outcome<()> {
        self.run("UPDATE leafmint_worker SET horizon = horizon WHERE worker_id = -1 AND FALSE", &[]).await
    }

    async fn insert_namespace(&mut self, namespace: &str, layout: &str) -> Outcome<()> {
        let insert = "INSERT INTO leafmint_namespace (namespace, layout) VALUES (?, ?)";
        match self.run(insert, &[namespace.into(), layout.into()]).await {
            Err(failure) if failure.is_duplicate() => Ok(()),
            answer => answer,
        }
    }

    async fn survey(&mut self, namespace: &str, workers: &RangeInclusive<i64>) -> Outcome<Survey> {
        let sql = format!(
            "SELECT n.present, w.worker_id, w.token, w.horizon, w.reported, w.updated, w.endpoint FROM (SELECT {NOW} AS present) n \
             LEFT JOIN leafmint_worker w ON w.namespace = ? AND w.worker_id BETWEEN ? AND ? ORDER BY w.worker_id"
        );
        let (first, last) = (*workers.start(), *workers.end());
        let rows: Vec<Columns> = self.query(&sql, &[namespace.into(), first.into(), last.into()]).await?;
        Ok(Survey::of(rows))
    }

    async fn clock(&mut self) -> Outcome<i64> {
        let now: Option<i64> = self.first(&format!("SELECT {NOW}"), &[]).await?;
        now.ok_or_else(|| Failure::broken("the server returned no time"))
    }

    fn row<'a>(&'a mut self, namespace: &'a str, worker_id: i64) -> impl RowStatements + 'a {
        MySqlRow { session: self, namespace, worker_id }
    }

    fn block<'a>(&'a mut self, namespace: &'a str, worker: PastWorker, block: i64) -> impl BlockStatements + 'a {
        MySqlBlock { session: self, namespace, worker, block }
    }

    async fn find_assigned(&mut self, table: &str, endpoint: &str) -> Outcome<Option<Assigned>> {
        let sql = format!("SELECT id, max_timestamp FROM {table} WHERE ip_port = ? ORDER BY id LIMIT 1");
        let row: Option<(i64, Option<i64>)> = self.first(&sql, &[endpoint.into()]).await?;
        Ok(row.map(|(worker_id, reported)| Assigned::in_table(worker_id, reported)))
    }

    async fn assigned(&mut self, table: &str) -> Outcome<Vec<i64>> {
        self.query(&format!("SELECT id FROM {table}"), &[]).await
    }

    /// Columns other than `id`, `ip`, `port`, `ip_port` and `max_timestamp` are left to the table's defaults: their
    /// names differ.
    async fn assign(&mut self, table: &str, worker_id: i64, endpoint: &str) -> Outcome<()> {
        // No id was stamped with it, and the fork refuses a time in the future.
        let sql = format!("INSERT INTO {table} (id, ip, port, ip_port, max_timestamp) VALUES (?, ?, ?, ?, 0)");
        let (ip, port) = endpoint.rsplit_once(':').unwrap_or((endpoint, ""));
        match self.write(&sql, &[worker_id.into(), ip.into(), port.into(), endpoint.into()]).await {
            Err(failure) if !failure.is_duplicate() => Err(failure),
            _ => Ok(()),
        }
    }

    async fn endpoints(&mut self, table: &str) -> Outcome<Vec<(i64, String)>> {
        self.query(&format!("SELECT id, ip_port FROM {table} ORDER BY id LIMIT 17"), &[]).await
    }

    async fn report(&mut self, table: &str, worker_id: i64, at: i64) -> Outcome<()> {
        let sql = format!("UPDATE {table} SET max_timestamp = ? WHERE id = ?");
        self.write(&sql, &[at.into(), worker_id.into()]).await.map(drop)
    }
}
