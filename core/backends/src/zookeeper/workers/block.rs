//! The node of one block of a worker id for the past: the first sequence number that is not leased.

use super::nodes::Nodes;
use super::text::excerpt;
use crate::rows::{BlockStatements, ShownBlock};
use crate::sessions::{Failure, Outcome};
use crate::zookeeper::{Access, Changed, Created, Kind, Node, Session};
use leafmint_engine::holder::Generation;
use leafmint_engine::holder::past::PastWorker;
use leafmint_ids::error::{Error, ErrorKind};

/// The node of one block, on one session.
pub(super) struct BlockNode<'a> {
    session: &'a mut Session,
    /// The node that those of all worker ids are below.
    folder: String,
    /// The node that the blocks of the worker id are below. Nothing makes it again, and without it no block is made.
    mark: String,
    path: String,
    generation: Generation,
}

impl<'a> BlockNode<'a> {
    pub(super) fn new(session: &'a mut Session, nodes: &Nodes, worker: PastWorker, block: i64) -> Self {
        let mark = nodes.mark(worker);
        Self { session, folder: nodes.blocks(), path: format!("{mark}/{block}"), mark, generation: worker.generation }
    }

    fn parse(&self, node: &Node) -> Outcome<i64> {
        let text = std::str::from_utf8(&node.data).ok();
        text.and_then(|text| text.parse().ok()).ok_or_else(|| {
            let (path, found) = (&self.path, excerpt(&node.data));
            let text = format!("the node {path} holds {found}, which leafmint did not write: write back what it held");
            Failure::Named(Error::new(ErrorKind::InvalidConfig, text))
        })
    }
}

impl BlockStatements for BlockNode<'_> {
    async fn mark(&mut self) -> Outcome<Generation> {
        for _ in 0..2 {
            match self.session.create(&self.mark, b"", Kind::Plain, Access::Own).await? {
                Created::New(_) | Created::Exists => return Ok(self.generation),
                Created::NoParent => drop(self.session.create(&self.folder, b"", Kind::Plain, Access::Own).await?),
            }
        }
        let text = format!("the node above {} was deleted", self.folder);
        Err(Failure::Named(Error::new(ErrorKind::InvalidConfig, text)))
    }

    async fn read(&mut self) -> Outcome<ShownBlock> {
        self.session.sync(&self.path).await?;
        if let Some(node) = self.session.get(&self.path).await? {
            return Ok(ShownBlock { is_marked: true, next: Some(self.parse(&node)?) });
        }
        Ok(ShownBlock { is_marked: self.session.get(&self.mark).await?.is_some(), next: None })
    }

    async fn move_on(&mut self, from: Option<i64>, to: i64) -> Outcome<bool> {
        let text = to.to_string();
        let Some(from) = from else {
            let created = self.session.create(&self.path, text.as_bytes(), Kind::Plain, Access::Own).await?;
            return Ok(matches!(created, Created::New(_)));
        };
        let Some(node) = self.session.get(&self.path).await? else { return Ok(false) };
        if self.parse(&node)? != from {
            return Ok(false);
        }
        let changed = self.session.set(&self.path, text.as_bytes(), Some(node.version)).await?;
        Ok(matches!(changed, Changed::Done { .. }))
    }
}
