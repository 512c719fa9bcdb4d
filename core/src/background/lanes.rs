//! The lanes that all generators of a process share.

use super::lane::Lane;
use crate::process::{self, PerProcess};
use crate::sync::Mutex;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Most threads that wait for the file system of one directory.
const FILE_THREADS: usize = 4;
/// Most threads that compute what would hold others up.
const COMPUTING_THREADS: usize = 2;
/// Most threads that wait for name servers.
const CONNECTING_THREADS: usize = 4;

/// The child of a fork begins without any.
static LANES: PerProcess<OnceLock<Lanes>> = PerProcess::unset(OnceLock::new());

struct Lanes {
    /// By directory: a file system that does not answer must not stop work in another one.
    files: Mutex<BTreeMap<PathBuf, Arc<Lane>>>,
    connecting: Lane,
    computing: Lane,
}

/// Returns the lane of the state files and lock files in a directory, which heartbeats wait for. Directories with one
/// parent share it.
pub(crate) fn files(directory: &Path) -> Arc<Lane> {
    let directory = directory.parent().unwrap_or(directory);
    let mut files = lanes().files.lock();
    if let Some(lane) = files.get(directory) {
        return lane.clone();
    }
    files.retain(|_, lane| Arc::strong_count(lane) > 1 || !lane.is_idle());
    files.entry(directory.to_owned()).or_insert_with(|| Arc::new(Lane::new("leafmint-files", FILE_THREADS))).clone()
}

/// Returns the lane of what a connection to a server needs first: addresses of host names, certificates.
pub(crate) fn connecting() -> &'static Lane {
    &lanes().connecting
}

/// Returns the lane of what computes for long: an event loop, or the background thread, goes on meanwhile.
pub(crate) fn computing() -> &'static Lane {
    &lanes().computing
}

fn lanes() -> &'static Lanes {
    process::count_forks();
    LANES.get(|_| OnceLock::new()).get_or_init(|| Lanes {
        files: Mutex::default(),
        connecting: Lane::new("leafmint-names", CONNECTING_THREADS),
        computing: Lane::new("leafmint-work", COMPUTING_THREADS),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn a_directory_whose_file_system_does_not_answer_stops_no_work_in_another_one() {
        let (hold, held) = mpsc::channel::<()>();
        let held = Arc::new(std::sync::Mutex::new(held));
        for _ in 0..=FILE_THREADS {
            let held = held.clone();
            files(Path::new("/stuck/default")).push(move || drop(held.lock().map(|held| held.recv()))).unwrap();
        }
        let (done, heartbeat) = mpsc::channel();
        files(Path::new("/other/default")).push(move || done.send(7).unwrap()).unwrap();
        assert_eq!(heartbeat.recv_timeout(Duration::from_secs(60)), Ok(7));
        drop(hold);
    }

    #[test]
    fn lanes_of_directories_that_are_used_no_more_are_forgotten() {
        let before = Arc::downgrade(&files(Path::new("/once/default")));
        files(Path::new("/later/default"));
        assert!(before.upgrade().is_none());
    }
}
