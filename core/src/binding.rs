//! What only the bindings to other languages use. Applications in Rust do not need it, and it may change in any
//! release.

/// Background work that a binding waits for in slices, and the end of the background thread.
pub use crate::background::{Pending, end as end_background};
/// The tables of options, and the timeouts of calls.
pub use crate::config::{OPTIONS, OptionSpec, SNOWFLAKE_OPTIONS, timeout_from_seconds, timeout_from_text};
/// The places of a limit cell's words.
pub use crate::limit_cell::{CELL_SIZE, CLOSED, CURSOR_OFFSET, LIMIT_OFFSET};
/// One interface for all calls that a binding polls.
pub use crate::pollable::Pollable;
/// Text that is safe to print.
pub use crate::printable::printable;
/// The names of a tag's statistics.
pub use crate::segment::TAG_STATS;
/// The limit cells of a tag in memory, which Java draws from without a call.
pub use crate::segment::shared_cell::SharedCells;
/// A call that waits for ids in slices.
pub use crate::segment::wait::Wait;
/// The names of the statistics of a snowflake generator.
pub use crate::snowflake::SNOWFLAKE_STATS;
/// A call that waits for snowflakes in slices.
pub use crate::snowflake::wait::SnowflakeWait;
/// Stores in memory, which tests forget.
pub use crate::store::MemoryStore;
/// Wakes an event loop.
pub use crate::wake_queue::WakeQueue;
/// What a call wants.
pub use crate::want::{MAX_BATCH, MAX_RUN, Want};

/// Events, taken by a binding for its language's log.
pub mod events {
    pub use crate::events::{Event, listen, take, waiting};
}

/// Panics, which become exceptions.
pub mod panics {
    pub use crate::panics::{message_of, print_each_line_once};
}

/// Forks, and threads that block signals.
pub mod process {
    pub use crate::process::{ForkGuard, PerProcess, count_forks, forks, start_thread};
}
