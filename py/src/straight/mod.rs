//! The straight ways to an id: with one in hand, nothing but the id is looked after.
//!
//! PyO3 reads the arguments of every call, also where there are none, and counts how often the thread is attached; that costs as
//! much as an id. So C functions of our own stand before PyO3's: the method `next_id` and the slot behind `for` and `next()`.
//! PyO3's `next_id` stays under another name, for every call that has arguments, waits or fails.

mod iteration;
mod next_id;

pub(crate) use iteration::Iteration;

use leafmint::Result;
use pyo3::exceptions::PySystemError;
use pyo3::impl_::pyclass::PyClassImpl;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::{PyClass, ffi, intern};
use std::ffi::c_void;
use std::mem::transmute;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A class with a method `next_id` that is iterated over.
pub(crate) trait MintsStraight: PyClass<Frozen = True> + PyClassImpl<BaseType = Iteration<Self>> + Sync {
    /// Returns an id that is in hand. Whatever else happens, the method itself finds again, and raises.
    fn in_hand(&self) -> Result<Option<i64>>;

    /// Returns what the C functions of this class go by.
    fn known() -> &'static Known;
}

/// What the C functions of a class go by. Null until it is known; whatever is there lives for ever.
pub(crate) struct Known {
    /// The class itself.
    class: AtomicPtr<ffi::PyTypeObject>,
    /// The class under it, with the slot.
    base: AtomicPtr<ffi::PyTypeObject>,
    /// The C function of PyO3's `next_id`.
    method: AtomicPtr<c_void>,
}

impl Known {
    pub(crate) const fn nothing() -> Self {
        Self { class: AtomicPtr::new(null_mut()), base: AtomicPtr::new(null_mut()), method: AtomicPtr::new(null_mut()) }
    }
}

/// Puts the C functions in their places. Nobody has an object of the class before.
pub(crate) fn stand_before<T: MintsStraight>(py: Python<'_>) -> PyResult<()> {
    T::known().class.store(T::type_object_raw(py), Ordering::Release);
    next_id::stand_before::<T>(py)
}

/// Makes an int of an id that is in hand. `None` where there is more to it than that.
///
/// # Safety
/// The object is one of the class T.
#[inline(always)]
unsafe fn in_hand<T: MintsStraight>(py: Python<'_>, this: *mut ffi::PyObject) -> Option<*mut ffi::PyObject> {
    // SAFETY: the caller says so, and holds the object.
    let this = unsafe { Borrowed::from_ptr(py, this).cast_unchecked::<T>() };
    let generator: &T = this.get();
    match catch_unwind(AssertUnwindSafe(|| generator.in_hand())) {
        // SAFETY: the interpreter is attached.
        Ok(Ok(Some(id))) => Some(unsafe { ffi::PyLong_FromLongLong(id) }),
        _ => None,
    }
}

/// Calls PyO3's method.
///
/// # Safety
/// The arguments are those of a call of a method of T.
#[cold]
unsafe fn by_method<T: MintsStraight>(
    py: Python<'_>,
    this: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let mut function = T::known().method.load(Ordering::Acquire);
    if function.is_null() {
        // SAFETY: the caller's object is alive.
        let this = unsafe { Borrowed::from_ptr(py, this) };
        match find(&this) {
            Ok(found) => function = found,
            Err(error) => {
                error.restore(py);
                return null_mut();
            }
        }
        T::known().method.store(function, Ordering::Release);
    }
    // SAFETY: `find` returns nothing but functions of this signature, and code is never unloaded.
    unsafe {
        let method = transmute::<*mut c_void, ffi::PyCFunctionFastWithKeywords>(function);
        method(this, arguments, count, names)
    }
}

/// Finds the C function of PyO3's method.
fn find(this: &Bound<'_, PyAny>) -> PyResult<*mut c_void> {
    let method = this.getattr(intern!(this.py(), "_next_id"))?;
    // SAFETY: the interpreter is attached and the object is alive; both calls refuse what is no C function, with an error set.
    unsafe {
        let flags = ffi::PyCFunction_GetFlags(method.as_ptr());
        if flags != ffi::METH_FASTCALL | ffi::METH_KEYWORDS {
            let unlike = || PySystemError::new_err(format!("next_id is called with the flags {flags}"));
            return Err(PyErr::take(this.py()).unwrap_or_else(unlike));
        }
        match ffi::PyCFunction_GetFunction(method.as_ptr()) {
            Some(function) => Ok(function as *mut c_void),
            None => Err(PyErr::fetch(this.py())),
        }
    }
}
