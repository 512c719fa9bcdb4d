//! The statements, one type each: what is sent, and what its answer means.

use crate::cell::FIRST_REFUSED;
use crate::error::{Error, ErrorKind};
use crate::mysql::{Failure, Outcome, Statement, write};
use crate::store::{NewTag, check_room, leased, schema, unknown_tag};
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Value};
use std::ops::Range;

/// The table that the statements are about.
pub(super) struct Table {
    /// As it was given.
    pub(super) name: String,
    /// As it stands in SQL.
    pub(super) quoted: String,
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
        let sql = format!("UPDATE {} SET max_id = ? WHERE biz_tag = ? AND max_id = ?", self.table.quoted);
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
        let mut params: Vec<Value> = vec![new.tag.as_str().into(), new.start.into(), new.step.into()];
        // A table with fewer columns than Leaf's has no room for a description.
        let (column, value) = match new.description.as_str() {
            "" => ("", ""),
            text => {
                params.push(text.into());
                (", description", ", ?")
            }
        };
        let table = &self.table.quoted;
        let sql = format!("INSERT INTO {table} (biz_tag, max_id, step{column}) VALUES (?, ?, ?{value})");
        match write(session, sql, params).await {
            Ok(changed) => Ok(changed.rows == 1),
            Err(failure) if failure.is_duplicate() => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}

/// Creates the table where it is missing.
pub(super) struct CreateTable<'a> {
    pub(super) table: &'a Table,
}

impl Statement for CreateTable<'_> {
    type Answer = ();

    async fn run(&self, session: &mut Conn) -> Outcome<()> {
        Ok(session.query_drop(schema::mysql(&self.table.name)).await?)
    }
}

impl Table {
    /// Reads `(max_id, step)`.
    async fn row(&self, session: &mut Conn, tag: &str) -> Outcome<Option<(i64, i64)>> {
        let sql = format!("SELECT max_id, step FROM {} WHERE biz_tag = ?", self.quoted);
        Ok(session.exec_first(sql, (tag,)).await?)
    }
}
