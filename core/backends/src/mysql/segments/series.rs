//! The rules of series.

use crate::mysql::Session;
use crate::sessions::Outcome;
use crate::tables::dialect::{MOST_TURNS, SeriesStatements};
use crate::tables::table::Table;
use leafmint_engine::store::{SeriesRule, StoredSeries};

/// The server's clock in Unix milliseconds. Without an argument, the function knows no time zone.
const CLOCK: &str = "CAST(UNIX_TIMESTAMP() * 1000 + MICROSECOND(NOW(3)) DIV 1000 AS SIGNED)";

impl SeriesStatements for Session {
    async fn declare_series(
        &mut self,
        table: &Table,
        rule: &SeriesRule,
        format: Option<&str>,
    ) -> Outcome<Option<StoredSeries>> {
        // It begins with a SET, so that no proxy takes it for a question to a replica.
        let read = format!(
            "SET @leafmint_series = NULL; SELECT period, zone, format, {CLOCK} FROM {} WHERE name = ? LIMIT 1",
            table.series
        );
        let insert = format!("INSERT INTO {} (name, period, zone, format) VALUES (?, ?, ?, ?)", table.series);
        for _ in 0..MOST_TURNS {
            self.send(&read, &[rule.name.as_str().into()]).await?;
            self.skip().await?;
            if let Some((period, zone, format, clock)) = self.rows().await?.pop() {
                return Ok(Some(StoredSeries { period, zone, format, clock }));
            }
            let period = rule.period.to_string();
            let params = [rule.name.as_str().into(), period.into(), rule.zone.as_str().into(), format.into()];
            match self.write(&insert, &params).await {
                // Another session was faster: read what it stored.
                Err(failure) if !failure.is_duplicate() => return Err(failure),
                _ => {}
            }
        }
        Ok(None)
    }

    async fn set_series_format(&mut self, table: &Table, name: &str, format: &str) -> Outcome<()> {
        let sql = format!("UPDATE {} SET format = ? WHERE name = ?", table.series);
        self.write(&sql, &[format.into(), name.into()]).await.map(drop)
    }

    async fn list_series(&mut self, table: &Table) -> Outcome<Vec<(String, StoredSeries)>> {
        let sql = format!("SELECT name, period, zone, format FROM {} ORDER BY name", table.series);
        let rows: Vec<(String, String, String, Option<String>)> = self.query(&sql, &[]).await?;
        let stored = |(name, period, zone, format)| (name, StoredSeries { period, zone, format, clock: None });
        Ok(rows.into_iter().map(stored).collect())
    }
}
