//! Calls of Python code on native threads, which Python does not know, so that it neither waits for them nor ends them.

use leafmint::binding::process::{ForkGuard, PerProcess};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::hint::black_box;
use std::mem::{forget, transmute};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{ptr, thread};

/// Longest time that the exit waits for a thread to detach from the interpreter; Python code may keep it longer.
pub(crate) const DETACH_TIMEOUT: Duration = Duration::from_millis(100);

/// The interpreter, if its threads are made known to it under a [`ForkGuard`].
static GUARDED: AtomicPtr<ffi::PyInterpreterState> = AtomicPtr::new(ptr::null_mut());

/// Whether the exit has begun: no thread may attach to the interpreter by [`call`] any more.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// The threads that are attached by [`call`], or about to be. A forked child has none of its parent's.
static ATTACHED: PerProcess<AtomicU32> = PerProcess::first(AtomicU32::new(0));

/// Prepares [`try_attach`]. Called when leafmint is imported.
pub(crate) fn note_interpreter(py: Python<'_>) {
    // From 3.13 on a thread that forks takes the interpreter's lock first: no fork cuts it, and a guard would hold the
    // fork back for two seconds if both are waited for.
    if py.version_info() < (3, 13) {
        // SAFETY: the token proves that this thread is attached to an interpreter.
        GUARDED.store(unsafe { ffi::PyInterpreterState_Get() }, Ordering::Relaxed);
    }
}

/// Attaches a native thread to the interpreter for a call that the exit waits for; `None` once the exit has begun.
pub(crate) fn call<R>(call: impl FnOnce(Python<'_>) -> R) -> Option<R> {
    let attached = attached();
    attached.fetch_add(1, Ordering::SeqCst);
    let answer = if CLOSED.load(Ordering::SeqCst) { None } else { try_attach(call) };
    attached.fetch_sub(1, Ordering::SeqCst);
    answer
}

/// Lets no thread attach by [`call`] any more, and waits a moment for those that are: one that detached after the
/// interpreter's end would meet what is gone.
pub(crate) fn finish(py: Python<'_>) {
    CLOSED.store(true, Ordering::SeqCst);
    py.detach(|| poll(Instant::now() + DETACH_TIMEOUT, || attached().load(Ordering::SeqCst) == 0));
}

fn attached() -> &'static AtomicU32 {
    ATTACHED.get(|_| AtomicU32::new(0))
}

/// Attaches a native thread to the interpreter for a call. Returns `None` if the interpreter has ended.
pub(crate) fn try_attach<R>(call: impl FnOnce(Python<'_>) -> R) -> Option<R> {
    let is_made = make_known();
    Python::try_attach(|py| {
        if is_made {
            // SAFETY: this thread is attached. Its state was made with a count of one, and `PyGILState_Ensure` of
            // `Python::try_attach` added one; now that one's release deletes the state, as if it had made it.
            unsafe { ffi::PyGILState_Release(ffi::PyGILState_STATE::PyGILState_LOCKED) };
        }
        call(py)
    })
}

/// Makes this thread known to the interpreter, as `PyGILState_Ensure` would do, but not in the middle of a fork. That
/// takes a lock of the interpreter for a moment, without the GIL. Before 3.12.1, and before some late releases of 3.10
/// and 3.11, the child of a fork waits for that lock for ever: <https://github.com/python/cpython/issues/112275>.
fn make_known() -> bool {
    let interpreter = GUARDED.load(Ordering::Relaxed);
    // SAFETY: any thread may ask for both at any time.
    let (is_up, state) = unsafe { (ffi::Py_IsInitialized() != 0, ffi::PyGILState_GetThisThreadState()) };
    if interpreter.is_null() || !is_up || !state.is_null() {
        return false;
    }
    // A thread that forks has the GIL while it waits for the guard, so nothing here may wait for the GIL.
    let _guard = ForkGuard::enter();
    // SAFETY: the interpreter is the one that imported leafmint, and has not ended; a thread needs no GIL to be made
    // known. The thread had no state, so this one becomes what `PyGILState_Ensure` finds.
    !unsafe { ffi::PyThreadState_New(interpreter) }.is_null()
}

/// Looks every millisecond, detached from the interpreter. Returns false if nothing was done until then.
pub(crate) fn poll(until: Instant, done: impl Fn() -> bool) -> bool {
    while !done() {
        if Instant::now() >= until {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
    true
}

/// Calls a function. If the interpreter ends during the call, the call never returns: up to 3.13 Python unwinds its
/// threads then, which must not reach the Rust frames below; later versions let them hang as well.
pub(crate) fn call_or_hang<'py>(
    function: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
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
    // SAFETY: the thread is attached, and function and arguments are alive.
    let result = unsafe { call(function.as_ptr(), arguments.as_ptr()) };
    forget(hang);
    // SAFETY: the call returns a new reference, or null with an error set.
    unsafe { Bound::from_owned_ptr_or_err(function.py(), result) }
}
