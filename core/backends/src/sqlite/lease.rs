//! The leases. Each reads the row, writes it and reads it back under the write lock, and exists only once it is
//! committed.

use super::tags::{SqliteOutcome, SqliteTable};
use crate::tables::stored_row::{StoredRow, not_kept};
use leafmint_engine::store::tag_rules::{leased, unknown_tag};
use leafmint_engine::store::{Checked, check_stored_gene_bits};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use std::ops::Range;
use std::time::Instant;

impl SqliteTable {
    /// Leases the next `amount` ids.
    pub(super) fn lease(&self, connection: &mut Connection, tag: &str, amount: i64) -> SqliteOutcome<Range<i64>> {
        let transaction = begin(connection)?;
        let (range, _) = self.write_lease(&transaction, tag, Some(amount))?;
        commit(transaction)?;
        Ok(range)
    }

    /// Leases the next `amount` ids of a tag with these gene bits, or as many as its `step` column says.
    pub(super) fn lease_checked(
        &self,
        connection: &mut Connection,
        tag: &str,
        gene_bits: i64,
        amount: Option<i64>,
    ) -> SqliteOutcome<Checked> {
        let sent = Instant::now();
        let transaction = begin(connection)?;
        let (range, step) = self.write_lease(&transaction, tag, amount)?;
        check_stored_gene_bits(tag, Some(self.gene_bits(&transaction, tag)?.unwrap_or(0)), gene_bits)?;
        let other_name = self.other_name(&transaction, tag)?;
        commit(transaction)?;
        Ok(Checked { ranges: vec![range], step, round_trip: sent.elapsed(), other_name })
    }

    /// Leases as many ids as the `step` column says, and takes that back: whether a lease would succeed.
    pub(super) fn try_lease(&self, connection: &mut Connection, tag: &str) -> SqliteOutcome<()> {
        self.write_lease(&begin(connection)?, tag, None).map(drop)
    }

    /// Takes the write lock for a moment, and runs a lease that matches no row: the columns are there.
    pub(super) fn try_no_lease(&self, connection: &mut Connection) -> SqliteOutcome<()> {
        let transaction = begin(connection)?;
        self.row(&transaction, "")?;
        self.set_max_id(&transaction, "", 0).map(drop)
    }

    /// Writes a lease, and returns its range and the `step` column.
    ///
    /// The row is read back before the commit: a trigger may have changed it, or a constraint may have left it as it
    /// was without an error.
    fn write_lease(
        &self,
        transaction: &Transaction<'_>,
        tag: &str,
        amount: Option<i64>,
    ) -> SqliteOutcome<(Range<i64>, i64)> {
        let (max_id, step) = self.fit_row(transaction, tag, amount)?;
        let amount = amount.unwrap_or(step);
        let end = max_id + amount;
        let is_changed = self.set_max_id(transaction, tag, end)? == 1;
        let stored = self.row(transaction, tag)?.and_then(|row| row.max_id());
        let is_kept = is_changed && stored.is_some_and(|stored| stored >= end);
        if !is_kept {
            return Err(not_kept(&self.scope, tag).into());
        }
        Ok((leased(end, amount), step))
    }

    /// Reads `(max_id, step)` of a row that is fit for this lease.
    pub(super) fn fit_row(&self, connection: &Connection, tag: &str, amount: Option<i64>) -> SqliteOutcome<(i64, i64)> {
        let found = self.row(connection, tag)?;
        if let Some(problem) = StoredRow::problem(found.as_ref(), &self.scope, tag, amount) {
            return Err(problem.into());
        }
        let numbers = found.and_then(|row| Some((row.max_id()?, row.whole_step)));
        Ok(numbers.ok_or_else(|| unknown_tag(tag, &self.scope))?)
    }

    /// Returns the number of rows that were changed.
    fn set_max_id(&self, transaction: &Transaction<'_>, tag: &str, max_id: i64) -> SqliteOutcome<usize> {
        let sql = format!("UPDATE {} SET max_id = ?1, update_time = CURRENT_TIMESTAMP WHERE biz_tag = ?2", self.quoted);
        Ok(transaction.prepare_cached(&sql)?.execute(params![max_id, tag])?)
    }
}

/// Takes the write lock: no other connection reads a `max_id` for a lease until this transaction ends.
fn begin(connection: &mut Connection) -> SqliteOutcome<Transaction<'_>> {
    Ok(connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
}

/// No range without a successful commit.
fn commit(transaction: Transaction<'_>) -> SqliteOutcome<()> {
    Ok(transaction.commit()?)
}
