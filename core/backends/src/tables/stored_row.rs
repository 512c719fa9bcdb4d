//! A tag's row as a database holds it: any text, and a description of what is wrong with it.

use leafmint_engine::store::tag_rules::{MAX_STEP, check_room, no_room, unknown_tag, unusable_step};
use leafmint_ids::error::{Error, ErrorKind, Result};

/// Most characters of a column that are read.
pub(crate) const MOST_SHOWN: usize = 40;

/// The row that a lease found for the tag.
pub struct StoredRow {
    /// `None` for NULL, as in the columns below.
    pub max_id: Option<String>,
    /// The number is whole, and its column does not round.
    pub is_whole: bool,
    pub step: Option<String>,
    /// The `step` column as a number; 0 for none.
    pub whole_step: i64,
    pub rows: i64,
    /// The stored gene bits, if they were read before the lease; 0 for none.
    pub genes: i64,
}

impl StoredRow {
    /// Returns `max_id` as a number, if it is one.
    pub fn max_id(&self) -> Option<i64> {
        // A decimal column shows digits behind the point; they are zeros.
        self.max_id.as_ref().filter(|_| self.is_whole)?.split('.').next()?.parse().ok()
    }

    /// Returns the `step` column as a number, if it is one.
    pub fn step(&self) -> Option<i64> {
        self.step.as_ref().map(|_| self.whole_step)
    }

    /// Returns `max_id` of the row that was found after it was raised to at least this value.
    pub fn raised(found: Option<Self>, scope: &str, tag: &str, max_id: i64) -> Result<i64> {
        let stored = found.ok_or_else(|| unknown_tag(tag, scope))?.checked_max_id(scope, tag)?;
        if stored < max_id {
            return Err(not_raised(scope, tag, max_id, stored));
        }
        Ok(stored)
    }

    /// Returns `max_id` of a tag that has one row, whatever its `step` is.
    fn checked_max_id(&self, scope: &str, tag: &str) -> Result<i64> {
        self.check_rows(scope, tag)?;
        self.check_max_id(scope, tag, 0)?;
        self.max_id().ok_or_else(|| no_room(tag, self.max_id.as_deref().unwrap_or("NULL"), 0))
    }

    /// Describes what is wrong with the row for a lease of `amount` ids, or of as many as the `step` column says if
    /// `None`.
    pub fn problem(found: Option<&Self>, scope: &str, tag: &str, amount: Option<i64>) -> Option<Error> {
        match found {
            None => Some(unknown_tag(tag, scope)),
            Some(found) => found.check(scope, tag, amount).err(),
        }
    }

    fn check(&self, scope: &str, tag: &str, amount: Option<i64>) -> Result<()> {
        self.check_rows(scope, tag)?;
        if !(1..=MAX_STEP).contains(&self.whole_step) {
            return Err(unusable_step(tag, self.step.as_deref().unwrap_or("NULL"), scope));
        }
        self.check_max_id(scope, tag, amount.unwrap_or(self.whole_step))
    }

    /// Refuses all but one row. One that was stored after the rows were counted is not there yet.
    fn check_rows(&self, scope: &str, tag: &str) -> Result<()> {
        match self.rows {
            ..1 => Err(unknown_tag(tag, scope)),
            1 => Ok(()),
            rows => Err(many_rows(scope, tag, rows)),
        }
    }

    fn check_max_id(&self, scope: &str, tag: &str, amount: i64) -> Result<()> {
        let Some(max_id) = &self.max_id else {
            let text = format!("max_id of tag {tag:?} is NULL in {scope}: set it to the first free id");
            return Err(Error::new(ErrorKind::InvalidConfig, text));
        };
        if !self.is_whole {
            let text = format!(
                "max_id of tag {tag:?} is {max_id} in {scope}, in a column that may hold other values than whole numbers, or \
                 round them: make the column a BIGINT"
            );
            return Err(Error::new(ErrorKind::InvalidConfig, text));
        }
        match self.max_id() {
            Some(max_id) => check_room(tag, max_id, amount),
            None => Err(no_room(tag, max_id, amount)),
        }
    }
}

/// Names a column of which no lease can be taken, whatever its rows hold.
pub(crate) fn column_that_rounds(scope: &str) -> Error {
    let text = format!(
        "max_id in {scope} is a column that may hold other values than whole numbers, or round them: make the column a BIGINT"
    );
    Error::new(ErrorKind::InvalidConfig, text)
}

/// Names a tag that has more than one row.
pub(crate) fn many_rows(scope: &str, tag: &str, rows: impl std::fmt::Display) -> Error {
    let text = format!("tag {tag:?} has {rows} rows in {scope}: leave one, and make biz_tag the primary key");
    Error::new(ErrorKind::InvalidConfig, text)
}

/// Names a lease that matched no row although nothing is wrong with it.
pub(crate) fn unchanged(scope: &str, tag: &str) -> Error {
    let text = format!(
        "a lease of tag {tag:?} in {scope} changed nothing: the row changed meanwhile, or a trigger keeps max_id as it was"
    );
    Error::new(ErrorKind::StoreUnavailable, text).of_one_tag()
}

/// Names a row that holds less than a lease has set.
pub(crate) fn not_kept(scope: &str, tag: &str) -> Error {
    let text = format!(
        "a lease set max_id of tag {tag:?} in {scope}, and it reads lower: a trigger or the column's type changes what is \
         written: leave max_id alone in triggers, and make it a BIGINT"
    );
    Error::new(ErrorKind::InvalidConfig, text)
}

/// Names a row whose `max_id` a lease has moved by another number than its own.
pub(crate) fn kept_otherwise(scope: &str, tag: &str, amount: i64, before: &StoredRow, after: &StoredRow) -> Error {
    let shown = |row: &StoredRow| row.max_id.clone().unwrap_or("NULL".to_owned());
    let text = format!(
        "a lease of {amount} ids moved max_id of tag {tag:?} in {scope} from {} to {}: a trigger or the column's type changes \
         what is written: leave max_id alone in triggers, and make it a BIGINT",
        shown(before),
        shown(after),
    );
    Error::new(ErrorKind::InvalidConfig, text)
}

/// Names a row that holds less than it was raised to.
fn not_raised(scope: &str, tag: &str, max_id: i64, stored: i64) -> Error {
    let text = format!(
        "raising max_id of tag {tag:?} in {scope} to {max_id} left it at {stored}: a trigger changes what is written"
    );
    Error::new(ErrorKind::InvalidConfig, text)
}
