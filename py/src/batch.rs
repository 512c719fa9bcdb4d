//! Many ids as one list or array. The cost is per batch: the interpreter runs the loop, or plain memory is filled once.

use crate::column::{Column, DETACHED, Word};
use crate::errors;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyRange};
use pyo3::{PyTypeInfo, intern};
use std::ops::Range;

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
    ids: impl Iterator<Item = Range<i64>> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let mut column = Column::new(py, count)?;
    let words = column.words();
    if count < DETACHED {
        fill(words, ids);
    } else {
        errors::call_detached(py, || {
            fill(words, ids);
            Ok(())
        })?;
    }
    column.into_ints()
}

/// Writes each word once.
fn fill(mut words: &mut [Word], ids: impl Iterator<Item = Range<i64>>) {
    for range in ids {
        let (now, later) = words.split_at_mut((range.end - range.start) as usize);
        for (word, id) in now.iter_mut().zip(range) {
            word.write(id.to_ne_bytes());
        }
        words = later;
    }
    assert!(words.is_empty(), "{} ids are missing in an array", words.len());
}
