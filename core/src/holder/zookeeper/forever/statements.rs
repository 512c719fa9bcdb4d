//! The work on Leaf's tree.

use super::leaf_node::LeafName;
use crate::database::{Failure, Outcome};
use crate::error::{Error, ErrorKind};
use crate::zookeeper::{Access, Changed, Created, Kind, Node, Session};

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
