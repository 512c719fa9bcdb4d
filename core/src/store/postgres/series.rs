//! The rules of series.

use crate::database::Outcome;
use crate::postgres::operators::{EQ, MUL};
use crate::postgres::{Session, column, text};
use crate::store::dialect::{MOST_TURNS, SeriesStatements};
use crate::store::table::Table;
use crate::store::{SeriesRule, StoredSeries};

impl SeriesStatements for Session {
    async fn declare_series(&mut self, table: &Table, rule: &SeriesRule) -> Outcome<Option<StoredSeries>> {
        let read = format!(
            "SELECT period::pg_catalog.text, zone::pg_catalog.text, \
             (extract(epoch FROM pg_catalog.clock_timestamp()) {MUL} 1000)::bigint FROM {} WHERE name {EQ} $1",
            table.series
        );
        let insert = format!(
            "INSERT INTO {} (name, period, zone) SELECT $1, $2, $3 FROM ({}) AS s ON CONFLICT DO NOTHING",
            table.series,
            self.settings()
        );
        let (name, zone, period) = (rule.name.as_str(), rule.zone.as_str(), rule.period.to_string());
        for _ in 0..MOST_TURNS {
            if let Some(row) = self.query(&read, &[text(&name)]).await?.first() {
                let (period, zone, clock) = (column(row, 0)?, column(row, 1)?, column(row, 2)?);
                return Ok(Some(StoredSeries { period, zone, clock }));
            }
            // If another session was faster, read what it stored.
            self.write(&insert, &[text(&name), text(&period.as_str()), text(&zone)]).await?;
        }
        Ok(None)
    }

    async fn list_series(&mut self, table: &Table) -> Outcome<Vec<(String, StoredSeries)>> {
        let sql = format!(
            "SELECT name::pg_catalog.text, period::pg_catalog.text, zone::pg_catalog.text FROM {}",
            table.series
        );
        let rows = self.query(&sql, &[]).await?;
        let series =
            |row| Ok((column(row, 0)?, StoredSeries { period: column(row, 1)?, zone: column(row, 2)?, clock: None }));
        rows.iter().map(series).collect()
    }
}
