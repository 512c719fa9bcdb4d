//! A tag's row as PostgreSQL answers it, and the settings that a statement needs for its own transaction.

use crate::database::Outcome;
use crate::postgres::{column, is_lasting};
use crate::store::stored_row::StoredRow;
use crate::store::table::Table;
use tokio_postgres::Row;

/// The condition that the column does not round: no floating-point number is the sum.
pub(super) const DOES_NOT_ROUND: &str = "(t.max_id * 0 + 9007199254740993)::bigint = 9007199254740993";

/// The condition that the number is whole, and that its column does not round.
pub(super) const IS_WHOLE: &str =
    "t.max_id = floor(t.max_id) AND (t.max_id * 0 + 9007199254740993)::bigint = 9007199254740993";

/// The condition that the table of this row has a column `update_time` that this account may set.
const SETS_TIME: &str = "EXISTS (SELECT FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = t.tableoid AND a.attname = 'update_time' \
     AND a.atttypid IN ('timestamptz'::regtype, 'timestamp'::regtype) AND NOT a.attisdropped \
     AND COALESCE(to_jsonb(a) ->> 'attgenerated', '') = '' AND has_column_privilege(a.attrelid, a.attnum, 'UPDATE'))";

/// Reads the first columns of a [`select`], or of a list, from this column of a row on.
pub(super) fn stored(row: &Row, first: usize) -> Outcome<StoredRow> {
    let text = |at| column::<Option<&str>>(row, first + at).map(|text| text.map(cut));
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
/// whether the table is lasting, and whether `update_time` can be set.
pub(super) fn select(table: &Table) -> String {
    format!(
        "SELECT t.max_id::text, COALESCE({IS_WHOLE}, false), t.step::text, \
         (SELECT count(*) FROM {table} WHERE biz_tag = $1), 0::bigint, {}, {SETS_TIME} FROM {table} AS t WHERE t.biz_tag = $1 LIMIT 1",
        is_lasting("t"),
        table = table.quoted,
    )
}

/// Reads a number out of a text, if it is whole: a numeric column shows digits behind the point.
pub(super) fn whole(text: &str) -> Option<i64> {
    let (number, rest) = text.split_once('.').unwrap_or((text, ""));
    rest.bytes().all(|digit| digit == b'0').then(|| number.parse().ok()).flatten()
}

fn cut(text: &str) -> String {
    text.chars().take(40).collect()
}
