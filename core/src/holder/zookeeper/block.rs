//! The node of one block of a worker id for the past: the first sequence number that is not leased.

use super::text::excerpt;
use crate::database::{Failure, Outcome};
use crate::error::{Error, ErrorKind};
use crate::holder::rows::BlockStatements;
use crate::zookeeper::{Access, Changed, Created, Kind, Node, Session};

/// The node of one block, on one session.
pub(super) struct BlockNode<'a> {
    pub(super) session: &'a mut Session,
    /// The node that the blocks of all worker ids are below.
    pub(super) folder: String,
    pub(super) path: String,
}

impl BlockNode<'_> {
    async fn create(&mut self, to: i64) -> Outcome<bool> {
        for _ in 0..2 {
            match self.session.create(&self.path, to.to_string().as_bytes(), Kind::Plain, Access::Own).await? {
                Created::New(_) => return Ok(true),
                Created::Exists => return Ok(false),
                Created::NoParent => drop(self.session.create(&self.folder, b"", Kind::Plain, Access::Own).await?),
            }
        }
        let text = format!("the node above {} was deleted", self.folder);
        Err(Failure::Named(Error::new(ErrorKind::InvalidConfig, text)))
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
    async fn next(&mut self) -> Outcome<Option<i64>> {
        self.session.sync(&self.path).await?;
        let node = self.session.get(&self.path).await?;
        node.map(|node| self.parse(&node)).transpose()
    }

    async fn move_on(&mut self, from: Option<i64>, to: i64) -> Outcome<bool> {
        let Some(from) = from else { return self.create(to).await };
        let Some(node) = self.session.get(&self.path).await? else { return Ok(false) };
        if self.parse(&node)? != from {
            return Ok(false);
        }
        let changed = self.session.set(&self.path, to.to_string().as_bytes(), Some(node.version)).await?;
        Ok(matches!(changed, Changed::Done { .. }))
    }
}
