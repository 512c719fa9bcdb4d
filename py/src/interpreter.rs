//! Allows one interpreter per process.

use pyo3::exceptions::PyImportError;
use pyo3::{PyResult, Python, ffi};
use std::sync::atomic::{AtomicI64, Ordering};

/// The id of no interpreter.
const NONE: i64 = -1;

static USER: AtomicI64 = AtomicI64::new(NONE);

/// Refuses a second interpreter. It would share the classes and exceptions of the first, and its end would close the
/// generators of both.
pub(crate) fn check(_py: Python<'_>) -> PyResult<()> {
    // SAFETY: the token proves that this thread is attached to an interpreter, as both functions require.
    let mine = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) };
    match USER.compare_exchange(NONE, mine, Ordering::Relaxed, Ordering::Relaxed) {
        Err(first) if first != mine => Err(PyImportError::new_err(
            "leafmint does not support subinterpreters, and another interpreter of this process has imported it: \
             use leafmint there, or in another process (mod_wsgi: WSGIApplicationGroup %{GLOBAL})",
        )),
        _ => Ok(()),
    }
}
