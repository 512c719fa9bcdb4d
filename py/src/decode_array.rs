//! Decodes many ids at once into columns, for NumPy, pandas and polars.

use crate::arguments::{exact_int, wrong_type};
use crate::column::{self, Column, DETACHED, Word};
use crate::errors;
use leafmint::ErrorKind::InvalidId;
use leafmint::binding::room;
use leafmint::{ErrorKind, Layout};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString};

/// Ids that were copied from an array, or from another iterable of ints.
pub(crate) struct Ids {
    pub(crate) words: Vec<i64>,
}

impl Ids {
    /// Reads an array, or another iterable of ints.
    pub(crate) fn read(ids: &Bound<'_, PyAny>) -> PyResult<Self> {
        // These yield ints or characters, which are not ids.
        if ids.is_instance_of::<PyBytes>() || ids.is_instance_of::<PyByteArray>() || ids.is_instance_of::<PyString>() {
            return Err(wrong_type(ids, "ids", "an array or another iterable of ints"));
        }
        match column::as_array(ids)? {
            // An array that has its mask no more would show what is masked.
            Some(_) if column::is_masked(ids)? => read_items(ids),
            Some(array) => read_array(&array),
            None => read_items(ids),
        }
    }
}

/// Returns `{part: array}`.
pub(crate) fn decode_array<'py>(layout: &Layout, ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let py = ids.py();
    let ids = Ids::read(ids)?;
    let count = ids.words.len();
    let make = || Column::new(py, count);
    let [mut times, mut datacenters, mut workers, mut sequences, mut genes] =
        [make()?, make()?, make()?, make()?, make()?];
    let parts = [&mut times, &mut datacenters, &mut workers, &mut sequences, &mut genes].map(Column::words);
    let fill = move || Ok(fill(layout, &ids, parts));
    let refusal = if count < DETACHED { errors::call(py, fill)? } else { errors::call_detached(py, fill)? };
    if let Err((kind, message)) = refusal {
        return Err(errors::raise_as(py, kind, message));
    }
    let columns = PyDict::new(py);
    columns.set_item(intern!(py, "timestamp"), times.into_times()?)?;
    columns.set_item(intern!(py, "datacenter_id"), datacenters.into_ints()?)?;
    columns.set_item(intern!(py, "worker_id"), workers.into_ints()?)?;
    columns.set_item(intern!(py, "sequence"), sequences.into_ints()?)?;
    columns.set_item(intern!(py, "gene"), genes.into_ints()?)?;
    Ok(columns)
}

/// Writes the parts of all ids, or describes the first that is refused.
fn fill(layout: &Layout, ids: &Ids, parts: [&mut [Word]; 5]) -> Result<(), (ErrorKind, String)> {
    let [times, datacenters, workers, sequences, genes] = parts;
    for (index, &id) in ids.words.iter().enumerate() {
        let parts = layout.decode(id).map_err(|error| (error.kind(), format!("ids[{index}]: {}", error.message())))?;
        times[index].write(parts.timestamp.to_ne_bytes());
        datacenters[index].write(parts.datacenter.to_ne_bytes());
        workers[index].write(parts.worker_id.to_ne_bytes());
        sequences[index].write(parts.sequence.to_ne_bytes());
        genes[index].write(parts.gene.to_ne_bytes());
    }
    Ok(())
}

fn read_array(array: &Bound<'_, PyAny>) -> PyResult<Ids> {
    let py = array.py();
    one_dimension(array, "ids")?;
    let dtype = array.getattr(intern!(py, "dtype"))?;
    let kind: String = dtype.getattr(intern!(py, "kind"))?.extract()?;
    match kind.as_str() {
        "i" | "u" => {
            let copied = words_of(array)?;
            match copied.iter().position(|word| *word < 0) {
                Some(index) if kind == "u" => {
                    let id = copied[index].cast_unsigned();
                    let message = format!("ids[{index}]: {id} does not fit 64 bits with a sign");
                    Err(errors::raise_as(py, InvalidId, message))
                }
                _ => Ok(Ids { words: copied }),
            }
        }
        "O" => read_items(array),
        _ if array.len()? == 0 => Ok(Ids { words: Vec::new() }),
        _ => {
            let hint = if kind == "f" { "; with missing values a column of ints may hold floats" } else { "" };
            Err(PyTypeError::new_err(format!("ids must hold ints, not {dtype}{hint}")))
        }
    }
}

/// Raises a TypeError unless an array has one dimension.
pub(crate) fn one_dimension(array: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    match array.getattr(intern!(array.py(), "ndim"))?.extract::<usize>()? {
        1 => Ok(()),
        dimensions => Err(PyTypeError::new_err(format!("{name} must have one dimension, not {dimensions}"))),
    }
}

/// Returns the 64-bit words of an array. A copy, since other threads may write to the array.
pub(crate) fn words_of(array: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let py = array.py();
    let signed = array.call_method1(intern!(py, "astype"), ("int64",))?;
    let bytes = signed.call_method0(intern!(py, "tobytes"))?.cast_into::<PyBytes>()?;
    let (words, _) = bytes.as_bytes().as_chunks();
    errors::call(py, || room::all(words.iter().map(|word| i64::from_ne_bytes(*word))))
}

fn read_items(ids: &Bound<'_, PyAny>) -> PyResult<Ids> {
    let items = ids.try_iter().map_err(|_| wrong_type(ids, "ids", "an array or another iterable of ints"))?;
    let mut words = Vec::new();
    for item in items {
        let item = item?;
        let word = exact_int(&item, InvalidId, "id");
        // The name is made only for the error.
        let word = word.or_else(|_| exact_int(&item, InvalidId, &format!("ids[{}]", words.len())))?;
        errors::call(ids.py(), || room::push(&mut words, word))?;
    }
    Ok(Ids { words })
}
