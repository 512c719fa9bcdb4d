//! The registry of a namespace: its tables, and all its worker ids at once.

use super::backfill::PortableBlock;
use super::claims::{PortableRow, WORKERS};
use crate::portable::schema;
use crate::portable::session::{Results, Session, Values};
use crate::portable::text::{number, text};
use crate::rows::tables::{Registered, TableSession};
use crate::rows::{Assigned, BlockStatements, RowStatements, Survey, WorkerRow};
use crate::sessions::{Failure, Outcome};
use leafmint_engine::clock::{Clock, SystemClock};
use leafmint_engine::holder::past::PastWorker;
use leafmint_ids::text::pasted::SqlDialect;
use std::ops::RangeInclusive;

/// Leafmint's tables. They must keep what is written, for every process.
const TABLES: [&str; 3] = [WORKERS, "leafmint_namespace", "leafmint_schema"];

/// The number of endpoints that a message may name, and one more.
const MOST_ENDPOINTS: usize = 17;

impl Session {
    /// Returns the question for the clock.
    fn read_clock(&self) -> String {
        format!("VALUES ({})", self.product.clock)
    }

    /// Names what failed if one of these tables is gone.
    async fn of_tables(&mut self, names: &[&str], answer: Outcome<Results>) -> Outcome<Results> {
        match answer {
            Ok(results) => Ok(results),
            Err(failure) => Err(self.named(failure, names).await),
        }
    }

    /// Reads a table that assigns worker ids.
    async fn of_allocation(&mut self, table: &str, rest: &str) -> Outcome<Vec<Values>> {
        let name = table.replace('"', "");
        self.look_at(&name).await?;
        let answer = self.ask([format!("SELECT id, ip_port, max_timestamp FROM {}{rest}", self.at(table))]).await;
        Ok(self.of_tables(&[&name], answer).await?.rows())
    }
}

impl TableSession for Session {
    const OWN_TABLES: &'static [&'static str] = &schema::OWN_TABLES;

    const CREATES_TABLES: bool = true;

    // By the connection, which the lender's name stands for.
    const FINDS_TABLES_BY_ACCOUNT: bool = false;

    fn allocation_schema(quoted: &str) -> String {
        schema::allocation(quoted)
    }

    fn quoted(table: &str) -> String {
        SqlDialect::Portable.quoted_path(table)
    }

    async fn create(&mut self, sql: &str) -> Outcome<()> {
        self.make(sql).await
    }

    async fn look(&mut self, namespace: &str) -> Outcome<Registered> {
        for table in TABLES {
            self.look_at(table).await?;
        }
        let [version, layout] = [self.at(TABLES[2]), self.at(TABLES[1])];
        // The clock too: Derby's is made with the tables.
        let answer = self
            .ask([
                self.read_clock(),
                format!("SELECT version FROM {version} WHERE id = 1"),
                format!("SELECT layout FROM {layout} WHERE namespace = {}", text(namespace)),
            ])
            .await;
        let mut results = self.of_tables(&TABLES, answer).await?;
        results.rows();
        let version = results.rows().first().and_then(|row| row.number(0));
        let layout = results.rows().into_iter().next().and_then(|mut row| row.text(0));
        Ok(Registered { version, layout })
    }

    async fn try_to_write(&mut self) -> Outcome<()> {
        let workers = self.at(WORKERS);
        self.write([format!("UPDATE {workers} SET horizon = horizon WHERE worker_id = (-1) AND 1 = 0")]).await.map(drop)
    }

    async fn insert_namespace(&mut self, namespace: &str, layout: &str) -> Outcome<()> {
        let (namespace, layout) = (text(namespace), text(layout));
        let namespaces = self.at(TABLES[1]);
        let sql = format!("INSERT INTO {namespaces} (namespace, layout) VALUES ({namespace}, {layout})");
        match self.write([sql]).await {
            Err(failure) if !failure.is_duplicate() => Err(failure),
            _ => Ok(()),
        }
    }

    async fn survey(&mut self, namespace: &str, workers: &RangeInclusive<i64>) -> Outcome<Survey> {
        // The clock before the rows: none of them expires too early.
        let rows = format!(
            "SELECT worker_id, token, horizon, reported, updated, endpoint FROM {} \
             WHERE namespace = {} AND worker_id BETWEEN {} AND {} ORDER BY worker_id",
            self.at(WORKERS),
            text(namespace),
            number(*workers.start()),
            number(*workers.end()),
        );
        let answer = self.ask([self.read_clock(), rows]).await;
        let mut results = self.of_tables(&[WORKERS], answer).await?;
        let now = time_of(results.rows())?;
        Ok(Survey { now, rows: results.rows().into_iter().filter_map(worker_row).collect() })
    }

    async fn clock(&mut self) -> Outcome<i64> {
        match self.ask([self.read_clock()]).await {
            // Derby has none before the tables are made.
            Err(failure) if failure.is_missing_table() => Ok(SystemClock.wall()),
            answer => time_of(answer?.rows()),
        }
    }

    fn row<'a>(&'a mut self, namespace: &'a str, worker_id: i64) -> impl RowStatements + 'a {
        PortableRow { session: self, namespace, worker_id }
    }

    fn block<'a>(&'a mut self, namespace: &'a str, worker: PastWorker, block: i64) -> impl BlockStatements + 'a {
        PortableBlock { session: self, namespace, worker, block }
    }

    async fn find_assigned(&mut self, table: &str, endpoint: &str) -> Outcome<Option<Assigned>> {
        let rows = self.of_allocation(table, &format!(" WHERE ip_port = {} ORDER BY id", text(endpoint))).await?;
        Ok(rows.first().and_then(|row| Some(Assigned::in_table(row.number(0)?, row.number(2)))))
    }

    async fn assigned(&mut self, table: &str) -> Outcome<Vec<i64>> {
        let rows = self.of_allocation(table, "").await?;
        Ok(rows.into_iter().filter_map(|row| row.number(0)).collect())
    }

    async fn assign(&mut self, table: &str, worker_id: i64, endpoint: &str) -> Outcome<()> {
        // No id was stamped with it, and the fork refuses a time in the future.
        let (ip, port) = endpoint.rsplit_once(':').unwrap_or((endpoint, ""));
        let values = [number(worker_id), text(ip), text(port), text(endpoint)].join(", ");
        let place = self.at(table);
        let sql = format!("INSERT INTO {place} (id, ip, port, ip_port, max_timestamp) VALUES ({values}, 0)");
        match self.write([sql]).await {
            Err(failure) if !failure.is_duplicate() => Err(failure),
            _ => Ok(()),
        }
    }

    async fn endpoints(&mut self, table: &str) -> Outcome<Vec<(i64, String)>> {
        let rows = self.of_allocation(table, " ORDER BY id").await?;
        let endpoint = |mut row: Values| Some((row.number(0)?, row.text(1)?));
        Ok(rows.into_iter().take(MOST_ENDPOINTS).filter_map(endpoint).collect())
    }

    async fn report(&mut self, table: &str, worker_id: i64, at: i64) -> Outcome<()> {
        let place = self.at(table);
        let sql = format!("UPDATE {place} SET max_timestamp = {} WHERE id = {}", number(at), number(worker_id));
        self.write([sql]).await.map(drop)
    }
}

fn time_of(rows: Vec<Values>) -> Outcome<i64> {
    rows.first().and_then(|row| row.number(0)).ok_or_else(|| Failure::broken("the database returned no time"))
}

fn worker_row(mut row: Values) -> Option<WorkerRow> {
    let [worker_id, horizon, reported, updated] = [0, 2, 3, 4].map(|at| row.number(at));
    let (token, endpoint) = (row.text(1), row.text(5)?);
    Some(WorkerRow {
        worker_id: worker_id?,
        token,
        horizon: horizon?,
        reported: reported?,
        updated: updated?,
        endpoint,
    })
}
