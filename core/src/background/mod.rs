//! The background of a process: one runtime for refills and everything else that waits for a store, and lanes for work
//! that blocks. Time and tasks are given to what uses them, see [`Timeline`].
//!
//! Each is started on first use. A failure to start one, for lack of threads, descriptors or memory, is not remembered:
//! the next call tries again.

mod failure;
mod in_time;
mod lane;
mod lanes;
mod limit;
#[cfg(target_os = "linux")]
mod own_poll;
mod pending;
mod runtime;
mod timeline;

pub use pending::Pending;
pub use runtime::{Work, end};
pub use timeline::Timeline;

pub(crate) use failure::{LOST, begun_by_parent, not_started};
pub(crate) use in_time::in_time;
pub(crate) use lane::Lane;
pub(crate) use lanes::{computing, connecting, files};
pub(crate) use limit::deadline;
pub(crate) use runtime::{has_lost_runtime, nudge};
pub(crate) use timeline::{Task, real_time, within};
