//! Many ids as one list or array. The cost is per batch: the interpreter runs the loop, or plain memory is filled once.

use crate::arguments::saturating_int;
use crate::column::{Column, DETACHED, Word};
use crate::{column, errors, list};
use leafmint::Want;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyRange};
use pyo3::{PyTypeInfo, intern};
use std::ops::Range;

/// Makes a Python range.
pub(crate) fn range<'py>(py: Python<'py>, ids: &Range<i64>) -> PyResult<Bound<'py, PyAny>> {
    PyRange::type_object(py).call1((ids.start, ids.end))
}

/// Reads how many ids a caller wants, for an answer of `size` bytes for each: no id is taken for one that has no
/// memory.
pub(crate) fn many(count: &Bound<'_, PyAny>, size: usize) -> PyResult<Want> {
    let want = Want::Many(saturating_int(count, "count")?);
    errors::call(count.py(), || want.check_room(size))?;
    Ok(want)
}

/// Does the same for a list of ints.
pub(crate) fn many_in_list(count: &Bound<'_, PyAny>) -> PyResult<Want> {
    many(count, list::INT)
}

/// Does the same for an array.
pub(crate) fn many_in_array(count: &Bound<'_, PyAny>) -> PyResult<Want> {
    many(count, column::bytes_of_an_int(count.py())?)
}

/// Makes an int of the first id.
pub(crate) fn first(py: Python<'_>, ranges: Vec<Range<i64>>) -> PyResult<Bound<'_, PyAny>> {
    list::int(py, ranges[0].start)
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
