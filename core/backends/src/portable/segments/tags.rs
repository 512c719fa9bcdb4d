//! Tags: created, read, changed, and ids given back to them.

use super::row::NamedRow;
use crate::portable::session::{Results, Session};
use crate::portable::text::{number, text};
use crate::sessions::Outcome;
use crate::tables::dialect::{ChangeStatements, GeneBits, MOST_TURNS, TagStatements};
use crate::tables::names;
use crate::tables::stored_row::{StoredRow, many_rows};
use crate::tables::table::Table;
use leafmint_engine::store::tag_rules::{unknown_tag, unusable_step};
use leafmint_engine::store::{NewTagOptions, TagChange};
use std::ops::Range;
use std::sync::atomic::Ordering;

impl Session {
    /// Reads the row of a tag.
    async fn row_of(&mut self, table: &Table, tag: &str) -> Outcome<Option<NamedRow>> {
        self.look(table).await?;
        let answer = self.ask([self.read_row(table, tag)]).await;
        Ok(NamedRow::take(self.of_segments(table, answer).await?.rows()))
    }

    /// Names what failed if the table of segments is gone.
    pub(super) async fn of_segments<T>(&mut self, table: &Table, answer: Outcome<T>) -> Outcome<T> {
        match answer {
            Ok(answer) => Ok(answer),
            Err(failure) => Err(self.named(failure, &[&table.name]).await),
        }
    }

    /// Reads the gene bits of a tag; none if there are none.
    async fn stored_bits(&mut self, table: &Table, tag: &str) -> Outcome<Option<i64>> {
        self.look(table).await?;
        let genes = names::genes(&table.name);
        self.look_at(&genes).await?;
        let question = format!("SELECT gene_bits {}", self.genes_clause(table, tag));
        match self.ask([question]).await {
            Ok(mut results) => Ok(results.rows().first().and_then(|row| row.number(0))),
            Err(failure) => Err(self.named(failure, &[&table.name, &genes]).await),
        }
    }

    /// Returns the statement that inserts a tag.
    fn insertion(&self, table: &Table, tag: &str, new: &NewTagOptions) -> String {
        // A table with fewer columns than Leaf's has no room for a description.
        let (column, value) = match new.description.as_str() {
            "" => ("", String::new()),
            description => (", description", format!(", {}", text(description))),
        };
        let (place, tag, start, step) = (self.at(&table.quoted), text(tag), number(new.start), number(new.step));
        format!("INSERT INTO {place} (biz_tag, max_id, step{column}) VALUES ({tag}, {start}, {step}{value})")
    }

    /// Inserts a tag, after another statement. Returns the failure, unless the tag is there now.
    async fn insert(
        &mut self,
        table: &Table,
        tag: &str,
        new: &NewTagOptions,
        before: Option<String>,
    ) -> Outcome<Inserted> {
        let insertion = self.insertion(table, tag, new);
        let inserted = match before {
            Some(before) => self.write([before, insertion]).await,
            None => self.write([insertion]).await,
        };
        match inserted {
            Ok(_) => Ok(Inserted::Now),
            // Not every driver's code says so, and another session may have stored the gene bits alone.
            Err(failure) if failure.is_duplicate() => match self.has_row(table, tag).await? {
                true => Ok(Inserted::Before),
                false => Err(failure),
            },
            Err(failure) => Err(self.named(failure, &[&table.name]).await),
        }
    }
}

/// When a tag was inserted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inserted {
    Now,
    /// By another session.
    Before,
}

impl TagStatements for Session {
    async fn create(&mut self, sql: &str) -> Outcome<()> {
        self.make(sql).await
    }

    async fn has_row(&mut self, table: &Table, tag: &str) -> Outcome<bool> {
        Ok(self.row_of(table, tag).await?.is_some())
    }

    async fn read_step(&mut self, table: &Table, tag: &str) -> Outcome<i64> {
        let row = self.row_of(table, tag).await?.ok_or_else(|| unknown_tag(tag, &table.scope))?.row;
        // Whether there are gene bits to read is learnt on the way, so that the first lease need not try.
        table.reads_genes.store(self.has(&names::genes(&table.name)).await?, Ordering::Relaxed);
        match row.whole_step {
            step @ 1.. => Ok(step),
            _ => Err(unusable_step(tag, row.step.as_deref().unwrap_or("NULL"), &table.scope).into()),
        }
    }

    async fn read_gene_bits(&mut self, table: &Table, tag: &str) -> Outcome<GeneBits> {
        // A missing table of tags is an error, one of gene bits is not.
        self.look(table).await?;
        GeneBits::found(self.stored_bits(table, tag).await.map(|bits| bits.into_iter().collect()))
    }

    async fn create_tag(&mut self, table: &Table, tag: &str, new: &NewTagOptions) -> Outcome<bool> {
        match self.row_of(table, tag).await? {
            Some(_) => Ok(false),
            None => Ok(self.insert(table, tag, new, None).await? == Inserted::Now),
        }
    }

    async fn create_gene_tag(&mut self, table: &Table, tag: &str, new: &NewTagOptions) -> Outcome<bool> {
        let mut turns_left = MOST_TURNS;
        loop {
            let has_row = self.has_row(table, tag).await?;
            let bits = self.stored_bits(table, tag).await?;
            if new.is_created(tag, has_row, bits)? {
                return Ok(false);
            }
            let insertion = bits.is_none().then(|| {
                let genes = self.at(&table.genes);
                format!("INSERT INTO {genes} (biz_tag, gene_bits) VALUES ({}, {})", text(tag), number(new.gene_bits))
            });
            match self.insert(table, tag, new, insertion).await {
                Ok(Inserted::Now) => return Ok(true),
                Err(failure) if turns_left == 0 || !failure.is_duplicate() => return Err(failure),
                // Another session was faster: read what it stored.
                _ => turns_left = turns_left.saturating_sub(1),
            }
        }
    }

    async fn give_back(&mut self, table: &Table, tag: &str, tail: Range<i64>) -> Outcome<bool> {
        self.look(table).await?;
        let (place, tag) = (self.at(&table.quoted), text(tag));
        let [start, end] = [tail.start, tail.end].map(number);
        let sql = format!("UPDATE {place} SET max_id = {start} WHERE biz_tag = {tag} AND max_id = {end}");
        Ok(self.write([sql]).await?.changed() == 1)
    }
}

/// Takes the row that was read before a change.
fn found(mut results: Results) -> (Option<NamedRow>, Results) {
    results.changed();
    (NamedRow::take(results.rows()), results)
}

impl ChangeStatements for Session {
    async fn set_tag(&mut self, table: &Table, change: &TagChange) -> Outcome<()> {
        let time = self.look(table).await?.time_is_set();
        let TagChange { tag, step, description } = change;
        let step = step.map(|step| format!("step = {}", number(step)));
        let description = description.as_deref().map(|description| format!("description = {}", text(description)));
        let changes: Vec<String> = step.into_iter().chain(description).collect();
        let (place, one) = (self.at(&table.quoted), self.is_one(table, tag));
        let update = format!("UPDATE {place} SET {}{time} WHERE biz_tag = {} AND {one}", changes.join(", "), text(tag));
        let answer = self.write([self.lock_row(table, tag), self.read_row(table, tag), update]).await;
        let (row, _) = found(self.of_segments(table, answer).await?);
        match row.map_or(0, |row| row.row.rows) {
            1 => Ok(()),
            rows @ 2.. => Err(many_rows(&table.scope, tag, rows).into()),
            _ => Err(unknown_tag(tag, &table.scope).into()),
        }
    }

    async fn raise_tag(&mut self, table: &Table, tag: &str, max_id: i64) -> Outcome<i64> {
        let time = self.look(table).await?.time_is_set();
        let (place, one, to) = (self.at(&table.quoted), self.is_one(table, tag), number(max_id));
        let update =
            format!("UPDATE {place} SET max_id = {to}{time} WHERE biz_tag = {} AND max_id < {to} AND {one}", text(tag));
        let (lock, read) = (self.lock_row(table, tag), self.read_row(table, tag));
        let answer = self.write([lock, read.clone(), update, read]).await;
        let (_, mut results) = found(self.of_segments(table, answer).await?);
        results.changed();
        let stored = NamedRow::take(results.rows()).map(|row| row.row);
        Ok(StoredRow::raised(stored, &table.scope, tag, max_id)?)
    }
}
