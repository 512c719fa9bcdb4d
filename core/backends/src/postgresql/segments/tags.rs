//! Tags: created, read, changed, and ids given back to them.
//!
//! A change that an operator asks for is one UPDATE, which matches no tag that has two rows.

use super::row;
use super::row::whole;
use crate::postgresql::operators::{EQ, LT};
use crate::postgresql::{Param, Session, column, does_not_round, number, text};
use crate::sessions::Outcome;
use crate::tables::dialect::{ChangeStatements, GeneBits, MOST_TURNS, TagStatements};
use crate::tables::stored_row::{StoredRow, many_rows};
use crate::tables::table::Table;
use leafmint_engine::store::tag_rules::{unknown_tag, unusable_step};
use leafmint_engine::store::{NewTagOptions, TagChange};
use std::ops::Range;
use std::sync::atomic::Ordering;

impl TagStatements for Session {
    async fn create(&mut self, sql: &str) -> Outcome<()> {
        self.make(sql).await
    }

    async fn has_row(&mut self, table: &Table, tag: &str) -> Outcome<bool> {
        let sql = format!("SELECT 1 FROM {} WHERE biz_tag {EQ} $1 LIMIT 1", table.quoted);
        Ok(!self.query(&sql, &[text(&tag)]).await?.is_empty())
    }

    async fn read_step(&mut self, table: &Table, tag: &str) -> Outcome<i64> {
        let read = format!("SELECT step::pg_catalog.text FROM {} WHERE biz_tag {EQ} $1 LIMIT 1", table.quoted);
        let genes = format!("SELECT gene_bits::bigint FROM {} LIMIT 0", table.genes);
        let (rows, genes) = self.query_both((&read, &[text(&tag)]), (&genes, &[])).await?;
        let rows = rows?;
        // Whether there are gene bits to read is learnt on the way, so that the first lease need not try.
        table.reads_genes.store(genes.is_ok(), Ordering::Relaxed);
        let row = rows.first().ok_or_else(|| unknown_tag(tag, &table.scope))?;
        let step: Option<&str> = column(row, 0)?;
        match step.and_then(whole) {
            Some(step @ 1..) => Ok(step),
            _ => Err(unusable_step(tag, step.unwrap_or("NULL"), &table.scope).into()),
        }
    }

    async fn read_gene_bits(&mut self, table: &Table, tag: &str) -> Outcome<GeneBits> {
        let rows = self.query(&read_gene_bits(table), &[text(&tag)]).await;
        GeneBits::found(rows.and_then(|rows| rows.iter().map(|row| column(row, 0)).collect()))
    }

    async fn create_tag(&mut self, table: &Table, tag: &str, new: &NewTagOptions) -> Outcome<bool> {
        let sql = format!("{} ON CONFLICT DO NOTHING", insertion(table, new, self.settings()));
        Ok(self.write(&sql, &params(&tag, &new.description.as_str(), new)).await? == 1)
    }

    async fn create_gene_tag(&mut self, table: &Table, tag: &str, new: &NewTagOptions) -> Outcome<bool> {
        let mut turns_left = MOST_TURNS;
        loop {
            match insert_both(self, table, tag, new).await {
                Ok(1) => return Ok(true),
                // Another session was faster, or the tag or its bits were there: read what is stored.
                Ok(_) => {}
                Err(failure) if failure.is_duplicate() && turns_left > 0 => {}
                Err(failure) => return Err(failure),
            }
            let has_row = self.has_row(table, tag).await?;
            let stored = self.query(&read_gene_bits(table), &[text(&tag)]).await?;
            let bits = stored.first().map(|row| column(row, 0)).transpose()?;
            if new.is_created(tag, has_row, bits)? || turns_left == 0 {
                return Ok(false);
            }
            turns_left -= 1;
        }
    }

    async fn give_back(&mut self, table: &Table, tag: &str, tail: Range<i64>) -> Outcome<bool> {
        let sql = format!(
            "UPDATE {} AS t SET max_id = $2 FROM ({}) AS s WHERE t.biz_tag {EQ} $1 AND t.max_id {EQ} $3",
            table.quoted,
            self.settings()
        );
        Ok(self.write(&sql, &[text(&tag), number(&tail.start), number(&tail.end)]).await? == 1)
    }
}

/// Returns the statement that reads the gene bits of a tag.
///
/// Bits are stored under the name in the tag's row, which may equal the tag only by the rules of the column's type or
/// collation.
fn read_gene_bits(table: &Table) -> String {
    format!(
        "SELECT g.gene_bits::bigint FROM {} AS g WHERE g.biz_tag {EQ} \
         COALESCE((SELECT t.biz_tag::pg_catalog.text FROM {} AS t WHERE t.biz_tag {EQ} $1 LIMIT 1), $1)",
        table.genes, table.quoted
    )
}

/// Inserts a tag and its gene bits, or nothing.
async fn insert_both(session: &mut Session, table: &Table, tag: &str, new: &NewTagOptions) -> Outcome<u64> {
    let bits = if new.description.is_empty() { "$4" } else { "$5" };
    // The tag conflicts loudly: a tag that was created meanwhile must not get these bits.
    let sql = format!(
        "WITH stored AS (INSERT INTO {genes} (biz_tag, gene_bits) SELECT $1, {bits} \
         WHERE NOT EXISTS (SELECT FROM {table} WHERE biz_tag {EQ} $1) ON CONFLICT DO NOTHING RETURNING gene_bits) \
         {} AND {bits} {EQ} (SELECT gene_bits FROM stored UNION ALL SELECT gene_bits FROM {genes} WHERE biz_tag {EQ} $1 LIMIT 1)",
        insertion(table, new, session.settings()),
        genes = table.genes,
        table = table.quoted,
    );
    let description = new.description.as_str();
    let mut params = params(&tag, &description, new);
    params.push(number(&new.gene_bits));
    session.write(&sql, &params).await
}

/// Returns the statement that inserts a tag unless it has a row, with a condition at its end.
fn insertion(table: &Table, new: &NewTagOptions, settings: &str) -> String {
    // A table with fewer columns than Leaf's has no room for a description.
    let (column, value) = if new.description.is_empty() { ("", "") } else { (", description", ", $4") };
    format!(
        "INSERT INTO {table} (biz_tag, max_id, step{column}) SELECT $1, $2, $3{value} FROM ({settings}) AS s \
         WHERE NOT EXISTS (SELECT FROM {table} WHERE biz_tag {EQ} $1)",
        table = table.quoted
    )
}

/// Returns what an insertion carries.
fn params<'a>(tag: &'a &'a str, description: &'a &'a str, new: &'a NewTagOptions) -> Vec<Param<'a>> {
    let mut params = vec![text(tag), number(&new.start), number(&new.step)];
    params.extend((!description.is_empty()).then(|| text(description)));
    params
}

impl ChangeStatements for Session {
    async fn set_tag(&mut self, table: &Table, change: &TagChange) -> Outcome<()> {
        let TagChange { tag, step, description } = change;
        let (tag, description) = (tag.as_str(), description.as_deref());
        let (mut columns, mut params) = (Vec::new(), vec![text(&tag)]);
        if let Some(step) = step {
            params.push(number(step));
            columns.push(format!("step = ${}", params.len()));
        }
        if let Some(description) = &description {
            params.push(text(description));
            columns.push(format!("description = ${}", params.len()));
        }
        let count = row::count(table);
        let update = format!(
            "UPDATE {} AS t SET {} FROM ({}) AS s WHERE t.biz_tag {EQ} $1 AND {count} {EQ} 1",
            table.quoted,
            columns.join(", "),
            self.settings(),
        );
        let (changed, counted) = self.query_both((&update, &params), (&count, &[text(&tag)])).await?;
        changed?;
        match counted?.first().map(|row| column::<i64>(row, 0)).transpose()? {
            Some(1) => Ok(()),
            Some(rows @ 2..) => Err(many_rows(&table.scope, tag, rows).into()),
            _ => Err(unknown_tag(tag, &table.scope).into()),
        }
    }

    async fn raise_tag(&mut self, table: &Table, tag: &str, max_id: i64) -> Outcome<i64> {
        let update = format!(
            "UPDATE {table} AS t SET max_id = $2 FROM ({}) AS s WHERE t.biz_tag {EQ} $1 AND t.max_id {LT} $2 \
             AND {} {EQ} 1 AND {}",
            self.settings(),
            row::count(table),
            does_not_round("t.max_id"),
            table = table.quoted,
        );
        let params = [text(&tag), number(&max_id)];
        let (changed, found) = self.query_both((&update, &params), (&row::select(table), &params[..1])).await?;
        changed?;
        let found = found?.first().map(|row| row::stored(row, 0)).transpose()?;
        Ok(StoredRow::raised(found, &table.scope, tag, max_id)?)
    }
}
