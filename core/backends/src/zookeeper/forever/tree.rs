//! Leaf's tree, as the process of one endpoint uses it.

use super::leaf_node;
use super::leaf_node::{LeafEndpoint, LeafName};
use crate::rows::{Assigned, Assignments, Report, RowHolderSettings};
use crate::sessions::{Failure, Outcome, Sessions};
use crate::zookeeper::{Access, Changed, Created, Kind, Node, Session, ZooKeeper};
use leafmint_engine::answer::Answer;
use leafmint_engine::holder::Workers;
use leafmint_engine::holder::lease::lost;
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind, Result};
use leafmint_ids::text::{beginning, printable};
use std::sync::Arc;

/// By how much reports are ahead of the clock: a Leaf that starts on the endpoint meanwhile refuses to. Milliseconds.
const LEAD: i64 = 3_000;

/// The highest worker id that Leaf accepts.
const HIGHEST: i64 = 1023;

/// Most reports without an answer that are remembered.
const MOST_SENT: usize = 8;

/// Leaf's tree, as the process of one endpoint uses it.
pub(crate) struct LeafTree {
    sessions: Arc<Sessions<ZooKeeper>>,
    /// The nodes above those of the endpoints, from the top down; the last one is `forever`.
    above: Vec<String>,
    endpoint: LeafEndpoint,
    workers: Workers,
    own: Mutex<OwnNode>,
}

/// What is known about the endpoint's node.
#[derive(Clone, Default)]
struct OwnNode {
    /// Its path, and the version that was read or written last.
    known: Option<(String, i32)>,
    /// What was sent since then without an answer.
    sent: Vec<Vec<u8>>,
}

impl LeafTree {
    /// Names the tree; nothing is read. The nodes above `forever` are those of the whole of Leaf.
    pub(crate) fn new(sessions: Arc<Sessions<ZooKeeper>>, of_leaf: &[String], settings: &RowHolderSettings) -> Self {
        let mut above = of_leaf.to_vec();
        above.extend(of_leaf.last().map(|path| format!("{path}/forever")));
        let endpoint = LeafEndpoint::of(settings.endpoint.as_str());
        Self { sessions, above, endpoint, workers: settings.workers.clone(), own: Mutex::default() }
    }

    /// Finds the endpoint's node, or creates it. Its number is the worker id.
    ///
    /// Raises `invalid_config` if the number is one that Leaf, the layout or the option workers does not allow.
    async fn find_or_create(&self) -> Result<Assigned> {
        let found = self.find().await?;
        if let Some(name) = &found.unreadable {
            let name = printable(name.clone());
            log::warn!("{}/{name}: no Leaf server starts as long as this node is there", self.forever());
        }
        let (path, number, version, report) = match found.own {
            Some((LeafName { name, number, .. }, node)) => {
                let path = format!("{}/{name}", self.forever());
                let report = self.report_in(&path, &node)?;
                (path, number, node.version, Some(report))
            }
            None => {
                self.check_next(&found)?;
                let path = self.create(&found).await?;
                let name = path.rsplit_once('/').and_then(|(_, name)| LeafName::parse(name));
                let Some(LeafName { number, .. }) = name else {
                    return Err(Error::new(ErrorKind::StoreUnavailable, format!("the new node {path} has no number")));
                };
                (path, number, 0, None)
            }
        };
        if !(1..=HIGHEST).contains(&number) || !self.workers.contains(number) {
            return Err(self.refused(&path, number));
        }
        *self.own.lock() = OwnNode { known: Some((path, version)), sent: Vec::new() };
        Ok(Assigned { worker_id: number, report })
    }

    /// Writes the owner's clock into the endpoint's node.
    ///
    /// Raises `lease_lost` if another program wrote the node, or deleted it.
    async fn write_clock(&self, at: i64) -> Result<()> {
        let data = leaf_node::data(&self.endpoint, at.saturating_add(LEAD));
        let known = self.own.lock().known.clone();
        let (path, version) = match known {
            Some(known) => known,
            // The lease was continued while no server answered.
            None => self.look().await?,
        };
        let sent = {
            let own = &mut *self.own.lock();
            if own.sent.len() == MOST_SENT {
                own.sent.remove(0);
            }
            own.sent.push(data.clone());
            own.known = Some((path.clone(), version));
            own.sent.clone()
        };
        let report = LeafReport { path: &path, version, data: &data, sent: &sent };
        let what = match self.sessions.run(|session, _| Box::pin(write_report(session, &report))).await? {
            Reported::Written(version) => {
                // What was sent before names a version that has passed.
                *self.own.lock() = OwnNode { known: Some((path, version)), sent: Vec::new() };
                return Ok(());
            }
            Reported::Overwritten => "was written by another program: is a Leaf server running on this endpoint?",
            Reported::Deleted => "was deleted",
        };
        *self.own.lock() = OwnNode::default();
        Err(lost(format!("{}: the node {path} {what}", self.sessions.name())))
    }

    fn forever(&self) -> &str {
        self.above.last().map_or("", String::as_str)
    }

    fn endpoint(&self) -> String {
        let LeafEndpoint { ip, port } = &self.endpoint;
        format!("{ip}:{port}")
    }

    async fn find(&self) -> Result<LeafNodes> {
        let endpoint = self.endpoint();
        self.sessions.run(|session, _| Box::pin(find(session, self.forever(), &endpoint))).await
    }

    /// Returns path and version of the endpoint's node as they are now.
    async fn look(&self) -> Result<(String, i32)> {
        match self.find().await?.own {
            Some((LeafName { name, .. }, node)) => Ok((format!("{}/{name}", self.forever()), node.version)),
            None => Err(lost(format!("{}: the node of {} was deleted", self.sessions.name(), self.endpoint()))),
        }
    }

    /// Reads what the owner of a node reported.
    fn report_in(&self, path: &str, node: &Node) -> Result<Report> {
        let at = leaf_node::timestamp(&node.data).ok_or_else(|| {
            let text = String::from_utf8_lossy(&node.data);
            let text = format!(
                "the node {path} holds {:?}, and not the ip, port and timestamp of a Leaf server: delete it, or give \
                 this process an endpoint of its own",
                beginning(&text, 64)
            );
            Error::new(ErrorKind::InvalidConfig, text)
        })?;
        Ok(Report { at, lead: LEAD, written: Some(node.changed_at) })
    }

    /// Creates the endpoint's node. It says that nothing was stamped yet.
    async fn create(&self, found: &LeafNodes) -> Result<String> {
        let forever = self.forever();
        // Leaf servers that start on an empty tree all take the worker id 0, whatever the numbers of their nodes are.
        let first = format!("{forever}/leafmint-");
        let first = found.highest.is_none().then_some(first.as_str());
        self.sessions.run(|session, _| Box::pin(make_tree(session, &self.above, first))).await?;
        let (path, data) = (format!("{forever}/{}-", self.endpoint()), leaf_node::data(&self.endpoint, 0));
        // If the answer is lost, the next attempt looks for the node first.
        self.sessions.once(|session, _| Box::pin(create_own(session, &path, &data))).await
    }

    /// Refuses to create a node whose number could not be used.
    fn check_next(&self, found: &LeafNodes) -> Result<()> {
        let last = HIGHEST.min(*self.workers.span().end());
        match found.highest {
            Some(highest) if highest >= last => Err(Error::new(
                ErrorKind::InvalidConfig,
                format!(
                    "{}: the next number is {} or more, and the highest worker id is {last}: numbers never come back, so use \
                     the endpoint of a Leaf server that has stopped, another name, or worker_mode=lease",
                    self.forever(),
                    highest + 1
                ),
            )),
            _ => Ok(()),
        }
    }

    fn refused(&self, path: &str, number: i64) -> Error {
        let reason = match number {
            0 => "Leaf servers that start on an empty tree all take the worker id 0",
            1024.. => "Leaf servers refuse worker ids above 1023",
            _ => "the layout or the option workers does not allow it",
        };
        let text = format!(
            "the node {path} gives {} the worker id {number}, which is not used: {reason}; give this process an endpoint of \
             its own",
            self.endpoint()
        );
        Error::new(ErrorKind::InvalidConfig, text)
    }
}

impl Assignments for LeafTree {
    fn name(&self) -> &str {
        "forever"
    }

    fn within(&self) -> &'static str {
        "namespace"
    }

    /// A Leaf server reads them when it starts.
    fn is_watched(&self) -> bool {
        true
    }

    fn assign(&self) -> Answer<'_, Assigned> {
        Box::pin(self.find_or_create())
    }

    fn report(&self, _: i64, at: i64) -> Answer<'_, ()> {
        Box::pin(self.write_clock(at))
    }
}

/// What the tree holds.
#[derive(Debug, Default)]
pub(super) struct LeafNodes {
    /// The endpoint's node. If it has several, the one with the lowest number that is not 0.
    pub(super) own: Option<(LeafName, Node)>,
    /// The highest number of all nodes; `None` if there is none.
    pub(super) highest: Option<i64>,
    /// A name that no Leaf server can read: none of them starts.
    pub(super) unreadable: Option<String>,
}

/// Looks for the node of an endpoint.
pub(super) async fn find(session: &mut Session, forever: &str, endpoint: &str) -> Outcome<LeafNodes> {
    session.sync(forever).await?;
    let Some(names) = session.children(forever).await? else { return Ok(LeafNodes::default()) };
    let unreadable = names.iter().find(|name| LeafName::parse(name).is_none()).cloned();
    let all: Vec<LeafName> = names.iter().filter_map(|name| LeafName::parse(name)).collect();
    let highest = all.iter().map(|name| name.number).max();
    let of_endpoint = all.into_iter().filter(|name| name.endpoint == endpoint);
    let own = match of_endpoint.min_by_key(|name| (name.number == 0, name.number)) {
        None => None,
        Some(name) => {
            let node = session.get(&format!("{forever}/{}", name.name)).await?;
            node.map(|node| (name, node))
        }
    };
    Ok(LeafNodes { own, highest, unreadable })
}

/// Makes the nodes above those of the endpoints, from the top down. It may be done again.
///
/// `first` is the beginning of the name of a node that takes the number 0; `None` if there are numbers already.
pub(super) async fn make_tree(session: &mut Session, paths: &[String], first: Option<&str>) -> Outcome<()> {
    for path in paths {
        session.create(path, b"", Kind::Plain, Access::Open).await?;
    }
    if let Some(first) = first {
        session.create(first, b"", Kind::Sequential, Access::Open).await?;
    }
    Ok(())
}

/// Creates the node of an endpoint, by its path without the number. To be sent at most once: done again, it would make
/// another one.
pub(super) async fn create_own(session: &mut Session, path: &str, data: &[u8]) -> Outcome<String> {
    match session.create(path, data, Kind::Sequential, Access::Open).await? {
        Created::New(path) => Ok(path),
        Created::Exists | Created::NoParent => {
            let text = format!("the node above {path} was deleted");
            Err(Failure::Named(Error::new(ErrorKind::StoreUnavailable, text)))
        }
    }
}

/// A report for the node of this endpoint.
pub(super) struct LeafReport<'a> {
    pub(super) path: &'a str,
    pub(super) version: i32,
    pub(super) data: &'a [u8],
    /// What this process sent since its last answer, and which may have been carried out.
    pub(super) sent: &'a [Vec<u8>],
}

/// What became of a report.
pub(super) enum Reported {
    /// The node has it, in this version.
    Written(i32),
    /// Another program wrote the node.
    Overwritten,
    /// There is no such node.
    Deleted,
}

/// Writes a report into the node of this endpoint, unless another program wrote it.
pub(super) async fn write_report(session: &mut Session, report: &LeafReport<'_>) -> Outcome<Reported> {
    let LeafReport { path, mut version, data, sent } = *report;
    loop {
        match session.set(path, data, Some(version)).await? {
            Changed::Done { version, .. } => return Ok(Reported::Written(version)),
            Changed::Missing => return Ok(Reported::Deleted),
            Changed::OtherVersion => {}
        }
        session.sync(path).await?;
        let Some(node) = session.get(path).await? else { return Ok(Reported::Deleted) };
        if node.data == data {
            return Ok(Reported::Written(node.version));
        }
        // One that was not answered: the next one follows it.
        if node.version == version || !sent.contains(&node.data) {
            return Ok(Reported::Overwritten);
        }
        version = node.version;
    }
}
