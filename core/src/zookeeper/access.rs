//! Who may do what with a node that is created.

use super::jute::Record;

const READ: i32 = 1;
const ALL: i32 = 31;

/// The access list of a node that is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
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
