//! How the rows of a database are used for worker ids.

use crate::holder::{Endpoint, Pace, Workers};
use std::path::PathBuf;
use std::time::Duration;

/// How the rows of a database are used for worker ids.
#[derive(Clone, Debug)]
pub struct RowHolderSettings {
    /// Whether the server assigns the endpoint its worker id, in a table or in Leaf's own tree. Otherwise any free one
    /// is leased.
    pub is_assigned: bool,
    /// What worker ids are unique within: 1 to 128 code points. If a table assigns them, the name of the table.
    pub namespace: String,
    /// The worker ids that may be taken; the first ones are preferred.
    pub workers: Workers,
    /// The layout's fingerprint: the same for all processes of the namespace. At most 255 code points.
    pub layout: String,
    /// Who claims, at most 255 code points. A worker id is assigned to its `ip:port`.
    pub endpoint: Endpoint,
    /// How far ahead the row is kept, and how often it is renewed: [`Pace::LEASE`] or [`Pace::FIXED`].
    pub pace: Pace,
    /// The same of the state file: [`Pace::local`].
    pub file_pace: Pace,
    /// The directory for lock and state files; `None` for hosts without a disk. Namespaces may share it.
    pub state_dir: Option<PathBuf>,
    /// By how much this host's clock may differ, at the start, from the database's and from the other owners'.
    pub max_clock_skew: Duration,
}

impl RowHolderSettings {
    pub(super) fn in_child(&self) -> Self {
        Self { endpoint: self.endpoint.in_child(), ..self.clone() }
    }
}
