//! The statements, one type each: what is sent, and what its answer means.

use crate::cell::FIRST_REFUSED;
use crate::error::{Error, ErrorKind};
use crate::mutants::weaken;
use crate::mysql::{Failure, Outcome, Session, Statement};
use crate::store::{Checked, MAX_STEP, NewTag, check_room, check_step, leased, other_gene_bits, unknown_tag};
use mysql_async::Value;
use std::ops::Range;
use std::time::Instant;

/// The table that the statements are about.
pub(super) struct Table {
    /// As it was given.
    pub(super) name: String,
    /// As it stands in SQL.
    pub(super) quoted: String,
    /// The table of the gene bits, as it stands in SQL.
    pub(super) genes: String,
    /// The database and the table, for messages.
    pub(super) scope: String,
}

/// Reads the `step` column.
pub(super) struct ReadStep<'a> {
    pub(super) table: &'a Table,
    pub(super) tag: &'a str,
}

impl Statement for ReadStep<'_> {
    type Answer = i64;

    async fn run(&self, session: &mut Session) -> Outcome<i64> {
        let row = self.table.row(session, self.tag).await?;
        row.map(|(_, step)| step).ok_or_else(|| unknown_tag(self.tag, &self.table.scope).into())
    }
}

/// Leases a range: one statement, one round trip, the new `max_id` out of the OK packet.
pub(super) struct Lease<'a> {
    pub(super) table: &'a Table,
    pub(super) tag: &'a str,
    pub(super) step: i64,
}

impl Statement for Lease<'_> {
    type Answer = Range<i64>;

    async fn run(&self, session: &mut Session) -> Outcome<Range<i64>> {
        let Self { table, tag, step } = *self;
        let sql = format!(
            "UPDATE {} SET max_id = LAST_INSERT_ID(max_id + ?) WHERE biz_tag = ? AND max_id BETWEEN 0 AND ?",
            table.quoted
        );
        let changed = session.write(&sql, &[step.into(), tag.into(), (FIRST_REFUSED - step).into()]).await?;
        match (changed.rows, changed.value) {
            (1, Some(max_id)) => Ok(leased(max_id as i64, step)),
            (0, _) => {
                let row = table.row(session, tag).await?;
                let (max_id, _) = row.ok_or_else(|| unknown_tag(tag, &table.scope))?;
                check_room(tag, max_id, step)?;
                Err(Failure::broken("the row changed while it was leased from"))
            }
            (rows, _) => Err(table.many_rows(tag, rows)),
        }
    }
}

/// Leases a range too, and reads the `step` column and the gene bits, all in one packet.
///
/// The lease is the same one statement: what it adds is a number that the session holds, and that the answer tells.
pub(super) struct LeaseChecked<'a> {
    pub(super) table: &'a Table,
    pub(super) tag: &'a str,
    /// How many ids; as many as the `step` column says where it is `None`.
    pub(super) amount: Option<i64>,
}

/// A range, and the gene bits of the tag that it was leased from.
pub(super) struct Found {
    pub(super) checked: Checked,
    pub(super) genes: GeneBits,
}

impl Statement for LeaseChecked<'_> {
    type Answer = Found;

    async fn run(&self, session: &mut Session) -> Outcome<Found> {
        let Self { table, tag, amount } = *self;
        let (rows, add) = (&table.quoted, amount.map_or("@leafmint_step".to_owned(), |amount| amount.to_string()));
        // It begins with a SET, and so that no proxy takes it for a question to a replica. The gene bits come last: whoever has
        // seen the row sees them, and where their table is missing nothing is left undone.
        let sql = format!(
            "SET @leafmint_step = NULL; \
             SELECT CAST(step AS SIGNED) INTO @leafmint_step FROM {rows} WHERE biz_tag = ? LIMIT 1; \
             SELECT max_id, @leafmint_step FROM {rows} WHERE biz_tag = ? LIMIT 1; \
             UPDATE {rows} SET max_id = LAST_INSERT_ID(max_id + {add}) \
             WHERE biz_tag = ? AND max_id BETWEEN 0 AND ? - {add} AND @leafmint_step BETWEEN 1 AND ?; \
             {}",
            table.read_gene_bits()
        );
        let name = || Value::from(tag);
        let sent = Instant::now();
        session.send(&sql, &[name(), name(), name(), FIRST_REFUSED.into(), MAX_STEP.into(), name(), name()]).await?;
        session.skip().await?;
        session.skip().await?;
        let row: Option<(i64, Option<i64>)> = session.rows().await?.pop();
        let changed = session.changed().await?;
        let genes = GeneBits::found(session.rows().await)?;
        let round_trip = sent.elapsed();
        let (max_id, step) = row.ok_or_else(|| unknown_tag(tag, &table.scope))?;
        let step = step.unwrap_or(0);
        check_step(tag, step, &table.scope)?;
        let amount = amount.unwrap_or(step);
        match (changed.rows, changed.value) {
            (1, Some(max_id)) => Ok(Found { checked: Checked { range: leased(max_id as i64, amount), step, round_trip }, genes }),
            (0, _) => {
                check_room(tag, max_id, amount)?;
                Err(Failure::broken("the row changed while it was leased from"))
            }
            (rows, _) => Err(table.many_rows(tag, rows)),
        }
    }
}

/// Gives an unused tail back, where nobody leased after it.
pub(super) struct GiveBack<'a> {
    pub(super) table: &'a Table,
    pub(super) tag: &'a str,
    pub(super) tail: Range<i64>,
}

impl Statement for GiveBack<'_> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let compare = weaken!("mysql-give-back-not-compared", "max_id <> 0 * ?", "max_id = ?");
        let sql = format!("UPDATE {} SET max_id = ? WHERE biz_tag = ? AND {compare}", self.table.quoted);
        let params = [self.tail.start.into(), self.tag.into(), self.tail.end.into()];
        Ok(session.write(&sql, &params).await?.rows == 1)
    }
}

/// Inserts a tag that is not there yet.
pub(super) struct CreateTag<'a> {
    pub(super) table: &'a Table,
    pub(super) new: &'a NewTag,
}

impl Statement for CreateTag<'_> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let new = self.new;
        if self.table.row(session, &new.tag).await?.is_some() {
            return Ok(false);
        }
        let (sql, params) = self.table.insertion(new);
        match session.write(&sql, &params).await {
            Ok(changed) => Ok(changed.rows == 1),
            Err(failure) if failure.is_duplicate() => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}

/// Reads the gene bits of a tag.
pub(super) struct ReadGeneBits<'a> {
    pub(super) table: &'a Table,
    pub(super) tag: &'a str,
}

/// What is known of a tag's gene bits.
pub(super) struct GeneBits {
    /// 0 where none are stored, `None` where the account may not look.
    pub(super) bits: Option<i64>,
    /// The table of the gene bits is there, or may not be looked at.
    pub(super) has_table: bool,
}

impl GeneBits {
    /// Makes sense of what the table of the gene bits answered.
    fn found(answer: Outcome<Vec<i64>>) -> Outcome<Self> {
        match answer {
            Ok(bits) => Ok(Self { bits: Some(bits.first().copied().unwrap_or(0)), has_table: true }),
            Err(failure) if failure.is_no_such_table() => Ok(Self { bits: Some(0), has_table: false }),
            Err(failure) if failure.is_denied() => Ok(Self { bits: None, has_table: true }),
            Err(failure) => Err(failure),
        }
    }
}

impl Statement for ReadGeneBits<'_> {
    type Answer = GeneBits;

    async fn run(&self, session: &mut Session) -> Outcome<GeneBits> {
        GeneBits::found(session.query(&self.table.read_gene_bits(), &[self.tag.into(), self.tag.into()]).await)
    }
}

/// How often a creation looks again after somebody else was faster.
const MOST_TURNS: u32 = 5;

/// Inserts a tag with gene bits that is not there yet, and its bits, in one transaction: whoever sees the tag sees the bits.
pub(super) struct CreateGeneTag<'a> {
    pub(super) table: &'a Table,
    pub(super) new: &'a NewTag,
}

impl Statement for CreateGeneTag<'_> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        let Self { table, new } = *self;
        let mut turns_left = MOST_TURNS;
        loop {
            let there = table.row(session, &new.tag).await?.is_some();
            let bits = session.first(&table.read_gene_bits(), &[new.tag.as_str().into(), new.tag.as_str().into()]).await?;
            match bits {
                Some(bits) if bits != new.gene_bits => return Err(other_gene_bits(&new.tag, bits, new.gene_bits).into()),
                None if there => return Err(other_gene_bits(&new.tag, 0, new.gene_bits).into()),
                Some(_) if there => return Ok(false),
                _ => {}
            }
            session.run("START TRANSACTION", &[]).await?;
            let inserted = self.insert(session, bits.is_none()).await;
            let end = if inserted.is_ok() { "COMMIT" } else { "ROLLBACK" };
            if let Err(failure) = session.run(end, &[]).await {
                // Whatever became of the transaction, this session must not be used with it.
                return Err(Failure::broken(failure.name(end).message().to_owned()));
            }
            match inserted {
                // Somebody else was faster: what is there now?
                Err(failure) if failure.is_duplicate() && turns_left > 0 => turns_left -= 1,
                inserted => return inserted.map(|()| true),
            }
        }
    }
}

impl CreateGeneTag<'_> {
    async fn insert(&self, session: &mut Session, with_bits: bool) -> Outcome<()> {
        let Self { table, new } = *self;
        if with_bits {
            let sql = format!("INSERT INTO {} (biz_tag, gene_bits) VALUES (?, ?)", table.genes);
            session.run(&sql, &[new.tag.as_str().into(), new.gene_bits.into()]).await?;
        }
        let (sql, params) = table.insertion(new);
        session.run(&sql, &params).await
    }
}

/// Creates a table where it is missing.
pub(super) struct Create(pub(super) String);

impl Statement for Create {
    type Answer = ();

    async fn run(&self, session: &mut Session) -> Outcome<()> {
        session.run(&self.0, &[]).await
    }
}

impl Table {
    /// Returns the statement that reads the gene bits of a tag, which it carries twice.
    ///
    /// Bits are stored under the name as it stands in the tag's row, which may equal the tag only by the column's own rules.
    fn read_gene_bits(&self) -> String {
        format!(
            "SELECT gene_bits FROM {} WHERE biz_tag = \
             COALESCE(CONVERT((SELECT biz_tag FROM {} WHERE biz_tag = ? LIMIT 1) USING utf8mb4), ?) COLLATE utf8mb4_bin",
            self.genes, self.quoted
        )
    }

    fn many_rows(&self, tag: &str, rows: u64) -> Failure {
        let text = format!("a lease of biz_tag {tag:?} changed {rows} rows of {}: make biz_tag its primary key", self.scope);
        Error::new(ErrorKind::InvalidConfig, text).into()
    }

    /// Returns the statement that inserts a tag, and what it carries.
    fn insertion(&self, new: &NewTag) -> (String, Vec<Value>) {
        let mut params: Vec<Value> = vec![new.tag.as_str().into(), new.start.into(), new.step.into()];
        // A table with fewer columns than Leaf's has no room for a description.
        let (column, value) = match new.description.as_str() {
            "" => ("", ""),
            text => {
                params.push(text.into());
                (", description", ", ?")
            }
        };
        (format!("INSERT INTO {} (biz_tag, max_id, step{column}) VALUES (?, ?, ?{value})", self.quoted), params)
    }

    /// Reads `(max_id, step)`.
    async fn row(&self, session: &mut Session, tag: &str) -> Outcome<Option<(i64, i64)>> {
        let sql = format!("SELECT max_id, step FROM {} WHERE biz_tag = ?", self.quoted);
        session.first(&sql, &[tag.into()]).await
    }
}
