//! Whether the account may lease from the table, found out without a lease.

use super::row::DOES_NOT_ROUND;
use crate::database::{Outcome, Statement};
use crate::error::{Error, ErrorKind};
use crate::mysql::{self, Session};
use crate::store::SegmentCheck;
use crate::store::stored_row::column_that_rounds;
use crate::store::table::Table;

/// Checks the columns that a lease needs, and the account's privileges, by statements that match no row.
pub(super) struct CheckTable<'a> {
    pub(super) table: &'a Table,
}

impl Statement<Session> for CheckTable<'_> {
    type Answer = SegmentCheck;

    async fn run(&self, session: &mut Session) -> Outcome<SegmentCheck> {
        let (table, genes) = (&self.table.quoted, &self.table.genes);
        session.run(&format!("SELECT biz_tag, max_id, step FROM {table} WHERE FALSE"), &[]).await?;
        session.run(&format!("UPDATE {table} SET max_id = max_id + step WHERE biz_tag = '' AND FALSE"), &[]).await?;
        let columns = "biz_tag, max_id, step";
        let insert = format!("INSERT INTO {table} ({columns}) SELECT {columns} FROM {table} WHERE FALSE");
        let creates_tags = match session.run(&insert, &[]).await {
            Err(failure) if failure.is_denied() => false,
            answer => answer.map(|()| true)?,
        };
        match session.run(&format!("SELECT gene_bits FROM {genes} WHERE FALSE"), &[]).await {
            Err(failure) if !failure.is_denied() && !failure.is_no_such_table() => return Err(failure),
            _ => {}
        }
        mysql::look(session, &[table]).await?.judge()?;
        // An estimate would do, but only an exact count is there everywhere. A column that rounds does so in every row.
        let count = format!("SELECT COUNT(*), MAX({DOES_NOT_ROUND}) FROM {table}");
        let missing = || Error::new(ErrorKind::StoreUnavailable, format!("{} returned no count", self.table.scope));
        let counted: Option<(i64, Option<i64>)> = session.first(&count, &[]).await?;
        let (tags, is_exact) = counted.ok_or_else(missing)?;
        if is_exact == Some(0) {
            return Err(column_that_rounds(&self.table.scope).into());
        }
        Ok(SegmentCheck { tags, creates_tags, ..SegmentCheck::default() })
    }
}
