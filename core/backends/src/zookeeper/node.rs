//! What a node holds, and what became of a change.

use super::stream::{Reader, Record};
use crate::sessions::Outcome;

/// A node as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it holds, or the beginning of it if that is long.
    pub data: Vec<u8>,
    /// The number of changes of the data since the node was created.
    pub version: i32,
    /// When the data was changed last, by the clock of the ensemble's leader. Unix milliseconds.
    pub changed_at: i64,
}

/// How a node is named that is created. Every node stays until it is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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
pub enum Created {
    /// It is there now, at this path.
    New(String),
    /// There was one already.
    Exists,
    /// The node above it is missing.
    NoParent,
}

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
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

const READ: i32 = 1;
const ALL: i32 = 31;

/// The access list of a node that is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everyone may do everything, as with the nodes that Leaf creates.
    Open,
    /// Everyone may read. Only the account of the session may do more, or everyone if it has none.
    Own,
}

impl Access {
    pub(super) fn write(self, record: Record, is_logged_in: bool) -> Record {
        let entry = |record: Record, rights, scheme, id| record.int(rights).text(scheme).text(id);
        match self {
            Access::Own if is_logged_in => {
                let own = entry(record.int(2), ALL, "auth", "");
                entry(own, READ, "world", "anyone")
            }
            _ => entry(record.int(1), ALL, "world", "anyone"),
        }
    }
}

/// Says what is wrong with one part of a path, which ZooKeeper would refuse; `None` if nothing is.
pub fn problem_of_part(part: &str) -> Option<&'static str> {
    match part {
        "" => Some("is empty"),
        "." | ".." => Some("is relative"),
        _ if part.contains('/') => Some("has a slash"),
        _ if part.chars().any(is_refused) => Some("has a character that ZooKeeper refuses"),
        _ => None,
    }
}

fn is_refused(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_zookeeper_refuses_is_found() {
        for part in ["", ".", "..", "a/b", "a\0", "a\n", "a\u{7f}", "a\u{9f}", "\u{e000}", "\u{fffd}"] {
            assert!(problem_of_part(part).is_some(), "{part:?}");
        }
        for part in ["shop", "com.sankuai.leaf", "a b", "订单", "🙂", "...", "a-0000000001"] {
            assert_eq!(problem_of_part(part), None, "{part:?}");
        }
    }
}
