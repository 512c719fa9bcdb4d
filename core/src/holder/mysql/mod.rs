//! Worker ids of a MySQL or MariaDB database, for processes on more than one host.
//!
//! Two levels. A row of `leafmint_worker` reserves time far ahead, which is how long the database may be away. Under it a state
//! file on the host reserves a few seconds at a time, so that a restart there goes on at once, with the same worker id.
//! Every change of a row compares the token and the horizon that were last known, so a late one matches nothing.

mod claim;
mod claim_plan;
mod detached;
mod fixed;
mod foreign;
#[cfg(test)]
mod fuzz_tests;
mod keep;
mod lease;
mod memo;
mod registry;
mod resume;
mod row_lease;
mod rows;
mod state_dir;
mod statements;

pub use fixed::MySqlFixedHolder;
pub use lease::MySqlLeaseHolder;

use super::{Endpoint, Pace, Token, Workers};
use crate::mysql::MySqlSettings;
use std::path::PathBuf;
use std::time::Duration;

/// How a database of worker ids is used.
#[derive(Clone)]
pub struct MySqlHolderSettings {
    /// Where the database is.
    pub mysql: MySqlSettings,
    /// Worker ids are unique within it: 1 to 128 code points. `fixed` has none: there the table's name takes its place.
    pub namespace: String,
    /// The worker ids that may be taken; the first ones are preferred.
    pub workers: Workers,
    /// The layout's fingerprint: the same for everyone in the namespace. At most 255 code points.
    pub layout: String,
    /// Who claims, at most 255 code points. For `fixed` it is `ip:port`, and the worker id belongs to it.
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

impl MySqlHolderSettings {
    fn in_child(&self) -> Self {
        Self { endpoint: self.endpoint.in_child(), ..self.clone() }
    }
}

/// What a row shows once a lease is written to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    token: Token,
    horizon: i64,
}

impl Pace {
    /// The pace of leased rows: 10 minutes ahead, renewed every 10 seconds.
    pub const LEASE: Pace = Pace { lease_duration: Duration::from_secs(600), heartbeat: Duration::from_secs(10) };

    /// The pace of fixed rows: 24 hours ahead, renewed every 10 seconds.
    pub const FIXED: Pace = Pace { lease_duration: Duration::from_secs(86_400), heartbeat: Duration::from_secs(10) };
}
