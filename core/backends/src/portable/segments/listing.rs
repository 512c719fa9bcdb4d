//! What is found out without a lease: the tags, whatever their rows hold, and whether the account may lease.

use super::row::NamedRow;
use crate::portable::session::{Session, Values};
use crate::sessions::Outcome;
use crate::tables::dialect::{CheckStatements, GeneBitsByTag, ListStatements};
use crate::tables::names;
use crate::tables::stored_row::StoredRow;
use crate::tables::table::Table;
use leafmint_engine::clock::{Clock, SystemClock};
use leafmint_engine::store::{SegmentCheck, TagInfo};
use leafmint_ids::error::{Error, ErrorKind};
use leafmint_ids::text::beginning;
use std::collections::{BTreeMap, HashMap};

/// Most characters of a description that are shown.
const LONGEST_DESCRIPTION: usize = 256;

impl ListStatements for Session {
    async fn list_tags(&mut self, table: &Table) -> Outcome<Vec<TagInfo>> {
        let listed = match self.read_tags(table).await {
            Ok(listed) => listed,
            Err(failure) => return Err(self.named(failure, &[&table.name]).await),
        };
        // Gene bits are read after the rows: they are stored no later than the row that they belong to.
        let genes = GeneBitsByTag::found(self.read_all_genes(table).await)?;
        Ok(listed.into_iter().map(|(biz_tag, row)| row.info(biz_tag, table, &genes)).collect())
    }
}

impl Session {
    /// Reads the rows by the names of their tags. Rows that a lease would take for one tag are one row of the list.
    async fn read_tags(&mut self, table: &Table) -> Outcome<BTreeMap<String, Listed>> {
        let columns = self.look(table).await?;
        let description = if columns.has("description") { "description" } else { "CAST(NULL AS VARCHAR(1))" };
        let has_time = !columns.time_is_set().is_empty();
        let age = if has_time { self.product.age } else { "CAST(NULL AS BIGINT)" };
        let sql = format!("SELECT 1, biz_tag, max_id, step, {description}, {age} FROM {}", self.at(&table.quoted));
        let (mut listed, now) = (BTreeMap::new(), SystemClock.wall());
        for mut values in self.ask([sql]).await?.rows() {
            let Some(row) = NamedRow::of(&mut values) else { continue };
            let name = row.name.unwrap_or_default();
            let description = values.text(4).map(|text| beginning(&text, LONGEST_DESCRIPTION).to_owned());
            let update_time = values.number(5).map(|age| now - age.saturating_mul(1000));
            let listed: &mut Vec<Listed> = listed.entry(name).or_default();
            listed.push(Listed { found: row.row, description, update_time });
        }
        Ok(listed.into_iter().filter_map(|(name, rows)| Some((name, Listed::of_all(rows)?))).collect())
    }

    async fn read_all_genes(&mut self, table: &Table) -> Outcome<HashMap<String, i64>> {
        self.look_at(&names::genes(&table.name)).await?;
        let sql = format!("SELECT biz_tag, gene_bits FROM {}", self.at(&table.genes));
        let bits = |mut row: Values| Some((row.text(0)?, row.number(1)?));
        Ok(self.ask([sql]).await?.rows().into_iter().filter_map(bits).collect())
    }
}

/// A row of the list.
struct Listed {
    found: StoredRow,
    description: Option<String>,
    /// In Unix milliseconds.
    update_time: Option<i64>,
}

impl Listed {
    /// Returns the furthest of the rows of one tag, with their number.
    fn of_all(rows: Vec<Self>) -> Option<Self> {
        let count = rows.len() as i64;
        let mut furthest = rows.into_iter().max_by_key(|row| row.found.max_id())?;
        furthest.found.rows = count;
        Some(furthest)
    }

    fn info(self, biz_tag: String, table: &Table, genes: &GeneBitsByTag) -> TagInfo {
        let Self { found, description, update_time } = self;
        let problem = StoredRow::problem(Some(&found), &table.scope, &biz_tag, None);
        let (max_id, step, gene_bits) = (found.max_id(), found.step(), genes.of(&biz_tag));
        TagInfo { biz_tag, max_id, step, description, update_time, gene_bits, problem: None }
            .judged(problem.map_or(Ok(()), Err))
    }
}

impl CheckStatements for Session {
    async fn check(&mut self, table: &Table) -> Outcome<SegmentCheck> {
        self.look(table).await?;
        let genes = names::genes(&table.name);
        let has_genes = self.has(&genes).await?;
        let place = self.at(&table.quoted);
        let columns = "biz_tag, max_id, step";
        let answer = self
            .write([
                format!("UPDATE {place} SET max_id = max_id + step WHERE biz_tag = '' AND 1 = 0"),
                format!("SELECT {columns} FROM {place} WHERE 1 = 0"),
            ])
            .await;
        self.of_segments(table, answer).await?;
        if has_genes {
            match self.ask([format!("SELECT gene_bits FROM {} WHERE 1 = 0", self.at(&table.genes))]).await {
                Err(failure) if !failure.is_denied() => return Err(failure),
                _ => {}
            }
        }
        let insert = format!("INSERT INTO {place} ({columns}) SELECT {columns} FROM {place} WHERE 1 = 0");
        let creates_tags = match self.write([insert]).await {
            Err(failure) if failure.is_denied() => false,
            answer => answer.map(|_| true)?,
        };
        let missing = || Error::new(ErrorKind::StoreUnavailable, format!("{} returned no count", table.scope));
        let rows = self.ask([format!("SELECT COUNT(*) FROM {place}")]).await?.rows();
        let tags = rows.first().and_then(|row| row.number(0)).ok_or_else(missing)?;
        Ok(SegmentCheck { tags, creates_tags, ..SegmentCheck::default() })
    }
}
