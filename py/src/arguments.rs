//! Reads the arguments of calls. A bad argument raises a named error of leafmint, not the error of a failed conversion.

use crate::errors;
use leafmint::ErrorKind;
use leafmint::ErrorKind::InvalidArgument;
use leafmint::binding::{printable, timeout_from_seconds, timeout_from_text};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDelta, PyString};
use std::time::Duration;

/// Length limit of every text argument except keys.
pub(crate) const MAX_CHARACTERS: usize = 1 << 20;

/// Reads an int, and clamps it to 64 bits: the core then refuses it by its range check, which names the valid range.
pub(crate) fn saturating_int(value: &Bound<'_, PyAny>, name: &str) -> PyResult<i64> {
    match value.extract() {
        Err(error) if is_overflow(value.py(), &error) => Ok(if value.lt(0)? { i64::MIN } else { i64::MAX }),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Err(wrong_type(value, name, "an int")),
        read => read,
    }
}

/// Reads an optional int like [`saturating_int`].
pub(crate) fn saturating_int_or(default: i64, value: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<i64> {
    value.map_or(Ok(default), |value| saturating_int(value, name))
}

/// Reads an int that must fit 64 bits, else raises an error of `kind`. A bool is refused.
pub(crate) fn exact_int(value: &Bound<'_, PyAny>, kind: ErrorKind, name: &str) -> PyResult<i64> {
    if value.is_instance_of::<PyBool>() {
        return Err(wrong_type(value, name, "an int"));
    }
    match value.extract() {
        Err(error) if is_overflow(value.py(), &error) => {
            // Python refuses to print more than 4300 digits, and more than 64 do not help the reader of a message.
            let digits = value.str().map_or_else(|_| String::new(), |digits| digits.to_string_lossy().into_owned());
            let shown = if (1..=64).contains(&digits.len()) { format!("{name}={digits}") } else { name.to_owned() };
            Err(errors::raise_as(value.py(), kind, format!("{shown} does not fit 64 bits")))
        }
        Err(_) => Err(wrong_type(value, name, "an int")),
        read => read,
    }
}

/// Reads an id. An int beyond 64 bits is an invalid id.
pub(crate) fn id(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    exact_int(value, ErrorKind::InvalidId, "id")
}

/// Casts an argument to str; [`text`] and [`borrowed_text`] read its content.
pub(crate) fn string<'a, 'py>(value: &'a Bound<'py, PyAny>, name: &str) -> PyResult<&'a Bound<'py, PyString>> {
    value.cast::<PyString>().map_err(|_| wrong_type(value, name, "a str"))
}

/// Copies the content of a str. A lone surrogate is refused by a message without the text, which may be a secret.
pub(crate) fn text(value: &Bound<'_, PyString>, kind: ErrorKind, what: &str) -> PyResult<String> {
    borrowed_text(value, kind, what).map(str::to_owned)
}

/// Borrows the content of a str. The length is checked first, because reading a str may copy it.
pub(crate) fn borrowed_text<'a>(value: &'a Bound<'_, PyString>, kind: ErrorKind, what: &str) -> PyResult<&'a str> {
    let length = value.len()?;
    if length > MAX_CHARACTERS {
        let message = format!("{what} has {length} characters; the maximum is {MAX_CHARACTERS}");
        return Err(errors::raise_as(value.py(), kind, message));
    }
    utf8(value, kind, what)
}

fn utf8<'a>(value: &'a Bound<'_, PyString>, kind: ErrorKind, what: &str) -> PyResult<&'a str> {
    value.to_str().map_err(|_| {
        errors::raise_as(value.py(), kind, format!("{what} contains a lone surrogate, which is not valid text"))
    })
}

/// Reads a URL: a str, or an object of SQLAlchemy or ours, whose `str()` hides the password.
pub(crate) fn url(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = value.py();
    if value.is_instance_of::<PyString>() || !value.hasattr(intern!(py, "render_as_string"))? {
        let url = value.cast::<PyString>().map_err(|_| wrong_type(value, "url", "a str or an SQLAlchemy engine"))?;
        return text(url, ErrorKind::InvalidConfig, "the URL");
    }
    let rendered = value.call_method1(intern!(py, "render_as_string"), (false,))?;
    text(string(&rendered, "url")?, ErrorKind::InvalidConfig, "the URL")
}

const DURATION: &str = "a number of seconds, text such as '500ms', or a timedelta";

/// A timeout argument: seconds, text such as "500ms", or a timedelta, as the option `timeout` takes it.
pub(crate) struct Timeout(pub(crate) Duration);

impl<'py> FromPyObject<'_, 'py> for Timeout {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = value.py();
        if let Ok(value) = value.cast::<PyString>() {
            let text = borrowed_text(&value, InvalidArgument, "the timeout")?;
            return errors::call(py, || timeout_from_text(text)).map(Timeout);
        }
        if value.is_instance_of::<PyBool>() {
            return Err(wrong_type(&value, "timeout", DURATION));
        }
        let seconds = match value.cast::<PyDelta>() {
            Ok(value) => value.call_method0(intern!(py, "total_seconds"))?.extract(),
            Err(_) => value.extract(),
        };
        let seconds = match seconds {
            Err(error) if is_overflow(py, &error) => f64::INFINITY,
            Err(_) => {
                return Err(wrong_type(&value, "timeout", DURATION));
            }
            Ok(seconds) => seconds,
        };
        errors::call(py, || timeout_from_seconds(seconds)).map(Timeout)
    }
}

/// The key of a record, from which its gene or its table is computed.
pub(crate) enum Key<'a> {
    Text(&'a str),
    Int(i64),
}

impl<'a> Key<'a> {
    pub(crate) fn read(value: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(value) = value.cast::<PyString>() {
            return utf8(value, InvalidArgument, "the key").map(Key::Text);
        }
        match exact_int(value, InvalidArgument, "key") {
            Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
                Err(wrong_type(value, "key", "a str or an int"))
            }
            read => read.map(Key::Int),
        }
    }
}

/// Makes the TypeError that names the expected type. It does not repeat the value, which may be long or a secret.
pub(crate) fn wrong_type(value: &Bound<'_, PyAny>, name: &str, expected: &str) -> PyErr {
    match value.get_type().name() {
        Ok(actual) => PyTypeError::new_err(printable(format!("{name} must be {expected}, not {actual}"))),
        Err(error) => error,
    }
}

fn is_overflow(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyOverflowError>(py)
}
