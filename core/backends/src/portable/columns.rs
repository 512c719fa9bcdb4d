//! The columns of a table, as a catalog shows them.

use std::collections::HashMap;

/// Types of numbers that round, by the beginning of their names in the catalogs.
const ROUNDING: [&str; 3] = ["real", "double", "float"];

/// The columns of a table: their names and types in lower case. SQLite's have no types.
pub(super) struct Columns(HashMap<String, String>);

impl Columns {
    pub(super) fn new(types_by_name: HashMap<String, String>) -> Self {
        Self(types_by_name)
    }

    /// Returns whether `max_id` is a number that rounds.
    pub(super) fn rounds(&self) -> bool {
        let rounds = |kind: &String| ROUNDING.iter().any(|rounding| kind.starts_with(rounding));
        self.0.get("max_id").is_some_and(rounds)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns what sets the time of a change, if there is a column for it.
    pub(super) fn time_is_set(&self) -> &'static str {
        let takes_time = |kind: &String| kind.is_empty() || kind.starts_with("timestamp");
        if self.0.get("update_time").is_some_and(takes_time) { ", update_time = CURRENT_TIMESTAMP" } else { "" }
    }
}
