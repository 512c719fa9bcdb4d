//! SQLite and forks.
//!
//! SQLite's own mutexes and lists are whole in a child, because nothing of SQLite runs while the process is forked
//! (`process::whole`); `system_calls` keeps a child away from its parent's locks, and `descriptors` lets it close its
//! copies of the descriptors that hold them.

use super::{locks, system_calls};
use leafmint_engine::runtime::process;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Whether SQLite has taken leafmint's system calls.
static INSTALLED: OnceLock<bool> = OnceLock::new();

/// Makes SQLite ready for leafmint. To be called within a [`process::ForkGuard`], before any file is opened.
pub(super) fn prepare() -> Result<()> {
    if process::was_cut_by_fork() {
        let text = "this process was forked in the middle of a write of SQLite's that took longer than 2 seconds, and cannot use \
                    SQLite any more: fork it again";
        return Err(Error::new(ErrorKind::StoreUnavailable, text));
    }
    if *INSTALLED.get_or_init(system_calls::install) || (process::forks() == 0 && !locks::OWN_LOCKS) {
        return Ok(());
    }
    let text = "this copy of SQLite does not let leafmint replace its system calls, without which the same ids could be leased \
                twice: use the copy that comes with leafmint, or a database server";
    Err(Error::new(ErrorKind::InvalidConfig, text))
}

/// Waits for another connection that holds the file's write lock, so that a fork need not wait for it too.
pub(super) fn wait_for_lock(began: Instant, longest: Duration) -> bool {
    if began.elapsed() >= longest {
        return false;
    }
    process::ForkGuard::pause(Duration::from_millis(fastrand::u64(1..=5)));
    true
}
