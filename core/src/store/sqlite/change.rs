//! Changes of a tag's row that an operator asks for.

use super::statements::{SqliteOutcome, SqliteTable};
use crate::store::TagChange;
use crate::store::stored_row::StoredRow;
use crate::store::tag_rules::unknown_tag;
use rusqlite::{Connection, TransactionBehavior, params};

impl SqliteTable {
    /// Changes the `step` or the description of a tag.
    pub(super) fn set_tag(&self, connection: &Connection, change: &TagChange) -> SqliteOutcome<()> {
        let sql = format!(
            "UPDATE \"{}\" SET step = COALESCE(?1, step), description = COALESCE(?2, description), \
             update_time = CURRENT_TIMESTAMP WHERE biz_tag = ?3",
            self.name
        );
        match connection.execute(&sql, params![change.step, change.description, change.tag])? {
            0 => Err(unknown_tag(&change.tag, &self.scope).into()),
            _ => Ok(()),
        }
    }

    /// Raises `max_id` to at least this value, and returns the value that is stored now.
    pub(super) fn raise_tag(&self, connection: &mut Connection, tag: &str, max_id: i64) -> SqliteOutcome<i64> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let sql = format!(
            "UPDATE \"{}\" SET max_id = ?1, update_time = CURRENT_TIMESTAMP WHERE biz_tag = ?2 AND max_id < ?1",
            self.name
        );
        transaction.execute(&sql, params![max_id, tag])?;
        let stored = StoredRow::raised(self.row(&transaction, tag)?, &self.scope, tag, max_id)?;
        transaction.commit()?;
        Ok(stored)
    }
}
