//! Events on their way into Python's `logging`.
//!
//! No handler ever runs inside a call of leafmint's, nor on a thread that has native frames below it: a thread of its own, which
//! lives for as long as there is something to log, does it all in Python. A native thread asks for it with `Py_AddPendingCall`,
//! which needs no interpreter lock; once the exit has begun, none does.

use leafmint::{events, process};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The exit waits no longer than this for events that are being logged.
const PATIENCE: Duration = Duration::from_millis(500);

/// The functions of `leafmint._logs`.
static LOGS: PyOnceLock<Logs> = PyOnceLock::new();

struct Logs {
    /// Logs the events that it is given.
    log: Py<PyAny>,
    /// Takes and logs until there is nothing left.
    drain: Py<PyAny>,
}

/// What was asked for and has not begun: by which process, as one more than its count of forks.
static CALL_ASKED_FOR: AtomicU32 = AtomicU32::new(0);
static THREAD_ASKED_FOR: AtomicU32 = AtomicU32::new(0);

/// An event of the core as Python takes it: name, level, text.
type Taken = (&'static str, &'static str, String);

/// Begins to hand events on.
#[pyfunction]
#[pyo3(name = "_deliver_to")]
pub(crate) fn deliver_to(py: Python<'_>, log: Py<PyAny>, drain: Py<PyAny>) {
    let _ = LOGS.set(py, Logs { log, drain });
    events::listen(wake);
}

/// Takes what there is; whoever gets something says [`logged`] when it is logged. Nothing is there once the exit has begun.
#[pyfunction]
#[pyo3(name = "_take_events")]
pub(crate) fn take_events() -> Vec<Taken> {
    for asked_for in [&CALL_ASKED_FOR, &THREAD_ASKED_FOR] {
        asked_for.store(0, Ordering::SeqCst);
    }
    if !GATE.enter() {
        return Vec::new();
    }
    let taken = take();
    if taken.is_empty() {
        GATE.leave();
    }
    taken
}

/// Says that what was taken is logged.
#[pyfunction]
#[pyo3(name = "_events_logged")]
pub(crate) fn logged() {
    GATE.leave();
}

fn take() -> Vec<Taken> {
    events::take().into_iter().map(|event| (event.kind.name(), event.kind.level().as_str(), event.text)).collect()
}

/// Sees to it that what there is gets logged soon. For threads that are attached and about to wait.
pub(crate) fn deliver(py: Python<'_>) {
    if events::waiting() && GATE.enter() {
        start_thread(py);
        GATE.leave();
    }
}

/// Logs the rest, on this thread, and ends the delivery for good: from here on no native thread calls into the interpreter.
pub(crate) fn finish(py: Python<'_>) -> PyResult<()> {
    // Where a handler hangs, it may hold a lock that this thread would wait for.
    let nobody_logs = py.detach(|| GATE.close(PATIENCE));
    match LOGS.get(py).filter(|_| nobody_logs) {
        Some(logs) => logs.log.call1(py, (take(),)).map(drop),
        None => Ok(()),
    }
}

/// Called by the core on any thread, with or without an interpreter.
fn wake() {
    if asked(&CALL_ASKED_FOR) || !GATE.enter() {
        return;
    }
    // SAFETY: it may be called on any thread while the interpreter lives, and the exit closes the gate, and waits for whoever is
    // inside, before the interpreter ends.
    let full = unsafe { pyo3::ffi::Py_AddPendingCall(Some(pending_call), ptr::null_mut()) } != 0;
    if full {
        CALL_ASKED_FOR.store(0, Ordering::SeqCst);
    }
    GATE.leave();
}

/// Runs on the main thread, between two instructions of whatever it does: too deep in there to run handlers.
extern "C" fn pending_call(_: *mut c_void) -> c_int {
    CALL_ASKED_FOR.store(0, Ordering::SeqCst);
    if GATE.enter() {
        let _ = Python::try_attach(start_thread);
        GATE.leave();
    }
    0
}

fn start_thread(py: Python<'_>) {
    let Some(logs) = LOGS.get(py) else { return };
    if asked(&THREAD_ASKED_FOR) {
        return;
    }
    // Looked up each time: gevent and eventlet put a function of theirs in its place.
    let threads = py.import("_thread");
    if threads.and_then(|threads| threads.call_method1("start_new_thread", (&logs.drain, ()))).is_err() {
        // There are too many threads, or none are allowed here: later, or at the exit.
        THREAD_ASKED_FOR.store(0, Ordering::SeqCst);
    }
}

/// Tells whether this process has asked before, and notes that it has now.
fn asked(asked_for: &AtomicU32) -> bool {
    let me = process::forks() + 1;
    asked_for.swap(me, Ordering::SeqCst) == me
}

static GATE: Gate = Gate(AtomicU64::new(0));

/// Counts who is inside, until it is closed.
///
/// The upper half of the word is the process's count of forks: whoever was inside when the process was forked is not, in the child.
struct Gate(AtomicU64);

const CLOSED: u32 = 1 << 31;

impl Gate {
    fn enter(&self) -> bool {
        self.change(|word| if word & CLOSED == 0 { word + 1 } else { word }) & CLOSED == 0
    }

    fn leave(&self) {
        self.change(|word| if word & !CLOSED == 0 { word } else { word - 1 });
    }

    /// Lets nobody in any more, and waits for those inside. Returns whether all have left.
    fn close(&self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        self.change(|word| word | CLOSED);
        loop {
            let all_left = self.change(|word| word) == CLOSED;
            if all_left || Instant::now() >= until {
                return all_left;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Changes this process's half of the word, and returns what it was.
    fn change(&self, change: impl Fn(u32) -> u32) -> u32 {
        let forks = process::forks();
        let mine = |word: u64| if (word >> 32) as u32 == forks { word as u32 } else { word as u32 & CLOSED };
        let update = |word| Some(u64::from(forks) << 32 | u64::from(change(mine(word))));
        match self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, update) {
            Ok(word) | Err(word) => mine(word),
        }
    }
}
