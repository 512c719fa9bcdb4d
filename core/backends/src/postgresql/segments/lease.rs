//! The leases. Each is one UPDATE, which matches no row that is wrong, and exists only once it is committed.

use super::row;
use crate::postgresql::operators::{ADD, EQ, GE, LE, SUB};
use crate::postgresql::table::{alter, counts_all_rows, named_by_table, problem_of_segments};
use crate::postgresql::{LASTING, Param, Row, Session, column, number, text};
use crate::sessions::{Failure, Outcome};
use crate::tables::dialect::{CheckedLease, GeneBits, LeaseStatements, TagStatements};
use crate::tables::stored_row::{StoredRow, many_rows, not_kept, unchanged};
use crate::tables::table::Table;
use leafmint_engine::limit_cell::FIRST_REFUSED;
use leafmint_engine::store::tag_rules::leased;
use leafmint_engine::store::{Checked, MAX_STEP, check_stored_gene_bits};
use leafmint_ids::error::{Error, ErrorKind};
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::time::Instant;

impl LeaseStatements for Session {
    /// Leases a range: one statement, one round trip. If something may change the row behind it, another one reads it
    /// back.
    async fn lease(&mut self, table: &Table, tag: &str, step: i64) -> Outcome<Range<i64>> {
        let sql = update(table, "$2", "", self.settings());
        let rows = self.query(&sql, &[text(&tag), number(&step)]).await.inspect_err(|_| table.forget_time())?;
        let end = written(table, tag, &rows)?;
        if let (Some(end), true) = (end, rows.first().map_or(Ok(false), is_settled)?) {
            return Ok(leased(end, step));
        }
        let found = stored(&self.query(&row::select(table), &[text(&tag)]).await?)?;
        if let Some(end) = end {
            check_kept(table, tag, found.as_ref(), end)?;
            return Ok(leased(end, step));
        }
        Err(refused(self, table, problem(found.as_ref(), table, tag, Some(step))).await.into())
    }

    /// Leases a range too, and reads the `step` column and the gene bits, all in one round trip.
    ///
    /// The lease is the same single statement, with more conditions. The statement behind it reads the row back.
    async fn lease_by_genes(&mut self, lease: &CheckedLease<'_>) -> Outcome<Option<Checked>> {
        match lease.lease(self, true).await {
            Err(failure) if failure.is_missing_table() || failure.is_denied() => Ok(None),
            // The row was not fit for the lease: perhaps because of its gene bits. A tag that is missing has none.
            Err(Failure::Named(error)) if error.kind() != ErrorKind::UnknownTag => {
                Err(lease.other_genes(self).await.unwrap_or(Failure::Named(error)))
            }
            answer => answer.map(Some),
        }
    }

    async fn lease_then_genes(&mut self, lease: &CheckedLease<'_>) -> Outcome<(Checked, GeneBits)> {
        let checked = lease.lease(self, false).await?;
        Ok((checked, self.read_gene_bits(lease.table, lease.tag).await?))
    }
}

impl Table {
    /// Leaves `update_time` alone until a row was read: the column may be gone, or the right to set it.
    fn forget_time(&self) {
        self.sets_time.store(false, Ordering::Relaxed);
    }
}

impl CheckedLease<'_> {
    /// Leases, if the stored gene bits are the wanted ones or are not looked at, and reads the row back.
    async fn lease(&self, session: &mut Session, with_genes: bool) -> Outcome<Checked> {
        let Self { table, tag, gene_bits, amount, wait } = *self;
        let mut params: Vec<Param<'_>> = vec![text(&tag)];
        let add = match &amount {
            None => "t.step::bigint",
            Some(amount) => {
                params.push(number(amount));
                "$2"
            }
        };
        let checks = checks(table, with_genes.then_some(gene_bits));
        let sql = update(table, add, &checks, &session.settings_waiting(wait));
        let sent = Instant::now();
        let (rows, found) = session.query_both((&sql, &params), (&row::select(table), &[text(&tag)])).await?;
        let round_trip = sent.elapsed();
        let rows = match rows {
            Ok(rows) => rows,
            Err(failure) => {
                table.forget_time();
                return Err(named_by_table(session, table, failure).await);
            }
        };
        let found = found?;
        let mut other_name = None;
        if let Some(row) = found.first() {
            table.sets_time.store(column(row, 5)?, Ordering::Relaxed);
            other_name = column::<Option<&str>>(row, 6)?.filter(|name| *name != tag).map(str::to_owned);
        }
        let found = stored(&found)?;
        let Some(end) = written(table, tag, &rows)? else {
            return Err(refused(session, table, problem(found.as_ref(), table, tag, amount)).await.into());
        };
        check_kept(table, tag, found.as_ref(), end)?;
        let step = column::<Option<&str>>(&rows[0], 2)?.and_then(row::whole).unwrap_or(0);
        Ok(Checked { ranges: vec![leased(end, amount.unwrap_or(step))], step, round_trip, other_name })
    }

    /// Returns the failure of a lease that matched no row, if the stored gene bits are others.
    async fn other_genes(&self, session: &mut Session) -> Option<Failure> {
        let genes = session.read_gene_bits(self.table, self.tag).await.ok()?;
        check_stored_gene_bits(self.tag, genes.bits, self.gene_bits).err().map(Failure::Named)
    }
}

/// Returns the statement that leases this number of ids of the tag passed with it, if the row is fit for it. More
/// conditions may follow.
///
/// The end of the range goes through a setting of the transaction, so that it can be compared with what the column and
/// the triggers of the table have made of it.
fn update(table: &Table, add: &str, checks: &str, settings: &str) -> String {
    let is_whole = row::is_whole();
    // MySQL's column does so by itself.
    let time = if table.sets_time.load(Ordering::Relaxed) { ", update_time = CURRENT_TIMESTAMP" } else { "" };
    format!(
        "UPDATE {} AS t SET max_id = pg_catalog.set_config('leafmint.end', (t.max_id {ADD} {add})::bigint::pg_catalog.text, true)::bigint{time} \
         FROM ({settings}) AS s WHERE t.biz_tag {EQ} $1 AND t.max_id {GE} 0 AND t.max_id {LE} ({FIRST_REFUSED} {SUB} {add}) \
         AND {is_whole} AND {}{checks} RETURNING {END}, t.max_id {GE} {END}, t.step::pg_catalog.text, \
         pg_catalog.current_setting('leafmint.settled')",
        table.quoted,
        lasting()
    )
}

/// What a lease has asked for.
const END: &str = "pg_catalog.current_setting('leafmint.end')::bigint";

/// Notes whether triggers may change the row once `RETURNING` has read it. Those of a whole partitioned table are not
/// those of its partitions.
const NOTES_TRIGGERS: &str = "pg_catalog.set_config('leafmint.settled', CASE WHEN c.relhastriggers OR c.relispartition THEN '' \
     ELSE pg_catalog.current_setting('transaction_isolation') END, true) IS NOT NULL";

/// Returns the condition that the row is in a lasting table, and notes on the way what triggers may do. Behind a pool
/// the name may mean a temporary table that another client left in the session.
fn lasting() -> String {
    format!("(SELECT {LASTING} AND {NOTES_TRIGGERS} FROM pg_catalog.pg_class AS c WHERE c.oid {EQ} t.tableoid)")
}

/// Returns whether nothing can have changed the row since `RETURNING` has read it. A snapshot that is older than the
/// lock on the table, as in other isolations, may not show a trigger that was made while the statement waited for it.
fn is_settled(row: &Row) -> Outcome<bool> {
    Ok(column::<Option<&str>>(row, 3)? == Some("read committed"))
}

/// Returns the conditions of a lease that is checked: one row, a usable `step` and these gene bits.
fn checks(table: &Table, gene_bits: Option<i64>) -> String {
    let genes = gene_bits.map_or_else(String::new, |bits| {
        format!(
            " AND {bits} {EQ} COALESCE((SELECT pg_catalog.max(g.gene_bits) FROM {} AS g WHERE g.biz_tag {EQ} t.biz_tag::pg_catalog.text), 0)",
            table.genes
        )
    });
    let counted = counts_all_rows("t.tableoid");
    format!(" AND {} {EQ} 1 AND {counted} AND t.step {GE} 1 AND t.step {LE} {MAX_STEP}{genes}", row::count(table))
}

/// Returns the end of the range that a lease has written; `None` if it matched no row.
fn written(table: &Table, tag: &str, rows: &[Row]) -> Outcome<Option<i64>> {
    match rows {
        [] => Ok(None),
        [row] if column::<Option<bool>>(row, 1)? == Some(true) => column(row, 0).map(Some),
        [_] => Err(not_kept(&table.scope, tag).into()),
        rows => Err(many_rows(&table.scope, tag, rows.len()).into()),
    }
}

/// Refuses a lease whose row holds less, read after its commit. A process lowers the row only below its own end, so the
/// row may only hold more.
fn check_kept(table: &Table, tag: &str, found: Option<&StoredRow>, end: i64) -> Outcome<()> {
    let is_kept = found.and_then(StoredRow::max_id).is_some_and(|max_id| max_id >= end);
    match is_kept {
        true => Ok(()),
        false => Err(not_kept(&table.scope, tag).into()),
    }
}

fn stored(rows: &[Row]) -> Outcome<Option<StoredRow>> {
    rows.first().map(|row| row::stored(row, 0)).transpose()
}

/// Describes a row that a lease did not match.
fn problem(found: Option<&StoredRow>, table: &Table, tag: &str, amount: Option<i64>) -> Error {
    StoredRow::problem(found, &table.scope, tag, amount).unwrap_or_else(|| unchanged(&table.scope, tag))
}

/// Finds out why a row is missing, or stayed as it was: the table is not fit, or a policy may be the cause.
async fn refused(session: &mut Session, table: &Table, error: Error) -> Error {
    if !matches!(error.kind(), ErrorKind::UnknownTag | ErrorKind::StoreUnavailable) {
        return error;
    }
    if let Some(problem) = problem_of_segments(session, table).await {
        return problem;
    }
    let sql = format!(
        "SELECT pg_catalog.row_security_active(c.oid) FROM pg_catalog.pg_class AS c WHERE c.oid {EQ} pg_catalog.to_regclass($1)"
    );
    let Ok(rows) = session.query(&sql, &[text(&table.quoted.as_str())]).await else { return error };
    match rows.first().map(|row| column(row, 0)) {
        Some(Ok(true)) => {
            let text = format!(
                "{error}; or row level security keeps the row from this account: run {}, or make a policy \
                 USING (true)",
                alter(&table.quoted).words("DISABLE ROW LEVEL SECURITY")
            );
            error.saying(text)
        }
        _ => error,
    }
}
