//! What a process is short of for now, by the system's error number: nothing of it is remembered.

use crate::error::{Error, ErrorKind};
use std::io;

/// Names the shortage that kept something from being started, and what to do about it.
pub(super) fn shortage(what: &str, error: &io::Error) -> Error {
    let advice = match error.raw_os_error() {
        Some(libc::EAGAIN) => "raise the limit of threads (ulimit -u, or pids.max of the container) or of memory (ulimit -v)",
        Some(libc::EMFILE) => "raise the limit of open files of this process (ulimit -n)",
        Some(libc::ENFILE) => "raise the system's limit of open files (fs.file-max)",
        Some(libc::ENOMEM) => "give this process more memory",
        _ => "the system refused",
    };
    Error::new(ErrorKind::StoreUnavailable, format!("{what} could not be started: {error}: {advice}; the next call tries again"))
}
