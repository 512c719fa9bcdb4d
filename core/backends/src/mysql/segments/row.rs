//! A tag's row as MySQL answers it.

use crate::tables::stored_row::{MOST_SHOWN, StoredRow};
use crate::tables::table::Table;
use leafmint_ids::text::beginning;
use mysql_async::prelude::FromRow;
use mysql_async::{FromRowError, Row, Value};

/// A sum that no floating-point number can represent: the comparison is true only if the column does not round. A TIME
/// is added to as a number, and is none.
macro_rules! does_not_round {
    () => {
        "CAST(max_id * 0 + 9007199254740993 AS SIGNED) = 9007199254740993 AND LOCATE(':', max_id) = 0"
    };
}

/// The condition that the column does not round.
pub(super) const DOES_NOT_ROUND: &str = does_not_round!();

/// The condition that the number is whole, and that its column does not round.
pub(super) const ROW_IS_WHOLE: &str = concat!("max_id = FLOOR(max_id) AND ", does_not_round!());

/// Reads what a [`StoredRow`] holds into variables. It is one statement, and so one snapshot, whatever other sessions
/// store meanwhile.
const READ: &str = concat!(
    "SELECT COUNT(*), MIN(biz_tag), CAST(MIN(step) AS SIGNED), MIN(step), MIN(max_id), MIN(max_id = FLOOR(max_id) AND ",
    does_not_round!(),
    ") INTO @leafmint_rows, @leafmint_name, @leafmint_step, @leafmint_step_text, @leafmint_max_id, @leafmint_is_whole FROM "
);

/// The columns of a [`NamedRow`] out of these variables, if the tag has a row.
pub(super) const READ_BEFORE: &str = "SELECT @leafmint_max_id, @leafmint_is_whole, @leafmint_step_text, @leafmint_step, @leafmint_rows, \
                     @leafmint_genes, @leafmint_name FROM DUAL WHERE @leafmint_rows > 0";

/// The columns of a [`StoredRow`], from the table and from the variables that are set before a change.
pub(super) const COLUMNS: &str = concat!(
    "max_id, max_id = FLOOR(max_id) AND ",
    does_not_round!(),
    ", step, @leafmint_step, @leafmint_rows, @leafmint_genes"
);

impl Table {
    /// Returns the statement that reads the row of a tag into variables, and counts its rows.
    pub(super) fn read_row(&self) -> String {
        format!("{READ}{} WHERE biz_tag = ?", self.quoted)
    }
}

/// A tag's row, and the name in it.
pub(super) struct NamedRow {
    pub(super) row: StoredRow,
    name: String,
}

impl NamedRow {
    /// Returns the name in the row, if it is spelled otherwise than the tag.
    pub(super) fn other_name(self, tag: &str) -> Option<String> {
        (self.name != tag).then_some(self.name)
    }
}

impl FromRow for NamedRow {
    fn from_row_opt(mut row: Row) -> std::result::Result<Self, FromRowError> {
        let name = match row.take(6) {
            Some(Value::Bytes(bytes)) => String::from_utf8_lossy(&bytes).into_owned(),
            _ => return Err(FromRowError(row)),
        };
        Ok(Self { row: take(&mut row, 0), name })
    }
}

impl FromRow for StoredRow {
    fn from_row_opt(mut row: Row) -> std::result::Result<Self, FromRowError> {
        Ok(take(&mut row, 0))
    }
}

/// Takes the six columns of a row out of another one, from this one on.
pub(super) fn take(row: &mut Row, first: usize) -> StoredRow {
    let mut next = first..;
    let mut text = || match row.take(next.next().unwrap_or_default()) {
        None | Some(Value::NULL) => None,
        Some(Value::Bytes(bytes)) => Some(beginning(&String::from_utf8_lossy(&bytes), MOST_SHOWN).to_owned()),
        Some(other) => Some(other.as_sql(true)),
    };
    let number = |text: Option<String>| text.and_then(|text| text.parse().ok()).unwrap_or(0);
    StoredRow {
        max_id: text(),
        is_whole: number(text()) == 1,
        step: text(),
        whole_step: number(text()),
        rows: number(text()),
        genes: number(text()),
    }
}
