//! Worker ids that NotFound9's fork of Leaf used: the pool starts above what was stamped with them.
//!
//! ```text
//! /snowflake/{leaf.name}/recycle/inuse/workId:{id}    {…,"lastUsedTimestamp":…}
//! ```
//!
//! The tree is read and not written. A worker id of it rests as long as the fork means it to, which is a row of the
//! pool without an owner; the row follows a fork that still reports.

use super::nodes::Nodes;
use super::row::{WorkerNode, parse};
use super::statements::clock;
use super::text::excerpt;
use crate::sessions::{Failure, Outcome};
use crate::zookeeper::Session;
use crate::zookeeper::forever::number_field;
use leafmint_ids::error::{Error, ErrorKind};
use std::ops::RangeInclusive;

/// How long a worker id rests after it was used last. Milliseconds.
const REST: i64 = 3_600_000;

/// Most nodes that are changed at once, each on its own: a distant ensemble needs half a second for them.
const MOST_CHANGES: usize = 50;

/// Gives worker ids that the fork used a row that rests. Returns whether all have one; otherwise it is done again.
pub(super) async fn let_rest(session: &mut Session, nodes: &Nodes, workers: &RangeInclusive<i64>) -> Outcome<bool> {
    let used = used(session, nodes, workers).await?;
    if used.is_empty() {
        return Ok(true);
    }
    let now = clock(session, nodes).await?;
    let paths: Vec<String> = used.iter().map(|used| nodes.worker(used.worker_id)).collect();
    let rows = session.get_all(&paths).await?;
    let mut changes = 0;
    for ((Used { last, until, .. }, path), row) in used.into_iter().zip(paths).zip(rows) {
        let found = row.map(|node| parse(&path, &node)).transpose()?;
        if found.is_some_and(|found| !found.may_rest(until, now)) {
            continue;
        }
        if changes == MOST_CHANGES {
            return Ok(false);
        }
        changes += 1;
        WorkerNode { session: &mut *session, path }.rest(last, until, now).await?;
    }
    Ok(true)
}

/// A worker id that the fork used, when it did so last, and until when it rests.
struct Used {
    worker_id: i64,
    last: i64,
    until: i64,
}

async fn used(session: &mut Session, nodes: &Nodes, workers: &RangeInclusive<i64>) -> Outcome<Vec<Used>> {
    let folder = nodes.recycled();
    let Some(names) = session.children(&folder).await? else { return Ok(Vec::new()) };
    let named = names.iter().filter_map(|name| Some((worker_id(name)?, format!("{folder}/{name}"))));
    let (worker_ids, paths): (Vec<i64>, Vec<String>) = named.filter(|(id, _)| workers.contains(id)).unzip();
    let found = session.get_all(&paths).await?;
    let mut used = Vec::new();
    for ((worker_id, path), node) in worker_ids.into_iter().zip(&paths).zip(found) {
        let Some(node) = node else { continue };
        let last = number_field(&node.data, "lastUsedTimestamp").ok_or_else(|| unreadable(path, &node.data))?;
        let until = last.saturating_add(REST);
        used.push(Used { worker_id, last, until });
    }
    Ok(used)
}

/// Reads `workId:{id}`. Other spellings of the number are other nodes, which no fork writes: there is one node for each
/// worker id at most.
fn worker_id(name: &str) -> Option<i64> {
    let digits = name.strip_prefix("workId:")?;
    let worker_id: i64 = digits.parse().ok()?;
    (worker_id.to_string() == digits).then_some(worker_id)
}

fn unreadable(path: &str, data: &[u8]) -> Failure {
    let text = format!(
        "the node {path} holds {}, without the lastUsedTimestamp of a Leaf with recycling: correct it, or delete it if that \
         worker id has not been used for an hour",
        excerpt(data)
    );
    Failure::Named(Error::new(ErrorKind::InvalidConfig, text))
}

#[cfg(test)]
mod tests {
    use super::worker_id;

    #[test]
    fn a_worker_id_has_one_name() {
        assert_eq!(["workId:5", "workId:0"].map(worker_id), [Some(5), Some(0)]);
        for name in ["workId:05", "workId:005", "workId:+5", "workId:-0", "workId:", "workId: 5", "workId:5 ", "5"] {
            assert_eq!(worker_id(name), None, "{name}");
        }
    }
}
