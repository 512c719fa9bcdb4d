//! Passes the events of the core to Python's `logging`.
//!
//! Handlers never run inside a call into leafmint. One thread runs them all, and ends when no event is left. It is a
//! native thread: gevent and eventlet replace Python's threads by green ones, which run only when the thread that made
//! them yields, and since 3.12 Python starts no thread while it exits.

use crate::native_thread::{DETACH_TIMEOUT, call_or_hang, poll, try_attach};
use leafmint::EventKind;
use leafmint::Pending;
use leafmint::binding::{Pollable, events, process};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Waker;
use std::time::{Duration, Instant};

/// How long a close waits until its event is logged: a signal may end the process next.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// The functions of `leafmint._internal.logs`.
static LOGS: PyOnceLock<Logs> = PyOnceLock::new();

struct Logs {
    /// Logs all events that are waiting.
    drain: Py<PyAny>,
    /// Disables handlers that hang, so that the exit does not wait for them.
    give_up: Py<PyAny>,
}

/// An event for Python: name, level, text.
type Row = (&'static str, &'static str, String);

/// Returns all events that there are: name, level and meaning of each.
pub(crate) fn kinds(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, EventKind::ALL.iter().map(|kind| (kind.name(), kind.level().as_str(), kind.meaning())))
}

/// Sets the functions that log, and starts to listen for events.
#[pyfunction]
#[pyo3(name = "_deliver_to")]
pub(crate) fn deliver_to(py: Python<'_>, drain: Py<PyAny>, give_up: Py<PyAny>) {
    let _ = LOGS.set(py, Logs { drain, give_up });
    events::listen(start);
}

/// Returns the events that are waiting; none once the exit has begun.
#[pyfunction]
#[pyo3(name = "_take_events")]
pub(crate) fn take_events() -> Vec<Row> {
    if state() & CLOSED != 0 {
        return Vec::new();
    }
    events::take().into_iter().map(|event| (event.kind.name(), event.kind.level().as_str(), event.text)).collect()
}

/// Waits until every event is logged, at most until `until`. After that no thread starts to log.
pub(crate) fn finish(py: Python<'_>, until: Instant) -> PyResult<()> {
    if events::waiting() {
        start();
    }
    let has_ended = py.detach(|| {
        poll(until, || !events::waiting() && change(|state| (state & RUNNING == 0).then_some(CLOSED)).is_ok());
        let _ = change(|state| Some(state | CLOSED));
        // A thread outside a handler detaches now; one that attached later would meet an interpreter that is ending.
        poll(Instant::now() + DETACH_TIMEOUT, || state() & RUNNING == 0)
    });
    match LOGS.get(py) {
        Some(logs) if !has_ended => logs.give_up.call0(py).map(drop),
        _ => Ok(()),
    }
}

/// Waits until every event is logged, for a moment: the handlers may hang.
pub(crate) fn settle(py: Python<'_>) {
    if !are_logged() {
        py.detach(|| poll(Instant::now() + CLOSE_TIMEOUT, are_logged));
    }
}

/// Returns whether every event is logged, or none is any more.
fn are_logged() -> bool {
    state() & CLOSED != 0 || (!events::waiting() && state() & RUNNING == 0)
}

/// A close that is over when its event is logged, or after a moment.
pub(crate) struct LoggedClose {
    close: Pending<()>,
    /// When the wait for the handlers ends, once the close has ended.
    until: Option<Instant>,
}

impl LoggedClose {
    pub(crate) fn new(close: Pending<()>) -> Self {
        Self { close, until: None }
    }
}

impl Pollable for LoggedClose {
    type Answer = ();

    fn poll(&mut self) -> leafmint::Result<Option<()>> {
        if self.until.is_none() && self.close.poll()?.is_some() {
            self.until = Some(Instant::now() + CLOSE_TIMEOUT);
        }
        Ok(self.until.filter(|until| are_logged() || Instant::now() >= *until).map(drop))
    }

    fn due(&self) -> Option<Duration> {
        self.until.map_or_else(|| self.close.due(), |_| Some(Duration::from_millis(1)))
    }

    fn wake(&mut self, waker: Waker) {
        self.close.wake(waker);
    }
}

/// Starts the thread that logs, unless it runs. The core calls this on any thread, attached or not.
fn start() {
    if set_running() && process::start_thread("leafmint-log", run).is_err() {
        // The process has too many threads. The next event, or the exit, tries again.
        clear_running();
    }
}

fn run() {
    loop {
        let may_log = state() & CLOSED == 0;
        let drained = may_log && try_attach(drain).is_some();
        clear_running();
        // An event that arrived after the last look found this thread running, and started no other.
        if !drained || !events::waiting() || !set_running() {
            return;
        }
    }
}

fn drain(py: Python<'_>) {
    if let Some(logs) = LOGS.get(py) {
        // An error is dropped, because this thread has no caller.
        let _ = call_or_hang(logs.drain.bind(py), &PyTuple::empty(py));
    }
}

/// The flags [`RUNNING`] and [`CLOSED`] in the lower half, and the fork count of the process that wrote them in the
/// upper half. The thread that logs does not exist in a forked child, so that an inherited [`RUNNING`] does not count.
static STATE: AtomicU64 = AtomicU64::new(0);

/// A thread of this process logs.
const RUNNING: u32 = 1;
/// No thread may start to log any more.
const CLOSED: u32 = 2;

fn set_running() -> bool {
    change(|state| (state == 0).then_some(RUNNING)).is_ok()
}

fn clear_running() {
    let _ = change(|state| Some(state & !RUNNING));
}

fn state() -> u32 {
    own_flags(STATE.load(Ordering::SeqCst))
}

fn change(change: impl Fn(u32) -> Option<u32>) -> Result<u64, u64> {
    let forks = u64::from(process::forks()) << 32;
    STATE.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |word| Some(forks | u64::from(change(own_flags(word))?)))
}

/// Returns the flags that count in this process.
fn own_flags(word: u64) -> u32 {
    if (word >> 32) as u32 == process::forks() { word as u32 } else { word as u32 & CLOSED }
}
