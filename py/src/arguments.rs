//! How arguments of calls are read, so that bad ones get a named error of leafmint and not one of a conversion.

use crate::errors;
use leafmint::ErrorKind::InvalidArgument;
use leafmint::{ErrorKind, printable, timeout_from_seconds, timeout_from_text};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDelta, PyString};
use std::time::Duration;

/// No text of ours is longer, but for keys.
pub(crate) const MOST_CHARACTERS: usize = 1 << 20;

/// Reads a whole number. What 64 bits cannot hold becomes the nearest number that they can: the core refuses it by its range.
pub(crate) fn whole(given: &Bound<'_, PyAny>, name: &str) -> PyResult<i64> {
    match given.extract() {
        Err(error) if too_large(given.py(), &error) => Ok(if given.lt(0)? { i64::MIN } else { i64::MAX }),
        Err(error) if error.is_instance_of::<PyTypeError>(given.py()) => Err(wrong_type(given, name, "an int")),
        read => read,
    }
}

/// Reads a whole number that may be left out.
pub(crate) fn whole_or(default: i64, given: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<i64> {
    given.map_or(Ok(default), |given| whole(given, name))
}

/// Reads a text argument; what is in it is read by [`text`].
pub(crate) fn string<'a, 'py>(given: &'a Bound<'py, PyAny>, name: &str) -> PyResult<&'a Bound<'py, PyString>> {
    given.cast::<PyString>().map_err(|_| wrong_type(given, name, "a str"))
}

/// A timeout, given as options are: in seconds, as text, or as a timedelta.
pub(crate) struct Timeout(pub(crate) Duration);

impl<'py> FromPyObject<'_, 'py> for Timeout {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = given.py();
        if let Ok(given) = given.cast::<PyString>() {
            let text = borrowed(&given, InvalidArgument, "the timeout")?;
            return errors::call(py, || timeout_from_text(text)).map(Timeout);
        }
        let seconds = match given.cast::<PyDelta>() {
            Ok(given) => given.call_method0(intern!(py, "total_seconds"))?.extract(),
            Err(_) => given.extract(),
        };
        let seconds = match seconds {
            Err(error) if too_large(py, &error) => f64::INFINITY,
            Err(_) => return Err(wrong_type(&given, "timeout", "a number of seconds, text as in '500ms', or a timedelta")),
            Ok(seconds) => seconds,
        };
        errors::call(py, || timeout_from_seconds(seconds)).map(Timeout)
    }
}

fn too_large(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyOverflowError>(py)
}

/// Reads text, which in Python may hold surrogates that stand alone. The message does not repeat it: it may be a secret.
pub(crate) fn text(given: &Bound<'_, PyString>, kind: ErrorKind, what: &str) -> PyResult<String> {
    borrowed(given, kind, what).map(str::to_owned)
}

/// Reads text where it lies. A very long one is refused before it is looked at: reading it may make a copy.
pub(crate) fn borrowed<'a>(given: &'a Bound<'_, PyString>, kind: ErrorKind, what: &str) -> PyResult<&'a str> {
    let length = given.len()?;
    if length > MOST_CHARACTERS {
        return Err(errors::raise_as(
            given.py(),
            kind,
            format!("{what} has {length} characters; at most {MOST_CHARACTERS} are read"),
        ));
    }
    valid(given, kind, what)
}

fn valid<'a>(given: &'a Bound<'_, PyString>, kind: ErrorKind, what: &str) -> PyResult<&'a str> {
    given.to_str().map_err(|_| {
        errors::raise_as(given.py(), kind, format!("{what} holds a surrogate that stands alone: it is not valid text"))
    })
}

/// Reads a whole number as it is: none but those of 64 bits, which `kind` says otherwise, and no bool.
pub(crate) fn integer(given: &Bound<'_, PyAny>, kind: ErrorKind, what: &str) -> PyResult<i64> {
    if given.is_instance_of::<PyBool>() {
        return Err(wrong_type(given, what, "an int"));
    }
    match given.extract() {
        Err(error) if too_large(given.py(), &error) => {
            // Past 4300 digits Python itself refuses to write a number out; past 64 they are of no use in a message.
            let digits = given.str().map_or_else(|_| String::new(), |digits| digits.to_string_lossy().into_owned());
            let value = if (1..=64).contains(&digits.len()) { format!("{what}={digits}") } else { what.to_owned() };
            Err(errors::raise_as(given.py(), kind, format!("{value} does not fit 64 bits")))
        }
        Err(_) => Err(wrong_type(given, what, "an int")),
        read => read,
    }
}

/// Reads an id: what 64 bits cannot hold is none.
pub(crate) fn id(given: &Bound<'_, PyAny>) -> PyResult<i64> {
    integer(given, ErrorKind::InvalidId, "id")
}

/// What a table or a gene is found by.
pub(crate) enum Key<'a> {
    Text(&'a str),
    Int(i64),
}

impl<'a> Key<'a> {
    pub(crate) fn read(given: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(given) = given.cast::<PyString>() {
            return valid(given, InvalidArgument, "the key").map(Key::Text);
        }
        match integer(given, InvalidArgument, "key") {
            Err(error) if error.is_instance_of::<PyTypeError>(given.py()) => Err(wrong_type(given, "key", "a str or an int")),
            read => read.map(Key::Int),
        }
    }
}

/// Says which type was due. The value is not repeated: it may be long, or a secret.
pub(crate) fn wrong_type(given: &Bound<'_, PyAny>, what: &str, due: &str) -> PyErr {
    match given.get_type().name() {
        Ok(name) => PyTypeError::new_err(printable(format!("{what} must be {due}, not {name}"))),
        Err(error) => error,
    }
}
