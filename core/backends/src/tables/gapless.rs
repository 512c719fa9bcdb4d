//! What is wrong with a table that cannot count without gaps. Who takes numbers asks here, and who lists them.

use super::names;
use leafmint_ids::error::{Error, ErrorKind};
use leafmint_ids::text::one_line;

/// What to do if two rows may have one name.
pub const ADD_KEY: &str = "run ALTER TABLE leafmint_gapless ADD UNIQUE (name)";

/// Describes a table that cannot count without gaps.
pub fn unfit(problem: &str) -> Error {
    Error::new(ErrorKind::InvalidConfig, format!("the table {} {problem}", names::GAPLESS))
}

/// Describes a table with a trigger.
pub fn has_trigger(trigger: &str) -> Error {
    unfit(&format!(
        "has the trigger {}, which may change a number that was taken: drop it, or make it one of the table of your documents",
        one_line(trigger)
    ))
}

/// Refuses a table that has a trigger, or in which two rows may have one name.
pub(crate) fn check(trigger: Option<&str>, is_unique: bool) -> Result<(), Error> {
    match trigger {
        Some(trigger) => Err(has_trigger(trigger)),
        None if is_unique => Ok(()),
        None => Err(unfit(&format!("has no unique key of the column name alone: {ADD_KEY}"))),
    }
}
