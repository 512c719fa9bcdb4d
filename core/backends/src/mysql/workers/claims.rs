//! Claims of a worker id: the statements on one row of `leafmint_worker`.

use crate::mysql;
use crate::mysql::Session;
use crate::rows::{Eviction, NewRow, ReadVersion, Release, RowStatements, ShownRow};
use crate::sessions::Outcome;
use crate::worker_files::worker_state::RowVersion;
use mysql_async::Value;

/// The database's clock in Unix milliseconds. Local time is left out of it: it depends on the session's time zone, and
/// an hour of it comes twice a year. Within a statement it shows the statement's start, so that nothing expires too
/// early.
pub(super) const NOW: &str = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000";

/// Leafmint's tables, quoted: that of the worker ids is the first. They must keep what is written, for every process
/// and after a crash.
pub(super) const TABLES: [&str; 3] = ["`leafmint_worker`", "`leafmint_namespace`", "`leafmint_schema`"];

/// One row of `leafmint_worker`, on one session.
pub(super) struct MySqlRow<'a> {
    pub(super) session: &'a mut Session,
    pub(super) namespace: &'a str,
    pub(super) worker_id: i64,
}

impl MySqlRow<'_> {
    /// Runs a statement, and returns whether it changed one row.
    async fn changes(&mut self, sql: &str, params: &[Value]) -> Outcome<bool> {
        if self.session.has_lasting_tables {
            return Ok(self.session.write(sql, params).await?.rows == 1);
        }
        let worker = &TABLES[..1];
        self.session.send(&format!("{sql}; {}", mysql::show(worker)), params).await?;
        let changed = self.session.changed().await?;
        mysql::check(self.session, worker).await?;
        Ok(changed.rows == 1)
    }

    /// Returns the parameters of the columns that a change writes, and of the row.
    fn params(&self, new: &NewRow) -> Vec<Value> {
        let NewRow { version, reported, endpoint } = new;
        let columns =
            [version.token.to_string().into(), version.horizon.into(), (*reported).into(), endpoint.as_str().into()];
        columns.into_iter().chain([self.namespace.into(), self.worker_id.into()]).collect()
    }
}

/// Returns the parameters that compare a row with a version.
fn version(version: &RowVersion) -> [Value; 2] {
    [version.token.to_string().into(), version.horizon.into()]
}

impl RowStatements for MySqlRow<'_> {
    async fn insert(&mut self, new: &NewRow) -> Outcome<bool> {
        let sql = format!(
            "INSERT INTO leafmint_worker (token, horizon, reported, endpoint, namespace, worker_id, updated) \
             VALUES (?, ?, ?, ?, ?, ?, {NOW})"
        );
        match self.changes(&sql, &self.params(new)).await {
            Err(failure) if failure.is_duplicate() => Ok(false),
            other => other,
        }
    }

    async fn take_over(&mut self, (token, horizon): &ReadVersion, new: &NewRow) -> Outcome<bool> {
        let sql = format!(
            "UPDATE leafmint_worker SET token = ?, horizon = ?, reported = ?, endpoint = ?, updated = {NOW} \
             WHERE namespace = ? AND worker_id = ? AND token <=> ? AND horizon = ?"
        );
        let mut params = self.params(new);
        params.extend([Value::from(token.as_deref()), (*horizon).into()]);
        self.changes(&sql, &params).await
    }

    async fn move_on(&mut self, from: &RowVersion, new: &NewRow) -> Outcome<bool> {
        let sql = format!(
            "UPDATE leafmint_worker SET token = ?, horizon = ?, reported = ?, endpoint = ?, updated = {NOW} \
             WHERE namespace = ? AND worker_id = ? AND token = ? AND horizon = ? AND horizon < ?"
        );
        let mut params = self.params(new);
        params.extend(version(from));
        params.push(new.version.horizon.into());
        self.changes(&sql, &params).await
    }

    async fn read(&mut self) -> Outcome<Option<ShownRow>> {
        let sql = "SELECT token, horizon, endpoint FROM leafmint_worker WHERE namespace = ? AND worker_id = ?";
        let row: Option<(Option<String>, i64, String)> =
            self.session.first(sql, &[self.namespace.into(), self.worker_id.into()]).await?;
        Ok(row.map(|(token, horizon, endpoint)| ShownRow { token, horizon, endpoint }))
    }

    async fn release(&mut self, release: &Release) -> Outcome<()> {
        let shows_one = vec!["token = ? AND horizon = ?"; release.versions.len()].join(" OR ");
        let sql = format!(
            "UPDATE leafmint_worker SET token = NULL, horizon = ?, updated = {NOW} \
             WHERE namespace = ? AND worker_id = ? AND token IS NOT NULL AND ({shows_one})"
        );
        let mut params: Vec<Value> = vec![release.used.into(), self.namespace.into(), self.worker_id.into()];
        params.extend(release.versions.iter().flat_map(version));
        self.changes(&sql, &params).await.map(drop)
    }

    async fn evict(&mut self, eviction: &Eviction) -> Outcome<bool> {
        let (token, horizon) = &eviction.from;
        let sql = "UPDATE leafmint_worker SET token = NULL \
                   WHERE namespace = ? AND worker_id = ? AND token = ? AND horizon = ?";
        let params = [self.namespace.into(), self.worker_id.into(), token.as_deref().into(), (*horizon).into()];
        self.changes(sql, &params).await
    }
}
