//! The background of a process: one runtime for refills and everything else that waits for a store, and lanes for work
//! that blocks. Time and tasks are given to what uses them, see [`Timeline`].
//!
//! Each is started on first use. A failure to start one, for lack of threads, descriptors or memory, is not remembered:
//! the next call tries again.

mod failure;
#[cfg(test)]
mod hasty;
mod lanes;
#[cfg(target_os = "linux")]
mod own_poll;
mod pending;
mod reply;
mod runtime;
mod timeline;

pub(crate) use failure::{LOST, begun_by_parent, not_started};
#[cfg(test)]
pub(crate) use hasty::Hasty;
pub(crate) use lanes::computing;
pub use lanes::{Lane, connecting, files};
pub use pending::{Pending, deadline, in_time};
pub use reply::{Reply, reply};
pub use runtime::{Work, end};
pub(crate) use runtime::{has_lost_runtime, nudge};
pub use timeline::{Task, Timeline, real_time, within};
