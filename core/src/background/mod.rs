//! The background of a process: one runtime, where refills and everything else that waits for a store run, and lanes beside it
//! for what blocks.
//!
//! Nothing is started before it is needed, and whatever could not be started for want of threads, descriptors or memory is tried
//! again by the next call.

mod lane;
mod pending;
mod shortage;

pub use pending::Pending;

pub(crate) use lane::Lane;
pub(crate) use pending::begun_by_parent;

use crate::error::{Error, ErrorKind, Result};
use crate::process::{self, PerProcess, start_thread};
use shortage::shortage;
use std::io;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

/// How many threads wait at the most for disks that do not answer.
const FILE_THREADS: usize = 4;
/// How many threads wait at the most for name servers that do not answer.
const CONNECTING_THREADS: usize = 4;

/// What one process has. The child of a fork begins with nothing.
static BACKGROUND: PerProcess<Background> = PerProcess::nobodys(Background { started: OnceLock::new(), lanes: OnceLock::new() });

struct Background {
    started: OnceLock<Started>,
    lanes: OnceLock<Lanes>,
}

struct Lanes {
    files: Lane,
    connecting: Lane,
}

/// A runtime that is driven by a thread of its own, until this is dropped.
struct Started {
    handle: Handle,
    _stop: oneshot::Sender<()>,
}

impl Started {
    fn new() -> io::Result<Self> {
        // Blocking work has its lanes; none is done in the runtime's own pool.
        let runtime = Builder::new_current_thread().max_blocking_threads(1).enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let running = Running(Some(runtime));
        start_thread("leafmint", move || running.until(stopped))?;
        Ok(Self { handle, _stop: stop })
    }
}

/// `None` only while it is dropped.
struct Running(Option<Runtime>);

impl Running {
    fn until(self, stopped: oneshot::Receiver<()>) {
        if let Some(runtime) = &self.0 {
            let _ = runtime.block_on(stopped);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Dropping a runtime waits for its threads, which panics in another runtime.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Returns the runtime of this process, starting its one thread on first use.
///
/// If two threads race, both start one and the loser's ends again: nobody waits for anybody, so a fork at that moment leaves the
/// child nothing to wait for. Raises `store_unavailable` if there is no thread or descriptor for it.
pub(crate) fn runtime() -> Result<&'static Handle> {
    let started = &background().started;
    if let Some(started) = started.get() {
        return Ok(&started.handle);
    }
    let mine = Started::new().map_err(|error| shortage("the background thread", &error))?;
    Ok(&started.get_or_init(|| mine).handle)
}

/// Returns the runtime of this process, if it was ever started.
fn started() -> Option<&'static Handle> {
    let background = BACKGROUND.get_made()?;
    background.started.get().map(|started| &started.handle)
}

/// The lane of state files and lock files: whatever a heartbeat waits for.
pub(crate) fn files() -> &'static Lane {
    &lanes().files
}

/// The lane of what is needed to connect to a server: host names are looked up there, certificates read.
pub(crate) fn connecting() -> &'static Lane {
    &lanes().connecting
}

fn lanes() -> &'static Lanes {
    background().lanes.get_or_init(|| Lanes {
        files: Lane::new("leafmint-files", FILE_THREADS),
        connecting: Lane::new("leafmint-names", CONNECTING_THREADS),
    })
}

fn background() -> &'static Background {
    process::count_forks();
    BACKGROUND.get(|_| Background { started: OnceLock::new(), lanes: OnceLock::new() })
}

fn panicked() -> Error {
    Error::new(ErrorKind::StoreUnavailable, "the background task ended without an answer: this is a bug in leafmint")
}

/// Returns the instant that lies `wait` after now, or a day after now where that is sooner.
pub(crate) fn deadline(wait: Duration) -> Instant {
    Instant::now() + wait.min(Duration::from_secs(86_400))
}
