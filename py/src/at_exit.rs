//! Generators that are still open when the interpreter exits are closed then, so that what they have not used goes back.

use leafmint::{Pending, Result, SegmentGenerator, SnowflakeGenerator};
use pyo3::prelude::*;
use std::mem;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The exit waits no longer than this, for all of them together.
const PATIENCE: Duration = Duration::from_millis(500);

/// The generators that are open, without keeping them open.
static OPEN: Mutex<Vec<Weak<dyn Closes>>> = Mutex::new(Vec::new());

/// The closes under way of generators that nobody holds any more, each with its process.
static CLOSING: Mutex<Vec<(u32, Pending<()>)>> = Mutex::new(Vec::new());

/// A generator of either mode.
pub(crate) trait Closes: Send + Sync {
    fn start_to_close(&self) -> Result<Pending<()>>;
}

impl Closes for SegmentGenerator {
    fn start_to_close(&self) -> Result<Pending<()>> {
        self.begin_close()
    }
}

impl Closes for SnowflakeGenerator {
    fn start_to_close(&self) -> Result<Pending<()>> {
        self.begin_close()
    }
}

/// An open generator. It is closed when nobody holds it any more, and the interpreter's exit waits for that too: a generator
/// of a function's is let go right before the end of many a program.
pub(crate) struct Open<G: Closes>(G);

impl<G: Closes + 'static> Open<G> {
    pub(crate) fn new(generator: G) -> Arc<Self> {
        let open = Arc::new(Self(generator));
        let weak: Weak<Self> = Arc::downgrade(&open);
        let mut all = lock(&OPEN);
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
    fn start_to_close(&self) -> Result<Pending<()>> {
        self.0.start_to_close()
    }
}

impl<G: Closes> Drop for Open<G> {
    fn drop(&mut self) {
        // What cannot be closed here, such as the generator of a parent process, is left alone.
        if let Ok(pending) = self.0.start_to_close()
            && !ended(&pending)
        {
            let mut closing = lock(&CLOSING);
            forget_parents(&mut closing);
            closing.retain(|(_, pending)| !ended(pending));
            closing.push((std::process::id(), pending));
        }
    }
}

/// Asks the interpreter to call [`close_open`] at its exit.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let hook = wrap_pyfunction!(close_open, module)?;
    module.py().import("atexit")?.call_method1("register", (hook,)).map(drop)
}

#[pyfunction]
fn close_open(py: Python<'_>) {
    let open = mem::take(&mut *lock(&OPEN));
    let mut closing = mem::take(&mut *lock(&CLOSING));
    forget_parents(&mut closing);
    py.detach(|| {
        let until = Instant::now() + PATIENCE;
        let begun = open.iter().filter_map(Weak::upgrade).filter_map(|generator| generator.start_to_close().ok());
        let closing: Vec<_> = closing.into_iter().map(|(_, pending)| pending).chain(begun).collect();
        for pending in closing {
            let _ = pending.wait_for(until.saturating_duration_since(Instant::now()));
        }
    });
}

/// Forgets what a parent process waits for: nobody ends it here, and dropping it could touch a lock that is held for ever.
fn forget_parents(closing: &mut Vec<(u32, Pending<()>)>) {
    let (mine, parents): (Vec<_>, Vec<_>) =
        mem::take(closing).into_iter().partition(|(process, _)| *process == std::process::id());
    parents.into_iter().for_each(mem::forget);
    *closing = mine;
}

fn ended(pending: &Pending<()>) -> bool {
    pending.wait_for(Duration::ZERO).is_some()
}

fn lock<T>(all: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}
