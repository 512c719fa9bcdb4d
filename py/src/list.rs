//! Lists, and what they hold. PyO3 panics if there is no memory for a list, an int or bytes; here it is a MemoryError.

use crate::errors;
use leafmint::binding::room;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use std::ffi::c_char;

/// Bytes that the interpreter needs for an int in a list.
pub(crate) const INT: usize = size_of::<*mut ffi::PyObject>() + 32;

/// Bytes that the interpreter needs for a short text in a list, and for each of its bytes one more.
pub(crate) const TEXT: usize = size_of::<*mut ffi::PyObject>() + 64;

/// Checks that there is memory for a list, before it is made.
pub(crate) fn check(py: Python<'_>, count: usize, size: usize) -> PyResult<()> {
    errors::call(py, || room::check(count, size))
}

/// Makes a list of `count` items.
pub(crate) fn of<'py, T>(
    py: Python<'py>,
    count: usize,
    items: impl Iterator<Item = T>,
    mut make: impl FnMut(T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    // SAFETY: the interpreter is attached; the call returns a new reference, to a list, or null with an error set.
    let list: Bound<'py, PyList> = unsafe {
        let made = ffi::PyList_New(count as ffi::Py_ssize_t);
        Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked()
    };
    let mut made = 0;
    for item in items.take(count) {
        let item = make(item)?.into_ptr();
        // SAFETY: the list is alive and has this place; the call takes over the reference to the item.
        if unsafe { ffi::PyList_SetItem(list.as_ptr(), made as ffi::Py_ssize_t, item) } != 0 {
            return Err(PyErr::fetch(py));
        }
        made += 1;
    }
    assert_eq!(made, count, "a list has an item in each place");
    Ok(list)
}

/// Makes an int.
#[inline]
pub(crate) fn int(py: Python<'_>, value: i64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the interpreter is attached; the call returns a new reference, or null with an error set.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyLong_FromLongLong(value)) }
}

/// Makes bytes.
pub(crate) fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: as above; the call copies the slice.
    unsafe {
        let made = ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast::<c_char>(), bytes.len() as ffi::Py_ssize_t);
        Bound::from_owned_ptr_or_err(py, made)
    }
}

/// Makes a str.
pub(crate) fn text<'py>(py: Python<'py>, utf8: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    PyString::from_bytes(py, utf8).map(Bound::into_any)
}
