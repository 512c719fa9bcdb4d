//! The work on Leaf's tree, one type each.

use super::leaf_node::LeafName;
use crate::database::{Failure, Outcome, Statement};
use crate::error::{Error, ErrorKind};
use crate::zookeeper::{Access, Changed, Created, Kind, Node, Session};

/// Looks for the node of an endpoint.
pub(super) struct Find<'a> {
    pub(super) forever: &'a str,
    pub(super) endpoint: &'a str,
}

/// What the tree holds.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The endpoint's node. If it has several, the one with the lowest number that is not 0.
    pub(super) own: Option<(LeafName, Node)>,
    /// The highest number of all nodes; `None` if there is none.
    pub(super) highest: Option<i64>,
    /// A name that no Leaf server can read: none of them starts.
    pub(super) unreadable: Option<String>,
}

impl Statement<Session> for Find<'_> {
    type Answer = Found;

    async fn run(&self, session: &mut Session) -> Outcome<Found> {
        session.sync(self.forever).await?;
        let Some(names) = session.children(self.forever).await? else { return Ok(Found::default()) };
        let unreadable = names.iter().find(|name| LeafName::parse(name).is_none()).cloned();
        let all: Vec<LeafName> = names.iter().filter_map(|name| LeafName::parse(name)).collect();
        let highest = all.iter().map(|name| name.number).max();
        let of_endpoint = all.into_iter().filter(|name| name.endpoint == self.endpoint);
        let own = match of_endpoint.min_by_key(|name| (name.number == 0, name.number)) {
            None => None,
            Some(name) => {
                let node = session.get(&format!("{}/{}", self.forever, name.name)).await?;
                node.map(|node| (name, node))
            }
        };
        Ok(Found { own, highest, unreadable })
    }
}

/// Makes the nodes above those of the endpoints. It may be done again.
pub(super) struct MakeTree<'a> {
    /// From the top down.
    pub(super) paths: &'a [String],
    /// The beginning of the name of a node that takes the number 0; `None` if there are numbers already.
    pub(super) first: Option<&'a str>,
}

impl Statement<Session> for MakeTree<'_> {
    type Answer = ();

    async fn run(&self, session: &mut Session) -> Outcome<()> {
        for path in self.paths {
            session.create(path, b"", Kind::Plain, Access::Open).await?;
        }
        if let Some(first) = self.first {
            session.create(first, b"", Kind::Sequential, Access::Open).await?;
        }
        Ok(())
    }
}

/// Creates the node of an endpoint. To be sent at most once: done again, it would make another one.
pub(super) struct CreateOwn<'a> {
    /// The path without its number.
    pub(super) path: &'a str,
    pub(super) data: &'a [u8],
}

impl Statement<Session> for CreateOwn<'_> {
    type Answer = String;

    async fn run(&self, session: &mut Session) -> Outcome<String> {
        match session.create(self.path, self.data, Kind::Sequential, Access::Open).await? {
            Created::New(path) => Ok(path),
            Created::Exists | Created::NoParent => {
                let text = format!("the node above {} was deleted", self.path);
                Err(Failure::Named(Error::new(ErrorKind::StoreUnavailable, text)))
            }
        }
    }
}

/// Writes a report into the node of this endpoint, unless another program wrote it.
pub(super) struct WriteReport<'a> {
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

impl Statement<Session> for WriteReport<'_> {
    type Answer = Reported;

    async fn run(&self, session: &mut Session) -> Outcome<Reported> {
        let mut version = self.version;
        loop {
            match session.set(self.path, self.data, Some(version)).await? {
                Changed::Done { version, .. } => return Ok(Reported::Written(version)),
                Changed::Missing => return Ok(Reported::Deleted),
                Changed::OtherVersion => {}
            }
            session.sync(self.path).await?;
            let Some(node) = session.get(self.path).await? else { return Ok(Reported::Deleted) };
            if node.data == self.data {
                return Ok(Reported::Written(node.version));
            }
            // One that was not answered: the next one follows it.
            if node.version == version || !self.sent.contains(&node.data) {
                return Ok(Reported::Overwritten);
            }
            version = node.version;
        }
    }
}
