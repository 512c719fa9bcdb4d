//! Many ids as one list or array. The cost is per batch: the interpreter runs the loop, or plain memory is filled once.

use leafmint::binding::process::PerProcess;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyInt, PyList, PyRange};
use pyo3::{PyTypeInfo, ffi, intern};
use std::ops::Range;
use std::sync::OnceLock;

/// Makes a Python range.
pub(crate) fn range<'py>(py: Python<'py>, ids: &Range<i64>) -> PyResult<Bound<'py, PyAny>> {
    PyRange::type_object(py).call1((ids.start, ids.end))
}

/// Makes an int of the first id.
pub(crate) fn first(py: Python<'_>, ranges: Vec<Range<i64>>) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyInt::new(py, ranges[0].start).into_any())
}

/// Makes a list of all ids, as `list(range(...))` does. Making each int from Rust would be slower.
pub(crate) fn list<'py>(py: Python<'py>, first: &Range<i64>, rest: &[Range<i64>]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::type_object(py).call1((range(py, first)?,))?.cast_into::<PyList>()?;
    for ids in rest {
        list.call_method1(intern!(py, "extend"), (range(py, ids)?,))?;
    }
    Ok(list)
}

/// Makes an array of exactly `count` 64-bit ids: a NumPy array if NumPy is installed, else an `array.array("q")`.
pub(crate) fn array<'py>(
    py: Python<'py>,
    count: usize,
    ids: impl Iterator<Item = Range<i64>>,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = filled_bytes(py, count, ids)?;
    match array_type(py)? {
        ArrayType::NumPy { from_buffer, int64 } => from_buffer.bind(py).call1((bytes, int64)),
        ArrayType::Standard(array) => array.bind(py).call1((intern!(py, "q"), bytes)),
    }
}

/// Makes a bytearray of `count` words in native byte order. Each byte is written once.
fn filled_bytes(
    py: Python<'_>,
    count: usize,
    ids: impl Iterator<Item = Range<i64>>,
) -> PyResult<Bound<'_, PyByteArray>> {
    let size = count * size_of::<i64>();
    // SAFETY: the interpreter is attached; the call returns a new reference, to a bytearray, or null with an error set.
    let bytes: Bound<'_, PyByteArray> = unsafe {
        let made = ffi::PyByteArray_FromStringAndSize(std::ptr::null(), size as ffi::Py_ssize_t);
        Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked()
    };
    // SAFETY: no other code has a reference to the bytearray, so its memory of `size` bytes, whose content is
    // undefined, stays in place and belongs to this function until it returns. MaybeUninit needs no initial value, and
    // a [u8; 8] no alignment.
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
enum ArrayType {
    NumPy { from_buffer: Py<PyAny>, int64: Py<PyAny> },
    Standard(Py<PyAny>),
}

static ARRAY_TYPE: PerProcess<OnceLock<ArrayType>> = PerProcess::first(OnceLock::new());

/// Imports NumPy on first use. No lock is held during the import; if two threads race, both import, and the first
/// result is kept.
fn array_type(py: Python<'_>) -> PyResult<&'static ArrayType> {
    let cell = ARRAY_TYPE.get(|_| OnceLock::new());
    if let Some(array_type) = cell.get() {
        return Ok(array_type);
    }
    let array_type = match py.import("numpy") {
        Ok(numpy) => ArrayType::NumPy {
            from_buffer: numpy.getattr("frombuffer")?.unbind(),
            int64: numpy.getattr("dtype")?.call1(("int64",))?.unbind(),
        },
        Err(error) if error.is_instance_of::<PyImportError>(py) => {
            ArrayType::Standard(py.import("array")?.getattr("array")?.unbind())
        }
        Err(error) => return Err(error),
    };
    Ok(cell.get_or_init(|| array_type))
}
