//! The rules of series.

use crate::database::Outcome;
use crate::mysql::Session;
use crate::store::SeriesRule;
use crate::store::StoredSeries;
use crate::store::dialect::{MOST_TURNS, SeriesStatements};
use crate::store::table::Table;

/// The server's clock in Unix milliseconds. Without an argument, the function knows no time zone.
const CLOCK: &str = "CAST(UNIX_TIMESTAMP() * 1000 + MICROSECOND(NOW(3)) DIV 1000 AS SIGNED)";

impl SeriesStatements for Session {
    async fn declare_series(&mut self, table: &Table, rule: &SeriesRule) -> Outcome<Option<StoredSeries>> {
        // It begins with a SET, so that no proxy takes it for a question to a replica.
        let read = format!(
            "SET @leafmint_series = NULL; SELECT period, zone, {CLOCK} FROM {} WHERE name = ? LIMIT 1",
            table.series
        );
        let insert = format!("INSERT INTO {} (name, period, zone) VALUES (?, ?, ?)", table.series);
        for _ in 0..MOST_TURNS {
            self.send(&read, &[rule.name.as_str().into()]).await?;
            self.skip().await?;
            if let Some((period, zone, clock)) = self.rows::<(String, String, Option<i64>)>().await?.pop() {
                return Ok(Some(StoredSeries { period, zone, clock }));
            }
            let params = [rule.name.as_str().into(), rule.period.to_string().into(), rule.zone.as_str().into()];
            match self.write(&insert, &params).await {
                // Another session was faster: read what it stored.
                Err(failure) if !failure.is_duplicate() => return Err(failure),
                _ => {}
            }
        }
        Ok(None)
    }

    async fn list_series(&mut self, table: &Table) -> Outcome<Vec<(String, StoredSeries)>> {
        let rows: Vec<(String, String, String)> =
            self.query(&format!("SELECT name, period, zone FROM {} ORDER BY name", table.series), &[]).await?;
        Ok(rows.into_iter().map(|(name, period, zone)| (name, StoredSeries { period, zone, clock: None })).collect())
    }
}
