//! Worker ids in nodes of ZooKeeper: a pool below Leaf's own path, which Leaf never reads.
//!
//! ```text
//! /snowflake/{leaf.name}                        as Leaf has it
//! /snowflake/{leaf.name}/leafmint/{namespace}
//!     layout          the layout of all worker ids of the namespace, written once
//!     clock           written to read the clock of the ensemble's leader
//!     worker/{id}     who has the worker id, and until when; never deleted
//!     backfill/{id}-{block}  the first sequence number of a block of past ticks that is not leased; never deleted
//! ```
//!
//! The protocol is that of every row ([`crate::rows`]). A change compares token and horizon as it reads them,
//! and then the node's version as it writes: between the two no other process has changed the node.

mod block;
#[cfg(test)]
mod fuzz_tests;
mod nodes;
mod recycled;
mod registry;
mod row;
mod statements;
mod text;

pub use registry::NodeRegistry;
