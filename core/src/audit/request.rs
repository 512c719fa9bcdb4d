//! What an audit is to look at.

use super::glob;
use crate::id::Layout;

/// What an audit is to look at.
#[derive(Clone, Debug, Default)]
pub struct AuditRequest {
    /// Patterns of tables, with `*` and `?`; none means every table.
    pub tables: Vec<String>,
    /// Tables and their tags, if these have other names.
    pub tags: Vec<(String, String)>,
    /// The layout of snowflakes. With it, keys above 2^53 are decoded.
    pub layout: Option<Layout>,
    /// An earlier report.
    pub since: Option<Earlier>,
}

/// How far the keys were used at an earlier time.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// When, in Unix milliseconds.
    pub read_at: i64,
    /// Table, column, and the highest number used.
    pub used: Vec<(String, String, u64)>,
}

impl AuditRequest {
    /// Returns whether a table is to be looked at.
    pub(crate) fn takes(&self, table: &str) -> bool {
        self.tables.is_empty() || self.tables.iter().any(|pattern| glob::matches(pattern, table))
    }

    /// Returns the name of a table's tag.
    pub(crate) fn tag_of<'a>(&'a self, table: &'a str) -> &'a str {
        self.tags.iter().find(|(known, _)| known == table).map_or(table, |(_, tag)| tag)
    }
}
