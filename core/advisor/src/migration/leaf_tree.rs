//! The worker ids of Leaf servers, as Leaf or a fork of it keeps them.

use leafmint::config::{HolderConfig, OptionValue, SnowflakeConfig};
use leafmint_backends::sessions::{DatabaseSettings, Engine, Outcome, Sessions};
use leafmint_backends::zookeeper::{Session, ZooKeeper};
use leafmint_engine::clock::{Clock, SystemClock};
use leafmint_engine::runtime::background::{Pending, in_time};
use leafmint_engine::store::{Location, TableFacts};
use leafmint_ids::error::{Error, ErrorKind, Result};

/// Leaf reports every 3 s: a node without a report of as many milliseconds is taken for that of a Leaf that is off.
const LIVE: i64 = 15_000;

/// The worker ids of Leaf: the nodes below `/snowflake/{name}/forever`, or what a fork of Leaf has instead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeafTree {
    /// Leaf's `leaf.name`.
    pub name: String,
    /// Where the tree is; `None` if none was read.
    pub location: Option<Location>,
    /// Where the table of worker ids is; `None` if there is none.
    pub table: Option<Location>,
    /// The nodes, by worker id.
    pub nodes: Vec<LeafNode>,
    /// When it was read, in Unix milliseconds.
    pub read_at: i64,
}

/// The worker id of a Leaf server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafNode {
    /// Its name, such as `10.0.0.1:8080-0000000003`.
    pub name: String,
    /// The worker id as Leaf reads it; `None` if Leaf cannot.
    pub worker_id: Option<i64>,
    /// What the server reported last, in Unix milliseconds; `None` if that cannot be read.
    pub timestamp: Option<i64>,
    /// Where it is kept.
    pub kept: Kept,
}

/// Where a worker id is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// In a node of Leaf's own, for ever.
    Forever,
    /// In a node of NotFound9's fork, which recycles worker ids.
    Recycled,
    /// In `leaf_workerid_alloc`, a table of that fork.
    Table,
}

impl LeafNode {
    /// Describes a node by its name and its content. Leaf takes the number behind the first hyphen.
    pub fn read(name: &str, content: &[u8]) -> Self {
        let worker_id = name.split('-').nth(1).and_then(|number| number.parse().ok());
        Self { name: name.to_owned(), worker_id, timestamp: number(content, "\"timestamp\""), kept: Kept::Forever }
    }

    /// Describes a node of NotFound9's fork: `workId:3`.
    pub(crate) fn of_recycler(name: &str, content: &[u8]) -> Self {
        let worker_id = name.strip_prefix("workId:").and_then(|number| number.parse().ok());
        let timestamp = number(content, "\"lastUsedTimestamp\"");
        Self { name: name.to_owned(), worker_id, timestamp, kept: Kept::Recycled }
    }

    /// Returns whether its server reported within the last seconds.
    pub fn is_live(&self, now: i64) -> bool {
        self.timestamp.is_some_and(|reported| reported > now - LIVE)
    }
}

impl LeafTree {
    /// Adds the worker ids that a fork of Leaf keeps in a table next to its tags. `None` if there are none at all.
    pub fn with_table(tree: Option<Self>, facts: Option<&TableFacts>) -> Option<Self> {
        let rows = facts.map(|facts| facts.worker_ids.as_slice()).unwrap_or_default();
        if rows.is_empty() {
            return tree;
        }
        let mut tree = tree.unwrap_or_else(|| Self { read_at: SystemClock.wall(), ..Self::default() });
        tree.table = facts.and_then(|facts| facts.location.clone());
        tree.nodes.extend(rows.iter().map(|row| LeafNode {
            name: row.endpoint.clone(),
            worker_id: Some(row.worker_id),
            timestamp: row.reported,
            kept: Kept::Table,
        }));
        Some(tree)
    }
}

/// Reads the number behind a quoted name in JSON.
fn number(content: &[u8], name: &str) -> Option<i64> {
    let (_, after) = std::str::from_utf8(content).ok()?.split_once(name)?;
    let value = after.trim_start().strip_prefix(':')?.trim_start();
    value.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

/// Reads the tree of a Leaf, or of NotFound9's fork, at `zookeeper://h1,h2,h3/leaf-name`.
///
/// A tree that does not exist is one without nodes. Raises `invalid_config` and `worker_id_unavailable`.
pub fn read_tree(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Pending<LeafTree>> {
    begin(SnowflakeConfig::parse(url, options)?)
}

/// Not generic: the work is compiled once, here, and not in each binding at the level of its fast paths.
fn begin(config: SnowflakeConfig) -> Result<Pending<LeafTree>> {
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
    let location = settings.location(ZooKeeper::SCHEME);
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

    const NOW: i64 = 1_793_491_200_000;

    #[test]
    fn a_node_is_live_if_it_reported_within_seconds() {
        let node = LeafNode::read("10.0.0.1:8080-0000000007", format!(r#"{{"timestamp":{NOW}}}"#).as_bytes());
        assert_eq!(node.worker_id, Some(7));
        let recycled = LeafNode::of_recycler("workId:7", format!(r#"{{"lastUsedTimestamp": {NOW}}}"#).as_bytes());
        assert_eq!((recycled.worker_id, recycled.timestamp), (Some(7), Some(NOW)));
        assert!(node.is_live(NOW + 5000) && !node.is_live(NOW + 60_000));
    }

    #[test]
    fn leafs_own_path_is_below_the_chroot() {
        assert_eq!(LeafPath::of("shop").root, "/snowflake/shop");
        let below = LeafPath::of("apps/a/shop");
        assert_eq!((below.root.as_str(), below.name.as_str()), ("/apps/a/snowflake/shop", "shop"));
    }
}
