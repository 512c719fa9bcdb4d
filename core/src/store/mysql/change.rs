//! Changes of a tag's row that an operator asks for. Each is one UPDATE, which matches no tag that has two rows.

use super::row::{self, DOES_NOT_ROUND};
use crate::database::{Outcome, Statement};
use crate::mysql::{self, Session};
use crate::store::TagChange;
use crate::store::stored_row::{StoredRow, many_rows};
use crate::store::table::Table;
use crate::store::tag_rules::unknown_tag;
use mysql_async::Value;

/// Changes the `step` or the description of a tag.
pub(super) struct SetTag<'a> {
    pub(super) table: &'a Table,
    pub(super) change: &'a TagChange,
}

impl Statement<Session> for SetTag<'_> {
    type Answer = ();

    async fn run(&self, session: &mut Session) -> Outcome<()> {
        let TagChange { tag, step, description } = self.change;
        let changes =
            [("step = ?", step.map(Value::from)), ("description = ?", description.as_deref().map(Value::from))];
        let (columns, values): (Vec<_>, Vec<_>) =
            changes.into_iter().filter_map(|(column, value)| Some((column, value?))).unzip();
        let sql = format!(
            "SET @leafmint_end = NULL; {}; UPDATE {} SET {} WHERE biz_tag = ? AND @leafmint_rows = 1; SELECT @leafmint_rows",
            self.table.count(),
            self.table.quoted,
            columns.join(", "),
        );
        let tag_param = || [Value::from(tag.as_str())];
        let params: Vec<Value> = tag_param().into_iter().chain(values).chain(tag_param()).collect();
        session.send(&sql, &params).await?;
        session.skip().await?;
        session.skip().await?;
        session.changed().await?;
        match session.rows::<Option<i64>>().await?.pop().flatten() {
            Some(1) => Ok(()),
            Some(rows @ 2..) => Err(many_rows(&self.table.scope, tag, rows).into()),
            _ => Err(unknown_tag(tag, &self.table.scope).into()),
        }
    }
}

/// Raises `max_id` to at least a value, and reads it back.
pub(super) struct RaiseTag<'a> {
    pub(super) table: &'a Table,
    pub(super) tag: &'a str,
    pub(super) max_id: i64,
}

impl Statement<Session> for RaiseTag<'_> {
    type Answer = i64;

    async fn run(&self, session: &mut Session) -> Outcome<i64> {
        let Self { table, tag, max_id } = *self;
        mysql::look(session, &[&table.quoted]).await?.judge()?;
        let sql = format!(
            "SET @leafmint_genes = NULL; {}; UPDATE {} SET max_id = {max_id} WHERE biz_tag = ? AND max_id < {max_id} \
             AND @leafmint_rows = 1 AND {DOES_NOT_ROUND}; SELECT {} FROM {} WHERE biz_tag = ? LIMIT 1",
            table.count(),
            table.quoted,
            row::COLUMNS,
            table.quoted,
        );
        session.send(&sql, &[tag; 3].map(Value::from)).await?;
        session.skip().await?;
        session.skip().await?;
        session.changed().await?;
        let found: Option<StoredRow> = session.rows().await?.pop();
        Ok(StoredRow::raised(found, &table.scope, tag, max_id)?)
    }
}
