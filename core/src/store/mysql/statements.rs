//! The statements, one type each: what is sent, and what its answer means.

use crate::cell::FIRST_REFUSED;
use crate::error::{Error, ErrorKind};
use crate::mutants::weaken;
use crate::mysql::{Failure, Outcome, Statement, write};
use crate::store::{NewTag, check_room, leased, other_gene_bits, unknown_tag};
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Value};
use std::ops::Range;

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

    async fn run(&self, session: &mut Conn) -> Outcome<i64> {
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

    async fn run(&self, session: &mut Conn) -> Outcome<Range<i64>> {
        let Self { table, tag, step } = *self;
        let sql = format!(
            "UPDATE {} SET max_id = LAST_INSERT_ID(max_id + ?) WHERE biz_tag = ? AND max_id BETWEEN 0 AND ?",
            table.quoted
        );
        let changed = write(session, sql, vec![step.into(), tag.into(), (FIRST_REFUSED - step).into()]).await?;
        match (changed.rows, changed.value) {
            (1, Some(max_id)) => Ok(leased(max_id as i64, step)),
            (0, _) => {
                let row = table.row(session, tag).await?;
                let (max_id, _) = row.ok_or_else(|| unknown_tag(tag, &table.scope))?;
                check_room(tag, max_id, step)?;
                Err(Failure::broken("the row changed while it was leased from"))
            }
            (rows, _) => Err(Error::new(
                ErrorKind::InvalidConfig,
                format!("a lease of biz_tag {tag:?} changed {rows} rows of {}: make biz_tag its primary key", table.scope),
            )
            .into()),
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

    async fn run(&self, session: &mut Conn) -> Outcome<bool> {
        let compare = weaken!("mysql-give-back-not-compared", "max_id <> 0 * ?", "max_id = ?");
        let sql = format!("UPDATE {} SET max_id = ? WHERE biz_tag = ? AND {compare}", self.table.quoted);
        let params = vec![self.tail.start.into(), self.tag.into(), self.tail.end.into()];
        Ok(write(session, sql, params).await?.rows == 1)
    }
}

/// Inserts a tag that is not there yet.
pub(super) struct CreateTag<'a> {
    pub(super) table: &'a Table,
    pub(super) new: &'a NewTag,
}

impl Statement for CreateTag<'_> {
    type Answer = bool;

    async fn run(&self, session: &mut Conn) -> Outcome<bool> {
        let new = self.new;
        if self.table.row(session, &new.tag).await?.is_some() {
            return Ok(false);
        }
        let (sql, params) = self.table.insertion(new);
        match write(session, sql, params).await {
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

impl Statement for ReadGeneBits<'_> {
    type Answer = GeneBits;

    async fn run(&self, session: &mut Conn) -> Outcome<GeneBits> {
        match self.table.gene_bits(session, self.tag).await {
            Ok((_, bits)) => Ok(GeneBits { bits: Some(bits.unwrap_or(0)), has_table: true }),
            Err(failure) if failure.is_no_such_table() => Ok(GeneBits { bits: Some(0), has_table: false }),
            Err(failure) if failure.is_denied() => Ok(GeneBits { bits: None, has_table: true }),
            Err(failure) => Err(failure),
        }
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

    async fn run(&self, session: &mut Conn) -> Outcome<bool> {
        let Self { table, new } = *self;
        let mut turns_left = MOST_TURNS;
        loop {
            let (there, bits) = table.gene_bits(session, &new.tag).await?;
            match bits {
                Some(bits) if bits != new.gene_bits => return Err(other_gene_bits(&new.tag, bits, new.gene_bits).into()),
                None if there => return Err(other_gene_bits(&new.tag, 0, new.gene_bits).into()),
                Some(_) if there => return Ok(false),
                _ => {}
            }
            session.query_drop("START TRANSACTION").await?;
            let inserted = self.insert(session, bits.is_none()).await;
            let end = if inserted.is_ok() { "COMMIT" } else { "ROLLBACK" };
            if let Err(error) = session.query_drop(end).await {
                // Whatever became of the transaction, this session must not be used with it.
                return Err(Failure::broken(format!("{end} failed: {error}")));
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
    async fn insert(&self, session: &mut Conn, with_bits: bool) -> Outcome<()> {
        let Self { table, new } = *self;
        if with_bits {
            let sql = format!("INSERT INTO {} (biz_tag, gene_bits) VALUES (?, ?)", table.genes);
            session.exec_drop(sql, (&new.tag, new.gene_bits)).await?;
        }
        let (sql, params) = table.insertion(new);
        Ok(session.exec_drop(sql, params).await?)
    }
}

/// Creates a table where it is missing.
pub(super) struct Create(pub(super) String);

impl Statement for Create {
    type Answer = ();

    async fn run(&self, session: &mut Conn) -> Outcome<()> {
        Ok(session.query_drop(&self.0).await?)
    }
}

impl Table {
    /// Reads whether the tag is there, and the gene bits that are stored for it.
    ///
    /// Bits are stored under the name as it stands in the tag's row, which may equal the tag only by the column's own rules.
    async fn gene_bits(&self, session: &mut Conn, tag: &str) -> Outcome<(bool, Option<i64>)> {
        let stored = format!("SELECT biz_tag FROM {} WHERE biz_tag = ?", self.quoted);
        let stored: Option<String> = session.exec_first(stored, (tag,)).await?;
        let sql = format!("SELECT gene_bits FROM {} WHERE biz_tag = ?", self.genes);
        let bits = session.exec_first(sql, (stored.as_deref().unwrap_or(tag),)).await?;
        Ok((stored.is_some(), bits))
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
    async fn row(&self, session: &mut Conn, tag: &str) -> Outcome<Option<(i64, i64)>> {
        let sql = format!("SELECT max_id, step FROM {} WHERE biz_tag = ?", self.quoted);
        Ok(session.exec_first(sql, (tag,)).await?)
    }
}
