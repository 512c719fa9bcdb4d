//! The sequences without gaps. Of these products only SQLite counts them.

use crate::portable::session::Session;
use crate::sessions::Outcome;
use crate::tables::dialect::GaplessStatements;
use crate::tables::table::Table;
use crate::tables::{gapless, names};
use leafmint_engine::store::GaplessRow;

impl GaplessStatements for Session {
    async fn list_gapless(&mut self, table: &Table) -> Outcome<Vec<GaplessRow>> {
        let named = names::gapless(&table.name);
        self.look_at(&named).await?;
        if let Some(facts) = self.product.gapless_facts {
            for mut found in self.ask([facts.to_owned()]).await?.rows() {
                let is_unique = found.number(1).is_some_and(|keys| keys > 0);
                gapless::check(found.text(0).as_deref(), is_unique)?;
            }
        }
        match self.ask([format!("SELECT name, number FROM {}", self.at(&table.gapless))]).await {
            Ok(mut results) => {
                Ok(results.rows().into_iter().map(|mut row| (row.text(0).unwrap_or_default(), row.text(1))).collect())
            }
            Err(failure) => Err(self.named(failure, &[&named]).await),
        }
    }
}
