//! Whether the account may lease from the table, found out without a lease.

use super::row::DOES_NOT_ROUND;
use crate::database::Outcome;
use crate::error::{Error, ErrorKind};
use crate::mysql::{self, Session};
use crate::store::SegmentCheck;
use crate::store::dialect::CheckStatements;
use crate::store::stored_row::column_that_rounds;
use crate::store::table::Table;

impl CheckStatements for Session {
    async fn check(&mut self, table: &Table) -> Outcome<SegmentCheck> {
        let Table { quoted, genes, scope, .. } = table;
        self.run(&format!("SELECT biz_tag, max_id, step FROM {quoted} WHERE FALSE"), &[]).await?;
        self.run(&format!("UPDATE {quoted} SET max_id = max_id + step WHERE biz_tag = '' AND FALSE"), &[]).await?;
        let columns = "biz_tag, max_id, step";
        let insert = format!("INSERT INTO {quoted} ({columns}) SELECT {columns} FROM {quoted} WHERE FALSE");
        let creates_tags = match self.run(&insert, &[]).await {
            Err(failure) if failure.is_denied() => false,
            answer => answer.map(|()| true)?,
        };
        match self.run(&format!("SELECT gene_bits FROM {genes} WHERE FALSE"), &[]).await {
            Err(failure) if !failure.is_denied() && !failure.is_no_such_table() => return Err(failure),
            _ => {}
        }
        mysql::look(self, &[quoted]).await?.judge()?;
        // An estimate would do, but only an exact count is there everywhere. A column that rounds does so in every row.
        let count = format!("SELECT COUNT(*), MAX({DOES_NOT_ROUND}) FROM {quoted}");
        let missing = || Error::new(ErrorKind::StoreUnavailable, format!("{scope} returned no count"));
        let counted: Option<(i64, Option<i64>)> = self.first(&count, &[]).await?;
        let (tags, is_exact) = counted.ok_or_else(missing)?;
        if is_exact == Some(0) {
            return Err(column_that_rounds(scope).into());
        }
        Ok(SegmentCheck { tags, creates_tags, ..SegmentCheck::default() })
    }
}
