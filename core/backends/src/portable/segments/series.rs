//! The rules of series.

use crate::portable::session::{Session, Values};
use crate::portable::text::text;
use crate::sessions::Outcome;
use crate::tables::dialect::{MOST_TURNS, SeriesStatements};
use crate::tables::names;
use crate::tables::table::Table;
use leafmint_engine::store::{SeriesRule, StoredSeries};

impl SeriesStatements for Session {
    async fn declare_series(
        &mut self,
        table: &Table,
        rule: &SeriesRule,
        format: Option<&str>,
    ) -> Outcome<Option<StoredSeries>> {
        let named = names::series(&table.name);
        self.look_at(&named).await?;
        let (series, name) = (self.at(&table.series), text(&rule.name));
        let read = format!("SELECT period, zone, format FROM {series} WHERE name = {name}");
        let [period, zone] = [rule.period.to_string(), rule.zone.clone()].map(|value| text(&value));
        let insert = match format.map(text) {
            Some(format) => {
                format!("INSERT INTO {series} (name, period, zone, format) VALUES ({name}, {period}, {zone}, {format})")
            }
            None => format!("INSERT INTO {series} (name, period, zone) VALUES ({name}, {period}, {zone})"),
        };
        for _ in 0..MOST_TURNS {
            let mut results = match self.ask([format!("VALUES ({})", self.series_clock()), read.clone()]).await {
                Ok(results) => results,
                Err(failure) => return Err(self.named(failure, &[&named]).await),
            };
            let clock = results.rows().first().and_then(|row| row.number(0));
            if let Some(mut row) = results.rows().into_iter().next() {
                let [period, zone] = [0, 1].map(|at| row.text(at).unwrap_or_default());
                let (format, clock) = (row.text(2), clock.filter(|_| self.product.shares_clock));
                return Ok(Some(StoredSeries { period, zone, format, clock }));
            }
            match self.write([insert.clone()]).await {
                // Another session was faster: what it stored is read.
                Err(failure) if !failure.is_duplicate() => return Err(failure),
                _ => {}
            }
        }
        Ok(None)
    }

    async fn set_series_format(&mut self, table: &Table, name: &str, format: &str) -> Outcome<()> {
        let [format, name] = [format, name].map(text);
        self.write([format!("UPDATE {} SET format = {format} WHERE name = {name}", self.at(&table.series))])
            .await
            .map(drop)
    }

    async fn list_series(&mut self, table: &Table) -> Outcome<Vec<(String, StoredSeries)>> {
        let named = names::series(&table.name);
        self.look_at(&named).await?;
        let sql = format!("SELECT name, period, zone, format FROM {}", self.at(&table.series));
        let rows = match self.ask([sql]).await {
            Ok(mut results) => results.rows(),
            Err(failure) => return Err(self.named(failure, &[&named]).await),
        };
        Ok(rows.into_iter().map(listed).collect())
    }
}

impl Session {
    /// Returns the clock that a series compares this host's with. A database that only processes of this host share has
    /// none of its own.
    fn series_clock(&self) -> &'static str {
        if self.product.shares_clock { self.product.clock } else { "0" }
    }
}

fn listed(mut row: Values) -> (String, StoredSeries) {
    let [name, period, zone] = [0, 1, 2].map(|at| row.text(at).unwrap_or_default());
    (name, StoredSeries { period, zone, format: row.text(3), clock: None })
}
