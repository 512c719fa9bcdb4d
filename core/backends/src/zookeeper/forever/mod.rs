//! The mode `forever`: the worker id is the number of the endpoint's node in the tree of Leaf's ZooKeeper mode.
//!
//! ```text
//! /snowflake/{leaf.name}/forever/{ip:port}-{number}    {"ip":"…","port":"…","timestamp":…}
//! ```
//!
//! Running Leaf servers read and write the same tree, so nothing else may be there: token and horizon are in the pool
//! below `zookeeper/workers`, and guard the worker id against other leafmint processes. Against a Leaf
//! there is only the node's version, which Leaf does not compare: a node that changed without us is in use by a Leaf on
//! our endpoint.

mod leaf_node;
mod tree;

pub(super) use leaf_node::number_field;
pub use leaf_node::{problem_of_endpoint, problem_of_name};
pub(super) use tree::LeafTree;
