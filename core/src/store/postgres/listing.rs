//! The tags of the table, whatever their rows hold.

use super::{row, usable_table};
use crate::database::Outcome;
use crate::error::Error;
use crate::postgres::operators::{EQ, MUL};
use crate::postgres::{Session, column};
use crate::store::TagInfo;
use crate::store::dialect::{GeneBitsByTag, ListStatements};
use crate::store::stored_row::StoredRow;
use crate::store::table::Table;
use tokio_postgres::Row;

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
        let problem = usable_table::problem(self, table).await;
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
