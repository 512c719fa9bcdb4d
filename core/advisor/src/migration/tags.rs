//! Judges the tags of a Leaf.

use super::steps::Finding;
use super::table;
use leafmint_engine::store::{TableFacts, TagInfo};
use leafmint_ids::text::printable;

/// A step from here on was set for a whole fleet: with leafmint every process leases it.
const LARGE_STEP: i64 = 100_000;

/// Leaf doubles a step up to here.
const LEAFS_LARGEST_STEP: i64 = 1_000_000;

/// The first number above an `int`, and a number from which on it is near.
const INT_END: i64 = 1 << 31;
const NEAR_INT_END: i64 = 1_500_000_000;

/// The first number that JavaScript rounds.
const JAVASCRIPT_END: i64 = 1 << 53;

/// Leases that a narrow column should have room for.
const ROOM: i64 = 1000;

/// Returns the findings on a tag.
pub(super) fn judge(tag: &TagInfo, facts: Option<&TableFacts>) -> Vec<Finding> {
    let name = tag.biz_tag.as_str();
    let problem = tag.problem.iter().map(|problem| Finding::clash(name, problem.as_str()));
    let narrow = narrow_column(tag, facts).map(|text| Finding::clash(name, text));
    let warnings = [characters(name), genes(tag), step(tag), column_of_ids(tag), javascript(tag)];
    let warnings = warnings.into_iter().flatten().map(|text| Finding::warning(name, text));
    problem.chain(narrow).chain(warnings).collect()
}

fn narrow_column(tag: &TagInfo, facts: Option<&TableFacts>) -> Option<String> {
    let (last, max_id, step) = (table::last_value(facts?)?, tag.max_id?, tag.step?);
    let room = last.saturating_sub(max_id) / step.max(1);
    let text = format!(
        "its max_id is {max_id}, in a column that ends at {last}: room for {room} more leases of {step} ids, and leafmint \
         leases more at once while a tag is busy. Run ALTER TABLE … MODIFY max_id BIGINT NOT NULL"
    );
    (room < ROOM).then_some(text)
}

fn characters(name: &str) -> Option<String> {
    if printable(name.to_owned()) != name {
        return Some("its name has characters that no terminal and no log shows: give it another name".to_owned());
    }
    let of_urls = name.contains(['/', '\\', ';', '%', '?', '#']);
    of_urls.then(|| "its name has characters that servers refuse in a path: not for Leaf's HTTP interface".to_owned())
}

fn genes(tag: &TagInfo) -> Option<String> {
    let text = "it has gene bits, which Leaf does not know: no Leaf server may use it";
    tag.gene_bits.is_some_and(|bits| bits != 0).then(|| text.to_owned())
}

fn step(tag: &TagInfo) -> Option<String> {
    let step = tag.step.filter(|&step| step >= LARGE_STEP)?;
    let absurd = if step > LEAFS_LARGEST_STEP { ", more than Leaf ever leases at once" } else { "" };
    Some(format!(
        "every process leases {step} ids at once{absurd}: lower the step if it was set for a few Leaf servers"
    ))
}

fn column_of_ids(tag: &TagInfo) -> Option<String> {
    let text = "it nears 2^31: max_id, and every column that stores its ids, must be BIGINT";
    tag.max_id.is_some_and(|max_id| (NEAR_INT_END..INT_END).contains(&max_id)).then(|| text.to_owned())
}

fn javascript(tag: &TagInfo) -> Option<String> {
    let text = "its ids are above 2^53, which JavaScript rounds: send them as strings";
    tag.max_id.is_some_and(|max_id| max_id >= JAVASCRIPT_END).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migration::Level;
    use leafmint_engine::store::ColumnFacts;

    fn tag(biz_tag: &str, max_id: i64, step: i64) -> TagInfo {
        TagInfo {
            biz_tag: biz_tag.to_owned(),
            max_id: Some(max_id),
            step: Some(step),
            gene_bits: Some(0),
            ..TagInfo::default()
        }
    }

    fn levels(tag: &TagInfo) -> Vec<Level> {
        judge(tag, None).iter().map(|found| found.level).collect()
    }

    #[test]
    fn an_ordinary_tag_has_no_findings() {
        assert_eq!(judge(&tag("order", 52_001, 2000), None), []);
    }

    #[test]
    fn what_leafmint_refuses_is_a_clash() {
        let stopped = TagInfo { problem: Some("step is 0".to_owned()), ..tag("stopped", 1, 0) };
        assert_eq!(levels(&stopped), [Level::Clash]);
    }

    #[test]
    fn what_an_operator_should_know_is_a_warning() {
        let known = [
            tag("a\u{1b}[2J", 1, 1000),
            tag("a/b", 1, 1000),
            TagInfo { gene_bits: Some(4), ..tag("genes", 1, 1000) },
            tag("fleet", 1, 500_000),
            tag("old", 1_900_000_000, 1000),
            tag("large", 1 << 53, 1000),
        ];
        for tag in known {
            assert_eq!(levels(&tag), [Level::Warning], "{tag:?}");
        }
    }

    #[test]
    fn a_narrow_column_that_is_nearly_used_up_is_a_clash() {
        let column = ColumnFacts { name: "max_id".to_owned(), data_type: "int(11)".to_owned(), collation: None };
        let facts = TableFacts { columns: vec![column], ..TableFacts::default() };
        let found = judge(&tag("order", 2_147_000_000, 1000), Some(&facts));
        assert_eq!(found[0].level, Level::Clash);
        assert!(found[0].text.contains("483 more leases"), "{found:?}");
        assert_eq!(judge(&tag("order", 1_000_000_000, 1000), Some(&facts)), []);
    }
}
