//! A tag's row as PostgreSQL answers it, and the settings that a statement needs for its own transaction.

use crate::postgresql::operators::EQ;
use crate::postgresql::{Row, column, does_not_round};
use crate::sessions::Outcome;
use crate::tables::stored_row::{MOST_SHOWN, StoredRow};
use crate::tables::table::Table;
use leafmint_ids::text::beginning;

/// The condition that the number is whole, and that its column does not round.
pub(super) fn is_whole() -> String {
    format!("t.max_id {EQ} pg_catalog.floor(t.max_id) AND {}", does_not_round("t.max_id"))
}

/// The condition that the table of this row has a column `update_time` that this account may set.
fn sets_time() -> String {
    format!(
        "EXISTS (SELECT FROM pg_catalog.pg_attribute AS a WHERE a.attrelid {EQ} t.tableoid AND a.attname {EQ} 'update_time' \
         AND a.atttypid {EQ} ANY ('{{pg_catalog.timestamptz,pg_catalog.timestamp}}'::pg_catalog.regtype[]) AND NOT a.attisdropped \
         AND COALESCE(pg_catalog.to_jsonb(a) OPERATOR(pg_catalog.->>) 'attgenerated', '') {EQ} '' \
         AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'UPDATE'))"
    )
}

/// Reads the first columns of a [`select`], or of a list, from this column of a row on.
pub(super) fn stored(row: &Row, first: usize) -> Outcome<StoredRow> {
    let text = |at| {
        column::<Option<&str>>(row, first + at).map(|text| text.map(|text| beginning(text, MOST_SHOWN).to_owned()))
    };
    let step = text(2)?;
    Ok(StoredRow {
        max_id: text(0)?,
        is_whole: column(row, first + 1)?,
        whole_step: step.as_deref().and_then(whole).unwrap_or(0),
        step,
        rows: column(row, first + 3)?,
        genes: column(row, first + 4)?,
    })
}

/// Returns the statement that reads the row of a tag and counts its rows. It stores no gene bits. Two more columns say
/// whether `update_time` can be set, and how the row spells the tag.
pub(super) fn select(table: &Table) -> String {
    format!(
        "SELECT t.max_id::pg_catalog.text, COALESCE({}, false), t.step::pg_catalog.text, \
         {}, 0::bigint, {}, t.biz_tag::pg_catalog.text FROM {table} AS t WHERE t.biz_tag {EQ} $1 LIMIT 1",
        is_whole(),
        count(table),
        sets_time(),
        table = table.quoted,
    )
}

/// Returns the number of rows of the tag that is the first parameter.
pub(super) fn count(table: &Table) -> String {
    format!("(SELECT pg_catalog.count(*) FROM {} WHERE biz_tag {EQ} $1)", table.quoted)
}

/// Reads a number out of a text, if it is whole: a numeric column shows digits behind the point.
pub(super) fn whole(text: &str) -> Option<i64> {
    let (number, rest) = text.split_once('.').unwrap_or((text, ""));
    rest.bytes().all(|digit| digit == b'0').then(|| number.parse().ok()).flatten()
}
