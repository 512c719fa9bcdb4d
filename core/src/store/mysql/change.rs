//! Changes of a tag's row that an operator asks for. Each is one UPDATE, which matches no tag that has two rows.

use super::row::{self, DOES_NOT_ROUND};
use crate::database::Outcome;
use crate::mysql::{self, Session};
use crate::store::TagChange;
use crate::store::dialect::ChangeStatements;
use crate::store::stored_row::{StoredRow, many_rows};
use crate::store::table::Table;
use crate::store::tag_rules::unknown_tag;
use mysql_async::Value;

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
