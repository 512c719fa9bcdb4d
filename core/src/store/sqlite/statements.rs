//! The SQL of segments in one table of a database.

use super::failure::Failure;
use crate::mutants::weaken;
use crate::store::schema;
use crate::store::tag_rules::{NewTag, check_room, leased, other_gene_bits, unknown_tag};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::ops::Range;

/// A table of segments.
pub(super) struct Table {
    pub(super) name: String,
    /// What errors call the place: the file, and who shares it.
    pub(super) scope: String,
}

pub(super) type Answer<T> = std::result::Result<T, Failure>;

impl Table {
    /// Creates the table, and the one of the gene bits, if they are not there.
    pub(super) fn create(&self, connection: &Connection) -> Answer<()> {
        Ok(connection.execute_batch(&schema::sqlite(&self.name))?)
    }

    /// Reads `(max_id, step)`; an empty row is an unknown tag.
    pub(super) fn row(&self, connection: &Connection, tag: &str) -> Answer<(i64, i64)> {
        let sql = format!("SELECT max_id, step FROM \"{}\" WHERE biz_tag = ?1", self.name);
        let row = connection.prepare_cached(&sql)?.query_row([tag], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        row.ok_or_else(|| unknown_tag(tag, &self.scope).into())
    }

    /// Reads the stored gene bits; `None` if there are none.
    pub(super) fn gene_bits(&self, connection: &Connection, tag: &str) -> Answer<Option<i64>> {
        let sql = format!("SELECT gene_bits FROM \"{}\" WHERE biz_tag = ?1", schema::genes(&self.name));
        Ok(connection.prepare_cached(&sql)?.query_row([tag], |row| row.get(0)).optional()?)
    }

    pub(super) fn create_tag(&self, connection: &mut Connection, new: &NewTag) -> Answer<bool> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let insert = format!(
            "INSERT INTO \"{}\" (biz_tag, max_id, step, description) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            self.name
        );
        let inserted = transaction.execute(&insert, params![new.tag, new.start, new.step, new.description])? == 1;
        if new.gene_bits != 0 {
            match self.gene_bits(&transaction, &new.tag)? {
                Some(bits) if bits == new.gene_bits => {}
                None if inserted => {
                    let sql =
                        format!("INSERT INTO \"{}\" (biz_tag, gene_bits) VALUES (?1, ?2)", schema::genes(&self.name));
                    transaction.execute(&sql, params![new.tag, new.gene_bits])?;
                }
                stored => return Err(other_gene_bits(&new.tag, stored.unwrap_or(0), new.gene_bits).into()),
            }
        }
        transaction.commit()?;
        Ok(inserted)
    }

    pub(super) fn lease(&self, connection: &mut Connection, tag: &str, step: i64) -> Answer<Range<i64>> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (max_id, _) = self.row(&transaction, tag)?;
        check_room(tag, max_id, step)?;
        let sql =
            format!("UPDATE \"{}\" SET max_id = ?1, update_time = CURRENT_TIMESTAMP WHERE biz_tag = ?2", self.name);
        transaction.prepare_cached(&sql)?.execute(params![max_id + step, tag])?;
        // The write lock was taken by BEGIN, so no other connection has read this max_id. No range without a successful
        // commit.
        weaken!("range-without-a-commit", transaction.commit()?, without = drop(transaction.commit()));
        Ok(leased(max_id + step, step))
    }

    pub(super) fn give_back(&self, connection: &Connection, tag: &str, tail: &Range<i64>) -> Answer<bool> {
        let compare = weaken!("sqlite-give-back-not-compared", "max_id = ?3", without = "max_id <> 0 * ?3");
        let sql = format!("UPDATE \"{}\" SET max_id = ?1 WHERE biz_tag = ?2 AND {compare}", self.name);
        Ok(connection.execute(&sql, params![tail.start, tag, tail.end])? == 1)
    }
}
