//! The table of segments, and the statements other than leases.

use super::failure::SqliteFailure;
use crate::store::NewTagOptions;
use crate::store::schema;
use crate::store::tag_rules::other_gene_bits;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::ops::Range;
use std::path::PathBuf;

/// A table of segments.
pub(super) struct SqliteTable {
    pub(super) name: String,
    /// What errors call the place: the file, and who shares it.
    pub(super) scope: String,
    /// The file as the user named it.
    pub(super) path: PathBuf,
}

pub(super) type SqliteOutcome<T> = std::result::Result<T, SqliteFailure>;

impl SqliteTable {
    /// Creates the table, and the one of the gene bits, if they are not there.
    pub(super) fn create(&self, connection: &Connection) -> SqliteOutcome<()> {
        Ok(connection.execute_batch(&schema::sqlite(&self.name))?)
    }

    /// Reads the stored gene bits; `None` if there are none.
    pub(super) fn gene_bits(&self, connection: &Connection, tag: &str) -> SqliteOutcome<Option<i64>> {
        let sql = format!("SELECT gene_bits FROM \"{}\" WHERE biz_tag = ?1", schema::genes(&self.name));
        Ok(connection.prepare_cached(&sql)?.query_row([tag], |row| row.get(0)).optional()?)
    }

    pub(super) fn create_tag(
        &self,
        connection: &mut Connection,
        tag: &str,
        new: &NewTagOptions,
    ) -> SqliteOutcome<bool> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let insert = format!(
            "INSERT INTO \"{}\" (biz_tag, max_id, step, description) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            self.name
        );
        let inserted = transaction.execute(&insert, params![tag, new.start, new.step, new.description])? == 1;
        if new.gene_bits != 0 {
            match self.gene_bits(&transaction, tag)? {
                Some(bits) if bits == new.gene_bits => {}
                None if inserted => {
                    let sql =
                        format!("INSERT INTO \"{}\" (biz_tag, gene_bits) VALUES (?1, ?2)", schema::genes(&self.name));
                    transaction.execute(&sql, params![tag, new.gene_bits])?;
                }
                stored => return Err(other_gene_bits(tag, stored.unwrap_or(0), new.gene_bits).into()),
            }
        }
        transaction.commit()?;
        Ok(inserted)
    }

    pub(super) fn give_back(&self, connection: &Connection, tag: &str, tail: &Range<i64>) -> SqliteOutcome<bool> {
        let sql = format!("UPDATE \"{}\" SET max_id = ?1 WHERE biz_tag = ?2 AND max_id = ?3", self.name);
        Ok(connection.execute(&sql, params![tail.start, tag, tail.end])? == 1)
    }
}
