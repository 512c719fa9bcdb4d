//! Claims of a worker id: the statements on one row of `leafmint_worker`. A change counts if the row shows it
//! afterwards, in the same transaction.

use crate::portable::session::Session;
use crate::portable::text::{number, text};
use crate::rows::{Eviction, NewRow, ReadVersion, Release, RowStatements, ShownRow};
use crate::sessions::Outcome;
use crate::worker_files::worker_state::RowVersion;

pub(super) const WORKERS: &str = "leafmint_worker";

/// One row of `leafmint_worker`, on one session.
pub(super) struct PortableRow<'a> {
    pub(super) session: &'a mut Session,
    pub(super) namespace: &'a str,
    pub(super) worker_id: i64,
}

/// Token and horizon that a row shows.
type Shown = (Option<String>, i64);

impl PortableRow<'_> {
    fn key(&self) -> String {
        format!("namespace = {} AND worker_id = {}", text(self.namespace), number(self.worker_id))
    }

    /// Runs a statement that begins with these words and ends with the row's key and a condition. Returns whether it
    /// changed one row, and the row shows that.
    async fn update(&mut self, columns: &str, condition: &str, shows: impl Fn(&Shown) -> bool) -> Outcome<bool> {
        let (place, key) = (self.session.at(WORKERS), self.key());
        self.change(format!("UPDATE {place} SET {columns} WHERE {key} AND {condition}"), shows).await
    }

    async fn change(&mut self, sql: String, shows: impl Fn(&Shown) -> bool) -> Outcome<bool> {
        let read = format!("SELECT token, horizon FROM {} WHERE {}", self.session.at(WORKERS), self.key());
        let mut results = match self.session.write([sql, read]).await {
            Ok(results) => results,
            Err(failure) => return Err(self.session.named(failure, &[WORKERS]).await),
        };
        let is_changed = results.changed() == 1;
        let shown = results.rows().into_iter().next().and_then(|mut row| Some((row.text(0), row.number(1)?)));
        Ok(is_changed && shown.is_some_and(|shown| shows(&shown)))
    }

    /// Returns the columns that a change writes.
    fn columns(&self, new: &NewRow) -> String {
        format!(
            "token = {}, horizon = {}, reported = {}, endpoint = {}, updated = {}",
            text(&new.version.token.to_string()),
            number(new.version.horizon),
            number(new.reported),
            text(&new.endpoint),
            self.session.product.clock,
        )
    }
}

/// Returns the condition that a row shows a version.
fn is_at(version: &RowVersion) -> String {
    format!("token = {} AND horizon = {}", text(&version.token.to_string()), number(version.horizon))
}

/// Returns the condition that a row shows what was read.
fn is_as_read((token, horizon): &ReadVersion) -> String {
    let token = token.as_ref().map_or("token IS NULL".to_owned(), |token| format!("token = {}", text(token)));
    format!("{token} AND horizon = {}", number(*horizon))
}

/// Returns whether a row shows what a change has written.
fn shows(new: &NewRow) -> impl Fn(&Shown) -> bool {
    let version = (Some(new.version.token.to_string()), new.version.horizon);
    move |shown| *shown == version
}

impl RowStatements for PortableRow<'_> {
    async fn insert(&mut self, new: &NewRow) -> Outcome<bool> {
        let sql = format!(
            "INSERT INTO {} (namespace, worker_id, token, horizon, reported, endpoint, updated) \
             VALUES ({}, {}, {}, {}, {}, {}, {})",
            self.session.at(WORKERS),
            text(self.namespace),
            number(self.worker_id),
            text(&new.version.token.to_string()),
            number(new.version.horizon),
            number(new.reported),
            text(&new.endpoint),
            self.session.product.clock,
        );
        match self.change(sql, shows(new)).await {
            Err(failure) if failure.is_duplicate() => Ok(false),
            other => other,
        }
    }

    async fn take_over(&mut self, from: &ReadVersion, new: &NewRow) -> Outcome<bool> {
        self.update(&self.columns(new), &is_as_read(from), shows(new)).await
    }

    async fn move_on(&mut self, from: &RowVersion, new: &NewRow) -> Outcome<bool> {
        let condition = format!("{} AND horizon < {}", is_at(from), number(new.version.horizon));
        self.update(&self.columns(new), &condition, shows(new)).await
    }

    async fn read(&mut self) -> Outcome<Option<ShownRow>> {
        let sql = format!("SELECT token, horizon, endpoint FROM {} WHERE {}", self.session.at(WORKERS), self.key());
        let row = self.session.ask([sql]).await?.rows().into_iter().next();
        Ok(row.and_then(|mut row| {
            let horizon = row.number(1)?;
            Some(ShownRow { token: row.text(0), horizon, endpoint: row.text(2).unwrap_or_default() })
        }))
    }

    async fn release(&mut self, release: &Release) -> Outcome<()> {
        let shows_one: Vec<String> = release.versions.iter().map(is_at).collect();
        let columns =
            format!("token = NULL, horizon = {}, updated = {}", number(release.used), self.session.product.clock);
        self.update(&columns, &format!("({})", shows_one.join(" OR ")), |_| true).await.map(drop)
    }

    async fn evict(&mut self, eviction: &Eviction) -> Outcome<bool> {
        self.update("token = NULL", &is_as_read(&eviction.from), |(token, _)| token.is_none()).await
    }
}
