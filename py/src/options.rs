//! Converts keyword arguments to the options of the core.

use crate::{arguments, credentials, datetime, errors};
use leafmint::{ErrorKind, OptionSpec, OptionValue};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDateTime, PyDelta, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple};
use std::path::PathBuf;
use std::time::Duration;

/// Returns an option table of the core as a tuple of the fields of `OptionSpec`.
pub(crate) fn table<'py>(py: Python<'py>, specs: &[OptionSpec]) -> PyResult<Bound<'py, PyTuple>> {
    let fields = |spec: &OptionSpec| {
        let OptionSpec { name, shape, default, default_words, meaning, .. } = *spec;
        (name, shape.name(), shape.values(), default, default_words, meaning)
    };
    PyTuple::new(py, specs.iter().map(fields))
}

/// The option that is a callable, and so not in the tables.
const CREDENTIALS: &str = "credentials";

/// Reads keyword arguments. An option that is `None` counts as absent. The core checks names and values.
pub(crate) fn read(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, OptionValue)>> {
    let mut options = Vec::new();
    for (name, value) in keywords.into_iter().flatten() {
        if !value.is_none() {
            let name = name.cast::<PyString>()?;
            if name.len()? > arguments::MAX_CHARACTERS {
                return Err(refuse(name.py(), format!("the name of an option has {} characters", name.len()?)));
            }
            let name = name.to_string_lossy().into_owned();
            let value = option_value(&name, &value)?;
            options.push((name, value));
        }
    }
    Ok(options)
}

fn option_value(name: &str, value: &Bound<'_, PyAny>) -> PyResult<OptionValue> {
    if name == CREDENTIALS {
        return match value.is_callable() {
            true => Ok(credentials::source(value.clone().unbind()).into()),
            false => {
                let message = format!("{name}: {} is not a callable that returns user and password", type_name(value));
                Err(refuse(value.py(), message))
            }
        };
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().into());
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(arguments::exact_int(value, ErrorKind::InvalidConfig, name)?.into());
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(number.value().into());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(arguments::text(text, ErrorKind::InvalidConfig, name)?.into());
    }
    if let Ok(at) = value.cast::<PyDateTime>() {
        return Ok(datetime::millis_of(at, name, ErrorKind::InvalidConfig)?.into());
    }
    if value.is_instance_of::<PyDelta>() {
        let duration = value.extract::<Duration>();
        return duration
            .map(OptionValue::from)
            .map_err(|_| refuse(value.py(), format!("{name}: a negative timedelta is not a duration")));
    }
    if is_list(value) {
        let items: PyResult<Vec<String>> = value.try_iter()?.map(|item| list_item(name, &item?)).collect();
        return Ok(items?.into());
    }
    if value.hasattr("__fspath__")?
        && let Some(path) = value.extract::<PathBuf>()?.to_str()
    {
        return Ok(path.into());
    }
    Err(refuse(value.py(), format!("{name}: {} cannot be used as a value", type_name(value))))
}

fn is_list(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyList>()
        || value.is_instance_of::<PyTuple>()
        || value.is_instance_of::<PySet>()
        || value.is_instance_of::<PyFrozenSet>()
}

fn list_item(name: &str, item: &Bound<'_, PyAny>) -> PyResult<String> {
    match item.cast::<PyString>() {
        Ok(text) => arguments::text(text, ErrorKind::InvalidConfig, name),
        Err(_) => Err(refuse(item.py(), format!("{name}: an item is {}, not text", type_name(item)))),
    }
}

fn refuse(py: Python<'_>, message: String) -> PyErr {
    errors::raise_as(py, ErrorKind::InvalidConfig, message)
}

/// Names only the type, because the value may be a secret.
fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "the value".to_owned(), |name| format!("a {name}"))
}
