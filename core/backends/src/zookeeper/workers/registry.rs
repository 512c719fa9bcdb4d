//! The registry in nodes of ZooKeeper.

use super::block::BlockNode;
use super::nodes::Nodes;
use super::recycled::let_rest;
use super::row::WorkerNode;
use super::statements::{inspect, made_clock, prepare, survey};
use super::text;
use crate::rows;
use crate::rows::{
    Assignments, BlockStatements, PastBlocks, Registry, RowHolderSettings, RowStatements, RowsBySession, Survey,
};
use crate::sessions::{DatabaseSettings, Sessions, Work};
use crate::zookeeper::forever::LeafTree;
use crate::zookeeper::{Session, ZooKeeper};
use leafmint_engine::answer::Answer;
use leafmint_engine::holder::lease::other_layout;
use leafmint_engine::holder::past::{BlockLease, PastWorker};
use leafmint_engine::holder::{Generation, PastBlock};
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::ops::RangeInclusive;
use std::sync::Arc;

pub struct NodeRegistry {
    sessions: Arc<Sessions<ZooKeeper>>,
    settings: RowHolderSettings,
    nodes: Nodes,
    /// From the first to the last worker id that may be taken.
    workers: RangeInclusive<i64>,
    /// Leaf's own tree, if it assigns the worker ids.
    leaf: Option<LeafTree>,
}

impl NodeRegistry {
    pub fn new(servers: DatabaseSettings, settings: &RowHolderSettings) -> Self {
        let nodes = Nodes::new(&servers.database, &settings.namespace);
        let sessions = Arc::new(Sessions::new(servers));
        let of_leaf = || LeafTree::new(sessions.clone(), nodes.of_leaf(), settings);
        let leaf = settings.is_assigned.then(of_leaf);
        Self { sessions, settings: settings.clone(), nodes, workers: settings.workers.span(), leaf }
    }

    /// Refuses a namespace of another layout.
    fn check_layout(&self, found: &[u8]) -> Result<()> {
        let path = self.nodes.layout();
        let Some(layout) = text::parse_layout(found) else {
            let text = format!(
                "{}: the node {path} holds {}, which leafmint did not write: write back what it held, or use another namespace",
                self.sessions.name(),
                text::excerpt(found)
            );
            return Err(Error::new(ErrorKind::InvalidConfig, text));
        };
        if layout == self.settings.layout {
            return Ok(());
        }
        Err(other_layout(&format!("{}, node {path}", self.sessions.name()), &layout, &self.settings.layout))
    }

    fn run<'a, T: Send + 'a>(&'a self, work: impl Work<'a, Session, T> + 'a) -> Answer<'a, T> {
        Box::pin(self.sessions.run(work))
    }
}

impl RowsBySession for NodeRegistry {
    type Engine = ZooKeeper;

    fn sessions(&self) -> &Sessions<ZooKeeper> {
        &self.sessions
    }

    fn row<'s>(&'s self, session: &'s mut Session, worker_id: i64) -> impl RowStatements + 's {
        WorkerNode { session, path: self.nodes.worker(worker_id) }
    }
}

impl Registry for NodeRegistry {
    fn database(&self) -> &str {
        self.sessions.name()
    }

    fn kind(&self) -> &'static str {
        "ensemble"
    }

    fn prepare(&self) -> Answer<'_, ()> {
        Box::pin(async {
            let found = self.run(|session, _| Box::pin(prepare(session, &self.nodes, &self.settings.layout))).await?;
            self.check_layout(&found)?;
            let let_rest = || self.run(|session, _| Box::pin(let_rest(session, &self.nodes, &self.workers)));
            // Leaf's tree assigns worker ids for good.
            while self.leaf.is_none() && !let_rest().await? {}
            Ok(())
        })
    }

    fn inspect(&self, to_write: bool) -> Answer<'_, bool> {
        Box::pin(async move {
            match self.run(|session, _| Box::pin(inspect(session, &self.nodes, to_write))).await? {
                Some(layout) => self.check_layout(&layout).map(|()| true),
                None => Ok(false),
            }
        })
    }

    fn survey(&self) -> Answer<'_, Survey> {
        self.run(|session, _| Box::pin(survey(session, &self.nodes, &self.workers)))
    }

    fn clock(&self) -> Answer<'_, i64> {
        self.run(|session, _| Box::pin(made_clock(session, &self.nodes)))
    }

    fn assignments(&self) -> Option<&dyn Assignments> {
        self.leaf.as_ref().map(|tree| tree as &dyn Assignments)
    }

    fn past(&self) -> Option<&dyn PastBlocks> {
        self.leaf.is_none().then_some(self)
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.sessions.close().await;
            Ok(())
        })
    }

    fn in_child(&self) -> Arc<dyn Registry> {
        Arc::new(Self::new(self.sessions.settings().clone(), &self.settings))
    }
}

impl PastBlocks for NodeRegistry {
    /// Each process makes a mark of its own. That of the process which claims the worker id counts.
    fn mark(&self, worker_id: i64, generation: Generation) -> Answer<'_, Generation> {
        let worker = PastWorker { worker_id, generation };
        self.run(move |session, _| {
            Box::pin(async move { BlockNode::new(session, &self.nodes, worker, rows::MARK).mark().await })
        })
    }

    fn lease(&self, worker: PastWorker, block: PastBlock, least: i64) -> Answer<'_, BlockLease> {
        self.run(move |session, _| {
            Box::pin(rows::lease_block(BlockNode::new(session, &self.nodes, worker, block.block), block, least))
        })
    }
}
