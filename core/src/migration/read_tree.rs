//! Reads Leaf's tree of worker ids, and writes nothing.

use super::leaf_tree::{LeafNode, LeafTree};
use crate::background::{Pending, in_time};
use crate::clock::{Clock, SystemClock};
use crate::config::{HolderConfig, OptionValue, SnowflakeConfig};
use crate::database::{DatabaseSettings, Engine, Location, Outcome, Sessions};
use crate::error::{Error, ErrorKind, Result};
use crate::zookeeper::{Session, ZooKeeper};

/// Reads the tree of a Leaf, or of NotFound9's fork, at `zookeeper://h1,h2,h3/leaf-name`.
///
/// A tree that does not exist is one without nodes. Raises `invalid_config` and `worker_id_unavailable`.
pub fn read_tree(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Pending<LeafTree>> {
    let config = SnowflakeConfig::parse(url, options)?;
    let HolderConfig::ZooKeeper(settings, _) = config.holder else {
        let text = "Leaf's tree is in ZooKeeper: write zookeeper://host1,host2,host3/leaf-name";
        return Err(Error::new(ErrorKind::InvalidConfig, text));
    };
    let timeout = config.settings.timeout;
    let scope = format!("zookeeper://{}", settings.database);
    Pending::spawn(timeout, in_time("read_tree", timeout, scope, read(settings)))
}

async fn read(settings: DatabaseSettings) -> Result<LeafTree> {
    let path = LeafPath::of(&settings.database);
    let location = Location::of(ZooKeeper::SCHEME, &settings);
    let sessions = Sessions::<ZooKeeper>::new(settings);
    let tree = sessions.run(|session, _| Box::pin(read_nodes(session, &path))).await;
    sessions.close().await;
    Ok(LeafTree { location: Some(location), ..tree? })
}

/// Leaf's own path.
struct LeafPath {
    root: String,
    name: String,
}

impl LeafPath {
    /// The location is Leaf's name (`leaf.name`), with the chroot before it if there is one.
    fn of(location: &str) -> Self {
        let (chroot, name) = location.rsplit_once('/').unwrap_or(("", location));
        let chroot = if chroot.is_empty() { String::new() } else { format!("/{chroot}") };
        Self { root: format!("{chroot}/snowflake/{name}"), name: name.to_owned() }
    }
}

/// Reads the nodes below Leaf's own path.
async fn read_nodes(session: &mut Session, path: &LeafPath) -> Outcome<LeafTree> {
    session.sync(&path.root).await?;
    let mut nodes = below(session, &format!("{}/forever", path.root), LeafNode::read).await?;
    nodes.extend(below(session, &format!("{}/recycle/inuse", path.root), LeafNode::of_recycler).await?);
    nodes.sort_by_key(|node| node.worker_id);
    Ok(LeafTree { name: path.name.clone(), nodes, read_at: SystemClock.wall(), ..LeafTree::default() })
}

/// Reads the nodes below one; those that were deleted meanwhile are left out.
async fn below(session: &mut Session, path: &str, read: fn(&str, &[u8]) -> LeafNode) -> Outcome<Vec<LeafNode>> {
    let mut names = session.children(path).await?.unwrap_or_default();
    names.sort_unstable();
    let paths: Vec<String> = names.iter().map(|name| format!("{path}/{name}")).collect();
    let found = session.get_all(&paths).await?;
    let nodes = names.iter().zip(found).filter_map(|(name, node)| Some(read(name, &node?.data)));
    Ok(nodes.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leafs_own_path_is_below_the_chroot() {
        assert_eq!(LeafPath::of("shop").root, "/snowflake/shop");
        let below = LeafPath::of("apps/a/shop");
        assert_eq!((below.root.as_str(), below.name.as_str()), ("/apps/a/snowflake/shop", "shop"));
    }
}
