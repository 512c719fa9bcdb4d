//! How arguments of calls are read, so that bad ones get a named error of leafmint and not one of a conversion.

use crate::errors;
use leafmint::{ErrorKind, timeout_from_seconds};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::time::Duration;

/// A whole number. What 64 bits cannot hold becomes the nearest number that they can: the core refuses it by its range.
pub(crate) struct Whole(pub(crate) i64);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match given.extract() {
            Err(error) if too_large(given.py(), &error) => Ok(Whole(if given.lt(0)? { i64::MIN } else { i64::MAX })),
            read => read.map(Whole),
        }
    }
}

/// A timeout, given in seconds.
pub(crate) struct Timeout(pub(crate) Duration);

impl<'py> FromPyObject<'_, 'py> for Timeout {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let seconds = match given.extract() {
            Err(error) if too_large(given.py(), &error) => f64::INFINITY,
            read => read?,
        };
        timeout_from_seconds(seconds).map(Timeout).map_err(|error| errors::raise(given.py(), error))
    }
}

fn too_large(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyOverflowError>(py)
}

/// Reads text, which in Python may hold surrogates that stand alone. The message does not repeat it: it may be a secret.
pub(crate) fn text(given: &Bound<'_, PyString>, kind: ErrorKind, what: &str) -> PyResult<String> {
    let decoded = given.to_str().map(str::to_owned);
    decoded.map_err(|_| {
        errors::raise_as(given.py(), kind, format!("{what} holds a surrogate that stands alone: it is not valid text"))
    })
}
