//! The work on the nodes of a namespace.

use super::nodes::{Nodes, worker_ids};
use super::row::parse;
use super::text::{self, WorkerText};
use crate::rows::{Survey, WorkerRow};
use crate::sessions::{Failure, Outcome};
use crate::zookeeper::{Access, Changed, Created, Kind, Session};
use leafmint_ids::error::{Error, ErrorKind};
use std::ops::RangeInclusive;

/// Reads what the node of the layout holds, and creates all nodes of a namespace that is not used yet.
pub(super) async fn prepare(session: &mut Session, nodes: &Nodes, layout: &str) -> Outcome<Vec<u8>> {
    let path = nodes.layout();
    if let Some(node) = session.get(&path).await? {
        return Ok(node.data);
    }
    make_clock(session, nodes).await?;
    make(session, &nodes.workers(), b"", Access::Own).await?;
    // The last one: with it, the namespace is whole.
    make(session, &path, text::of_layout(layout).as_bytes(), Access::Own).await?;
    session.get(&path).await?.map(|node| node.data).ok_or_else(|| missing(&path))
}

/// Creates the node of the clock, and what is above it.
async fn make_clock(session: &mut Session, nodes: &Nodes) -> Outcome<()> {
    for (at, path) in nodes.above().iter().enumerate() {
        // Leaf and other namespaces create nodes below these too.
        let created = session.create(path, b"", Kind::Plain, Access::Open).await?;
        if at == 0 && created == Created::NoParent {
            let text = format!("the chroot {} does not exist: create that node, or correct the URL", nodes.chroot());
            return Err(Error::new(ErrorKind::InvalidConfig, text).into());
        }
    }
    make(session, nodes.namespace(), b"", Access::Own).await?;
    make(session, &nodes.clock(), b"", Access::Own).await
}

/// Creates a node, unless it is there.
async fn make(session: &mut Session, path: &str, data: &[u8], access: Access) -> Outcome<()> {
    match session.create(path, data, Kind::Plain, access).await? {
        Created::New(_) | Created::Exists => Ok(()),
        Created::NoParent => Err(missing(path)),
    }
}

fn missing(path: &str) -> Failure {
    let text = format!(
        "the node {path}, or one above it, was deleted: stop all processes of the namespace for longer than lease_duration, then \
         delete its nodes, or, if ids of past moments were minted, use a new namespace and keep their worker ids out of the \
         option workers"
    );
    Failure::Named(Error::new(ErrorKind::InvalidConfig, text))
}

/// Reads what the node of the layout holds, and finds out whether the account may write. Creates nothing.
pub(super) async fn inspect(session: &mut Session, nodes: &Nodes, to_write: bool) -> Outcome<Option<Vec<u8>>> {
    let Some(layout) = session.get(&nodes.layout()).await? else { return Ok(None) };
    if to_write {
        session.set(&nodes.clock(), b"", None).await?;
    }
    Ok(Some(layout.data))
}

/// Reads the clock of the ensemble's leader, and creates its node if it is missing.
pub(super) async fn made_clock(session: &mut Session, nodes: &Nodes) -> Outcome<i64> {
    if let Changed::Done { changed_at, .. } = session.set(&nodes.clock(), b"", None).await? {
        return Ok(changed_at);
    }
    make_clock(session, nodes).await?;
    clock(session, nodes).await
}

/// Reads the clock of the ensemble's leader, by a write: the time of a change is the leader's.
pub(super) async fn clock(session: &mut Session, nodes: &Nodes) -> Outcome<i64> {
    let path = nodes.clock();
    match session.set(&path, b"", None).await? {
        Changed::Done { changed_at, .. } => Ok(changed_at),
        Changed::OtherVersion | Changed::Missing => Err(missing(&path)),
    }
}

/// Reads the nodes of worker ids. The clock comes first: whatever was written before it is seen behind it.
pub(super) async fn survey(session: &mut Session, nodes: &Nodes, workers: &RangeInclusive<i64>) -> Outcome<Survey> {
    let (folder, now) = (nodes.workers(), clock(session, nodes).await?);
    let names = session.children(&folder).await?.ok_or_else(|| missing(&folder))?;
    let worker_ids = worker_ids(&names, workers);
    let paths: Vec<String> = worker_ids.iter().map(|id| nodes.worker(*id)).collect();
    let found = session.get_all(&paths).await?;
    let mut rows = Vec::new();
    for ((worker_id, path), node) in worker_ids.into_iter().zip(&paths).zip(found) {
        let Some(node) = node else { continue };
        let WorkerText { token, horizon, reported, endpoint } = parse(path, &node)?;
        rows.push(WorkerRow { worker_id, token, horizon, reported, updated: node.changed_at, endpoint });
    }
    Ok(Survey { now, rows })
}
