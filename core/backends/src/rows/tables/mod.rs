//! The registry in tables of a database server: what is the same on every kind of server.
//!
//! A kind of server implements `TableSession` for its sessions: the statements, and what their answers mean.

mod allocation;
mod registry;
mod session;

pub(crate) use registry::TableRegistry;
pub(crate) use session::{Registered, TableSession};

/// The version of leafmint's own tables, which the one row of `leafmint_schema` holds.
pub(crate) const SCHEMA_VERSION: i64 = 1;

/// The table that assigns fixed worker ids, by its name in NotFound9's fork of Leaf.
pub const ALLOCATION_TABLE: &str = "leaf_workerid_alloc";
