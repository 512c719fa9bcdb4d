//! Whether the account may lease from the table, found out without a lease.

use crate::database::{Outcome, Statement};
use crate::error::{Error, ErrorKind};
use crate::mysql::{self, Session};
use crate::store::StoreCheck;
use crate::store::table::Table;

/// Checks the columns that a lease needs, and the account's privileges, by statements that match no row.
pub(super) struct CheckTable<'a> {
    pub(super) table: &'a Table,
}

impl Statement<Session> for CheckTable<'_> {
    type Answer = StoreCheck;

    async fn run(&self, session: &mut Session) -> Outcome<StoreCheck> {
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
        mysql::look(session, &[table]).await?;
        // An estimate would do, but only an exact count is there everywhere; it reads no column.
        let tags: Option<i64> = session.first(&format!("SELECT COUNT(*) FROM {table}"), &[]).await?;
        let missing = || Error::new(ErrorKind::StoreUnavailable, format!("{} returned no count", self.table.scope));
        Ok(StoreCheck { is_new: false, tags: tags.ok_or_else(missing)?, creates_tags })
    }
}
