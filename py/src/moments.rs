//! Reads many times at once: arrays and columns of times or of Unix milliseconds, and other iterables of times.

use crate::arguments::wrong_type;
use crate::decode_array::{one_dimension, words_of};
use crate::{column, datetime, errors};
use leafmint::ErrorKind::InvalidArgument;
use leafmint::binding::room;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

const EXPECTED: &str = "an array or another iterable of aware datetimes or of Unix milliseconds";

/// Reads times for which an array of ids will be made: none is taken for one that has no memory.
pub(crate) fn read_for_array(at: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let moments = read(at)?;
    let size = column::bytes_of_an_int(at.py())?;
    errors::call(at.py(), || room::check(moments.len(), size))?;
    Ok(moments)
}

/// Reads times as Unix milliseconds. Those of a `datetime64` are in UTC.
fn read(at: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let py = at.py();
    if at.is_instance_of::<PyBytes>() || at.is_instance_of::<PyByteArray>() || at.is_instance_of::<PyString>() {
        return Err(wrong_type(at, "at", EXPECTED));
    }
    let Some(array) = column::as_array(at)?.filter(|_| !column::is_masked(at).unwrap_or(true)) else {
        return read_items(at);
    };
    one_dimension(&array, "at")?;
    let kind: String = array.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "kind"))?.extract()?;
    match kind.as_str() {
        "i" => words_of(&array),
        "M" => of_times(&in_millis(&array)?),
        _ => read_items(&array),
    }
}

/// Converts times to milliseconds, which NumPy does modulo 2^64.
fn in_millis<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let numpy = array.py().import("numpy")?;
    let (unit, count): (String, i64) = numpy.call_method1("datetime_data", (array.getattr("dtype")?,))?.extract()?;
    let single = if count == 1 { array.clone() } else { convert_exactly(array, &unit)? };
    match unit.as_str() {
        // Less than a millisecond is rounded down.
        "us" | "ns" | "ps" | "fs" | "as" => single.call_method1("astype", ("datetime64[ms]",)),
        _ => convert_exactly(&single, "ms"),
    }
}

/// Converts times to a unit that divides theirs. Raises `invalid_argument` for one that does not fit 64 bits then.
fn convert_exactly<'py>(array: &Bound<'py, PyAny>, unit: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let converted = array.call_method1("astype", (format!("datetime64[{unit}]"),))?;
    let back = converted.call_method1("astype", (array.getattr("dtype")?,))?;
    // As numbers: NaT is not equal to itself.
    let (before, after) = (words_of(array)?, words_of(&back)?);
    match before.iter().zip(after).position(|(before, after)| *before != after) {
        Some(index) => {
            let at = array.get_item(index)?;
            Err(errors::raise_as(py, InvalidArgument, format!("at[{index}]={at} does not fit 64 bits of milliseconds")))
        }
        None => Ok(converted),
    }
}

fn of_times(array: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let millis = words_of(array)?;
    match millis.iter().position(|at| *at == i64::MIN) {
        Some(index) => Err(errors::raise_as(array.py(), InvalidArgument, format!("at[{index}] is missing (NaT)"))),
        None => Ok(millis),
    }
}

fn read_items(at: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let items = at.try_iter().map_err(|_| wrong_type(at, "at", EXPECTED))?;
    let mut millis = Vec::new();
    for item in items {
        let item = item?;
        let read = datetime::to_unix_millis(&item, "at");
        // The name is made only for the error.
        let read = read.or_else(|_| datetime::to_unix_millis(&item, &format!("at[{}]", millis.len())))?;
        errors::call(at.py(), || room::push(&mut millis, read))?;
    }
    Ok(millis)
}
