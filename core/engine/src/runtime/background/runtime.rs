//! The one runtime of a process, driven by one thread.

use super::failure::not_started;
#[cfg(target_os = "linux")]
use super::own_poll::OwnPoll;
use crate::runtime::process;
use crate::runtime::process::{PerProcess, start_thread};
use arc_swap::ArcSwapOption;
use leafmint_ids::error::Result;
use leafmint_ids::panics;
use std::cell::OnceCell;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{io, mem, thread};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{Notify, oneshot};

/// Work in the background.
pub type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Longest time that closes under way have when the runtime ends.
const LONGEST_END: Duration = Duration::from_secs(10);

/// The child of a fork begins without one.
static STARTED: PerProcess<ArcSwapOption<Started>> = PerProcess::unset(ArcSwapOption::const_empty());

/// A runtime of this process has lost its descriptors: what was its task to do is not done.
static LOST: PerProcess<AtomicBool> = PerProcess::unset(AtomicBool::new(false));

thread_local! {
    /// Set in a thread that drives a runtime of leafmint's.
    static DRIVEN: OnceCell<Arc<Drive>> = const { OnceCell::new() };
}

/// A runtime that a thread of its own drives, until this is dropped.
struct Started {
    handle: Handle,
    drive: Arc<Drive>,
    _stop: oneshot::Sender<()>,
}

/// What the thread of a runtime and those that give it work know of it.
#[derive(Default)]
pub(super) struct Drive {
    #[cfg(target_os = "linux")]
    poll: std::sync::OnceLock<OwnPoll>,
    /// The thread has ended, or stopped for ever.
    is_over: AtomicBool,
}

impl Started {
    fn new() -> io::Result<Self> {
        // Blocking work has its lanes; the runtime's own pool of threads stays empty.
        let drive = Arc::<Drive>::default();
        let (parks, wakes) = (drive.clone(), drive.clone());
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(1)
            .enable_all()
            .on_thread_park(move || parks.stop_if_lost())
            .on_thread_unpark(move || wakes.stop_if_lost())
            .build()?;
        #[cfg(target_os = "linux")]
        drop(drive.poll.set(OwnPoll::of(&runtime)?));
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let running = Running(Some(runtime), drive.clone());
        start_thread("leafmint", move || running.until(stopped))?;
        Ok(Self { handle, drive, _stop: stop })
    }
}

impl Drive {
    /// Returns whether the runtime can still be given work.
    fn is_whole(&self) -> bool {
        #[cfg(target_os = "linux")]
        let owns_poll = self.poll.get().is_none_or(OwnPoll::is_whole);
        #[cfg(not(target_os = "linux"))]
        let owns_poll = true;
        owns_poll && !self.is_over.load(Ordering::Relaxed)
    }

    /// Records that the runtime can be given no more work, because its descriptors are lost.
    fn note_loss(&self) {
        lost().store(true, Ordering::Relaxed);
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Wakes work from another thread, if what drives it still can be woken.
    pub(super) fn wake_on(drive: Option<&Self>, wake: impl FnOnce()) {
        match drive {
            // What is dropped would wake too.
            Some(drive) if !drive.is_whole() => mem::forget(wake),
            _ => wake(),
        }
    }

    /// Stops the thread for ever before it waits on descriptors that are not the runtime's any more, or wakes itself by
    /// them.
    fn stop_if_lost(&self) {
        while !self.is_whole() {
            self.note_loss();
            // To end the thread would close the numbers of these descriptors, which may be others' by now.
            thread::park();
        }
    }
}

/// Holds the runtime; `None` only while it is dropped.
struct Running(Option<Runtime>, Arc<Drive>);

impl Running {
    fn until(self, stopped: oneshot::Receiver<()>) {
        if let Some(runtime) = &self.0 {
            DRIVEN.with(|driven| drop(driven.set(self.1.clone())));
            // Between the check and the wait of a park, a program may close what is waited on: tokio then panics.
            panics::print_unless(|| driven().is_some_and(|drive| !drive.is_whole()));
            let _ = runtime.block_on(stopped);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(runtime) = self.0.take() else { return };
        if !self.1.is_whole() {
            self.1.note_loss();
            // Its end would close numbers that may be others' by now.
            mem::forget((runtime, self.1.clone()));
            return;
        }
        self.1.is_over.store(true, Ordering::Relaxed);
        // Dropping a runtime waits for its threads, which panics in another runtime.
        runtime.shutdown_background();
    }
}

/// Returns the runtime of this process, starting its one thread on first use, and if the former one has lost its
/// descriptors.
///
/// If two threads race, both build a runtime and the loser drops its own. No lock is held, so a fork at that moment
/// leaves the child nothing to wait for. Raises `store_unavailable` if there is no thread or descriptor for it.
fn runtime() -> Result<Handle> {
    let former = started();
    match &former {
        Some(former) if former.drive.is_whole() => return Ok(former.handle.clone()),
        // Its end would wake it, by a descriptor that may be another's.
        Some(former) => {
            lost().store(true, Ordering::Relaxed);
            mem::forget(former.clone());
        }
        None => {}
    }
    let mine = Arc::new(Started::new().map_err(|error| not_started("the background thread", &error))?);
    process::count_forks();
    let first = STARTED.get(|_| ArcSwapOption::empty()).compare_and_swap(&former, Some(mine.clone()));
    // Another thread may have been first.
    let theirs = first.as_ref().filter(|first| former.as_ref().is_none_or(|former| !Arc::ptr_eq(first, former)));
    Ok(theirs.unwrap_or(&mine).handle.clone())
}

/// Begins work on the runtime of this process. Work that begins other work runs together with it, also if that runtime
/// is about to end. Raises what [`runtime`] raises.
pub(super) fn spawn(work: Work) -> Result<()> {
    if DRIVEN.with(|driven| driven.get().is_some()) {
        tokio::spawn(work);
    } else {
        runtime()?.spawn(work);
    }
    Ok(())
}

/// Wakes background work, unless it may be that of a runtime that has lost its descriptors: the wake-up would fail, or
/// be written into another's file. It only shortens pauses.
pub(crate) fn nudge(sleeping: &Notify) {
    let is_whole = || started().is_none_or(|started| started.drive.is_whole());
    if DRIVEN.with(|driven| driven.get().is_some()) || (!has_lost_runtime() && is_whole()) {
        sleeping.notify_one();
    }
}

/// Returns what drives the work of this thread, if that is leafmint's runtime.
pub(super) fn driven() -> Option<Arc<Drive>> {
    DRIVEN.with(|driven| driven.get().cloned())
}

/// Returns the runtime of this process, if it was ever started.
fn started() -> Option<Arc<Started>> {
    STARTED.get_if_set()?.load_full()
}

/// Returns whether a runtime of this process has lost its descriptors.
pub(crate) fn has_lost_runtime() -> bool {
    lost().load(Ordering::Relaxed)
}

fn lost() -> &'static AtomicBool {
    LOST.get(|_| AtomicBool::new(false))
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn runtime() -> Runtime {
        Builder::new_current_thread().enable_all().build().unwrap()
    }

    fn drive(runtime: &Runtime) -> Arc<Drive> {
        let drive = Drive::default();
        drop(drive.poll.set(OwnPoll::of(runtime).unwrap()));
        Arc::new(drive)
    }

    fn descriptors() -> usize {
        std::fs::read_dir("/proc/self/fd").unwrap().count()
    }

    #[test]
    fn a_runtime_that_lost_its_descriptors_closes_none() {
        let (gone, whole) = (runtime(), runtime());
        let (lost, own) = (drive(&gone), drive(&whole));
        drop(gone);
        let before = descriptors();
        drop(Running(Some(runtime()), lost.clone()));
        let after = descriptors();
        assert!(after > before && !lost.is_whole() && has_lost_runtime());
        drop(Running(Some(whole), own));
        assert!(descriptors() < after, "one that is whole closes its own");
    }
}
