//! The format of a series: its texts must show the period and the key, or numbers that start again have the text of
//! others.

use super::field::{Field, Part};
use crate::config_errors::ConfigErrors;
use crate::error::Result;
use crate::id::Period;
use crate::id::quote::quoted;

/// Refuses a format that does not fit a series. Raises `invalid_config`, whose message lists everything that is wrong.
pub(super) fn check(text: &str, parts: &[Part], period: Period, has_key: bool) -> Result<()> {
    let has = |wanted: fn(&Field) -> bool| parts.iter().any(|part| matches!(part, Part::Field(it) if wanted(it)));
    let rank = match period {
        Period::Forever => 0,
        Period::Year => 1,
        Period::Month => 2,
        Period::Day => 3,
    };
    let fields = [
        (1, "{year} or {yy}", has(|field| matches!(field, Field::Year | Field::ShortYear))),
        (2, "{month}", has(|field| matches!(field, Field::Month))),
        (3, "{day}", has(|field| matches!(field, Field::Day))),
    ];
    let mut errors = ConfigErrors::default();
    for (of, field, is_there) in fields {
        if of <= rank && !is_there {
            errors.add(format!("the numbers start again each {period}, so {field} must show which"));
        } else if of > rank && is_there {
            errors.add(format!("the series has no {field}: its period is \"{period}\""));
        }
    }
    match (has_key, has(|field| matches!(field, Field::Key))) {
        (true, false) => errors.add("each key has numbers of its own, so {key} must show which"),
        (false, true) => errors.add("the series has no key for {key}"),
        _ => {}
    }
    if has(|field| matches!(field, Field::Shard { .. })) {
        errors.add("a series has no {shard}");
    }
    errors.into_result(&format!("format={}", quoted(text)))
}
