//! The sequences without gaps.

use crate::postgresql::operators::EQ;
use crate::postgresql::{LASTING, Session, column, not_lasting};
use crate::sessions::Outcome;
use crate::tables::dialect::GaplessStatements;
use crate::tables::table::Table;
use crate::tables::{gapless, names};
use leafmint_engine::store::GaplessRow;

impl GaplessStatements for Session {
    async fn list_gapless(&mut self, table: &Table) -> Outcome<Vec<GaplessRow>> {
        if let Some(found) = self.query(&facts(&table.gapless), &[]).await?.first() {
            if !column::<bool>(found, 1)? {
                let kind: String = column(found, 0)?;
                return Err(not_lasting(&format!("the table {}", names::GAPLESS), names::GAPLESS, &kind).into());
            }
            let trigger: Option<String> = column(found, 2)?;
            gapless::check(trigger.as_deref(), column(found, 3)?)?;
        }
        let sql = format!("SELECT name::pg_catalog.text, number::pg_catalog.text FROM {}", table.gapless);
        let rows = self.query(&sql, &[]).await?;
        rows.iter().map(|row| Ok((column(row, 0)?, column(row, 1)?))).collect()
    }
}

/// Asks for the kind of the table, whether it lasts, its trigger, and whether names are unique.
fn facts(table: &str) -> String {
    format!(
        "SELECT c.relkind::pg_catalog.text, {LASTING}, \
         (SELECT pg_catalog.min(t.tgname::pg_catalog.text) FROM pg_catalog.pg_trigger AS t \
         WHERE t.tgrelid {EQ} c.oid AND NOT t.tgisinternal), \
         EXISTS (SELECT FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_attribute AS a \
         ON a.attrelid {EQ} i.indrelid AND a.attnum {EQ} i.indkey[0] AND a.attname {EQ} 'name' \
         WHERE i.indrelid {EQ} c.oid AND i.indisunique AND i.indisvalid AND i.indnkeyatts {EQ} 1 AND i.indpred IS NULL) \
         FROM pg_catalog.pg_class AS c WHERE c.oid {EQ} '{table}'::pg_catalog.regclass"
    )
}
