//! The paths of the nodes of one namespace.

use leafmint_engine::holder::past::PastWorker;
use std::ops::RangeInclusive;

/// Leaf's own root.
const ROOT: &str = "snowflake";

/// The nodes of one namespace.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    /// The chroot, which may be empty, and what is above the namespace.
    chroot: String,
    above: Vec<String>,
    namespace: String,
}

impl Nodes {
    /// Names the nodes of a namespace. The location is Leaf's name (`leaf.name`), with the chroot before it if there is
    /// one: `apps/shop/leaf-name`.
    pub(super) fn new(location: &str, namespace: &str) -> Self {
        let (chroot, name) = location.rsplit_once('/').unwrap_or(("", location));
        let chroot = if chroot.is_empty() { String::new() } else { format!("/{chroot}") };
        let root = format!("{chroot}/{ROOT}");
        let of_leaf = format!("{root}/{name}");
        let own = format!("{of_leaf}/leafmint");
        let namespace = format!("{own}/{namespace}");
        Self { chroot, above: vec![root, of_leaf, own], namespace }
    }

    pub(super) fn chroot(&self) -> &str {
        &self.chroot
    }

    /// Returns the nodes above the namespace, which it shares with Leaf and with other namespaces, from the root on.
    pub(super) fn above(&self) -> &[String] {
        &self.above
    }

    /// Returns Leaf's own nodes, from the root on.
    pub(super) fn of_leaf(&self) -> &[String] {
        &self.above[..2]
    }

    /// Returns the node below which NotFound9's fork of Leaf keeps the worker ids in use.
    pub(super) fn recycled(&self) -> String {
        format!("{}/recycle/inuse", self.above[1])
    }

    pub(super) fn namespace(&self) -> &str {
        &self.namespace
    }

    pub(super) fn layout(&self) -> String {
        format!("{}/layout", self.namespace)
    }

    pub(super) fn clock(&self) -> String {
        format!("{}/clock", self.namespace)
    }

    pub(super) fn blocks(&self) -> String {
        format!("{}/backfill", self.namespace)
    }

    /// Names the node above the blocks of a worker id for the past. It is the mark of their generation.
    pub(super) fn mark(&self, worker: PastWorker) -> String {
        format!("{}/backfill/{}-{:016x}", self.namespace, worker.worker_id, worker.generation.number())
    }

    pub(super) fn workers(&self) -> String {
        format!("{}/worker", self.namespace)
    }

    pub(super) fn worker(&self, worker_id: i64) -> String {
        format!("{}/worker/{worker_id}", self.namespace)
    }
}

/// Returns the worker ids within a range that nodes are named by, in ascending order and each once. Other names are
/// ignored.
pub(super) fn worker_ids(names: &[String], within: &RangeInclusive<i64>) -> Vec<i64> {
    let worker_id = |name: &String| name.parse::<i64>().ok().filter(|id| id.to_string() == *name);
    let mut found: Vec<i64> = names.iter().filter_map(worker_id).filter(|id| within.contains(id)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pool_is_below_leafs_own_path_and_below_the_chroot() {
        let nodes = Nodes::new("shop", "default");
        assert_eq!(nodes.above(), ["/snowflake", "/snowflake/shop", "/snowflake/shop/leafmint"]);
        assert_eq!(nodes.worker(5), "/snowflake/shop/leafmint/default/worker/5");
        assert_eq!(nodes.chroot(), "");
        let nodes = Nodes::new("a/b/shop", "default");
        assert_eq!((nodes.above()[0].as_str(), nodes.chroot()), ("/a/b/snowflake", "/a/b"));
    }

    #[test]
    fn a_name_that_is_no_worker_id_or_comes_again_is_passed_over() {
        let names = ["7", "7", "07", "+7", "1024", "-1", "x", "", "0"].map(str::to_owned);
        assert_eq!(worker_ids(&names, &(0..=1023)), [0, 7]);
    }
}
