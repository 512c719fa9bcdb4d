//! The work on the nodes of a namespace, one type each.

use super::nodes::{Nodes, worker_ids};
use super::row::{WorkerNode, parse};
use super::text::{self, WorkerText};
use crate::database::{Failure, Outcome, Statement};
use crate::error::{Error, ErrorKind};
use crate::holder::row_state::RowVersion;
use crate::holder::rows::{self, Claim, Eviction, Release, Renewal, Row, Survey};
use crate::holder::tables::OwnRow;
use crate::zookeeper::{Access, Changed, Created, Kind, Session};
use std::ops::RangeInclusive;

/// Reads what the node of the layout holds, and creates all nodes of a namespace that is not used yet.
pub(super) struct Prepare<'a> {
    pub(super) nodes: &'a Nodes,
    pub(super) layout: &'a str,
}

impl Statement<Session> for Prepare<'_> {
    type Answer = Vec<u8>;

    async fn run(&self, session: &mut Session) -> Outcome<Vec<u8>> {
        let layout = self.nodes.layout();
        if let Some(node) = session.get(&layout).await? {
            return Ok(node.data);
        }
        make_clock(session, self.nodes).await?;
        make(session, &self.nodes.workers(), b"", Access::Own).await?;
        // The last one: with it, the namespace is whole.
        make(session, &layout, text::of_layout(self.layout).as_bytes(), Access::Own).await?;
        session.get(&layout).await?.map(|node| node.data).ok_or_else(|| missing(&layout))
    }
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
        "the node {path}, or one above it, was deleted: restore it, or if all processes of the namespace have been stopped for \
         longer than lease_duration, delete the nodes of the namespace"
    );
    Failure::Named(Error::new(ErrorKind::InvalidConfig, text))
}

/// Reads what the node of the layout holds, and finds out whether the account may write. Creates nothing.
pub(super) struct Inspect<'a> {
    pub(super) nodes: &'a Nodes,
    pub(super) to_write: bool,
}

impl Statement<Session> for Inspect<'_> {
    type Answer = Option<Vec<u8>>;

    async fn run(&self, session: &mut Session) -> Outcome<Option<Vec<u8>>> {
        let Some(layout) = session.get(&self.nodes.layout()).await? else { return Ok(None) };
        if self.to_write {
            session.set(&self.nodes.clock(), b"", None).await?;
        }
        Ok(Some(layout.data))
    }
}

/// Reads the clock of the ensemble's leader, by a write: the time of a change is the leader's.
pub(super) struct ReadClock<'a> {
    pub(super) nodes: &'a Nodes,
}

impl Statement<Session> for ReadClock<'_> {
    type Answer = i64;

    async fn run(&self, session: &mut Session) -> Outcome<i64> {
        let path = self.nodes.clock();
        if let Changed::Done { changed_at, .. } = session.set(&path, b"", None).await? {
            return Ok(changed_at);
        }
        make_clock(session, self.nodes).await?;
        clock(session, &path).await
    }
}

pub(super) async fn clock(session: &mut Session, path: &str) -> Outcome<i64> {
    match session.set(path, b"", None).await? {
        Changed::Done { changed_at, .. } => Ok(changed_at),
        Changed::OtherVersion | Changed::Missing => Err(missing(path)),
    }
}

/// Reads the nodes of worker ids. The clock comes first: whatever was written before it is seen behind it.
pub(super) struct ReadRows<'a> {
    pub(super) nodes: &'a Nodes,
    pub(super) workers: &'a RangeInclusive<i64>,
}

impl Statement<Session> for ReadRows<'_> {
    type Answer = Survey;

    async fn run(&self, session: &mut Session) -> Outcome<Survey> {
        let (folder, now) = (self.nodes.workers(), clock(session, &self.nodes.clock()).await?);
        let names = session.children(&folder).await?.ok_or_else(|| missing(&folder))?;
        let worker_ids = worker_ids(&names, self.workers);
        let paths: Vec<String> = worker_ids.iter().map(|id| self.nodes.worker(*id)).collect();
        let found = session.get_all(&paths).await?;
        let mut rows = Vec::new();
        for ((worker_id, path), node) in worker_ids.into_iter().zip(&paths).zip(found) {
            let Some(node) = node else { continue };
            let WorkerText { token, horizon, reported, endpoint } = parse(path, &node)?;
            rows.push(Row { worker_id, token, horizon, reported, updated: node.changed_at, endpoint });
        }
        Ok(Survey { now, rows })
    }
}

/// Something to do with the node of a worker id.
pub(super) struct OnNode<'a, T> {
    pub(super) nodes: &'a Nodes,
    pub(super) change: &'a T,
}

impl<T> OnNode<'_, T> {
    fn of<'s>(&self, session: &'s mut Session, worker_id: i64) -> WorkerNode<'s> {
        WorkerNode { session, path: self.nodes.worker(worker_id) }
    }
}

impl Statement<Session> for OnNode<'_, Claim> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        rows::claim(&mut self.of(session, self.change.worker_id), self.change).await
    }
}

impl Statement<Session> for OnNode<'_, Renewal> {
    /// What the node shows now.
    type Answer = RowVersion;

    async fn run(&self, session: &mut Session) -> Outcome<RowVersion> {
        rows::renew(&mut self.of(session, self.change.worker_id), self.change).await
    }
}

impl Statement<Session> for OnNode<'_, Release> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        self.of(session, self.change.worker_id).release(self.change).await
    }
}

impl Statement<Session> for OnNode<'_, Eviction> {
    type Answer = bool;

    async fn run(&self, session: &mut Session) -> Outcome<bool> {
        self.of(session, self.change.worker_id).evict(self.change).await
    }
}
