//! What a move from a running Leaf, or from `AUTO_INCREMENT`, would clash with, and the order of the move. Nothing here
//! writes.

pub mod auto_increment;

mod leaf_tree;
mod planned;
mod snowflakes;
mod steps;
mod table;
mod tags;

pub use leaf_tree::{Kept, LeafNode, LeafTree, read_tree};
use leafmint_engine::segment::StoredTable;
pub use planned::Planned;
pub use snowflakes::judge_snowflakes;
pub use steps::{Finding, Level, Move, steps};

/// Judges the table of a Leaf and its tags. The findings on the table come first.
///
/// ```
/// use leafmint::segment::{StoredTable, TagInfo};
/// use leafmint_advisor::migration::{Level, judge_table};
/// let stopped = TagInfo { biz_tag: "order".to_owned(), problem: Some("step is 0".to_owned()), ..TagInfo::default() };
/// let found = judge_table(&StoredTable { tags: vec![stopped], ..StoredTable::default() });
/// assert_eq!((found[1].level, found[1].subject.as_str()), (Level::Clash, "order"));
/// ```
pub fn judge_table(stored: &StoredTable) -> Vec<Finding> {
    let mut findings = table::judge(&stored.table, stored.facts.as_ref());
    findings.extend(stored.tags.iter().flat_map(|tag| tags::judge(tag, stored.facts.as_ref())));
    findings
}
