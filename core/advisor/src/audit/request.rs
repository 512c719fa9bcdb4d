//! What an audit is to look at.

use super::glob;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::layout::Layout;
use leafmint_ids::text::pasted::ShellCommand;
use std::collections::HashSet;

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

/// Tables that a command looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Patterns of tables, with `*` and `?`; none means every table.
    pub tables: Vec<String>,
    /// Tables and their tags, if these have other names.
    pub tags: Vec<(String, String)>,
}

impl Chosen {
    /// Chooses one table and its tag.
    pub(crate) fn one(table: &str, tag: &str) -> Self {
        let tags = if table == tag { Vec::new() } else { vec![(table.to_owned(), tag.to_owned())] };
        Self { tables: vec![table.to_owned()], tags }
    }

    /// Returns a command of the move from `AUTO_INCREMENT` that looks at these tables.
    pub(crate) fn command(&self, words: &str) -> ShellCommand {
        let command = ShellCommand::leafmint(&format!("migrate auto-increment {words}"));
        let tables = self.tables.iter().fold(command, |command, table| command.value("--table", table));
        self.tags.iter().fold(tables, |command, (table, tag)| command.value("--tag", &format!("{table}={tag}")))
    }
}

impl AuditRequest {
    /// Spells tables as the database does, which may keep their names in lower case.
    pub(crate) fn spelt_as(mut self, listed: &HashSet<&str>) -> Self {
        self.tables = self.tables.iter().flat_map(|pattern| spelt(pattern, listed)).collect();
        for (table, _) in &mut self.tags {
            if let Some(name) = listed.iter().find(|name| is_alike(name, table)).filter(|_| !listed.contains(&**table))
            {
                *table = (*name).to_owned();
            }
        }
        self
    }

    /// Raises `invalid_argument` for a table that the database does not have. A pattern may match none.
    pub(crate) fn check_listed(&self, listed: &HashSet<&str>) -> Result<()> {
        let is_listed = |pattern: &&String| listed.iter().any(|name| glob::matches(pattern, name));
        let table = self.tables.iter().find(|pattern| !pattern.contains(['*', '?']) && !is_listed(pattern));
        let tagged = || self.tags.iter().map(|(table, _)| table).find(|table| !listed.contains(table.as_str()));
        let Some(name) = table.or_else(tagged) else { return Ok(()) };
        let text = format!(
            "there is no table {name:?} with a column of whole numbers, as far as this account may see: correct the name, or \
             leave it out"
        );
        Err(Error::new(ErrorKind::InvalidArgument, text))
    }

    /// Returns whether a table is to be looked at.
    pub fn takes(&self, table: &str) -> bool {
        self.tables.is_empty() || self.tables.iter().any(|pattern| glob::matches(pattern, table))
    }

    /// Returns the name of a table's tag.
    pub(crate) fn tag_of<'a>(&'a self, table: &'a str) -> &'a str {
        self.tags.iter().find(|(known, _)| known == table).map_or(table, |(_, tag)| tag)
    }
}

/// Returns the pattern if it fits a table or none, or else the tables that it fits apart from case.
fn spelt(pattern: &str, listed: &HashSet<&str>) -> Vec<String> {
    let folded = pattern.to_lowercase();
    let alike = listed.iter().filter(|name| glob::matches(&folded, &name.to_lowercase()));
    let alike: Vec<String> = alike.map(|name| (*name).to_owned()).collect();
    let fits = listed.iter().any(|name| glob::matches(pattern, name));
    if fits || alike.is_empty() { vec![pattern.to_owned()] } else { alike }
}

/// Returns whether two names differ in case at most.
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelt(tables: &[&str], tags: &[(&str, &str)], listed: &[&str]) -> AuditRequest {
        let tables = tables.iter().map(|table| (*table).to_owned()).collect();
        let tags = tags.iter().map(|(table, tag)| ((*table).to_owned(), (*tag).to_owned())).collect();
        AuditRequest { tables, tags, ..AuditRequest::default() }.spelt_as(&listed.iter().copied().collect())
    }

    #[test]
    fn a_table_is_found_in_another_case_only_if_none_has_the_name_as_written() {
        let request = spelt(&["Orders", "*Lines"], &[("Orders", "ticket")], &["orders", "orderlines"]);
        assert!(request.takes("orders") && request.takes("orderlines"));
        assert_eq!(request.tag_of("orders"), "ticket");
        let request = spelt(&["Orders"], &[("Orders", "ticket")], &["orders", "Orders"]);
        assert!(request.takes("Orders") && !request.takes("orders"));
        assert_eq!((request.tag_of("orders"), request.tag_of("Orders")), ("orders", "ticket"));
    }

    #[test]
    fn a_table_that_is_not_there_is_named() {
        let listed = HashSet::from(["orders"]);
        for request in [spelt(&["Orders", "order"], &[], &["orders"]), spelt(&[], &[("order", "a")], &["orders"])] {
            let error = request.check_listed(&listed).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            assert!(error.message().contains("\"order\""), "{error}");
        }
    }
}
