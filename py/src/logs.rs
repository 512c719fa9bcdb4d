//! Passes the events of the core to Python's `logging`.
//!
//! Handlers never run inside a call into leafmint. One thread runs them all, and ends when no event is left. It is a
//! native thread: gevent and eventlet replace Python's threads by green ones, which run only when the thread that made
//! them yields, and since 3.12 Python starts no thread while it exits.

use leafmint::binding::{events, process};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::hint::black_box;
use std::mem::{forget, transmute};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Longest time that the exit waits for the thread to detach from the interpreter; a handler may keep it longer.
const DETACH_TIMEOUT: Duration = Duration::from_millis(100);

/// The functions of `leafmint._logs`.
static LOGS: PyOnceLock<Logs> = PyOnceLock::new();

struct Logs {
    /// Logs all events that are waiting.
    drain: Py<PyAny>,
    /// Disables handlers that hang, so that the exit does not wait for them.
    give_up: Py<PyAny>,
}

/// An event for Python: name, level, text.
type Row = (&'static str, &'static str, String);

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

fn poll(until: Instant, done: impl Fn() -> bool) -> bool {
    while !done() {
        if Instant::now() >= until {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
    true
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
        let drained =
            may_log && Python::try_attach(|py| LOGS.get(py).map(|logs| call_or_hang(py, &logs.drain))).is_some();
        clear_running();
        // An event that arrived after the last look found this thread running, and started no other.
        if !drained || !events::waiting() || !set_running() {
            return;
        }
    }
}

/// Calls a function without arguments. If the interpreter ends during the call, the call never returns: up to 3.13
/// Python unwinds its threads then, which must not reach the Rust frames below; later versions let them hang as well.
fn call_or_hang(py: Python<'_>, function: &Py<PyAny>) {
    struct Hang;
    impl Drop for Hang {
        fn drop(&mut self) {
            loop {
                thread::park();
            }
        }
    }
    type Call = unsafe extern "C" fn(*mut ffi::PyObject, *mut ffi::PyObject) -> *mut ffi::PyObject;
    type CallThatUnwinds = unsafe extern "C-unwind" fn(*mut ffi::PyObject, *mut ffi::PyObject) -> *mut ffi::PyObject;
    // SAFETY: the types differ only in whether the call may unwind. black_box hides the function from the compiler,
    // which would otherwise see a declaration that does not unwind.
    let call = unsafe { transmute::<Call, CallThatUnwinds>(black_box(ffi::PyObject_CallObject as Call)) };
    let hang = Hang;
    // SAFETY: the thread is attached, the function is alive, and null means no arguments.
    let result = unsafe { call(function.as_ptr(), std::ptr::null_mut()) };
    forget(hang);
    // SAFETY: the call returns a new reference, or null with an error set. The error is dropped, because this thread
    // has no caller.
    let _ = unsafe { Bound::from_owned_ptr_or_err(py, result) };
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
