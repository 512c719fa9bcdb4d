//! What only the bindings to other languages use. Applications in Rust do not need it, and it may change in any
//! release.

/// Background work that a binding waits for in slices, and the end of the background thread.
pub use crate::background::{Pending, end as end_background};
/// The tables of options, and the timeouts of calls.
pub use crate::config::{OPTIONS, OptionSpec, SNOWFLAKE_OPTIONS, timeout_from_seconds, timeout_from_text};
/// The memory of a limit cell, which Java draws from without a call.
pub use crate::limit_cell::{CELL_SIZE, CLOSED, CURSOR_OFFSET, LIMIT_OFFSET};
/// Text that is safe to print.
pub use crate::printable::printable;
/// Calls that wait for ids in slices, and the names of statistics.
pub use crate::segment::{TAG_STATS, Wait};
/// The same for snowflakes.
pub use crate::snowflake::{SNOWFLAKE_STATS, SnowflakeWait};
/// What a call wants.
pub use crate::want::{MAX_BATCH, Want};

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
    pub use crate::process::{PerProcess, count_forks, forks, start_thread};
}
