//! The registry in nodes of ZooKeeper.

use super::forever::LeafTree;
use super::nodes::Nodes;
use super::recycled::let_rest;
use super::row::WorkerNode;
use super::statements::{inspect, made_clock, prepare, survey};
use super::text;
use crate::answer::Answer;
use crate::database::{DatabaseSettings, Sessions, Work};
use crate::error::{Error, ErrorKind, Result};
use crate::holder::Workers;
use crate::holder::lease::other_layout;
use crate::holder::row_state::RowVersion;
use crate::holder::rows::{
    self, Assigned, Claim, Eviction, Registry, Release, Renewal, RowHolderSettings, RowStatements, Survey, WorkerMode,
};
use crate::zookeeper::{Session, ZooKeeper};
use std::future::ready;
use std::ops::RangeInclusive;
use std::sync::Arc;

pub(in crate::holder) struct NodeRegistry {
    sessions: Sessions<ZooKeeper>,
    nodes: Nodes,
    layout: String,
    /// From the first to the last worker id that may be taken.
    workers: RangeInclusive<i64>,
    /// Leaf's own tree, in the mode `forever`.
    leaf: Option<LeafTree>,
}

impl NodeRegistry {
    pub(in crate::holder) fn new(servers: DatabaseSettings, settings: &RowHolderSettings) -> Self {
        let nodes = Nodes::new(&servers.database, &settings.namespace);
        let (layout, workers) = (settings.layout.clone(), settings.workers.span());
        let of_leaf = || LeafTree::new(nodes.of_leaf(), settings.endpoint.as_str());
        let leaf = (settings.mode == WorkerMode::Forever).then(of_leaf);
        Self { sessions: Sessions::new(servers), nodes, layout, workers, leaf }
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
        if layout == self.layout {
            return Ok(());
        }
        Err(other_layout(&format!("{}, node {path}", self.sessions.name()), &layout, &self.layout))
    }

    fn row<'s>(&self, session: &'s mut Session, worker_id: i64) -> WorkerNode<'s> {
        WorkerNode { session, path: self.nodes.worker(worker_id) }
    }

    fn run<'a, T: Send + 'a>(&'a self, work: impl Work<'a, Session, T> + 'a) -> Answer<'a, T> {
        Box::pin(self.sessions.run(work))
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
            let found = self.run(|session, _| Box::pin(prepare(session, &self.nodes, &self.layout))).await?;
            self.check_layout(&found)?;
            let let_rest = || self.run(|session, _| Box::pin(let_rest(session, &self.nodes, &self.workers)));
            // In the mode `forever`, Leaf assigns the worker ids itself.
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

    fn claim<'a>(&'a self, claim: &'a Claim) -> Answer<'a, bool> {
        self.run(move |session, _| Box::pin(rows::claim(self.row(session, claim.worker_id), claim)))
    }

    fn renew<'a>(&'a self, renewal: &'a Renewal) -> Answer<'a, RowVersion> {
        self.run(move |session, _| Box::pin(rows::renew(self.row(session, renewal.worker_id), renewal)))
    }

    fn release<'a>(&'a self, release: &'a Release) -> Answer<'a, ()> {
        Box::pin(self.sessions.once(move |session, _| {
            Box::pin(async move { self.row(session, release.worker_id).release(release).await })
        }))
    }

    fn evict<'a>(&'a self, eviction: &'a Eviction) -> Answer<'a, bool> {
        self.run(move |session, _| Box::pin(async move { self.row(session, eviction.worker_id).evict(eviction).await }))
    }

    fn assign<'a>(&'a self, _: &'a str, _: &'a str, workers: &'a Workers) -> Answer<'a, Option<Assigned>> {
        Box::pin(async { self.leaf()?.assign(&self.sessions, workers).await.map(Some) })
    }

    fn assignments<'a>(&'a self, _: &'a str) -> Answer<'a, Vec<(i64, String)>> {
        // What is not assigned has its own error.
        Box::pin(ready(Ok(Vec::new())))
    }

    fn report<'a>(&'a self, _: &'a str, _: i64, at: i64) -> Answer<'a, ()> {
        Box::pin(async move { self.leaf()?.report(&self.sessions, at).await })
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.sessions.close().await;
            Ok(())
        })
    }

    fn in_child(&self) -> Arc<dyn Registry> {
        let Self { sessions, nodes, layout, workers, leaf } = self;
        let (nodes, layout, workers) = (nodes.clone(), layout.clone(), workers.clone());
        let (sessions, leaf) = (Sessions::new(sessions.settings().clone()), leaf.as_ref().map(LeafTree::in_child));
        Arc::new(Self { sessions, nodes, layout, workers, leaf })
    }
}

impl NodeRegistry {
    fn leaf(&self) -> Result<&LeafTree> {
        self.leaf.as_ref().ok_or_else(|| {
            let text = format!("{}: no table assigns worker ids here: use worker_mode=forever", self.sessions.name());
            Error::new(ErrorKind::InvalidConfig, text)
        })
    }
}
