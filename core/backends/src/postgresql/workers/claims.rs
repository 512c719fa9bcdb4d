//! Claims of a worker id: the statements on one row of `leafmint_worker`.

use crate::postgresql::operators::{EQ, LT, MUL};
use crate::postgresql::{LASTING, Param, Session, column, is_lasting, number};
use crate::rows::{Eviction, NewRow, ReadVersion, Release, RowStatements, ShownRow};
use crate::sessions::{Failure, Outcome};
use crate::worker_files::worker_state::RowVersion;
use leafmint_ids::error::{Error, ErrorKind};
use tokio_postgres::types::{ToSql, Type};

const TABLE: &str = "leafmint_worker";

/// The database's clock in Unix milliseconds. Unlike `now()` it goes on within a transaction, and while a statement
/// waits for a lock.
pub(super) fn now() -> String {
    format!("pg_catalog.floor(extract(epoch FROM pg_catalog.clock_timestamp()) {MUL} 1000)::bigint")
}

/// One row of `leafmint_worker`, on one session.
pub(super) struct PostgresRow<'a> {
    pub(super) session: &'a mut Session,
    pub(super) namespace: &'a str,
    pub(super) worker_id: i64,
}

impl PostgresRow<'_> {
    /// Overwrites the row if it meets a condition on these values, which are the parameters from $7 on.
    async fn overwrite(&mut self, new: &NewRow, condition: &str, values: Vec<Param<'_>>) -> Outcome<bool> {
        let sql = format!(
            "UPDATE leafmint_worker AS w SET token = $1, horizon = $2, reported = $3, endpoint = $4, updated = {} \
             FROM ({}) AS s WHERE w.namespace {EQ} $5 AND w.worker_id {EQ} $6 AND {condition} {}",
            now(),
            self.session.settings(),
            kept()
        );
        self.write(&sql, new, values).await
    }

    /// Checks that a row which is not found is missing for every process.
    async fn check_lasting(&mut self) -> Outcome<()> {
        let sql = format!(
            "SELECT 1 FROM pg_catalog.pg_class AS c WHERE c.oid {EQ} pg_catalog.to_regclass('leafmint_worker') AND {LASTING}"
        );
        let is_there = !self.session.query(&sql, &[]).await?.is_empty();
        if is_there {
            return Ok(());
        }
        Err(not_lasting(TABLE))
    }

    /// Runs a statement that writes a row, and returns whether it wrote one.
    async fn write(&mut self, sql: &str, new: &NewRow, values: Vec<Param<'_>>) -> Outcome<bool> {
        let token = new.version.token.to_string();
        let mut params: Vec<Param<'_>> =
            vec![any_text(&token), number(&new.version.horizon), number(&new.reported), any_text(&new.endpoint)];
        params.extend([any_text(&self.namespace), number(&self.worker_id)]);
        params.extend(values);
        match self.session.query(sql, &params).await?.first() {
            None => Ok(false),
            Some(row) if column::<Option<bool>>(row, 1)? != Some(true) => Err(not_lasting(TABLE)),
            Some(row) if column::<Option<bool>>(row, 0)? == Some(true) => Ok(true),
            Some(_) => Err(not_kept(TABLE, self.worker_id)),
        }
    }
}

/// Returns whether the row holds what was written, and whether it is where every process finds it.
fn kept() -> String {
    format!("RETURNING w.token {EQ} $1 AND w.horizon {EQ} $2, {}", is_lasting("w"))
}

/// Another client may have left its table in the session of a pool, so another session is asked.
pub(super) fn not_lasting(table: &str) -> Failure {
    let text =
        format!("{table} is a temporary or unlogged table in this session (behind a pool any client can make one)");
    Failure::broken(text)
}

/// Returns a text, or NULL, as a parameter.
pub(super) fn any_text(text: &(impl ToSql + Sync)) -> Param<'_> {
    (text, Type::TEXT)
}

pub(super) fn not_kept(table: &str, worker_id: i64) -> Failure {
    let text = format!(
        "the row of worker id {worker_id} in {table} does not hold what was written: a trigger or a column changes it: \
         compare the table with schema_sql(\"postgresql\")"
    );
    Error::new(ErrorKind::InvalidConfig, text).into()
}

impl RowStatements for PostgresRow<'_> {
    async fn insert(&mut self, new: &NewRow) -> Outcome<bool> {
        let sql = format!(
            "INSERT INTO leafmint_worker AS w (token, horizon, reported, endpoint, namespace, worker_id, updated) \
             SELECT $1, $2, $3, $4, $5, $6, {} FROM ({}) AS s \
             ON CONFLICT (namespace, worker_id) DO NOTHING {}",
            now(),
            self.session.settings(),
            kept()
        );
        self.write(&sql, new, Vec::new()).await
    }

    async fn take_over(&mut self, (token, horizon): &ReadVersion, new: &NewRow) -> Outcome<bool> {
        let is_as_read = format!("(w.token {EQ} $7 OR w.token IS NULL AND $7 IS NULL) AND w.horizon {EQ} $8");
        self.overwrite(new, &is_as_read, vec![any_text(token), number(horizon)]).await
    }

    async fn move_on(&mut self, from: &RowVersion, new: &NewRow) -> Outcome<bool> {
        let condition = format!("w.token {EQ} $7 AND w.horizon {EQ} $8 AND w.horizon {LT} $2");
        let token = from.token.to_string();
        self.overwrite(new, &condition, vec![any_text(&token), number(&from.horizon)]).await
    }

    /// Reads the row by a lock on it, so that the answer is that of a commit of its own.
    ///
    /// What a plain read shows may be lost: a commit that gave up waiting for its replicas can be seen, and is gone
    /// once one of them is promoted. A process that took its own token in such a row for a lease would share the
    /// worker id.
    async fn read(&mut self) -> Outcome<Option<ShownRow>> {
        let sql = format!(
            "SELECT w.token::pg_catalog.text, w.horizon::bigint, w.endpoint::pg_catalog.text FROM ({}) AS s, leafmint_worker AS w \
             WHERE w.namespace {EQ} $1 AND w.worker_id {EQ} $2 AND {} FOR UPDATE OF w",
            self.session.settings(),
            is_lasting("w")
        );
        let rows = self.session.query(&sql, &[any_text(&self.namespace), number(&self.worker_id)]).await?;
        if rows.is_empty() {
            self.check_lasting().await?;
        }
        let shown = |row| Ok(ShownRow { token: column(row, 0)?, horizon: column(row, 1)?, endpoint: column(row, 2)? });
        rows.first().map(shown).transpose()
    }

    async fn release(&mut self, release: &Release) -> Outcome<()> {
        let versions: Vec<(String, i64)> =
            release.versions.iter().map(|version| (version.token.to_string(), version.horizon)).collect();
        let mut params = vec![number(&release.used), any_text(&self.namespace), number(&self.worker_id)];
        let mut shows_one = Vec::new();
        for (token, horizon) in &versions {
            let (first, second) = (params.len() + 1, params.len() + 2);
            shows_one.push(format!("w.token {EQ} ${first} AND w.horizon {EQ} ${second}"));
            params.extend([any_text(token), number(horizon)]);
        }
        let sql = format!(
            "UPDATE leafmint_worker AS w SET token = NULL, horizon = $1, updated = {} FROM ({}) AS s \
             WHERE w.namespace {EQ} $2 AND w.worker_id {EQ} $3 AND w.token IS NOT NULL AND ({})",
            now(),
            self.session.settings(),
            shows_one.join(" OR ")
        );
        self.session.write(&sql, &params).await.map(drop)
    }

    async fn evict(&mut self, eviction: &Eviction) -> Outcome<bool> {
        let (token, horizon) = &eviction.from;
        let sql = format!(
            "UPDATE leafmint_worker AS w SET token = NULL FROM ({}) AS s \
             WHERE w.namespace {EQ} $1 AND w.worker_id {EQ} $2 AND w.token {EQ} $3 AND w.horizon {EQ} $4",
            self.session.settings()
        );
        let params = [any_text(&self.namespace), number(&self.worker_id), any_text(token), number(horizon)];
        Ok(self.session.write(&sql, &params).await? == 1)
    }
}
