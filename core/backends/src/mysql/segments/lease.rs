//! The leases. Each is one UPDATE, which matches no row that is wrong.

use super::row::{DOES_NOT_ROUND, NamedRow, READ_BEFORE};
use crate::mysql::{self, Changed, Session, ShownTables};
use crate::sessions::{LockWait, Outcome};
use crate::tables::dialect::{CheckedLease, GeneBits, LeaseStatements, TagStatements};
use crate::tables::stored_row::{StoredRow, many_rows, not_kept, unchanged};
use crate::tables::table::Table;
use leafmint_engine::limit_cell::FIRST_REFUSED;
use leafmint_engine::store::tag_rules::leased;
use leafmint_engine::store::{Checked, MAX_STEP, check_stored_gene_bits};
use leafmint_ids::error::{Error, ErrorKind, Result};
use mysql_async::Value;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Makes a SELECT fail at once if another transaction holds the row. Each server reads the comment that is meant for
/// it; older ones know no such thing.
const UNLESS_LOCKED: &str = "/*!80001 FOR UPDATE NOWAIT */ /*M!100300 FOR UPDATE NOWAIT */";

impl LeaseStatements for Session {
    /// Leases a range: one statement, one round trip, the new `max_id` from the OK packet.
    ///
    /// A connection of the application shows no OK packet: what the lease has set is read by the next statement.
    async fn lease(&mut self, table: &Table, tag: &str, step: i64) -> Outcome<Range<i64>> {
        let (changed, back) = table.run_lease(self, tag, step).await?;
        match changed {
            Changed { rows: 1, value: Some(max_id) } => Ok(leased(max_id as i64, step)),
            Changed { rows: 1, value: None } => {
                let back = match back {
                    Some(back) => back,
                    None => ReadBack::ask(self, table, tag).await?,
                };
                Ok(leased(back.end(None, table, tag)?, step))
            }
            Changed { rows: 0, .. } => {
                let sql = format!("SET @leafmint_genes = NULL; {}; {READ_BEFORE}", table.read_row());
                self.send(&sql, &[tag.into()]).await?;
                self.skip().await?;
                self.skip().await?;
                let found = self.rows::<NamedRow>().await?.pop();
                Err(StoredRow::problem(found.as_ref().map(|found| &found.row), &table.scope, tag, Some(step))
                    .unwrap_or_else(|| unchanged(&table.scope, tag))
                    .into())
            }
            Changed { rows, .. } => Err(many_rows(&table.scope, tag, rows).into()),
        }
    }

    /// Leases a range too, and reads the `step` column and the gene bits, all in one packet.
    ///
    /// The lease is the same single statement. The statements before it store numbers in session variables, which are
    /// part of its condition; the statement after it reads the row back.
    async fn lease_by_genes(&mut self, lease: &CheckedLease<'_>) -> Outcome<Option<Checked>> {
        let CheckedLease { table, tag, gene_bits, .. } = *lease;
        // After the row was counted: a row is stored no sooner than its gene bits.
        let read = format!("SELECT COALESCE(MAX(gene_bits), 0) INTO @leafmint_genes {};", table.genes_clause());
        let tables = [table.quoted.as_str(), table.genes.as_str()];
        let tables = self.tables_to_show(&tables);
        let sql = lease.sql(&read, &format!("@leafmint_genes = {gene_bits}"), &mysql::show(tables));
        let sent = Instant::now();
        self.send(&sql, &[tag; 5].map(Value::from)).await?;
        self.skip().await?;
        self.skip().await?;
        match self.skip().await {
            Err(failure) if failure.is_no_such_table() || failure.is_denied() => return Ok(None),
            answer => answer?,
        }
        let answer = Answer::read(self, tables).await?;
        let genes = answer.found.as_ref().map_or(0, |found| found.row.genes);
        lease.judge(self, answer, Some(genes), sent).await.map(Some)
    }

    async fn lease_then_genes(&mut self, lease: &CheckedLease<'_>) -> Outcome<(Checked, GeneBits)> {
        let CheckedLease { table, tag, .. } = *lease;
        let tables = [table.quoted.as_str()];
        let tables = self.tables_to_show(&tables);
        let sql = lease.sql("", "TRUE", &format!("{}; {}", mysql::show(tables), table.read_gene_bits()));
        let sent = Instant::now();
        self.send(&sql, &[tag; 5].map(Value::from)).await?;
        self.skip().await?;
        self.skip().await?;
        let answer = Answer::read(self, tables).await?;
        let genes = match &answer.changed {
            Ok(_) if answer.shown.is_cut => self.read_gene_bits(table, tag).await?,
            Ok(_) => GeneBits::found(self.rows().await)?,
            Err(_) => GeneBits { bits: None, has_table: false },
        };
        Ok((lease.judge(self, answer, genes.bits, sent).await?, genes))
    }
}

impl CheckedLease<'_> {
    /// Returns the statements of one packet. It begins with a SET, so that no proxy takes it for a question to a
    /// replica.
    fn sql(&self, before: &str, condition: &str, after: &str) -> String {
        let Self { table, amount, wait, .. } = *self;
        let probe = if wait == LockWait::Moment { UNLESS_LOCKED } else { "" };
        let add = amount.map_or("@leafmint_step".to_owned(), |amount| amount.to_string());
        format!(
            "SET @leafmint_end = NULL, @leafmint_genes = NULL; {} {probe}; {before} {READ_BEFORE}; \
             {} AND @leafmint_rows = 1 AND @leafmint_step BETWEEN 1 AND {MAX_STEP} AND {condition}; {}; {after}",
            table.read_row(),
            table.lease(&add),
            table.read_back(),
        )
    }

    async fn judge(
        &self,
        session: &mut Session,
        answer: Answer,
        genes: Option<i64>,
        sent: Instant,
    ) -> Outcome<Checked> {
        let round_trip = sent.elapsed();
        if let Some(problem) = &answer.shown.problem {
            self.give_back(session, &answer).await;
            return Err(problem.clone().into());
        }
        self.judge_row(answer, genes, round_trip)
    }

    /// Gives back what was leased from a table that is refused: others may use it, by another name.
    async fn give_back(&self, session: &mut Session, answer: &Answer) {
        let Self { table, tag, amount, .. } = *self;
        if let (Some(found), Ok(Changed { rows: 1, value: Some(end) })) = (&answer.found, &answer.changed) {
            let tail = leased(*end as i64, amount.unwrap_or(found.row.whole_step));
            let _ = session.give_back(table, tag, tail).await;
        }
    }

    fn judge_row(&self, answer: Answer, genes: Option<i64>, round_trip: Duration) -> Outcome<Checked> {
        let Self { table, tag, gene_bits, amount, .. } = *self;
        let Answer { found, changed, back, .. } = answer;
        let (found, changed) = match (found, changed) {
            (Some(found), Ok(Changed { rows: 1, value })) => {
                let (step, end) = (found.row.whole_step, back.end(value, table, tag)?);
                let ranges = vec![leased(end, amount.unwrap_or(step))];
                let other_name = found.other_name(tag);
                return Ok(Checked { ranges, step, round_trip, other_name });
            }
            (found, changed) => (found.map(|found| found.row), changed),
        };
        if found.is_some() {
            check_stored_gene_bits(tag, genes, gene_bits)?;
        }
        Err(match (StoredRow::problem(found.as_ref(), &table.scope, tag, amount), changed) {
            (Some(problem), _) => problem.into(),
            (None, Err(failure)) => failure,
            (None, Ok(Changed { rows: 2.., .. })) => many_rows(&table.scope, tag, "several").into(),
            (None, Ok(_)) => unchanged(&table.scope, tag).into(),
        })
    }
}

/// The answers to a packet, from the row on.
struct Answer {
    found: Option<NamedRow>,
    changed: Outcome<Changed>,
    back: ReadBack,
    shown: ShownTables,
}

impl Answer {
    async fn read(session: &mut Session, tables: &[&str]) -> Outcome<Self> {
        let found = session.rows().await?.pop();
        let changed = session.changed().await;
        let mut answer =
            Self { found, changed, back: ReadBack(None, None), shown: ShownTables { problem: None, is_cut: false } };
        // After a failure there are no more answers.
        if answer.changed.is_ok() {
            answer.back = ReadBack::read(session).await?;
            answer.shown = mysql::shown(session, tables).await?;
            session.has_lasting_tables = answer.shown.problem.is_none();
        }
        Ok(answer)
    }
}

/// The end of the session's last lease, and whether the row holds it.
struct ReadBack(Option<i64>, Option<bool>);

impl ReadBack {
    /// Asks in a round trip of its own. It begins with a SET, so that no proxy takes it for a question to a replica.
    async fn ask(session: &mut Session, table: &Table, tag: &str) -> Outcome<Self> {
        let sql = format!("SET @leafmint_end = @leafmint_end; {}", table.read_back());
        session.send(&sql, &[tag.into()]).await?;
        session.skip().await?;
        Self::read(session).await
    }

    async fn read(session: &mut Session) -> Outcome<Self> {
        let (end, stored) = session.rows().await?.pop().unwrap_or((None, None));
        Ok(Self(end, stored))
    }

    /// Returns the end of the lease. `reported` is the end in the OK packet, which is missing if the table has a
    /// trigger.
    fn end(self, reported: Option<u64>, table: &Table, tag: &str) -> Result<i64> {
        let Self(end, stored) = self;
        // A process lowers the row only below its own end, so the row may only hold more.
        if stored == Some(false) {
            return Err(not_kept(&table.scope, tag));
        }
        reported.map(|end| end as i64).or(end).ok_or_else(|| {
            let text = format!("{} does not report the max_id that a lease of tag {tag:?} has set", table.scope);
            Error::new(ErrorKind::InvalidConfig, text)
        })
    }
}

impl Table {
    /// Returns the statement that leases this number of ids of the tag passed with it. More conditions may follow.
    fn lease(&self, add: &str) -> String {
        format!(
            "UPDATE {} SET max_id = LAST_INSERT_ID(@leafmint_end := max_id + {add}) \
             WHERE biz_tag = ? AND max_id BETWEEN 0 AND {FIRST_REFUSED} - {add} AND max_id = FLOOR(max_id) AND {DOES_NOT_ROUND}",
            self.quoted
        )
    }

    /// Leases a range without a look at the row. A session that has not seen yet that the table lasts looks at it in
    /// the same packet: a temporary table may hide it, or another host keep it in another engine.
    async fn run_lease(&self, session: &mut Session, tag: &str, step: i64) -> Outcome<(Changed, Option<ReadBack>)> {
        let (reads_back, is_known) = (session.is_borrowed(), session.has_lasting_tables);
        let tables = [self.quoted.as_str()];
        let (back, shown) = (reads_back.then(|| self.read_back()), (!is_known).then(|| mysql::show(&tables)));
        let sql =
            [Some(self.lease(&step.to_string())), back, shown].into_iter().flatten().collect::<Vec<_>>().join("; ");
        let params = [tag; 2].map(Value::from);
        session.send(&sql, if reads_back { &params } else { &params[..1] }).await?;
        let changed = session.changed().await?;
        let back = if reads_back { Some(ReadBack::read(session).await?) } else { None };
        if !is_known {
            mysql::check(session, &tables).await?;
        }
        Ok((changed, back))
    }

    /// Returns the statement that a [`ReadBack`] reads.
    fn read_back(&self) -> String {
        format!(
            "SELECT CAST(@leafmint_end AS SIGNED), (SELECT max_id >= @leafmint_end FROM {} WHERE biz_tag = ? LIMIT 1)",
            self.quoted
        )
    }
}
