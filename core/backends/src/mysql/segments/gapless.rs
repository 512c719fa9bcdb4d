//! The sequences without gaps.

use crate::mysql::{Session, table};
use crate::sessions::Outcome;
use crate::tables::dialect::GaplessStatements;
use crate::tables::table::Table;
use leafmint_engine::store::GaplessRow;

impl GaplessStatements for Session {
    async fn list_gapless(&mut self, table: &Table) -> Outcome<Vec<GaplessRow>> {
        table::look_at_gapless(self, &table.gapless).await?;
        self.query(&format!("SELECT name, CAST(number AS CHAR) FROM {}", table.gapless), &[]).await
    }
}
