//! Tags: created, read, changed, and ids given back to them.
//!
//! A change that an operator asks for is one UPDATE, which matches no tag that has two rows.

use super::row::{self, DOES_NOT_ROUND};
use crate::mysql::{self, Session};
use crate::sessions::{Failure, Outcome};
use crate::tables::dialect::{ChangeStatements, GeneBits, MOST_TURNS, TagStatements};
use crate::tables::stored_row::{StoredRow, many_rows};
use crate::tables::table::Table;
use leafmint_engine::store::tag_rules::{unknown_tag, unusable_step};
use leafmint_engine::store::{NewTagOptions, TagChange};
use mysql_async::Value;
use std::ops::Range;
use std::sync::atomic::Ordering;

impl TagStatements for Session {
    async fn create(&mut self, sql: &str) -> Outcome<()> {
        self.run(sql, &[]).await
    }

    async fn has_row(&mut self, table: &Table, tag: &str) -> Outcome<bool> {
        let sql = format!("SELECT 1 FROM {} WHERE biz_tag = ? LIMIT 1", table.quoted);
        Ok(self.first::<i64>(&sql, &[tag.into()]).await?.is_some())
    }

    async fn read_step(&mut self, table: &Table, tag: &str) -> Outcome<i64> {
        let sql = format!(
            "SELECT CAST(step AS SIGNED), CAST(step AS CHAR(40)) FROM {} WHERE biz_tag = ? LIMIT 1; SELECT gene_bits FROM {} LIMIT 0",
            table.quoted, table.genes
        );
        let row: Option<(Option<i64>, Option<String>)> = self.first(&sql, &[tag.into()]).await?;
        // Whether there are gene bits to read is learnt on the way, so that the first lease need not try.
        table.reads_genes.store(self.skip().await.is_ok(), Ordering::Relaxed);
        let (number, text) = row.ok_or_else(|| unknown_tag(tag, &table.scope))?;
        match number {
            Some(step @ 1..) => Ok(step),
            _ => Err(unusable_step(tag, text.as_deref().unwrap_or("NULL"), &table.scope).into()),
        }
    }

    async fn read_gene_bits(&mut self, table: &Table, tag: &str) -> Outcome<GeneBits> {
        GeneBits::found(self.query(&table.read_gene_bits(), &[tag.into(), tag.into()]).await)
    }

    async fn create_tag(&mut self, table: &Table, tag: &str, new: &NewTagOptions) -> Outcome<bool> {
        if self.has_row(table, tag).await? {
            return Ok(false);
        }
        let (sql, params) = table.insertion(tag, new);
        match self.write(&sql, &params).await {
            Ok(changed) => Ok(changed.rows == 1),
            Err(failure) if failure.is_duplicate() => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    async fn create_gene_tag(&mut self, table: &Table, tag: &str, new: &NewTagOptions) -> Outcome<bool> {
        let mut turns_left = MOST_TURNS;
        loop {
            let has_row = self.has_row(table, tag).await?;
            let bits = self.first(&table.read_gene_bits(), &[tag.into(), tag.into()]).await?;
            if new.is_created(tag, has_row, bits)? {
                return Ok(false);
            }
            self.run("START TRANSACTION", &[]).await?;
            let inserted = insert(self, table, tag, new, bits.is_none()).await;
            let end = if inserted.is_ok() { "COMMIT" } else { "ROLLBACK" };
            if let Err(failure) = self.run(end, &[]).await {
                // Whatever became of the transaction, this session must not be used with it.
                return Err(Failure::Broken(failure.into_error(end)));
            }
            match inserted {
                // Another session was faster: read what it stored.
                Err(failure) if failure.is_duplicate() && turns_left > 0 => turns_left -= 1,
                inserted => return inserted.map(|()| true),
            }
        }
    }

    async fn give_back(&mut self, table: &Table, tag: &str, tail: Range<i64>) -> Outcome<bool> {
        let sql = format!("UPDATE {} SET max_id = ? WHERE biz_tag = ? AND max_id = ?", table.quoted);
        let params = [tail.start.into(), tag.into(), tail.end.into()];
        Ok(self.write(&sql, &params).await?.rows == 1)
    }
}

async fn insert(session: &mut Session, table: &Table, tag: &str, new: &NewTagOptions, with_bits: bool) -> Outcome<()> {
    if with_bits {
        let sql = format!("INSERT INTO {} (biz_tag, gene_bits) VALUES (?, ?)", table.genes);
        session.run(&sql, &[tag.into(), new.gene_bits.into()]).await?;
    }
    let (sql, params) = table.insertion(tag, new);
    session.run(&sql, &params).await
}

impl Table {
    /// Returns the statement that reads the gene bits of a tag, which it carries twice.
    ///
    /// Bits are stored under the name in the tag's row, which may equal the tag only by the rules of the column's
    /// collation.
    pub(super) fn read_gene_bits(&self) -> String {
        format!("SELECT gene_bits {}", self.genes_clause())
    }

    /// Returns the part of a SELECT that finds the gene bits of a tag.
    pub(super) fn genes_clause(&self) -> String {
        format!(
            "FROM {} WHERE biz_tag = \
             COALESCE(CONVERT((SELECT biz_tag FROM {} WHERE biz_tag = ? LIMIT 1) USING utf8mb4), ?) COLLATE utf8mb4_bin",
            self.genes, self.quoted
        )
    }

    /// Returns the statement that inserts a tag, and what it carries.
    fn insertion(&self, tag: &str, new: &NewTagOptions) -> (String, Vec<Value>) {
        let mut params: Vec<Value> = vec![tag.into(), new.start.into(), new.step.into()];
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
}

impl ChangeStatements for Session {
    async fn set_tag(&mut self, table: &Table, change: &TagChange) -> Outcome<()> {
        let TagChange { tag, step, description } = change;
        let changes =
            [("step = ?", step.map(Value::from)), ("description = ?", description.as_deref().map(Value::from))];
        let (columns, values): (Vec<_>, Vec<_>) =
            changes.into_iter().filter_map(|(column, value)| Some((column, value?))).unzip();
        let sql = format!(
            "SET @leafmint_end = NULL; {}; UPDATE {} SET {} WHERE biz_tag = ? AND @leafmint_rows = 1; SELECT @leafmint_rows",
            table.read_row(),
            table.quoted,
            columns.join(", "),
        );
        let tag_param = || [Value::from(tag.as_str())];
        let params: Vec<Value> = tag_param().into_iter().chain(values).chain(tag_param()).collect();
        self.send(&sql, &params).await?;
        self.skip().await?;
        self.skip().await?;
        self.changed().await?;
        match self.rows::<Option<i64>>().await?.pop().flatten() {
            Some(1) => Ok(()),
            Some(rows @ 2..) => Err(many_rows(&table.scope, tag, rows).into()),
            _ => Err(unknown_tag(tag, &table.scope).into()),
        }
    }

    async fn raise_tag(&mut self, table: &Table, tag: &str, max_id: i64) -> Outcome<i64> {
        mysql::look(self, &[&table.quoted]).await?.judge()?;
        let sql = format!(
            "SET @leafmint_genes = NULL; {}; UPDATE {} SET max_id = {max_id} WHERE biz_tag = ? AND max_id < {max_id} \
             AND @leafmint_rows = 1 AND {DOES_NOT_ROUND}; SELECT {} FROM {} WHERE biz_tag = ? LIMIT 1",
            table.read_row(),
            table.quoted,
            row::COLUMNS,
            table.quoted,
        );
        self.send(&sql, &[tag; 3].map(Value::from)).await?;
        self.skip().await?;
        self.skip().await?;
        self.changed().await?;
        let found: Option<StoredRow> = self.rows().await?.pop();
        Ok(StoredRow::raised(found, &table.scope, tag, max_id)?)
    }
}
