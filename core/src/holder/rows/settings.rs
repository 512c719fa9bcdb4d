//! How the rows of a database are used for worker ids.

use crate::holder::{Endpoint, Pace, Workers};
use std::path::PathBuf;
use std::time::Duration;

/// How the rows of a database are used for worker ids.
#[derive(Clone, Debug)]
pub struct RowHolderSettings {
    /// How a worker id is chosen.
    pub mode: WorkerMode,
    /// What worker ids are unique within: 1 to 128 code points. In the mode `fixed` it is the name of the table.
    pub namespace: String,
    /// The worker ids that may be taken; the first ones are preferred.
    pub workers: Workers,
    /// The layout's fingerprint: the same for all processes of the namespace. At most 255 code points.
    pub layout: String,
    /// Who claims, at most 255 code points. In the mode `fixed` it is `ip:port`, and the worker id belongs to it.
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

/// How a worker id is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerMode {
    /// Any free worker id of a namespace, which is free again when its horizon has passed.
    Lease,
    /// The worker id that a table assigns to the endpoint.
    Fixed,
    /// The number of the endpoint's node below `forever`, as Leaf assigns worker ids in ZooKeeper.
    Forever,
}

impl RowHolderSettings {
    pub(super) fn in_child(&self) -> Self {
        Self { endpoint: self.endpoint.in_child(), ..self.clone() }
    }
}

impl WorkerMode {
    /// Returns whether programs that are not leafmint look at the reports before they use a worker id.
    pub(super) fn is_watched(self) -> bool {
        self == WorkerMode::Forever
    }
}
