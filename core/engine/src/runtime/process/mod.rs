//! The process that leafmint runs in, and what a fork does to it.
//!
//! Threads do not survive a fork, and neither does work that one of them had half done: a lock may be held for ever,
//! and a socket is shared with the parent. A child therefore never locks, drops, unlocks or closes what it inherited.
//! It forgets it, and makes its own on first use ([`PerProcess`]). The descriptors of lock files are the one exception:
//! the child closes them at once, because a child that outlives its parent would otherwise keep the parent's worker id.

mod close_on_fork;
mod fork_barrier;
mod host_name;
mod inode;
mod per_process;
mod threads;

pub use close_on_fork::{CloseOnFork, OwnDescriptor};
pub use fork_barrier::{ForkGuard, was_cut_by_fork};
pub use host_name::host_name;
pub use inode::Inode;
pub use per_process::{Origin, PerProcess, count_forks, forks};
pub use threads::start_thread;
