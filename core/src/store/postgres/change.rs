//! Changes of a tag's row that an operator asks for. Each is one UPDATE, which matches no tag that has two rows.

use super::row;
use crate::database::Outcome;
use crate::postgres::operators::{EQ, LT};
use crate::postgres::{Session, column, number, text};
use crate::store::TagChange;
use crate::store::dialect::ChangeStatements;
use crate::store::stored_row::{StoredRow, many_rows};
use crate::store::table::Table;
use crate::store::tag_rules::unknown_tag;

impl ChangeStatements for Session {
    async fn set_tag(&mut self, table: &Table, change: &TagChange) -> Outcome<()> {
        let TagChange { tag, step, description } = change;
        let (tag, description) = (tag.as_str(), description.as_deref());
        let (mut columns, mut params) = (Vec::new(), vec![text(&tag)]);
        if let Some(step) = step {
            params.push(number(step));
            columns.push(format!("step = ${}", params.len()));
        }
        if let Some(description) = &description {
            params.push(text(description));
            columns.push(format!("description = ${}", params.len()));
        }
        let count = row::count(table);
        let update = format!(
            "UPDATE {} AS t SET {} FROM ({}) AS s WHERE t.biz_tag {EQ} $1 AND {count} {EQ} 1",
            table.quoted,
            columns.join(", "),
            self.settings(),
        );
        let (changed, counted) = self.query_both((&update, &params), (&count, &[text(&tag)])).await?;
        changed?;
        match counted?.first().map(|row| column::<i64>(row, 0)).transpose()? {
            Some(1) => Ok(()),
            Some(rows @ 2..) => Err(many_rows(&table.scope, tag, rows).into()),
            _ => Err(unknown_tag(tag, &table.scope).into()),
        }
    }

    async fn raise_tag(&mut self, table: &Table, tag: &str, max_id: i64) -> Outcome<i64> {
        let update = format!(
            "UPDATE {table} AS t SET max_id = $2 FROM ({}) AS s WHERE t.biz_tag {EQ} $1 AND t.max_id {LT} $2 \
             AND {} {EQ} 1 AND {}",
            self.settings(),
            row::count(table),
            row::does_not_round("t.max_id"),
            table = table.quoted,
        );
        let params = [text(&tag), number(&max_id)];
        let (changed, found) = self.query_both((&update, &params), (&row::select(table), &params[..1])).await?;
        changed?;
        let found = found?.first().map(|row| row::stored(row, 0)).transpose()?;
        Ok(StoredRow::raised(found, &table.scope, tag, max_id)?)
    }
}
