//! The one interpreter of a process that may use leafmint.

use pyo3::exceptions::PyImportError;
use pyo3::{PyResult, Python, ffi};
use std::sync::atomic::{AtomicI64, Ordering};

/// No interpreter has this number.
const NONE: i64 = -1;

static USER: AtomicI64 = AtomicI64::new(NONE);

/// Refuses a second interpreter: classes and exceptions are those of the first, and its end would close the generators of both.
pub(crate) fn check(_py: Python<'_>) -> PyResult<()> {
    // SAFETY: the token says that this thread is attached to an interpreter, which both functions ask for.
    let mine = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) };
    match USER.compare_exchange(NONE, mine, Ordering::Relaxed, Ordering::Relaxed) {
        Err(first) if first != mine => Err(PyImportError::new_err(
            "leafmint does not support subinterpreters: one interpreter of this process has imported it already; \
             use it there, or in another process (mod_wsgi: WSGIApplicationGroup %{GLOBAL})",
        )),
        _ => Ok(()),
    }
}
