//! The statements other than leases: the SQL, and the meaning of its answer.

use super::row::whole;
use crate::database::Outcome;
use crate::postgres::operators::EQ;
use crate::postgres::{Param, Session, column, number, text};
use crate::store::NewTagOptions;
use crate::store::dialect::{GeneBits, MOST_TURNS, TagStatements};
use crate::store::table::Table;
use crate::store::tag_rules::{unknown_tag, unusable_step};
use std::ops::Range;
use std::sync::atomic::Ordering;

impl TagStatements for Session {
    async fn create(&mut self, sql: &str) -> Outcome<()> {
        match self.write(sql, &[]).await {
            // Another session created it in the same moment.
            Err(failure) if failure.is_duplicate() => Ok(()),
            answer => answer.map(drop),
        }
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
            let has_row = has_row(table, self, tag).await?;
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

/// Returns whether the tag has a row.
pub(super) async fn has_row(table: &Table, session: &mut Session, tag: &str) -> Outcome<bool> {
    let sql = format!("SELECT 1 FROM {} WHERE biz_tag {EQ} $1 LIMIT 1", table.quoted);
    Ok(!session.query(&sql, &[text(&tag)]).await?.is_empty())
}
