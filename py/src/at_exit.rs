//! Closes the generators that are still open when the interpreter exits, so that their unused ids go back.

use crate::{logs, native_thread};
use leafmint::binding::process::{self, PerProcess};
use leafmint::{Pending, SegmentGenerator, SnowflakeGenerator};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyDict};
use std::mem;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Longest time that the exit waits for all closes together. It waits at most half of it again for events to be logged.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// The open generators, as weak references. A forked child inherits the list of its parent.
static OPEN: PerProcess<Mutex<Vec<Weak<dyn Closeable>>>> = PerProcess::first(Mutex::new(Vec::new()));

/// The closes in progress of generators that were dropped without a close.
static CLOSING: PerProcess<Mutex<Vec<Pending<()>>>> = PerProcess::first(Mutex::new(Vec::new()));

/// Whether the interpreter is exiting. A generator that is dropped after that is closed only if `close_at_exit` is set.
static EXITING: AtomicBool = AtomicBool::new(false);

/// A generator of either mode.
pub(crate) trait Closeable: Send + Sync {
    /// Returns the option `close_at_exit`.
    fn closes_at_exit(&self) -> bool;

    /// Keeps the generator open for the rest of the process.
    fn keep_open(&self);

    /// Begins the close. Returns `None` in a forked child that has minted nothing, which pays nothing then.
    fn start_to_close(&self) -> Option<Pending<()>>;
}

macro_rules! closeable {
    ($($generator:ty),*) => {
        $(impl Closeable for $generator {
            fn closes_at_exit(&self) -> bool {
                self.closes_at_exit()
            }

            fn keep_open(&self) {
                mem::forget(self.clone());
            }

            fn start_to_close(&self) -> Option<Pending<()>> {
                if self.is_unused_child() { None } else { self.begin_close().ok() }
            }
        })*
    };
}

closeable!(SegmentGenerator, SnowflakeGenerator);

/// An open generator. It is closed when the last reference is dropped, and the exit of the interpreter waits for that
/// close too: many programs drop a generator right before they end.
pub(crate) struct Open<G: Closeable>(G);

impl<G: Closeable + 'static> Open<G> {
    pub(crate) fn new(generator: G) -> Arc<Self> {
        let open = Arc::new(Self(generator));
        if !open.closes_at_exit() {
            return open;
        }
        let weak: Weak<Self> = Arc::downgrade(&open);
        let mut all = lock(open_generators());
        all.retain(|generator| generator.strong_count() > 0);
        all.push(weak);
        open
    }
}

impl<G: Closeable> Deref for Open<G> {
    type Target = G;

    fn deref(&self) -> &G {
        &self.0
    }
}

impl<G: Closeable> Closeable for Open<G> {
    fn closes_at_exit(&self) -> bool {
        self.0.closes_at_exit()
    }

    fn keep_open(&self) {
        self.0.keep_open();
    }

    fn start_to_close(&self) -> Option<Pending<()>> {
        self.0.start_to_close()
    }
}

impl<G: Closeable> Drop for Open<G> {
    fn drop(&mut self) {
        if EXITING.load(Ordering::Relaxed) && !self.closes_at_exit() {
            self.keep_open();
            return;
        }
        if let Some(pending) = self.0.start_to_close()
            && !is_done(&pending)
        {
            let mut closing = lock(pending_closes());
            closing.retain(|pending| !is_done(pending));
            closing.push(pending);
        }
    }
}

/// [`close_open`] as a Python function.
static HOOK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Registers [`close_open`] with `atexit`: once, even if leafmint is imported again.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    if HOOK.get(py).is_none() && HOOK.set(py, wrap_pyfunction!(close_open, module)?.into_any().unbind()).is_ok() {
        py.import("atexit")?.call_method1("register", (HOOK.get(py),))?;
    }
    Ok(())
}

/// The modules whose `Finalize` runs at the end of a pool worker, which skips `atexit`.
const POOL_MODULES: [&str; 2] = ["multiprocessing.util", "billiard.util"];

/// Registers [`close_open`] in a forked child that is a pool worker. Called before the child mints its first id.
pub(crate) fn register_in_child(py: Python<'_>) -> PyResult<()> {
    static REGISTERED: AtomicU32 = AtomicU32::new(0);
    if REGISTERED.swap(process::forks(), Ordering::Relaxed) == process::forks() {
        return Ok(());
    }
    let modules = py.import("sys")?.getattr("modules")?;
    for name in POOL_MODULES {
        let pool = modules.call_method1("get", (name,))?;
        if !pool.is_none() {
            let options = [("exitpriority", -1)].into_py_dict(py)?;
            pool.getattr("Finalize")?.call((py.None(), HOOK.get(py)), Some(&options))?;
        }
    }
    // A worker of Celery ends by `_exit`, without running a `Finalize`.
    let signals = modules.call_method1("get", ("celery.signals",))?;
    if !signals.is_none() {
        signals.getattr("worker_process_shutdown")?.call_method1("connect", (HOOK.get(py),))?;
    }
    Ok(())
}

/// Closes what is open. Signals of Celery pass keywords.
#[pyfunction]
#[pyo3(name = "_close_open", signature = (**_keywords))]
fn close_open(py: Python<'_>, _keywords: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    EXITING.store(true, Ordering::Relaxed);
    let open = mem::take(&mut *lock(open_generators()));
    let closing = mem::take(&mut *lock(pending_closes()));
    let until = Instant::now() + EXIT_TIMEOUT;
    py.detach(|| {
        let begun = open.iter().filter_map(Weak::upgrade).filter_map(|generator| generator.start_to_close());
        let closing: Vec<_> = closing.into_iter().chain(begun).collect();
        for pending in closing {
            let _ = pending.wait_for(until.saturating_duration_since(Instant::now()));
        }
    });
    native_thread::finish(py);
    logs::finish(py, until.max(Instant::now() + EXIT_TIMEOUT / 2))
}

fn open_generators() -> &'static Mutex<Vec<Weak<dyn Closeable>>> {
    // The parent's lock is free, unless another thread of the parent was opening a generator at the moment of the fork.
    OPEN.get(|parents| Mutex::new(parents.try_lock().map(|parents| parents.clone()).unwrap_or_default()))
}

fn pending_closes() -> &'static Mutex<Vec<Pending<()>>> {
    CLOSING.get(|_| Mutex::default())
}

fn is_done(pending: &Pending<()>) -> bool {
    pending.wait_for(Duration::ZERO).is_some()
}

fn lock<T>(all: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}
