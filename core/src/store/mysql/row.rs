//! A tag's row as a lease finds it: any text, and a description of what is wrong with it.

use super::statements::Table;
use crate::error::{Error, ErrorKind, Result};
use crate::store::tag_rules::{MAX_STEP, check_room, no_room, unknown_tag, unusable_step};
use mysql_async::prelude::FromRow;
use mysql_async::{FromRowError, Row, Value};

/// A sum that no floating-point number can represent: the comparison is true only if the column does not round.
pub(super) const DOES_NOT_ROUND: &str = "CAST(max_id * 0 + 9007199254740993 AS SIGNED) = 9007199254740993";

/// The number is whole, and its column does not round.
pub(super) const ROW_IS_WHOLE: &str =
    "max_id = FLOOR(max_id) AND CAST(max_id * 0 + 9007199254740993 AS SIGNED) = 9007199254740993";

/// The columns of a [`Found`], from the table and from the variables that are set before a lease.
pub(super) const COLUMNS: &str = "max_id, max_id = FLOOR(max_id) AND CAST(max_id * 0 + 9007199254740993 AS SIGNED) = 9007199254740993, \
                                  step, @leafmint_step, @leafmint_rows, @leafmint_genes";

/// The row that a lease found for the tag.
pub(super) struct Found {
    /// `None` for NULL, as in the columns below.
    max_id: Option<String>,
    is_whole: bool,
    step: Option<String>,
    /// The `step` column as a number; 0 for none.
    pub(super) whole_step: i64,
    rows: i64,
    /// The stored gene bits, if they were read before the lease; 0 for none.
    pub(super) genes: i64,
}

impl FromRow for Found {
    fn from_row_opt(mut row: Row) -> std::result::Result<Self, FromRowError> {
        Ok(Self::take(&mut row, 0))
    }
}

impl Found {
    /// Takes its six columns out of a row, from this one on.
    pub(super) fn take(row: &mut Row, first: usize) -> Self {
        let mut next = first..;
        let mut text = || match row.take(next.next().unwrap_or_default()) {
            None | Some(Value::NULL) => None,
            Some(Value::Bytes(bytes)) => Some(String::from_utf8_lossy(&bytes).chars().take(40).collect()),
            Some(other) => Some(other.as_sql(true)),
        };
        let number = |text: Option<String>| text.and_then(|text| text.parse().ok()).unwrap_or(0);
        Self {
            max_id: text(),
            is_whole: number(text()) == 1,
            step: text(),
            whole_step: number(text()),
            rows: number(text()),
            genes: number(text()),
        }
    }

    /// Returns `max_id` as a number, if it is one.
    pub(super) fn max_id(&self) -> Option<i64> {
        // A decimal column shows digits behind the point; they are zeros.
        self.max_id.as_ref().filter(|_| self.is_whole)?.split('.').next()?.parse().ok()
    }

    /// Returns the `step` column as a number, if it is one.
    pub(super) fn step(&self) -> Option<i64> {
        self.step.as_ref().map(|_| self.whole_step)
    }

    /// Returns `max_id` of a tag that has one row, whatever its `step` is.
    pub(super) fn checked_max_id(&self, table: &Table, tag: &str) -> Result<i64> {
        if self.rows > 1 {
            return Err(many_rows(table, tag, self.rows));
        }
        self.check_max_id(table, tag, 0)?;
        self.max_id().ok_or_else(|| no_room(tag, self.max_id.as_deref().unwrap_or("NULL"), 0))
    }

    /// Describes what is wrong with the row for a lease of `amount` ids, or of as many as the `step` column says if
    /// `None`.
    pub(super) fn problem(found: Option<&Self>, table: &Table, tag: &str, amount: Option<i64>) -> Option<Error> {
        match found {
            None => Some(unknown_tag(tag, &table.scope)),
            Some(found) => found.check(table, tag, amount).err(),
        }
    }

    fn check(&self, table: &Table, tag: &str, amount: Option<i64>) -> Result<()> {
        if self.rows > 1 {
            return Err(many_rows(table, tag, self.rows));
        }
        if !(1..=MAX_STEP).contains(&self.whole_step) {
            return Err(unusable_step(tag, self.step.as_deref().unwrap_or("NULL"), &table.scope));
        }
        self.check_max_id(table, tag, amount.unwrap_or(self.whole_step))
    }

    fn check_max_id(&self, table: &Table, tag: &str, amount: i64) -> Result<()> {
        let Some(max_id) = &self.max_id else {
            let text = format!("max_id of biz_tag {tag:?} is NULL in {}: set it to the first free id", table.scope);
            return Err(Error::new(ErrorKind::InvalidConfig, text));
        };
        if !self.is_whole {
            let text = format!(
                "max_id of biz_tag {tag:?} is {max_id} in {}, in a column that may hold other values than whole numbers, or round \
                 them: make the column a BIGINT",
                table.scope
            );
            return Err(Error::new(ErrorKind::InvalidConfig, text));
        }
        match self.max_id() {
            Some(max_id) => check_room(tag, max_id, amount),
            None => Err(no_room(tag, max_id, amount)),
        }
    }
}

/// Names a tag that has more than one row.
pub(super) fn many_rows(table: &Table, tag: &str, rows: impl std::fmt::Display) -> Error {
    let text =
        format!("biz_tag {tag:?} has {rows} rows in {}: leave one, and make biz_tag the primary key", table.scope);
    Error::new(ErrorKind::InvalidConfig, text)
}

/// Names a lease that matched no row although nothing is wrong with it.
pub(super) fn unchanged(table: &Table, tag: &str) -> Error {
    let text = format!(
        "a lease of biz_tag {tag:?} in {} changed nothing: the row changed meanwhile, or a trigger keeps max_id as it was",
        table.scope
    );
    Error::new(ErrorKind::StoreUnavailable, text)
}
