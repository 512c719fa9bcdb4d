//! What a move from a running Leaf would clash with.

use crate::segment::SegmentGenerator;
use crate::{arguments, datetime, errors, options, records, waiting};
use leafmint::segment::StoredTable;
use leafmint_advisor::migration::{
    Finding, LeafNode, LeafTree, Move, Planned, judge_snowflakes, judge_table, read_tree, steps,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

type Node = (Option<i64>, String, Option<i64>, bool);
type Found<'py> = (Bound<'py, PyList>, Vec<Node>, Vec<(&'static str, String, String)>, Vec<String>);

/// Looks at the table of a Leaf and at the worker ids and the layout that leafmint is to use, and writes nothing.
/// Returns the tags, the nodes of Leaf servers (worker id, name, last report, is it live), the findings (level,
/// subject, text), and what to do in order.
#[pyfunction]
#[pyo3(name = "_check_leaf")]
pub(crate) fn check_leaf<'py>(
    py: Python<'py>,
    ids: Option<&SegmentGenerator>,
    snowflake_url: Option<&Bound<'py, PyAny>>,
    snowflake_options: Option<&Bound<'py, PyDict>>,
    epoch: Option<&Bound<'py, PyAny>>,
    zookeeper_url: Option<&Bound<'py, PyAny>>,
    snowflakes: bool,
) -> PyResult<Found<'py>> {
    let stored = ids.map(|ids| waiting::wait_for(py, || ids.core().inspect_table())).transpose()?;
    let planned = match snowflake_url {
        Some(url) => {
            let (url, options) = (arguments::url(url)?, options::read(snowflake_options)?);
            Some(errors::call(py, || Planned::read(&url, options))?)
        }
        None => None,
    };
    let epoch = epoch.map(datetime::epoch).transpose()?;
    let tree = match zookeeper_url {
        Some(url) => {
            let url = arguments::url(url)?;
            Some(waiting::wait_for(py, || read_tree(&url, []))?)
        }
        None => None,
    };
    let tree = LeafTree::with_table(tree, stored.as_ref().and_then(|stored| stored.facts.as_ref()));
    let mut findings: Vec<Finding> = stored.iter().flat_map(judge_table).collect();
    findings.extend(judge_snowflakes(tree.as_ref(), planned.as_ref(), epoch));
    let moved = Move {
        table: stored.as_ref().map(|stored| stored.table.as_str()),
        example: stored.as_ref().and_then(example),
        snowflakes,
    };
    let steps = steps(&moved, &findings);
    let findings = findings.into_iter().map(|found| (found.level.name(), found.subject, found.text)).collect();
    let tags = records::tags(py, stored.map(|stored| stored.tags).unwrap_or_default())?;
    Ok((tags, tree.map(nodes).unwrap_or_default(), findings, steps))
}

fn nodes(tree: LeafTree) -> Vec<Node> {
    let now = tree.read_at;
    let node = |node: LeafNode| (node.worker_id, node.name.clone(), node.timestamp, node.is_live(now));
    tree.nodes.into_iter().map(node).collect()
}

/// Returns the first tag that works.
fn example(stored: &StoredTable) -> Option<&str> {
    stored.tags.iter().find(|tag| tag.problem.is_none()).map(|tag| tag.biz_tag.as_str())
}
