//! The straight way to `next_id()`: without arguments and with an id in hand, nothing but the id is looked after.
//!
//! PyO3 reads the arguments of every call, also where there are none; that costs more than an id. So its own method stays under
//! another name, for every call that has arguments, waits or fails, and a C function stands before it.

use leafmint::Result;
use pyo3::exceptions::PySystemError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::PyString;
use pyo3::{PyClass, ffi, intern};
use std::ffi::{CString, c_void};
use std::mem::transmute;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A class with a method `next_id`.
pub(crate) trait MintsStraight: PyClass<Frozen = True> + Sync {
    /// Returns an id that is in hand. Whatever else happens, the method itself finds again, and raises.
    fn in_hand(&self) -> Result<Option<i64>>;

    /// Where the C function of PyO3's method is kept once it is known. Null before.
    fn method() -> &'static AtomicPtr<c_void>;
}

/// Puts the C function in the method's place, with its signature and documentation.
pub(crate) fn stand_before_next_id<T: MintsStraight>(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<T>();
    let method = class.getattr(intern!(py, "next_id"))?;
    let (signature, text) = (method.getattr("__text_signature__")?, method.getattr("__doc__")?);
    let doc = format!("next_id{}\n--\n\n{}", signature.cast::<PyString>()?.to_str()?, text.cast::<PyString>()?.to_str()?);
    // Both live as long as the class, which is for ever.
    let doc = CString::new(doc)?.into_raw();
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: c"next_id".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: next_id::<T> },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc,
    }));
    // SAFETY: the interpreter is attached; class and definition are alive, and the flags are those of the function's signature.
    let straight = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewMethod(class.as_type_ptr(), definition))? };
    class.setattr("_next_id", method)?;
    class.setattr("next_id", straight)
}

unsafe extern "C" fn next_id<T: MintsStraight>(
    this: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls its methods attached.
    let py = unsafe { Python::assume_attached() };
    if count == 0 && names.is_null() {
        // SAFETY: the descriptor lets no object in but those of its class, and the caller holds this one.
        let this = unsafe { Borrowed::from_ptr(py, this).cast_unchecked::<T>() };
        let generator: &T = this.get();
        if let Ok(Ok(Some(id))) = catch_unwind(AssertUnwindSafe(|| generator.in_hand())) {
            // SAFETY: the interpreter is attached.
            return unsafe { ffi::PyLong_FromLongLong(id) };
        }
    }
    // SAFETY: these are the arguments as the interpreter gave them.
    unsafe { by_method::<T>(py, this, arguments, count, names) }
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
    let mut function = T::method().load(Ordering::Acquire);
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
        T::method().store(function, Ordering::Release);
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
