//! Whether ids can be leased from the table, and by this account, found out without a lease.

use super::judge;
use crate::database::{Outcome, Statement};
use crate::error::{Error, ErrorKind};
use crate::postgres::operators::{ADD, EQ};
use crate::postgres::{Session, column};
use crate::store::SegmentCheck;
use crate::store::table::Table;

/// Checks the table, the columns that a lease needs, and the account's privileges, by statements that match no row.
pub(super) struct CheckTable<'a> {
    pub(super) table: &'a Table,
}

impl Statement<Session> for CheckTable<'_> {
    type Answer = SegmentCheck;

    async fn run(&self, session: &mut Session) -> Outcome<SegmentCheck> {
        let (table, genes) = (&self.table.quoted, &self.table.genes);
        judge::check(session, self.table).await?;
        session
            .write(&format!("UPDATE {table} SET max_id = max_id {ADD} step WHERE biz_tag {EQ} '' AND FALSE"), &[])
            .await?;
        let columns = "biz_tag, max_id, step";
        let insert = format!("INSERT INTO {table} ({columns}) SELECT {columns} FROM {table} WHERE FALSE");
        let creates_tags = match session.write(&insert, &[]).await {
            Err(failure) if failure.is_denied() => false,
            answer => answer.map(|_| true)?,
        };
        match session.query(&format!("SELECT gene_bits::bigint FROM {genes} WHERE FALSE"), &[]).await {
            Err(failure) if !failure.is_denied() && !failure.is_no_such_table() => return Err(failure),
            _ => {}
        }
        let rows = session.query(&format!("SELECT pg_catalog.count(*) FROM {table}"), &[]).await?;
        let tags = rows.first().map(|row| column(row, 0)).transpose()?;
        let missing = || Error::new(ErrorKind::StoreUnavailable, format!("{} returned no count", self.table.scope));
        Ok(SegmentCheck { tags: tags.ok_or_else(missing)?, creates_tags, ..SegmentCheck::default() })
    }
}
