//! Why no worker id of a directory can be taken, and what to do about it.

use super::settings::DirectorySettings;
use crate::worker_files::lock_and_state;
use crate::worker_files::worker_state::WorkerState;
use leafmint_engine::holder::past::reserved;
use leafmint_ids::error::{Error, ErrorKind};
use std::path::Path;

/// Maximum number of owners that a message names.
const MOST_NAMED: usize = 16;

/// Neither the state file nor the lock file says up to when the worker id is reserved.
pub(super) fn unknown(path: &Path) -> Error {
    Error::new(
        ErrorKind::WorkerIdUnavailable,
        format!(
            "{} is damaged, and its lock file is damaged too or was removed: it is unknown how far the ids of this worker id are \
             ahead of the clock; use another worker id, or remove both files once no process has used it for longer than \
             max_clock_lead",
            path.display()
        ),
    )
}

/// The directory is not where this process has used it.
pub(super) fn moved(directory: &Path) -> Error {
    Error::new(
        ErrorKind::StoreUnavailable,
        format!(
            "{} is not the directory that this process has taken a worker id from: that one was moved, deleted, unmounted or \
             hidden, and may be in use elsewhere; put it back, or, if no process uses it where it is now, restart this \
             process",
            directory.display()
        ),
    )
}

/// Locking a copied directory does not exclude users of the original.
pub(super) fn copied(path: &Path) -> Error {
    Error::new(
        ErrorKind::InvalidConfig,
        format!(
            "{} was copied from another directory, whose worker ids may be in use: name that directory; or, once no process \
             uses it any more, remove the .state files of this one",
            path.display()
        ),
    )
}

/// The directory is on a copy of its volume, or on the original of a copy that is mounted too.
pub(super) fn cloned(directory: &Path, twin: &Path) -> Error {
    Error::new(
        ErrorKind::InvalidConfig,
        format!(
            "{} was copied with its volume: the one mounted at {} holds the same directory, whose worker ids may be in use; \
             unmount the copy of the two; or, to use both, remove the .state files of the copy",
            directory.display(),
            twin.display()
        ),
    )
}

/// Other processes hold all worker ids.
pub(super) fn all_held(settings: &DirectorySettings, now: i64) -> Error {
    let DirectorySettings { directory, workers, .. } = settings;
    let holder = |worker_id| match lock_and_state::peek(directory, worker_id).and_then(|text| WorkerState::parse(&text))
    {
        Some(state) => {
            format!("{worker_id} by {} ({})", state.owner, reserved(state.horizon, now))
        }
        None => format!("{worker_id} by a process that is just starting"),
    };
    let holders: Vec<String> = workers.iter().take(MOST_NAMED).map(holder).collect();
    let text = match workers.only() {
        Some(only) => format!(
            "worker id {}, in {}: a worker id is for one process at a time, and a forked child cannot share its parent's; end \
             that process, or use another id than {only}",
            holders[0].replacen(" by ", " is held by ", 1),
            directory.display(),
        ),
        None => format!(
            "all {} worker ids of {} are held: {}{}; end one of these processes or allow more with the option workers",
            workers.count(),
            directory.display(),
            holders.join(", "),
            if workers.count() > holders.len() as i64 { ", …" } else { "" },
        ),
    };
    Error::new(ErrorKind::WorkerIdUnavailable, text)
}
