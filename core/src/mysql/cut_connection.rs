//! Closes connections that did not answer.

use crate::process::start_thread;

/// Closes sockets at once, without sending anything.
///
/// The driver sends a farewell from a task on the current runtime, which waits for an outstanding answer first; on a
/// thread of its own there is no current runtime, and the socket is just closed.
pub(super) fn cut<T: Send + 'static>(doomed: T) {
    // If no thread can be started, it is dropped here.
    let _ = start_thread("leafmint-cut", move || drop(doomed));
}
