//! What only the bindings to other languages use. It may change in any release.

/// The epochs of layouts, and the timeouts of calls.
pub use crate::config::{epoch_from_text, timeout_from_seconds, timeout_from_text};
/// One interface for all calls that a binding polls.
pub use crate::pollable::Pollable;
/// Connections of the application.
pub mod borrowed {
    pub use leafmint_backends::borrowed::{
        Answer, Blocking, BlockingConnection, Connected, DriverError, Lender, OnThreads, Question, Ran, Wanted,
    };
}

/// The places of a limit cell's words.
pub use leafmint_engine::limit_cell::{CELL_SIZE, CLOSED, CURSOR_OFFSET, LIMIT_OFFSET};
/// The end of the background thread.
pub use leafmint_engine::runtime::background::end as end_background;
/// Wakes an event loop.
pub use leafmint_engine::runtime::wake_queue::WakeQueue;
/// The limit cells of a tag in memory, which Java draws from without a call.
pub use leafmint_engine::segment::shared_cell::SharedCells;
/// Text that is safe to print.
pub use leafmint_ids::text::printable;

/// Events, taken by a binding for its language's log.
pub mod events {
    pub use leafmint_engine::runtime::events::{Event, listen, take, waiting};
}

/// Panics, which become exceptions.
pub mod panics {
    pub use leafmint_ids::panics::{message_of, print_each_line_once};
}

/// Memory for answers and arguments whose length a caller chooses.
pub mod room {
    pub use leafmint_ids::room::{all, check, extend, push, room, zeros};
}

/// Forks, and threads that block signals.
pub mod process {
    pub use leafmint_engine::runtime::process::{ForkGuard, PerProcess, count_forks, forks, start_thread};
}
