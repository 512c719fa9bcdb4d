//! Arrays of 64-bit words and of texts of one length: NumPy's if NumPy is installed, else `array.array("q")` and a
//! list. Plain memory is filled once.

use crate::list;
use leafmint::binding::process::PerProcess;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyByteArray;
use pyo3::{ffi, intern};
use std::mem::MaybeUninit;
use std::sync::OnceLock;

/// A word in native byte order.
pub(crate) type Word = MaybeUninit<[u8; size_of::<i64>()]>;

/// From this number of words on, the work on them is done detached from the interpreter.
pub(crate) const DETACHED: usize = 1 << 14;

/// The memory of an array that is being made. No other code has a reference to it.
pub(crate) struct Column<'py> {
    bytes: Bound<'py, PyByteArray>,
    count: usize,
}

impl<'py> Column<'py> {
    /// Allocates `count` words, whose content is undefined.
    pub(crate) fn new(py: Python<'py>, count: usize) -> PyResult<Self> {
        let size = count * size_of::<i64>();
        // SAFETY: the interpreter is attached; the call returns a new reference, to a bytearray, or null with an error
        // set.
        let bytes = unsafe {
            let made = ffi::PyByteArray_FromStringAndSize(std::ptr::null(), size as ffi::Py_ssize_t);
            Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked()
        };
        Ok(Self { bytes, count })
    }

    /// Returns the words. All must be written before the column becomes an array.
    pub(crate) fn words(&mut self) -> &mut [Word] {
        // SAFETY: no other code has a reference to the bytearray, so its memory stays in place and belongs to this
        // column. MaybeUninit needs no initial value, and a [u8; 8] no alignment.
        unsafe {
            let memory = ffi::PyByteArray_AsString(self.bytes.as_ptr()).cast::<Word>();
            std::slice::from_raw_parts_mut(memory, self.count)
        }
    }

    /// Returns an array of ints.
    pub(crate) fn into_ints(self) -> PyResult<Bound<'py, PyAny>> {
        let py = self.bytes.py();
        match array_type(py)? {
            ArrayType::NumPy(numpy) => numpy.from_buffer.bind(py).call1((self.bytes, &numpy.int64)),
            ArrayType::Standard(array) => array.bind(py).call1((intern!(py, "q"), self.bytes)),
        }
    }

    /// Returns an array of times: NumPy's `datetime64[ms]` if NumPy is installed, else of ints. The words are Unix
    /// milliseconds.
    pub(crate) fn into_times(self) -> PyResult<Bound<'py, PyAny>> {
        let py = self.bytes.py();
        match array_type(py)? {
            ArrayType::NumPy(numpy) => numpy.from_buffer.bind(py).call1((self.bytes, &numpy.millis)),
            ArrayType::Standard(_) => self.into_ints(),
        }
    }
}

/// Returns the bytes that an array needs for each int while it is made.
pub(crate) fn bytes_of_an_int(py: Python<'_>) -> PyResult<usize> {
    Ok(match array_type(py)? {
        ArrayType::NumPy(_) => size_of::<Word>(),
        // It copies the memory.
        ArrayType::Standard(_) => 2 * size_of::<Word>(),
    })
}

/// Returns texts of `length` bytes each as an array of bytes: NumPy's if NumPy is installed, else a list.
pub(crate) fn into_texts<'py>(column: Bound<'py, PyByteArray>, length: usize) -> PyResult<Bound<'py, PyAny>> {
    let py = column.py();
    match array_type(py)? {
        ArrayType::NumPy(numpy) => numpy.from_buffer.bind(py).call1((column, format!("S{length}"))),
        ArrayType::Standard(_) => {
            // SAFETY: no other code has a reference to the bytearray.
            let texts = unsafe { column.as_bytes() }.chunks_exact(length);
            list::check(py, texts.len(), list::TEXT + length)?;
            list::of(py, texts.len(), texts, |text| list::bytes(py, text)).map(Bound::into_any)
        }
    }
}

/// Reads an object that has NumPy's protocol of arrays as an array. Returns `None` if it has not, or if NumPy is not
/// installed.
pub(crate) fn as_array<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    match array_type(py)? {
        ArrayType::NumPy(numpy) if value.hasattr(intern!(py, "__array__"))? => {
            numpy.as_array.bind(py).call1((value,)).map(Some)
        }
        _ => Ok(None),
    }
}

/// Returns whether a value is an array of NumPy with masked elements.
pub(crate) fn is_masked(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = value.py();
    // If it was not imported, there is none.
    let masked_arrays = py.import(intern!(py, "sys"))?.getattr(intern!(py, "modules"))?.get_item("numpy.ma");
    let Ok(masked_arrays) = masked_arrays else { return Ok(false) };
    let is_one = masked_arrays.call_method1(intern!(py, "isMaskedArray"), (value,))?.is_truthy()?;
    Ok(is_one && masked_arrays.call_method1(intern!(py, "is_masked"), (value,))?.is_truthy()?)
}

/// What arrays are made with.
enum ArrayType {
    NumPy(NumPy),
    Standard(Py<PyAny>),
}

struct NumPy {
    as_array: Py<PyAny>,
    from_buffer: Py<PyAny>,
    int64: Py<PyAny>,
    millis: Py<PyAny>,
}

impl NumPy {
    fn of(numpy: &Bound<'_, PyAny>) -> PyResult<Self> {
        let dtype = numpy.getattr("dtype")?;
        Ok(Self {
            as_array: numpy.getattr("asarray")?.unbind(),
            from_buffer: numpy.getattr("frombuffer")?.unbind(),
            int64: dtype.call1(("int64",))?.unbind(),
            millis: dtype.call1(("datetime64[ms]",))?.unbind(),
        })
    }
}

static ARRAY_TYPE: PerProcess<OnceLock<ArrayType>> = PerProcess::first(OnceLock::new());

/// The function of `leafmint._internal.numpy_import` that imports NumPy.
static IMPORT_NUMPY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Sets the function that imports NumPy.
#[pyfunction]
#[pyo3(name = "_import_numpy_with")]
pub(crate) fn import_numpy_with(py: Python<'_>, import: Py<PyAny>) {
    let _ = IMPORT_NUMPY.set(py, import);
}

/// Imports NumPy on first use. If two threads race, both import, and the first result is kept.
fn array_type(py: Python<'_>) -> PyResult<&'static ArrayType> {
    let cell = ARRAY_TYPE.get(|_| OnceLock::new());
    if let Some(array_type) = cell.get() {
        return Ok(array_type);
    }
    let numpy = IMPORT_NUMPY.get(py).expect("leafmint/__init__.py sets it").bind(py);
    let array_type = match numpy.call0() {
        Ok(numpy) => ArrayType::NumPy(NumPy::of(&numpy)?),
        Err(error) if error.is_instance_of::<PyImportError>(py) => {
            ArrayType::Standard(py.import("array")?.getattr("array")?.unbind())
        }
        Err(error) => return Err(error),
    };
    Ok(cell.get_or_init(|| array_type))
}
