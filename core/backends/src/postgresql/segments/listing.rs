//! What is found out without a lease: the tags, whatever their rows hold, and whether the account may lease.

use super::row;
use crate::postgresql::operators::{ADD, EQ, MUL};
use crate::postgresql::table::{check_segments, problem_of_segments};
use crate::postgresql::{Row, Session, column};
use crate::sessions::Outcome;
use crate::tables::dialect::{CheckStatements, GeneBitsByTag, ListStatements};
use crate::tables::stored_row::StoredRow;
use crate::tables::table::Table;
use leafmint_engine::store::{SegmentCheck, TagInfo};
use leafmint_ids::error::{Error, ErrorKind};

/// Maximum size of the list that the server sends: some 300,000 tags.
const MOST_BYTES: usize = 64 << 20;

impl ListStatements for Session {
    async fn list_tags(&mut self, table: &Table) -> Outcome<Vec<TagInfo>> {
        let columns = self.query(&columns(table), &[]).await?;
        let columns: Vec<&str> = columns.iter().map(|row| column(row, 0)).collect::<Outcome<_>>()?;
        let listed = self.query_up_to(MOST_BYTES, &list(table, &columns), &[]).await?;
        // Gene bits are read after the rows: they are stored no later than the row that they belong to.
        let genes = format!("SELECT biz_tag::pg_catalog.text, gene_bits::bigint FROM {}", table.genes);
        let genes = self.query_up_to(MOST_BYTES, &genes, &[]).await;
        let genes =
            GeneBitsByTag::found(genes.and_then(|rows| {
                rows.iter().map(|row| Ok((column(row, 0)?, column(row, 1)?))).collect::<Outcome<_>>()
            }))?;
        let problem = problem_of_segments(self, table).await;
        let mut tags: Vec<TagInfo> =
            listed.iter().map(|row| info(row, table, problem.as_ref(), &genes)).collect::<Outcome<_>>()?;
        tags.sort_by(|a, b| a.biz_tag.cmp(&b.biz_tag));
        Ok(tags)
    }
}

/// Returns the statement that reads the names of the columns.
fn columns(table: &Table) -> String {
    format!(
        "SELECT attname::pg_catalog.text FROM pg_catalog.pg_attribute \
         WHERE attrelid {EQ} '{}'::pg_catalog.regclass AND attnum OPERATOR(pg_catalog.>) 0 AND NOT attisdropped",
        table.quoted
    )
}

/// Returns the statement that lists the tags. Rows that a lease would take for one tag are one row of the list.
fn list(table: &Table, columns: &[&str]) -> String {
    let has = |name: &str| columns.contains(&name);
    let description = if has("description") {
        "pg_catalog.left(pg_catalog.max(t.description)::pg_catalog.text, 256)"
    } else {
        "NULL::pg_catalog.text"
    };
    let time = format!("(extract(epoch FROM pg_catalog.max(t.update_time)) {MUL} 1000)::bigint");
    let update_time = if has("update_time") { time.as_str() } else { "NULL::bigint" };
    format!(
        "SELECT t.biz_tag::pg_catalog.text, pg_catalog.max(t.max_id)::pg_catalog.text, \
         pg_catalog.bool_and(COALESCE({}, false)), pg_catalog.max(t.step)::pg_catalog.text, pg_catalog.count(*), 0::bigint, \
         {description}, {update_time} FROM {} AS t GROUP BY t.biz_tag",
        row::is_whole(),
        table.quoted
    )
}

fn info(row: &Row, table: &Table, problem: Option<&Error>, genes: &GeneBitsByTag) -> Outcome<TagInfo> {
    let biz_tag = column::<Option<String>>(row, 0)?.unwrap_or_default();
    let found = row::stored(row, 1)?;
    let of_row = || StoredRow::problem(Some(&found), &table.scope, &biz_tag, None);
    let judged = problem.cloned().or_else(of_row).map_or(Ok(()), Err);
    let (max_id, step, gene_bits) = (found.max_id(), found.step(), genes.of(&biz_tag));
    let (description, update_time) = (column(row, 6)?, column(row, 7)?);
    Ok(TagInfo { biz_tag, max_id, step, description, update_time, gene_bits, problem: None }.judged(judged))
}

impl CheckStatements for Session {
    async fn check(&mut self, table: &Table) -> Outcome<SegmentCheck> {
        check_segments(self, table).await?;
        let Table { quoted, genes, scope, .. } = table;
        self.write(&format!("UPDATE {quoted} SET max_id = max_id {ADD} step WHERE biz_tag {EQ} '' AND FALSE"), &[])
            .await?;
        let columns = "biz_tag, max_id, step";
        let insert = format!("INSERT INTO {quoted} ({columns}) SELECT {columns} FROM {quoted} WHERE FALSE");
        let creates_tags = match self.write(&insert, &[]).await {
            Err(failure) if failure.is_denied() => false,
            answer => answer.map(|_| true)?,
        };
        match self.query(&format!("SELECT gene_bits::bigint FROM {genes} WHERE FALSE"), &[]).await {
            Err(failure) if !failure.is_denied() && !failure.is_no_such_table() => return Err(failure),
            _ => {}
        }
        let rows = self.query(&format!("SELECT pg_catalog.count(*) FROM {quoted}"), &[]).await?;
        let tags = rows.first().map(|row| column(row, 0)).transpose()?;
        let missing = || Error::new(ErrorKind::StoreUnavailable, format!("{scope} returned no count"));
        Ok(SegmentCheck { tags: tags.ok_or_else(missing)?, creates_tags, ..SegmentCheck::default() })
    }
}
