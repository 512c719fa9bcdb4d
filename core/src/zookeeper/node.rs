//! What a node holds, and what became of a change.

use super::jute::Reader;
use crate::database::Outcome;

/// A node as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// What it holds, or the beginning of it if that is long.
    pub(crate) data: Vec<u8>,
    /// The number of changes of the data since the node was created.
    pub(crate) version: i32,
    /// When the data was changed last, by the clock of the ensemble's leader. Unix milliseconds.
    pub(crate) changed_at: i64,
}

/// How a node is named that is created. Every node stays until it is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By its path.
    Plain,
    /// By its path and a number of ten digits, which the server appends and never repeats below the same parent.
    #[allow(dead_code)] // Only the tests do until there is a mode that creates such nodes.
    Sequential,
}

impl Kind {
    pub(super) fn flags(self) -> i32 {
        match self {
            Kind::Plain => 0,
            Kind::Sequential => 2,
        }
    }
}

/// What became of a node that was to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Created {
    /// It is there now, at this path.
    New(String),
    /// There was one already.
    Exists,
    /// The node above it is missing.
    NoParent,
}

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    /// The node has this version now, since this moment of the leader's clock in Unix milliseconds.
    Done {
        /// The new version.
        version: i32,
        /// When it was changed.
        changed_at: i64,
    },
    /// The node had another version.
    OtherVersion,
    /// There is no such node.
    Missing,
}

/// What a server says about a node beside its data.
pub(super) struct Stat {
    pub(super) version: i32,
    pub(super) changed_at: i64,
}

impl Stat {
    pub(super) fn read(reader: &mut Reader<'_>) -> Outcome<Self> {
        let (_created, _modified, _created_at) = (reader.long()?, reader.long()?, reader.long()?);
        let changed_at = reader.long()?;
        let version = reader.int()?;
        // The rest is not needed, and must be there.
        let (_children_version, _access_version, _owner) = (reader.int()?, reader.int()?, reader.long()?);
        let (_length, _children, _newest_child) = (reader.int()?, reader.int()?, reader.long()?);
        Ok(Self { version, changed_at })
    }
}
