//! Generators that are still open when the interpreter exits are closed then, so that what they have not used goes back.

use crate::logs;
use leafmint::process::{self, PerProcess};
use leafmint::{Pending, SegmentGenerator, SnowflakeGenerator};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::IntoPyDict;
use std::mem;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The exit waits no longer than this, for all of them together; and half of it again for what is to be logged, at the most.
const PATIENCE: Duration = Duration::from_millis(500);

/// The generators that are open, without keeping them open. A forked child may go on with its parent's.
static OPEN: PerProcess<Mutex<Vec<Weak<dyn Closes>>>> = PerProcess::first(Mutex::new(Vec::new()));

/// The closes under way of generators that nobody holds any more.
static CLOSING: PerProcess<Mutex<Vec<Pending<()>>>> = PerProcess::first(Mutex::new(Vec::new()));

/// Whether the interpreter is exiting: what it lets go of from now on is not closed unless `close_at_exit` is set.
static EXITING: AtomicBool = AtomicBool::new(false);

/// A generator of either mode.
pub(crate) trait Closes: Send + Sync {
    /// Returns the option `close_at_exit`.
    fn closes_at_exit(&self) -> bool;

    /// Keeps the generator open for the rest of the process.
    fn keep_open(&self);

    /// Returns `None` where there is nothing to close: a forked child that mints nothing pays nothing.
    fn start_to_close(&self) -> Option<Pending<()>>;
}

impl Closes for SegmentGenerator {
    fn closes_at_exit(&self) -> bool {
        self.closes_at_exit()
    }

    fn keep_open(&self) {
        mem::forget(self.clone());
    }

    fn start_to_close(&self) -> Option<Pending<()>> {
        if self.is_unused_child() { None } else { self.begin_close().ok() }
    }
}

impl Closes for SnowflakeGenerator {
    fn closes_at_exit(&self) -> bool {
        self.closes_at_exit()
    }

    fn keep_open(&self) {
        mem::forget(self.clone());
    }

    fn start_to_close(&self) -> Option<Pending<()>> {
        if self.is_unused_child() { None } else { self.begin_close().ok() }
    }
}

/// An open generator. It is closed when nobody holds it any more, and the interpreter's exit waits for that too: a generator
/// of a function's is let go right before the end of many a program.
pub(crate) struct Open<G: Closes>(G);

impl<G: Closes + 'static> Open<G> {
    pub(crate) fn new(generator: G) -> Arc<Self> {
        let open = Arc::new(Self(generator));
        if !open.closes_at_exit() {
            return open;
        }
        let weak: Weak<Self> = Arc::downgrade(&open);
        let mut all = lock(open_ones());
        all.retain(|generator| generator.strong_count() > 0);
        all.push(weak);
        open
    }
}

impl<G: Closes> Deref for Open<G> {
    type Target = G;

    fn deref(&self) -> &G {
        &self.0
    }
}

impl<G: Closes> Closes for Open<G> {
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

impl<G: Closes> Drop for Open<G> {
    fn drop(&mut self) {
        if EXITING.load(Ordering::Relaxed) && !self.closes_at_exit() {
            self.keep_open();
            return;
        }
        if let Some(pending) = self.0.start_to_close()
            && !ended(&pending)
        {
            let mut closing = lock(closing_ones());
            closing.retain(|pending| !ended(pending));
            closing.push(pending);
        }
    }
}

/// [`close_open`] as a function of Python's.
static HOOK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Asks the interpreter to call [`close_open`] at its exit: once, however often leafmint is imported.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    if HOOK.get(py).is_none() && HOOK.set(py, wrap_pyfunction!(close_open, module)?.into_any().unbind()).is_ok() {
        py.import("atexit")?.call_method1("register", (HOOK.get(py),))?;
    }
    Ok(())
}

/// Where the workers of pools run what is to be done at their end: they leave out what `atexit` would run.
const POOLS: [&str; 2] = ["multiprocessing.util", "billiard.util"];

/// Asks for [`close_open`] at the end of a forked child too, if it is the worker of a pool. Called on the way to its first id.
pub(crate) fn register_in_child(py: Python<'_>) -> PyResult<()> {
    static REGISTERED: AtomicU32 = AtomicU32::new(0);
    if REGISTERED.swap(process::forks(), Ordering::Relaxed) == process::forks() {
        return Ok(());
    }
    let modules = py.import("sys")?.getattr("modules")?;
    for name in POOLS {
        let pool = modules.call_method1("get", (name,))?;
        if !pool.is_none() {
            let options = [("exitpriority", -1)].into_py_dict(py)?;
            pool.getattr("Finalize")?.call((py.None(), HOOK.get(py)), Some(&options))?;
        }
    }
    Ok(())
}

#[pyfunction]
#[pyo3(name = "_close_open")]
fn close_open(py: Python<'_>) -> PyResult<()> {
    EXITING.store(true, Ordering::Relaxed);
    let open = mem::take(&mut *lock(open_ones()));
    let closing = mem::take(&mut *lock(closing_ones()));
    let until = Instant::now() + PATIENCE;
    py.detach(|| {
        let begun = open.iter().filter_map(Weak::upgrade).filter_map(|generator| generator.start_to_close());
        let closing: Vec<_> = closing.into_iter().chain(begun).collect();
        for pending in closing {
            let _ = pending.wait_for(until.saturating_duration_since(Instant::now()));
        }
    });
    logs::finish(py, until.max(Instant::now() + PATIENCE / 2))
}

fn open_ones() -> &'static Mutex<Vec<Weak<dyn Closes>>> {
    // Nobody holds the parent's lock for ever, unless a thread of the parent was just opening a generator.
    OPEN.get(|parents| Mutex::new(parents.try_lock().map(|parents| parents.clone()).unwrap_or_default()))
}

fn closing_ones() -> &'static Mutex<Vec<Pending<()>>> {
    CLOSING.get(|_| Mutex::default())
}

fn ended(pending: &Pending<()>) -> bool {
    pending.wait_for(Duration::ZERO).is_some()
}

fn lock<T>(all: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}
