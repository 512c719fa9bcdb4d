//! The fast path of `next_id`, which bypasses argument parsing if an id is available.
//!
//! PyO3 parses the arguments of every call, even if there are none, and counts how often the thread is attached, which
//! costs as much as an id. So a C function replaces PyO3's method `next_id`, and forwards every call that has
//! arguments.

use leafmint::binding::panics;
use pyo3::exceptions::{PyRuntimeError, PySystemError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use pyo3::{PyClass, ffi, intern};
use std::ffi::{CString, c_void};
use std::mem::transmute;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A class with a method `next_id`.
pub(crate) trait MintsFast: PyClass {
    /// What a draw that found no id leaves behind.
    type Dry;

    /// Draws an id that is in hand.
    fn draw(this: &Bound<'_, Self>) -> Result<i64, Self::Dry>;

    /// Returns the next id after a dry draw: waits or raises.
    fn after_dry(this: &Bound<'_, Self>, dry: Self::Dry) -> PyResult<i64>;

    fn slow_path() -> &'static SlowPath;
}

/// PyO3's method, kept when the class is made. It is not looked up by name later: Python code may set any attribute of
/// the class, and an arbitrary object must not be called as a C function.
pub(crate) struct SlowPath {
    method: PyOnceLock<Py<PyAny>>,
    /// Its C function; null until the first call.
    function: AtomicPtr<c_void>,
}

impl SlowPath {
    pub(crate) const fn unset() -> Self {
        Self { method: PyOnceLock::new(), function: AtomicPtr::new(null_mut()) }
    }
}

/// Replaces the method `next_id` of a class. The class outlives its module, so a second import finds it replaced.
pub(crate) fn install<T: MintsFast>(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<T>();
    let slow = T::slow_path();
    if slow.method.get(py).is_some() {
        return Ok(());
    }
    let method = class.getattr(intern!(py, "next_id"))?;
    let (signature, text) = (method.getattr("__text_signature__")?, method.getattr("__doc__")?);
    let doc =
        format!("next_id{}\n--\n\n{}", signature.cast::<PyString>()?.to_str()?, text.cast::<PyString>()?.to_str()?);
    // The text and the definition are leaked, because the class is never freed.
    let doc = CString::new(doc)?.into_raw();
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: c"next_id".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: next_id::<T> },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc,
    }));
    // SAFETY: the interpreter is attached; class and definition are alive, and the flags are those of the function's
    // signature.
    let fast = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewMethod(class.as_type_ptr(), definition))? };
    match slow.method.set(py, method.unbind()) {
        Ok(()) => class.setattr(intern!(py, "next_id"), fast),
        // Another thread imports leafmint too, and won.
        Err(_) => Ok(()),
    }
}

unsafe extern "C" fn next_id<T: MintsFast>(
    this: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls its methods attached.
    let py = unsafe { Python::assume_attached() };
    if count == 0 && names.is_null() {
        // SAFETY: the descriptor accepts only objects of its class, and the caller holds a reference to this one.
        let this = unsafe { Borrowed::from_ptr(py, this).cast_unchecked::<T>() };
        match catch_unwind(AssertUnwindSafe(|| T::draw(&this))) {
            // SAFETY: the interpreter is attached.
            Ok(Ok(id)) => return unsafe { ffi::PyLong_FromLongLong(id) },
            Ok(Err(dry)) => return after_dry::<T>(&this, dry),
            // PyO3's method reports it.
            Err(_) => {}
        }
    }
    // SAFETY: these are the arguments that the interpreter passed.
    unsafe { call_slow::<T>(py, this, arguments, count, names) }
}

/// Returns the next id after a dry draw as an object of Python, or null with an exception set.
#[cold]
fn after_dry<T: MintsFast>(this: &Bound<'_, T>, dry: T::Dry) -> *mut ffi::PyObject {
    let answer = catch_unwind(AssertUnwindSafe(|| T::after_dry(this, dry)));
    match answer.unwrap_or_else(|panic| Err(PyRuntimeError::new_err(panics::message_of(panic)))) {
        // SAFETY: the interpreter is attached.
        Ok(id) => unsafe { ffi::PyLong_FromLongLong(id) },
        Err(error) => {
            error.restore(this.py());
            null_mut()
        }
    }
}

/// Calls PyO3's method.
///
/// # Safety
/// The arguments must be those of a method call on an object of class T.
#[cold]
unsafe fn call_slow<T: MintsFast>(
    py: Python<'_>,
    this: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let slow = T::slow_path();
    let mut function = slow.function.load(Ordering::Acquire);
    if function.is_null() {
        // SAFETY: the caller's object is alive.
        let this = unsafe { Borrowed::from_ptr(py, this) };
        match find(slow, &this) {
            Ok(found) => function = found,
            Err(error) => {
                error.restore(py);
                return null_mut();
            }
        }
        slow.function.store(function, Ordering::Release);
    }
    // SAFETY: `find` returns only functions of this signature, and code is never unloaded.
    unsafe {
        let method = transmute::<*mut c_void, ffi::PyCFunctionFastWithKeywords>(function);
        method(this, arguments, count, names)
    }
}

/// Returns the C function of PyO3's method, which only a bound method exposes.
fn find(slow: &SlowPath, this: &Bound<'_, PyAny>) -> PyResult<*mut c_void> {
    let py = this.py();
    let unlike = |what: String| PySystemError::new_err(format!("next_id is not a method made by PyO3: {what}"));
    let method = slow.method.get(py).ok_or_else(|| unlike("none was kept".to_owned()))?;
    let bound = method.bind(py).call_method1(intern!(py, "__get__"), (this, this.get_type()))?;
    // SAFETY: the interpreter is attached and the object is alive; both calls refuse any other object than a C
    // function, with an error set.
    unsafe {
        let flags = ffi::PyCFunction_GetFlags(bound.as_ptr());
        if flags != ffi::METH_FASTCALL | ffi::METH_KEYWORDS {
            return Err(PyErr::take(py).unwrap_or_else(|| unlike(format!("it has the flags {flags}"))));
        }
        match ffi::PyCFunction_GetFunction(bound.as_ptr()) {
            Some(function) => Ok(function as *mut c_void),
            None => Err(PyErr::fetch(py)),
        }
    }
}
