//! Events on their way into Python's `logging`.
//!
//! No handler ever runs inside a call of leafmint's. One thread of leafmint's own, which lives for as long as there is something
//! to log, runs them all. It is a native one: gevent and eventlet put green threads in the place of Python's, which run only when
//! the thread that made them yields, and from 3.12 on Python starts no thread at its exit.

use leafmint::{events, process};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::hint::black_box;
use std::mem::{forget, transmute};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long the thread may take to leave the interpreter, unless a handler keeps it.
const LEAVING: Duration = Duration::from_millis(100);

/// The functions of `leafmint._logs`.
static LOGS: PyOnceLock<Logs> = PyOnceLock::new();

struct Logs {
    /// Takes and logs until there is nothing left.
    drain: Py<PyAny>,
    /// Takes handlers that hang out of the interpreter's exit.
    give_up: Py<PyAny>,
}

/// An event of the core as Python takes it: name, level, text.
type Taken = (&'static str, &'static str, String);

/// Begins to hand events on.
#[pyfunction]
#[pyo3(name = "_deliver_to")]
pub(crate) fn deliver_to(py: Python<'_>, drain: Py<PyAny>, give_up: Py<PyAny>) {
    let _ = LOGS.set(py, Logs { drain, give_up });
    events::listen(start);
}

/// Takes what there is; nothing once the exit has begun.
#[pyfunction]
#[pyo3(name = "_take_events")]
pub(crate) fn take_events() -> Vec<Taken> {
    if state() & CLOSED != 0 {
        return Vec::new();
    }
    events::take().into_iter().map(|event| (event.kind.name(), event.kind.level().as_str(), event.text)).collect()
}

/// Waits until everything is logged, but no longer than `until`. From here on no thread begins to log.
pub(crate) fn finish(py: Python<'_>, until: Instant) -> PyResult<()> {
    if events::waiting() {
        start();
    }
    let all_left = py.detach(|| {
        poll(until, || !events::waiting() && change(|state| (state & RUNNING == 0).then_some(CLOSED)).is_ok());
        let _ = change(|state| Some(state | CLOSED));
        // A thread that is not in the middle of a handler leaves now. One that would attach later meets an interpreter that ends.
        poll(Instant::now() + LEAVING, || state() & RUNNING == 0)
    });
    match LOGS.get(py) {
        Some(logs) if !all_left => logs.give_up.call0(py).map(drop),
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

/// Sees to it that a thread logs what there is. Called by the core on any thread, with or without an interpreter.
fn start() {
    if begin() && process::start_thread("leafmint-log", run).is_err() {
        // There are too many threads: with the next event, or at the exit.
        end();
    }
}

fn run() {
    loop {
        let may_log = state() & CLOSED == 0;
        let drained = may_log && Python::try_attach(|py| LOGS.get(py).map(|logs| call_or_hang(py, &logs.drain))).is_some();
        end();
        // What came since the last look found this thread at work.
        if !drained || !events::waiting() || !begin() {
            return;
        }
    }
}

/// Calls a function without arguments. If the interpreter ends meanwhile, this never returns: up to 3.13 Python ends its threads
/// then by unwinding them, which must not reach the frames of Rust below. Later ones let them hang too.
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
    // SAFETY: the types differ in nothing but the unwinding. Without black_box the compiler knows the function, which is declared
    // as one that does not unwind.
    let call = unsafe { transmute::<Call, CallThatUnwinds>(black_box(ffi::PyObject_CallObject as Call)) };
    let hang = Hang;
    // SAFETY: the thread is attached, the function is alive, and null stands for no arguments.
    let result = unsafe { call(function.as_ptr(), std::ptr::null_mut()) };
    forget(hang);
    // SAFETY: the call returns a new reference, or null with an error set. Nobody is left to raise that to.
    let _ = unsafe { Bound::from_owned_ptr_or_err(py, result) };
}

/// Whether a thread of this process logs, and whether none may begin to any more.
///
/// The upper half of the word is the process's count of forks: the child of a fork has no such thread.
static STATE: AtomicU64 = AtomicU64::new(0);

const RUNNING: u32 = 1;
const CLOSED: u32 = 2;

fn begin() -> bool {
    change(|state| (state == 0).then_some(RUNNING)).is_ok()
}

fn end() {
    let _ = change(|state| Some(state & !RUNNING));
}

fn state() -> u32 {
    mine(STATE.load(Ordering::SeqCst))
}

fn change(change: impl Fn(u32) -> Option<u32>) -> Result<u64, u64> {
    let forks = u64::from(process::forks()) << 32;
    STATE.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |word| Some(forks | u64::from(change(mine(word))?)))
}

/// Returns this process's half of the word.
fn mine(word: u64) -> u32 {
    if (word >> 32) as u32 == process::forks() { word as u32 } else { word as u32 & CLOSED }
}
