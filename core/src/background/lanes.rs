//! The lanes that all generators of a process share.

use super::lane::Lane;
use crate::process::{self, PerProcess};
use std::sync::OnceLock;

/// Most threads that wait for disks.
const FILE_THREADS: usize = 4;
/// Most threads that wait for name servers.
const CONNECTING_THREADS: usize = 4;

/// The child of a fork begins without any.
static LANES: PerProcess<OnceLock<Lanes>> = PerProcess::unset(OnceLock::new());

struct Lanes {
    files: Lane,
    connecting: Lane,
}

/// Returns the lane of state files and lock files, which heartbeats wait for.
pub(crate) fn files() -> &'static Lane {
    &lanes().files
}

/// Returns the lane of what a connection to a server needs first: addresses of host names, certificates.
pub(crate) fn connecting() -> &'static Lane {
    &lanes().connecting
}

fn lanes() -> &'static Lanes {
    process::count_forks();
    LANES.get(|_| OnceLock::new()).get_or_init(|| Lanes {
        files: Lane::new("leafmint-files", FILE_THREADS),
        connecting: Lane::new("leafmint-names", CONNECTING_THREADS),
    })
}
