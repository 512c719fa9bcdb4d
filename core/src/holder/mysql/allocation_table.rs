//! The statements on `leaf_workerid_alloc`, as NotFound9's fork of Leaf keeps it: one row per `ip:port`, its `id` the
//! worker id.

use crate::holder::Workers;
use crate::holder::rows::Assigned;
use crate::mysql::{Outcome, Session, Statement};

/// The table's name in that fork.
pub(super) const NAME: &str = "leaf_workerid_alloc";

/// Returns the statement that creates the table if it is missing.
pub(super) fn schema(quoted: &str) -> String {
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

/// Quotes the name of a table, which may have that of a database before it.
pub(super) fn quoted(table: &str) -> String {
    format!("`{}`", table.replace('.', "`.`"))
}

/// Finds the row of an endpoint, or inserts one with the smallest free id. `None` if all ids are taken.
///
/// Columns other than `id`, `ip`, `port`, `ip_port` and `max_timestamp` are left to the table's defaults: their names
/// differ.
pub(super) struct Assign<'a> {
    pub(super) table: &'a str,
    pub(super) endpoint: &'a str,
    pub(super) workers: &'a Workers,
}

impl Statement for Assign<'_> {
    type Answer = Option<Assigned>;

    async fn run(&self, session: &mut Session) -> Outcome<Option<Assigned>> {
        let Self { table, endpoint, workers } = *self;
        let find = format!("SELECT id, max_timestamp FROM {table} WHERE ip_port = ? ORDER BY id LIMIT 1");
        let (ip, port) = endpoint.rsplit_once(':').unwrap_or((endpoint, ""));
        loop {
            let row: Option<(i64, Option<i64>)> = session.first(&find, &[endpoint.into()]).await?;
            if let Some((worker_id, reported)) = row {
                return Ok(Some(Assigned { worker_id, reported }));
            }
            let taken: Vec<i64> = session.query(&format!("SELECT id FROM {table}"), &[]).await?;
            let taken: std::collections::HashSet<i64> = taken.into_iter().collect();
            let Some(worker_id) = workers.iter().find(|id| !taken.contains(id)) else { return Ok(None) };
            // Without it the server reads an id of 0 as "the next one".
            session.run("SET sql_mode = CONCAT_WS(',', NULLIF(@@sql_mode, ''), 'NO_AUTO_VALUE_ON_ZERO')", &[]).await?;
            // No id was stamped with it, and the fork refuses a time in the future.
            let insert = format!("INSERT INTO {table} (id, ip, port, ip_port, max_timestamp) VALUES (?, ?, ?, ?, 0)");
            let params = [worker_id.into(), ip.into(), port.into(), endpoint.into()];
            match session.write(&insert, &params).await {
                Err(failure) if !failure.is_duplicate() => return Err(failure),
                // Read it, or if another process was faster, try the next one: each turn finds one id less.
                _ => {}
            }
        }
    }
}

/// Reads which endpoints have the first worker ids.
pub(super) struct ReadEndpoints<'a> {
    pub(super) table: &'a str,
}

impl Statement for ReadEndpoints<'_> {
    type Answer = Vec<(i64, String)>;

    async fn run(&self, session: &mut Session) -> Outcome<Vec<(i64, String)>> {
        session.query(&format!("SELECT id, ip_port FROM {} ORDER BY id LIMIT 17", self.table), &[]).await
    }
}

/// Reports the owner's clock, as the fork does.
pub(super) struct Report<'a> {
    pub(super) table: &'a str,
    pub(super) worker_id: i64,
    pub(super) at: i64,
}

impl Statement for Report<'_> {
    type Answer = ();

    async fn run(&self, session: &mut Session) -> Outcome<()> {
        let sql = format!("UPDATE {} SET max_timestamp = ? WHERE id = ?", self.table);
        session.write(&sql, &[self.at.into(), self.worker_id.into()]).await?;
        Ok(())
    }
}
