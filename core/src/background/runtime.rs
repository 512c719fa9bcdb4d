//! The one runtime of a process, driven by one thread.

use super::failure::not_started;
use crate::error::Result;
use crate::process::{self, PerProcess, start_thread};
use arc_swap::ArcSwapOption;
use std::cell::Cell;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

/// Work in the background.
pub type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Longest time that closes under way have when the runtime ends.
const LONGEST_END: Duration = Duration::from_secs(10);

/// The child of a fork begins without one.
static STARTED: PerProcess<ArcSwapOption<Started>> = PerProcess::unset(ArcSwapOption::const_empty());

thread_local! {
    /// This thread drives a runtime of leafmint's.
    static DRIVES: Cell<bool> = const { Cell::new(false) };
}

/// A runtime that a thread of its own drives, until this is dropped.
struct Started {
    handle: Handle,
    _stop: oneshot::Sender<()>,
}

impl Started {
    fn new() -> io::Result<Self> {
        // Blocking work has its lanes; the runtime's own pool of threads stays empty.
        let runtime = Builder::new_current_thread().max_blocking_threads(1).enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let running = Running(Some(runtime));
        start_thread("leafmint", move || running.until(stopped))?;
        Ok(Self { handle, _stop: stop })
    }
}

/// Holds the runtime; `None` only while it is dropped.
struct Running(Option<Runtime>);

impl Running {
    fn until(self, stopped: oneshot::Receiver<()>) {
        if let Some(runtime) = &self.0 {
            DRIVES.set(true);
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
/// If two threads race, both build a runtime and the loser drops its own. No lock is held, so a fork at that moment
/// leaves the child nothing to wait for. Raises `store_unavailable` if there is no thread or descriptor for it.
fn runtime() -> Result<Handle> {
    if let Some(runtime) = started() {
        return Ok(runtime);
    }
    let mine = Arc::new(Started::new().map_err(|error| not_started("the background thread", &error))?);
    process::count_forks();
    let first = STARTED.get(|_| ArcSwapOption::empty()).compare_and_swap(&None::<Arc<Started>>, Some(mine.clone()));
    Ok(first.as_ref().unwrap_or(&mine).handle.clone())
}

/// Begins work on the runtime of this process. Work that begins other work runs together with it, also if that runtime
/// is about to end. Raises what [`runtime`] raises.
pub(super) fn spawn(work: Work) -> Result<()> {
    if DRIVES.get() {
        tokio::spawn(work);
    } else {
        runtime()?.spawn(work);
    }
    Ok(())
}

/// Returns the runtime of this process, if it was ever started.
fn started() -> Option<Handle> {
    let started = STARTED.get_if_set()?.load();
    started.as_ref().map(|started| started.handle.clone())
}

/// Returns whether this process has a runtime: if it has none, nothing has been asked of a store or holder.
pub(super) fn is_started() -> bool {
    started().is_some()
}

/// Ends the background thread once its work is done, or after ten seconds. A later call starts another one.
///
/// For a library whose last user is gone: every generator has been dropped.
pub fn end() {
    let Some(started) = STARTED.get_if_set().and_then(|started| started.swap(None)) else { return };
    let runtime = started.handle.clone();
    runtime.spawn(async move {
        let until = Instant::now() + LONGEST_END;
        while started.handle.metrics().num_alive_tasks() > 1 && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        drop(started);
    });
}
