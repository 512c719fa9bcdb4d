//! What is found out without a lease: the tags, whatever their rows hold, and whether the account may lease.

use super::row::{self, DOES_NOT_ROUND, ROW_IS_WHOLE};
use crate::mysql::{self, Session};
use crate::sessions::Outcome;
use crate::tables::dialect::{CheckStatements, GeneBitsByTag, ListStatements};
use crate::tables::stored_row::{StoredRow, column_that_rounds};
use crate::tables::table::Table;
use leafmint_engine::store::{SegmentCheck, TagInfo};
use leafmint_ids::error::{Error, ErrorKind};
use mysql_async::prelude::FromRow;
use mysql_async::{FromRowError, Row, Value};

/// Maximum size of the list that the server sends: some 300,000 tags.
const MOST_BYTES: usize = 64 << 20;

/// Which column of the answer to `SHOW FULL COLUMNS` has the privileges of the account.
const PRIVILEGES: usize = 7;

impl ListStatements for Session {
    async fn list_tags(&mut self, table: &Table) -> Outcome<Vec<TagInfo>> {
        let columns: Vec<Row> = self.query(&format!("SHOW FULL COLUMNS FROM {}", table.quoted), &[]).await?;
        let columns: Vec<String> = columns.into_iter().filter_map(readable).collect();
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

/// Returns the name of a column, unless the account may do other things with it than read it.
fn readable(mut column: Row) -> Option<String> {
    let privileges = text(column.take(PRIVILEGES)).unwrap_or_default().to_lowercase();
    text(column.take(0)).filter(|_| privileges.is_empty() || privileges.contains("select"))
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

impl CheckStatements for Session {
    async fn check(&mut self, table: &Table) -> Outcome<SegmentCheck> {
        let Table { quoted, genes, scope, .. } = table;
        self.run(&format!("SELECT biz_tag, max_id, step FROM {quoted} WHERE FALSE"), &[]).await?;
        self.run(&format!("UPDATE {quoted} SET max_id = max_id + step WHERE biz_tag = '' AND FALSE"), &[]).await?;
        let columns = "biz_tag, max_id, step";
        let insert = format!("INSERT INTO {quoted} ({columns}) SELECT {columns} FROM {quoted} WHERE FALSE");
        let creates_tags = match self.run(&insert, &[]).await {
            Err(failure) if failure.is_denied() => false,
            answer => answer.map(|()| true)?,
        };
        match self.run(&format!("SELECT gene_bits FROM {genes} WHERE FALSE"), &[]).await {
            Err(failure) if !failure.is_denied() && !failure.is_no_such_table() => return Err(failure),
            _ => {}
        }
        mysql::look(self, &[quoted]).await?.judge()?;
        // An estimate would do, but only an exact count is there everywhere. A column that rounds does so in every row.
        let count = format!("SELECT COUNT(*), MAX({DOES_NOT_ROUND}) FROM {quoted}");
        let missing = || Error::new(ErrorKind::StoreUnavailable, format!("{scope} returned no count"));
        let counted: Option<(i64, Option<i64>)> = self.first(&count, &[]).await?;
        let (tags, is_exact) = counted.ok_or_else(missing)?;
        if is_exact == Some(0) {
            return Err(column_that_rounds(scope).into());
        }
        Ok(SegmentCheck { tags, creates_tags, ..SegmentCheck::default() })
    }
}
