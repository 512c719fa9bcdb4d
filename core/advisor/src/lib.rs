//! Reads and judges databases, and never leases: audits of keys, and moves from Leaf or from auto-increment.
#![forbid(unsafe_code)]

pub mod audit;
pub mod migration;
