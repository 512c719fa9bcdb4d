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
use arc_swap::ArcSwapOption;
use shortage::shortage;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

/// How many threads wait at the most for disks that do not answer.
const FILE_THREADS: usize = 4;
/// How many threads wait at the most for name servers that do not answer.
const CONNECTING_THREADS: usize = 4;

/// Longest time that the closes under way have at the end.
const LONGEST_END: Duration = Duration::from_secs(10);

/// What one process has. The child of a fork begins with nothing.
static BACKGROUND: PerProcess<Background> = PerProcess::nobodys(Background::new());

struct Background {
    started: ArcSwapOption<Started>,
    lanes: OnceLock<Lanes>,
}

impl Background {
    const fn new() -> Self {
        Self { started: ArcSwapOption::const_empty(), lanes: OnceLock::new() }
    }
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
pub(crate) fn runtime() -> Result<Handle> {
    if let Some(runtime) = started() {
        return Ok(runtime);
    }
    let mine = Arc::new(Started::new().map_err(|error| shortage("the background thread", &error))?);
    let first = background().started.compare_and_swap(&None::<Arc<Started>>, Some(mine.clone()));
    Ok(first.as_ref().unwrap_or(&mine).handle.clone())
}

/// Ends the background thread once its work is done, or has had its time. A later call starts another one.
///
/// For a library whose last user is gone: every generator has been dropped.
pub fn end() {
    let Some(started) = BACKGROUND.get_made().and_then(|background| background.started.swap(None)) else { return };
    let runtime = started.handle.clone();
    runtime.spawn(async move {
        let until = Instant::now() + LONGEST_END;
        while started.handle.metrics().num_alive_tasks() > 1 && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        drop(started);
    });
}

/// Returns the runtime of this process, if it was ever started.
fn started() -> Option<Handle> {
    let started = BACKGROUND.get_made()?.started.load();
    started.as_ref().map(|started| started.handle.clone())
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
    BACKGROUND.get(|_| Background::new())
}

fn panicked() -> Error {
    Error::new(ErrorKind::StoreUnavailable, "the background task ended without an answer: this is a bug in leafmint")
}

/// Returns the instant that lies `wait` after now, or a day after now where that is sooner.
pub(crate) fn deadline(wait: Duration) -> Instant {
    Instant::now() + wait.min(Duration::from_secs(86_400))
}
