//! The rules of series.

use super::statements::{SqliteOutcome, SqliteTable};
use crate::store::{SeriesRule, StoredSeries, schema};
use rusqlite::{Connection, Row, TransactionBehavior};

impl SqliteTable {
    /// Stores a rule unless one of its name is stored, and returns the stored one. A file has no clock of its own.
    pub(super) fn declare_series(&self, connection: &mut Connection, rule: &SeriesRule) -> SqliteOutcome<StoredSeries> {
        let series = schema::series(&self.name);
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let insert =
            format!("INSERT INTO \"{series}\" (name, period, zone) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING");
        transaction.execute(&insert, [&rule.name, &rule.period.to_string(), &rule.zone])?;
        let read = format!("SELECT name, period, zone FROM \"{series}\" WHERE name = ?1");
        let (_, stored) = transaction.query_row(&read, [&rule.name], stored)?;
        transaction.commit()?;
        Ok(stored)
    }

    pub(super) fn list_series(&self, connection: &Connection) -> SqliteOutcome<Vec<(String, StoredSeries)>> {
        let sql = format!("SELECT name, period, zone FROM \"{}\"", schema::series(&self.name));
        let mut statement = connection.prepare(&sql)?;
        let rows = statement.query_map([], stored)?.collect::<rusqlite::Result<_>>()?;
        Ok(rows)
    }
}

fn stored(row: &Row<'_>) -> rusqlite::Result<(String, StoredSeries)> {
    Ok((row.get(0)?, StoredSeries { period: row.get(1)?, zone: row.get(2)?, clock: None }))
}
