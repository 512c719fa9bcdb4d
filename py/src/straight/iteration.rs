//! The slot behind `for` and `next()`.
//!
//! A slot cannot be put into a class that is there already, only be inherited. So a class of our own, with this one slot, stands
//! under PyO3's. It adds nothing to the objects, which are made and freed as if it were not there.
//!
//! To say so to PyO3 takes its `impl_`, which it does not promise to keep: the lock file pins it, and where it changes the build fails.

use super::{MintsStraight, by_method, in_hand};
use pyo3::exceptions::PyTypeError;
use pyo3::impl_::pyclass::{PyClassBaseType, PyClassImpl};
use pyo3::impl_::pyclass_init::PyNativeTypeInitializer;
use pyo3::prelude::*;
use pyo3::type_object::{PyLayout, PySizedLayout, PyTypeInfo};
use pyo3::{PyErr, ffi};
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering;

/// The class under `T`.
pub(crate) struct Iteration<T>(PhantomData<T>);

// SAFETY: the class is made once and never freed.
unsafe impl<T: MintsStraight> PyTypeInfo for Iteration<T> {
    fn type_object_raw(py: Python<'_>) -> *mut ffi::PyTypeObject {
        let base = T::known().base.load(Ordering::Acquire);
        if base.is_null() { first::<T>(py) } else { base }
    }
}

// SAFETY: its objects are plain objects, see `made`.
unsafe impl<T> PyLayout<Iteration<T>> for ffi::PyObject {}
impl<T> PySizedLayout<Iteration<T>> for ffi::PyObject {}

impl<T: MintsStraight> PyClassBaseType for Iteration<T> {
    type LayoutAsBase = <PyAny as PyClassBaseType>::LayoutAsBase;
    type BaseNativeType = Self;
    type Initializer = PyNativeTypeInitializer<Self>;
    type PyClassMutability = <PyAny as PyClassBaseType>::PyClassMutability;
    type Layout<C: PyClassImpl> = <PyAny as PyClassBaseType>::Layout<C>;
}

/// Makes the class; of two threads that are first at once, one makes a class that nobody uses.
#[cold]
fn first<T: MintsStraight>(py: Python<'_>) -> *mut ffi::PyTypeObject {
    let made = match made::<T>(py) {
        Ok(made) => made.into_ptr().cast(),
        Err(error) => panic!("the class under {} could not be made: {error}", T::NAME),
    };
    match T::known().base.compare_exchange(null_mut(), made, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => made,
        Err(earlier) => earlier,
    }
}

fn made<T: MintsStraight>(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let doc = c"What is iterated over: an endless iterator of ids.";
    let mut slots = [
        ffi::PyType_Slot { slot: ffi::Py_tp_iternext, pfunc: next::<T> as ffi::iternextfunc as *mut c_void },
        ffi::PyType_Slot { slot: ffi::Py_tp_new, pfunc: new::<T> as ffi::newfunc as *mut c_void },
        ffi::PyType_Slot { slot: ffi::Py_tp_dealloc, pfunc: free as ffi::destructor as *mut c_void },
        ffi::PyType_Slot { slot: ffi::Py_tp_doc, pfunc: doc.as_ptr() as *mut c_void },
        ffi::PyType_Slot { slot: 0, pfunc: null_mut() },
    ];
    let mut spec = ffi::PyType_Spec {
        name: c"leafmint._core.Iteration".as_ptr(),
        basicsize: size_of::<ffi::PyObject>() as c_int,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE) as _,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the interpreter is attached; it copies the slots and the text, and the functions have the slots' signatures.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&mut spec)) }
}

/// Makes an object of T, for PyO3 to fill, and none of another class.
unsafe extern "C" fn new<T: MintsStraight>(
    class: *mut ffi::PyTypeObject,
    _arguments: *mut ffi::PyObject,
    _names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter makes objects attached.
    let py = unsafe { Python::assume_attached() };
    if class != T::known().class.load(Ordering::Acquire) {
        return raise(py, PyTypeError::new_err(format!("only {} can be made", T::NAME)));
    }
    // SAFETY: T is a class that is ready.
    unsafe { ffi::PyType_GenericAlloc(class, 0) }
}

/// Frees an object of T. PyO3 lets go of the class.
unsafe extern "C" fn free(this: *mut ffi::PyObject) {
    // SAFETY: PyO3 calls this last, with an object that `new` made; every class has this slot.
    unsafe {
        let free = ffi::PyType_GetSlot(ffi::Py_TYPE(this), ffi::Py_tp_free);
        std::mem::transmute::<*mut c_void, ffi::freefunc>(free)(this.cast());
    }
}

/// Returns the next id, as `next_id()`. Never ends: what goes wrong is a named error, not StopIteration.
unsafe extern "C" fn next<T: MintsStraight>(this: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls its slots attached, with an object.
    let (py, class) = unsafe { (Python::assume_attached(), ffi::Py_TYPE(this)) };
    // A class that Python code makes out of this one and another may have objects that are not ours.
    if class != T::known().class.load(Ordering::Acquire) {
        return raise(py, PyTypeError::new_err(format!("__next__ needs an object of {}", T::NAME)));
    }
    // SAFETY: the object's class is T.
    match unsafe { in_hand::<T>(py, this) } {
        Some(id) => id,
        // SAFETY: this is a call without arguments.
        None => unsafe { by_method::<T>(py, this, null(), 0, null_mut()) },
    }
}

#[cold]
fn raise(py: Python<'_>, error: PyErr) -> *mut ffi::PyObject {
    error.restore(py);
    null_mut()
}
