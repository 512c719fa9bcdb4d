//! What only the bindings to other languages use. It may change in any release.

/// The end of the background thread.
pub use crate::background::end as end_background;
/// The timeouts of calls.
pub use crate::config::{timeout_from_seconds, timeout_from_text};
/// The places of a limit cell's words.
pub use crate::limit_cell::{CELL_SIZE, CLOSED, CURSOR_OFFSET, LIMIT_OFFSET};
/// One interface for all calls that a binding polls.
pub use crate::pollable::Pollable;
/// Text that is safe to print.
pub use crate::printable::printable;
/// The limit cells of a tag in memory, which Java draws from without a call.
pub use crate::segment::shared_cell::SharedCells;
/// Wakes an event loop.
pub use crate::wake_queue::WakeQueue;

/// Events, taken by a binding for its language's log.
pub mod events {
    pub use crate::events::{Event, listen, take, waiting};
}

/// Panics, which become exceptions.
pub mod panics {
    pub use crate::panics::{message_of, print_each_line_once};
}

/// Memory for answers and arguments whose length a caller chooses.
pub mod room {
    pub use crate::room::{all, check, extend, push, room, zeros};
}

/// Forks, and threads that block signals.
pub mod process {
    pub use crate::process::{ForkGuard, PerProcess, count_forks, forks, start_thread};
}
