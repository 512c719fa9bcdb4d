//! The leases. Each is one transaction: it locks the row, reads it, writes it if it is fit, and reads it back. It
//! exists only once it is committed; a commit whose answer is lost burns the range.

use super::row::NamedRow;
use crate::portable::session::Session;
use crate::portable::text::{number, text};
use crate::sessions::Outcome;
use crate::tables::dialect::{CheckedLease, GeneBits, LeaseStatements, TagStatements};
use crate::tables::names;
use crate::tables::stored_row::{StoredRow, kept_otherwise, many_rows, unchanged};
use crate::tables::table::Table;
use leafmint_engine::limit_cell::FIRST_REFUSED;
use leafmint_engine::store::tag_rules::{leased, unknown_tag};
use leafmint_engine::store::{Checked, MAX_STEP, check_stored_gene_bits};
use std::ops::Range;
use std::time::{Duration, Instant};

impl LeaseStatements for Session {
    async fn lease(&mut self, table: &Table, tag: &str, step: i64) -> Outcome<Range<i64>> {
        let lease = Lease { table, tag, amount: Some(step), min_step: None, gene_bits: None };
        Ok(lease.run(self).await?.ranges.swap_remove(0))
    }

    async fn lease_by_genes(&mut self, lease: &CheckedLease<'_>) -> Outcome<Option<Checked>> {
        self.look(lease.table).await?;
        if !self.has(&names::genes(&lease.table.name)).await? {
            return Ok(None);
        }
        match Lease::of(lease, Some(lease.gene_bits)).run(self).await {
            Err(failure) if failure.is_denied() => Ok(None),
            answer => answer.map(Some),
        }
    }

    async fn lease_then_genes(&mut self, lease: &CheckedLease<'_>) -> Outcome<(Checked, GeneBits)> {
        let checked = Lease::of(lease, None).run(self).await?;
        Ok((checked, self.read_gene_bits(lease.table, lease.tag).await?))
    }
}

/// A lease of a tag.
struct Lease<'a> {
    table: &'a Table,
    tag: &'a str,
    /// Number of ids; as many as the `step` column says if `None`.
    amount: Option<i64>,
    /// The `step` column must be in range, from this on.
    min_step: Option<i64>,
    /// The gene bits that must be stored, if they are looked at.
    gene_bits: Option<i64>,
}

/// What a lease found, did and left.
struct Answer {
    before: Option<NamedRow>,
    genes: i64,
    changed: u64,
    after: Option<NamedRow>,
    round_trip: Duration,
}

impl<'a> Lease<'a> {
    fn of(lease: &CheckedLease<'a>, gene_bits: Option<i64>) -> Self {
        let CheckedLease { table, tag, amount, .. } = *lease;
        Self { table, tag, amount, min_step: Some(1), gene_bits }
    }

    async fn run(&self, session: &mut Session) -> Outcome<Checked> {
        let time = session.look(self.table).await?.time_is_set();
        let (sent, lock) = (Instant::now(), session.lock_row(self.table, self.tag));
        let read = session.read_row(self.table, self.tag);
        let answer = match self.gene_bits {
            None => {
                session.write([lock, read.clone(), "VALUES (0)".to_owned(), self.update(session, time), read]).await
            }
            Some(_) => {
                let genes = session.genes_clause(self.table, self.tag);
                let genes = format!("SELECT COALESCE(MAX(gene_bits), 0) {genes}");
                session.write([lock, read.clone(), genes, self.update(session, time), read]).await
            }
        };
        let mut results = match answer {
            Ok(results) => results,
            Err(failure) => {
                let genes = names::genes(&self.table.name);
                let names = [self.table.name.as_str(), &genes];
                let count = if self.gene_bits.is_some() { 2 } else { 1 };
                return Err(session.named(failure, &names[..count]).await);
            }
        };
        results.changed();
        let before = NamedRow::take(results.rows());
        let genes = results.rows().first().and_then(|row| row.number(0)).unwrap_or(0);
        let (changed, after) = (results.changed(), NamedRow::take(results.rows()));
        self.judge(Answer { before, genes, changed, after, round_trip: sent.elapsed() })
    }

    /// Returns the statement that leases, if the row is fit for it.
    fn update(&self, session: &Session, time: &str) -> String {
        let Self { table, tag, .. } = *self;
        let place = session.at(&table.quoted);
        let amount = self.amount.map_or("step".to_owned(), number);
        let step = match self.min_step {
            Some(least) => format!("{} AND step BETWEEN {least} AND {MAX_STEP}", session.product.is_whole),
            None => session.product.is_whole.to_owned(),
        };
        let genes = match self.gene_bits {
            Some(bits) => {
                let stored = session.genes_clause(table, tag);
                format!(" AND COALESCE((SELECT MAX(gene_bits) {stored}), 0) = {}", number(bits))
            }
            None => String::new(),
        };
        // The sum is formed of fit numbers only: no product checks conditions in turn.
        format!(
            "UPDATE {place} SET max_id = max_id + {amount}{time} WHERE biz_tag = {} AND CASE WHEN {step} \
             AND max_id BETWEEN 0 AND {FIRST_REFUSED} THEN max_id + {amount} ELSE {} END <= {FIRST_REFUSED} AND {}{genes}",
            text(tag),
            FIRST_REFUSED + 1,
            session.is_one(table, tag),
        )
    }

    /// Returns the range, if the row holds exactly it.
    fn judge(&self, answer: Answer) -> Outcome<Checked> {
        let Self { table, tag, amount, gene_bits, .. } = *self;
        let scope = &table.scope;
        if answer.changed > 1 {
            return Err(many_rows(scope, tag, answer.changed).into());
        }
        if answer.changed == 1 {
            let (Some(before), Some(after)) = (&answer.before, &answer.after) else {
                return Err(unknown_tag(tag, scope).into());
            };
            if let Some(rows @ 2..) = Some(after.row.rows) {
                return Err(many_rows(scope, tag, rows).into());
            }
            let amount = amount.unwrap_or(before.row.whole_step);
            return match (before.row.max_id(), after.row.max_id()) {
                (Some(from), Some(to)) if amount > 0 && from >= 0 && from.checked_add(amount) == Some(to) => {
                    Ok(Checked {
                        ranges: vec![leased(to, amount)],
                        step: before.row.whole_step,
                        round_trip: answer.round_trip,
                        other_name: after.other_name(tag),
                    })
                }
                _ => Err(kept_otherwise(scope, tag, amount, &before.row, &after.row).into()),
            };
        }
        let found = answer.before.as_ref().map(|found| &found.row);
        if let (Some(_), Some(wanted)) = (found, gene_bits) {
            check_stored_gene_bits(tag, Some(answer.genes), wanted)?;
        }
        Err(StoredRow::problem(found, scope, tag, amount).unwrap_or_else(|| unchanged(scope, tag)).into())
    }
}
