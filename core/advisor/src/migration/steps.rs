//! The order of a move without downtime.

use leafmint_ids::text::pasted::{Sql, SqlDialect};
use std::collections::BTreeSet;

const SNOWFLAKES_APART: &str = "Snowflakes: give leafmint worker ids that no Leaf server has (option workers), or numbers of \
                                Leaf's own tree (worker_mode=leaf), with Leaf's layout and epoch (layout=leaf), and deploy \
                                service by service";
const SNOWFLAKES_AFTER: &str = "Snowflakes: wait until the clock of every host is past Leaf's last id, and only then let \
                                leafmint use all worker ids";

/// What is moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Move<'a> {
    /// The table of the segments, if Leaf's segment mode is used.
    pub table: Option<&'a str>,
    /// A tag to show in examples.
    pub example: Option<&'a str>,
    /// Leaf's snowflake mode is used.
    pub snowflakes: bool,
}

/// Returns what to do, in order: first what clashes, then both side by side, then Leaf off.
pub fn steps(moved: &Move<'_>, findings: &[Finding]) -> Vec<String> {
    let clashes = findings.iter().filter(|found| found.level == Level::Clash);
    let mut steps: Vec<String> = clashes.map(|found| format!("Fix {}: {}", found.subject, found.text)).collect();
    if let Some(table) = moved.table {
        // The example becomes part of code and of a path.
        let is_plain = |tag: &&str| tag.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        steps.extend(segments(table, moved.example.filter(is_plain).unwrap_or("order")));
    }
    if moved.snowflakes {
        steps.push(SNOWFLAKES_APART.to_owned());
    }
    if moved.table.is_some() || moved.snowflakes {
        steps.push("Stop the Leaf servers when the last caller is gone".to_owned());
    }
    if moved.snowflakes {
        steps.push(SNOWFLAKES_AFTER.to_owned());
    }
    let mut seen = BTreeSet::new();
    steps.retain(|step| seen.insert(step.clone()));
    steps
}

fn segments(table: &str, tag: &str) -> [String; 3] {
    let grant = Sql::new(SqlDialect::MySql, "GRANT SELECT (biz_tag, max_id, step), UPDATE (max_id) ON");
    let grant = grant.quoted(&SqlDialect::MySql.quoted_path(table));
    [
        format!("Give the service an account of its own: {grant}"),
        format!(
            "Replace GET /api/segment/get/{tag} by tag(\"{tag}\").next_id() in Python, tag(\"{tag}\").nextId() in Java; \
             or let a Spring Boot service answer on Leaf's paths (leafmint.leaf-api.enabled)"
        ),
        "Deploy service by service: Leaf and leafmint lease from the same rows, and no id repeats".to_owned(),
    ]
}

/// What a look at a Leaf found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether the move has to wait for it.
    pub level: Level,
    /// The tag, table or node that it is about.
    pub subject: String,
    /// What is wrong, and what to do.
    pub text: String,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Ids could repeat, or none could be minted: it must be fixed before the move.
    Clash,
    /// It is worth knowing before the move.
    Warning,
}

impl Level {
    /// Returns its name in all languages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clash => "clash",
            Self::Warning => "warning",
        }
    }
}

impl Finding {
    pub(super) fn clash(subject: &str, text: impl Into<String>) -> Self {
        Self { level: Level::Clash, subject: subject.to_owned(), text: text.into() }
    }

    pub(super) fn warning(subject: &str, text: impl Into<String>) -> Self {
        Self { level: Level::Warning, subject: subject.to_owned(), text: text.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clashes_comes_first_and_leaf_goes_off_after_its_callers() {
        let clash = Finding { level: Level::Clash, subject: "order".to_owned(), text: "step is 0".to_owned() };
        let warning = Finding { level: Level::Warning, subject: "item".to_owned(), text: "large".to_owned() };
        let moved = Move { table: Some("leaf_alloc"), snowflakes: true, ..Move::default() };
        let steps = steps(&moved, &[warning, clash]);
        assert_eq!(steps[0], "Fix order: step is 0");
        assert!(steps[1].contains("GRANT") && steps[2].contains("/api/segment/get/order"), "{steps:?}");
        assert!(steps[4].contains("option workers") && steps[5].starts_with("Stop the Leaf servers"), "{steps:?}");
        assert!(steps[6].contains("all worker ids") && steps.len() == 7, "{steps:?}");
    }
}
