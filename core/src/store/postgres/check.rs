//! Whether ids can be leased from the table, and by this account, found out without a lease.

use super::usable_table;
use crate::database::Outcome;
use crate::error::{Error, ErrorKind};
use crate::postgres::operators::{ADD, EQ};
use crate::postgres::{Session, column};
use crate::store::SegmentCheck;
use crate::store::dialect::CheckStatements;
use crate::store::table::Table;

impl CheckStatements for Session {
    async fn check(&mut self, table: &Table) -> Outcome<SegmentCheck> {
        usable_table::check(self, table).await?;
        let Table { quoted, genes, scope, .. } = table;
        self.write(&format!("UPDATE {quoted} SET max_id = max_id {ADD} step WHERE biz_tag {EQ} '' AND FALSE"), &[])
            .await?;
        let columns = "biz_tag, max_id, step";
        let insert = format!("INSERT INTO {quoted} ({columns}) SELECT {columns} FROM {quoted} WHERE FALSE");
        let creates_tags = match self.write(&insert, &[]).await {
            Err(failure) if failure.is_denied() => false,
            answer => answer.map(|_| true)?,
        };
        match self.query(&format!("SELECT gene_bits::bigint FROM {genes} WHERE FALSE"), &[]).await {
            Err(failure) if !failure.is_denied() && !failure.is_no_such_table() => return Err(failure),
            _ => {}
        }
        let rows = self.query(&format!("SELECT pg_catalog.count(*) FROM {quoted}"), &[]).await?;
        let tags = rows.first().map(|row| column(row, 0)).transpose()?;
        let missing = || Error::new(ErrorKind::StoreUnavailable, format!("{scope} returned no count"));
        Ok(SegmentCheck { tags: tags.ok_or_else(missing)?, creates_tags, ..SegmentCheck::default() })
    }
}
