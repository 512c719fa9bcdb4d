//! Findings that the caller accepts.

use super::finding::{Finding, FindingKind, Severity};
use super::glob;
use super::report::AuditReport;
use leafmint_ids::error::{Error, ErrorKind, Result};

/// Findings that the caller accepts.
#[derive(Clone, Debug, Default)]
pub struct Ignored(Vec<Rule>);

/// A pattern of tables, with the kind or the severity of their findings; `None` means all of them.
#[derive(Clone, Debug)]
struct Rule {
    tables: String,
    only: Option<String>,
}

impl Ignored {
    /// Parses `TABLE`, `TABLE:KIND` and `TABLE:SEVERITY`, where `TABLE` is a pattern with `*` and `?`. Raises
    /// `invalid_argument`.
    pub fn parse<T: AsRef<str>>(rules: impl IntoIterator<Item = T>) -> Result<Self> {
        rules.into_iter().map(|rule| Rule::parse(rule.as_ref())).collect::<Result<_>>().map(Self)
    }

    /// Removes the accepted findings from a report, and the unread tables that are accepted as a whole.
    pub fn remove_from(&self, mut report: AuditReport) -> AuditReport {
        report.findings.retain(|finding| !self.0.iter().any(|rule| rule.covers(finding)));
        report.unread.retain(|table| !self.0.iter().any(|rule| rule.covers_table(table)));
        report
    }
}

impl Rule {
    fn parse(rule: &str) -> Result<Self> {
        let (tables, only) = match rule.rsplit_once(':') {
            Some((tables, only)) => (tables, Some(only.to_owned())),
            None => (rule, None),
        };
        let known = FindingKind::ALL.map(FindingKind::name).into_iter().chain(Severity::ALL.map(Severity::name));
        let names: Vec<_> = known.collect();
        if tables.is_empty() || only.as_deref().is_some_and(|only| !names.contains(&only)) {
            let (wrong, names) = (format!("{rule:?} cannot be ignored"), names.join(", "));
            let text = format!("{wrong}: write a table, or table:kind with one of {names}; * is every table");
            return Err(Error::new(ErrorKind::InvalidArgument, text));
        }
        Ok(Self { tables: tables.to_owned(), only })
    }

    fn covers(&self, finding: &Finding) -> bool {
        let names = [finding.kind.name(), finding.severity.name()];
        glob::matches(&self.tables, &finding.table) && self.only.as_deref().is_none_or(|only| names.contains(&only))
    }

    fn covers_table(&self, table: &str) -> bool {
        self.only.is_none() && glob::matches(&self.tables, table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(table: &str, kind: FindingKind, severity: Severity) -> Finding {
        let (table, column) = (table.to_owned(), "id".to_owned());
        Finding { kind, severity, table, column, value: 0, limit: 0, text: String::new() }
    }

    /// Returns the tables whose findings are left, and the unread ones.
    fn left(rules: &[&str]) -> (String, String) {
        let findings = vec![
            finding("orders", FindingKind::RunsOut, Severity::Problem),
            finding("events", FindingKind::RoundedInJson, Severity::Note),
            finding("old_orders", FindingKind::RunsOut, Severity::Note),
        ];
        let unread = vec!["secrets".to_owned()];
        let report = AuditReport { scope: String::new(), read_at: 0, keys: Vec::new(), findings, unread };
        let left = Ignored::parse(rules).unwrap().remove_from(report);
        let tables: Vec<_> = left.findings.into_iter().map(|finding| finding.table).collect();
        (tables.join(" "), left.unread.join(" "))
    }

    #[test]
    fn a_rule_accepts_the_findings_of_its_tables_and_of_its_kind_or_severity() {
        let all = "orders events old_orders";
        for (rules, findings, unread) in [
            (&[][..], all, "secrets"),
            (&["orders"], "events old_orders", "secrets"),
            (&["*orders"], "events", "secrets"),
            (&["*orders:runs_out"], "events", "secrets"),
            (&["events:runs_out"], all, "secrets"),
            (&["*:note"], "orders", "secrets"),
            (&["*:rounded_in_json", "orders:problem"], "old_orders", "secrets"),
            (&["secrets:problem", "secrets:note"], all, "secrets"),
            (&["secrets"], all, ""),
            (&["*"], "", ""),
        ] {
            assert_eq!(left(rules), (findings.to_owned(), unread.to_owned()), "{rules:?}");
        }
    }

    #[test]
    fn a_rule_that_could_accept_nothing_is_refused() {
        for rule in ["", ":runs_out", "orders:", "orders:run_out", "orders:RUNS_OUT", "*:problem:note:x"] {
            let error = Ignored::parse(["orders", rule]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            assert!(error.to_string().starts_with(&format!("{rule:?} cannot be ignored: ")), "{error}");
            assert!(error.to_string().contains("mixed_layouts, problem, note"), "{error}");
        }
    }

    #[test]
    fn a_table_may_have_a_colon_in_its_name() {
        assert!(Rule::parse("a:b:note").unwrap().covers(&finding("a:b", FindingKind::TagBehind, Severity::Note)));
    }
}
