//! Errors of background work that has nothing to do with what the work was for.

use leafmint_ids::error::{Error, ErrorKind};
use std::io;

/// Describes what could not be started, with advice by the system's error number.
pub(crate) fn not_started(what: &str, error: &io::Error) -> Error {
    let advice = match error.raw_os_error() {
        Some(libc::EAGAIN) => {
            "raise the limit of threads (ulimit -u, or pids.max of the container) or of memory (ulimit -v)"
        }
        Some(libc::EMFILE) => "raise the limit of open files of this process (ulimit -n)",
        Some(libc::ENFILE) => "raise the system's limit of open files (fs.file-max)",
        Some(libc::ENOMEM) => "give this process more memory",
        _ => "the system refused",
    };
    let text = format!("{what} could not be started: {error}: {advice}; the next call tries again");
    Error::new(ErrorKind::StoreUnavailable, text).with_io_source(error)
}

/// Describes work that ended without an answer.
pub(super) fn no_answer() -> Error {
    Error::new(ErrorKind::StoreUnavailable, "the background task ended without an answer: this is a bug in leafmint")
}

/// What to say of a background thread that is gone.
pub(crate) const LOST: &str = "descriptors of leafmint's were closed in this process (by os.closerange(), closefrom() or the \
                               like), and its background thread with them: open the generator again, and close only \
                               descriptors that your code has opened";

/// Describes work that the background thread has not ended in its time.
pub(super) fn overdue() -> Error {
    let text = format!("leafmint's background thread is seconds late: the machine is overloaded, or {LOST}");
    Error::new(ErrorKind::StoreUnavailable, text)
}

/// Describes a call that a forked child cannot continue.
pub(crate) fn begun_by_parent() -> Error {
    Error::new(
        ErrorKind::Closed,
        "this call was begun before the process was forked: only the parent goes on with it; call again",
    )
}
