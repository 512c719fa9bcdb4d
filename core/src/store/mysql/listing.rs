//! The tags of the table, whatever their rows hold.

use super::row::{self, ROW_IS_WHOLE};
use crate::database::Outcome;
use crate::error::Error;
use crate::mysql::{self, Session};
use crate::store::TagInfo;
use crate::store::dialect::{GeneBitsByTag, ListStatements};
use crate::store::stored_row::StoredRow;
use crate::store::table::Table;
use mysql_async::prelude::FromRow;
use mysql_async::{FromRowError, Row, Value};

/// Maximum size of the list that the server sends: some 300,000 tags.
const MOST_BYTES: usize = 64 << 20;

impl ListStatements for Session {
    async fn list_tags(&mut self, table: &Table) -> Outcome<Vec<TagInfo>> {
        let columns: Vec<Row> = self.query(&format!("SHOW COLUMNS FROM {}", table.quoted), &[]).await?;
        let columns: Vec<String> = columns.into_iter().filter_map(|mut row| text(row.take(0))).collect();
        // It begins with a SET, so that no proxy takes it for a question to a replica. Gene bits are read after the
        // rows: they are stored no later than the row that they belong to.
        let sql = format!(
            "SET @leafmint_genes = NULL; {}; SELECT biz_tag, gene_bits FROM {}",
            table.list(&columns),
            table.genes
        );
        self.send(&sql, &[]).await?;
        self.skip().await?;
        let listed: Vec<Listed> = self.rows_up_to(MOST_BYTES).await?;
        let bits = |mut row: Row| Some((text(row.take(0))?, text(row.take(1))?.parse().ok()?));
        let genes = self.rows_up_to(MOST_BYTES).await.map(|rows| rows.into_iter().filter_map(bits).collect());
        let genes = GeneBitsByTag::found(genes)?;
        let lasting = mysql::look(self, &[&table.quoted]).await?.judge();
        let mut tags: Vec<TagInfo> = listed.into_iter().map(|row| row.info(table, &genes, lasting.clone())).collect();
        tags.sort_by(|a, b| a.biz_tag.cmp(&b.biz_tag));
        Ok(tags)
    }
}

impl Table {
    /// Returns the statement that lists the tags. Rows that a lease would take for one tag are one row of the list.
    fn list(&self, columns: &[String]) -> String {
        let has = |name: &str| columns.iter().any(|column| column.eq_ignore_ascii_case(name));
        let description = if has("description") { "LEFT(MAX(description), 256)" } else { "NULL" };
        let time = "CAST(MAX(UNIX_TIMESTAMP(update_time)) * 1000 AS SIGNED)";
        let update_time = if has("update_time") { time } else { "NULL" };
        format!(
            "SELECT biz_tag, MAX(max_id), MIN(COALESCE({ROW_IS_WHOLE}, 0)), MAX(step), CAST(MIN(step) AS SIGNED), COUNT(*), \
             NULL, {description}, {update_time} FROM {} GROUP BY biz_tag",
            self.quoted
        )
    }
}

/// A row of the list.
struct Listed {
    biz_tag: String,
    found: StoredRow,
    description: Option<String>,
    update_time: Option<i64>,
}

impl FromRow for Listed {
    fn from_row_opt(mut row: Row) -> Result<Self, FromRowError> {
        Ok(Self {
            biz_tag: text(row.take(0)).unwrap_or_default(),
            found: row::take(&mut row, 1),
            description: text(row.take(7)),
            update_time: text(row.take(8)).and_then(|time| time.parse().ok()),
        })
    }
}

impl Listed {
    fn info(self, table: &Table, genes: &GeneBitsByTag, lasting: Result<(), Error>) -> TagInfo {
        let Self { biz_tag, found, description, update_time } = self;
        let row = lasting.and(StoredRow::problem(Some(&found), &table.scope, &biz_tag, None).map_or(Ok(()), Err));
        let (max_id, step) = (found.max_id(), found.step());
        let gene_bits = genes.of(&biz_tag);
        TagInfo { biz_tag, max_id, step, description, update_time, gene_bits, problem: None }.judged(row)
    }
}

/// Reads a value as text, whatever its type; `None` for NULL.
fn text(value: Option<Value>) -> Option<String> {
    match value? {
        Value::NULL => None,
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        other => Some(other.as_sql(true)),
    }
}
