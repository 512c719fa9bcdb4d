//! Many ids as one list or array, at a cost per batch: the interpreter's own loops, or one fill of plain memory.

use leafmint::process::PerProcess;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PyRange};
use pyo3::{PyTypeInfo, ffi, intern};
use std::ops::Range;
use std::sync::OnceLock;

/// Makes a range of Python's.
pub(crate) fn range<'py>(py: Python<'py>, ids: &Range<i64>) -> PyResult<Bound<'py, PyAny>> {
    PyRange::type_object(py).call1((ids.start, ids.end))
}

/// Makes a list of every id, as `list(range(...))` does: to make the ints one by one from here is slower.
pub(crate) fn list<'py>(py: Python<'py>, first: &Range<i64>, rest: &[Range<i64>]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::type_object(py).call1((range(py, first)?,))?.cast_into::<PyList>()?;
    for ids in rest {
        list.call_method1(intern!(py, "extend"), (range(py, ids)?,))?;
    }
    Ok(list)
}

/// Makes an array of 64-bit numbers: NumPy's where it is installed, else `array.array("q")`. The ids fill it from the start; there
/// are exactly `count`.
pub(crate) fn array<'py>(py: Python<'py>, count: usize, ids: impl Iterator<Item = Range<i64>>) -> PyResult<Bound<'py, PyAny>> {
    let bytes = filled(py, count, ids)?;
    match makers(py)? {
        Makers::NumPy { from_buffer, int64 } => from_buffer.bind(py).call1((bytes, int64)),
        Makers::Array(array) => array.bind(py).call1((intern!(py, "q"), bytes)),
    }
}

/// Makes a bytearray that holds so many words in native byte order. Nothing is written twice.
fn filled(py: Python<'_>, count: usize, ids: impl Iterator<Item = Range<i64>>) -> PyResult<Bound<'_, PyByteArray>> {
    let size = count * size_of::<i64>();
    // SAFETY: the interpreter is attached; the call returns a new reference, to a bytearray, or null with an error set.
    let bytes: Bound<'_, PyByteArray> = unsafe {
        let made = ffi::PyByteArray_FromStringAndSize(std::ptr::null(), size as ffi::Py_ssize_t);
        Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked()
    };
    // SAFETY: nobody else has seen the bytearray, so its memory of `size` bytes, which may hold anything, stays where it is and is
    // ours alone until this function returns. MaybeUninit asks for no value and a [u8; 8] for no alignment.
    let mut words = unsafe {
        let memory = ffi::PyByteArray_AsString(bytes.as_ptr()).cast::<std::mem::MaybeUninit<[u8; 8]>>();
        std::slice::from_raw_parts_mut(memory, count)
    };
    for range in ids {
        let (now, later) = words.split_at_mut((range.end - range.start) as usize);
        for (word, id) in now.iter_mut().zip(range) {
            word.write(id.to_ne_bytes());
        }
        words = later;
    }
    assert!(words.is_empty(), "{} ids are missing in an array of {count}", words.len());
    Ok(bytes)
}

/// What arrays are made with.
enum Makers {
    NumPy { from_buffer: Py<PyAny>, int64: Py<PyAny> },
    Array(Py<PyAny>),
}

static MAKERS: PerProcess<OnceLock<Makers>> = PerProcess::first(OnceLock::new());

/// Imports them on first use. Nothing is imported under the lock of the cell, so whoever comes first fills it.
fn makers(py: Python<'_>) -> PyResult<&'static Makers> {
    let cell = MAKERS.get(|_| OnceLock::new());
    if let Some(makers) = cell.get() {
        return Ok(makers);
    }
    let makers = match py.import("numpy") {
        Ok(numpy) => Makers::NumPy {
            from_buffer: numpy.getattr("frombuffer")?.unbind(),
            int64: numpy.getattr("dtype")?.call1(("int64",))?.unbind(),
        },
        Err(error) if error.is_instance_of::<PyImportError>(py) => Makers::Array(py.import("array")?.getattr("array")?.unbind()),
        Err(error) => return Err(error),
    };
    Ok(cell.get_or_init(|| makers))
}
