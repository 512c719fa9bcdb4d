//! The rules of series.

use crate::postgresql::operators::{EQ, MUL};
use crate::postgresql::{Session, column, optional, text};
use crate::sessions::Outcome;
use crate::tables::dialect::{MOST_TURNS, SeriesStatements};
use crate::tables::table::Table;
use leafmint_engine::store::{SeriesRule, StoredSeries};

impl SeriesStatements for Session {
    async fn declare_series(
        &mut self,
        table: &Table,
        rule: &SeriesRule,
        format: Option<&str>,
    ) -> Outcome<Option<StoredSeries>> {
        let read = format!(
            "SELECT period::pg_catalog.text, zone::pg_catalog.text, format::pg_catalog.text, \
             (extract(epoch FROM pg_catalog.clock_timestamp()) {MUL} 1000)::bigint FROM {} WHERE name {EQ} $1",
            table.series
        );
        let insert = format!(
            "INSERT INTO {} (name, period, zone, format) SELECT $1, $2, $3, $4 FROM ({}) AS s ON CONFLICT DO NOTHING",
            table.series,
            self.settings()
        );
        let (name, zone, period) = (rule.name.as_str(), rule.zone.as_str(), rule.period.to_string());
        for _ in 0..MOST_TURNS {
            if let Some(row) = self.query(&read, &[text(&name)]).await?.first() {
                let (period, zone, format) = (column(row, 0)?, column(row, 1)?, column(row, 2)?);
                return Ok(Some(StoredSeries { period, zone, format, clock: column(row, 3)? }));
            }
            // If another session was faster, read what it stored.
            self.write(&insert, &[text(&name), text(&period.as_str()), text(&zone), optional(&format)]).await?;
        }
        Ok(None)
    }

    async fn set_series_format(&mut self, table: &Table, name: &str, format: &str) -> Outcome<()> {
        let sql = format!(
            "UPDATE {} AS t SET format = $2 FROM ({}) AS s WHERE t.name {EQ} $1",
            table.series,
            self.settings()
        );
        self.write(&sql, &[text(&name), text(&format)]).await.map(drop)
    }

    async fn list_series(&mut self, table: &Table) -> Outcome<Vec<(String, StoredSeries)>> {
        let sql = format!(
            "SELECT name::pg_catalog.text, period::pg_catalog.text, zone::pg_catalog.text, format::pg_catalog.text FROM {}",
            table.series
        );
        let rows = self.query(&sql, &[]).await?;
        let series = |row| {
            let (period, zone, format) = (column(row, 1)?, column(row, 2)?, column(row, 3)?);
            Ok((column(row, 0)?, StoredSeries { period, zone, format, clock: None }))
        };
        rows.iter().map(series).collect()
    }
}
