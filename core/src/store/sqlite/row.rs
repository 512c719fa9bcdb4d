//! A tag's row as SQLite holds it: each value has a type of its own, whatever its column says.

use super::statements::{SqliteOutcome, SqliteTable};
use crate::store::stored_row::StoredRow;
use crate::store::tag_rules::{unknown_tag, unusable_step};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};

impl SqliteTable {
    /// Reads the row of a tag, and counts its rows. It reads no gene bits.
    pub(super) fn row(&self, connection: &Connection, tag: &str) -> SqliteOutcome<Option<StoredRow>> {
        let sql = format!(
            "SELECT max_id, step, (SELECT count(*) FROM \"{0}\" WHERE biz_tag = ?1) FROM \"{0}\" WHERE biz_tag = ?1 LIMIT 1",
            self.name
        );
        Ok(connection.prepare_cached(&sql)?.query_row([tag], stored).optional()?)
    }

    /// Reads the `step` column of a tag.
    pub(super) fn step(&self, connection: &Connection, tag: &str) -> SqliteOutcome<i64> {
        let row = self.row(connection, tag)?.ok_or_else(|| unknown_tag(tag, &self.scope))?;
        match row.whole_step {
            0 => Err(unusable_step(tag, row.step.as_deref().unwrap_or("NULL"), &self.scope).into()),
            step => Ok(step),
        }
    }
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredRow> {
    let (max_id, step) = (row.get_ref(0)?, row.get_ref(1)?);
    Ok(StoredRow {
        max_id: text(max_id),
        is_whole: number(max_id).is_some(),
        step: text(step),
        whole_step: number(step).unwrap_or(0),
        rows: row.get(2)?,
        genes: 0,
    })
}

/// Reads a value if it is a whole number.
pub(super) fn number(value: ValueRef<'_>) -> Option<i64> {
    match value {
        ValueRef::Integer(number) => Some(number),
        _ => None,
    }
}

/// Reads a value as text, whatever its type; `None` for NULL.
pub(super) fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
    }
}
