//! Reads the secret keys of public ids.
//!
//! No message shows a value: where a key is expected, any text may be one.

use crate::arguments::saturating_int;
use crate::{errors, pickling};
use leafmint::ErrorKind::InvalidConfig;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyInt, PyList, PyString, PyTuple};

const EXPECTED: &str = "a list of texts or of pairs of a number and bytes, \"env:NAME\", \"file:PATH\", or a callable that \
                        returns one of these";

/// Keys that were read, for typed ids: `leafmint.late_binding` keeps them.
#[pyclass(frozen, name = "_IdKeys", module = "leafmint")]
pub(crate) struct IdKeys(pub(crate) leafmint::IdKeys);

#[pymethods]
impl IdKeys {
    #[new]
    fn of(keys: &Bound<'_, PyAny>) -> PyResult<Self> {
        read(keys).map(Self)
    }

    /// Returns the number and the fingerprint of each key.
    fn fingerprints(&self) -> Vec<(u8, String)> {
        self.0.fingerprints()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(pickling::refuse_keys(&slf.get_type()))
    }
}

/// Returns the text of a new random key.
#[pyfunction]
#[pyo3(name = "_new_id_key")]
pub(crate) fn new_id_key(number: &Bound<'_, PyAny>) -> PyResult<String> {
    let number_of_key = saturating_int(number, "number")?;
    errors::call(number.py(), || leafmint::IdKeys::generate(number_of_key))
}

/// Reads keys in every form that Python code may give them in. A callable is called.
pub(crate) fn read(keys: &Bound<'_, PyAny>) -> PyResult<leafmint::IdKeys> {
    match keys.is_callable() {
        true => read_value(&supply(keys)?, "what the supplier of the keys returned"),
        false => read_value(keys, "keys"),
    }
}

/// Asks a supplier. Its failure is the cause of the error, whose message does not repeat it.
fn supply<'py>(supplier: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = supplier.py();
    supplier.call0().map_err(|cause| {
        if !cause.is_instance_of::<PyException>(py) {
            return cause;
        }
        let failure = type_name(cause.value(py));
        let error = refuse(py, format!("the supplier of public ids' keys failed: {failure}"));
        error.set_cause(py, Some(cause));
        error
    })
}

fn read_value(keys: &Bound<'_, PyAny>, what: &str) -> PyResult<leafmint::IdKeys> {
    if keys.is_instance_of::<PyString>() || keys.is_instance_of::<PyBytes>() {
        return read_text(keys.py(), &text_of(keys).unwrap_or_default());
    }
    let items: Vec<Bound<'_, PyAny>> = match (keys.cast::<PyList>(), keys.cast::<PyTuple>()) {
        (Ok(list), _) => list.iter().collect(),
        (_, Ok(tuple)) => tuple.iter().collect(),
        _ => return Err(refuse(keys.py(), format!("{what} must be {EXPECTED}, not {}", type_name(keys)))),
    };
    read_items(keys.py(), &items, what)
}

/// Reads where the keys are, or the keys themselves.
fn read_text(py: Python<'_>, text: &str) -> PyResult<leafmint::IdKeys> {
    let read = || match (text.strip_prefix("env:"), text.strip_prefix("file:")) {
        (Some(variable), _) => leafmint::id_keys::from_env(variable),
        (_, Some(path)) => leafmint::id_keys::from_file(path),
        _ => leafmint::IdKeys::parse(text),
    };
    // A file may be a pipe, to which another thread of this process writes.
    errors::call_detached(py, read)
}

/// Reads texts, or pairs of a number and a secret.
fn read_items(py: Python<'_>, items: &[Bound<'_, PyAny>], what: &str) -> PyResult<leafmint::IdKeys> {
    if let Some(texts) = items.iter().map(text_of).collect::<Option<Vec<_>>>() {
        return errors::call(py, || leafmint::IdKeys::parse(&texts.join("\n")));
    }
    let pairs = items.iter().enumerate().map(|(at, item)| {
        pair_of(item).ok_or_else(|| {
            let (place, kind) = (at + 1, type_name(item));
            refuse(
                py,
                format!(
                    "{what}: key {place} must be a text or a pair of a number and bytes, as all others, not {kind}"
                ),
            )
        })
    });
    let pairs = pairs.collect::<PyResult<Vec<_>>>()?;
    errors::call(py, || leafmint::IdKeys::new(pairs))
}

/// Copies a text. What is not UTF-8 becomes a character that no key has.
fn text_of(value: &Bound<'_, PyAny>) -> Option<String> {
    match (value.cast::<PyString>(), value.cast::<PyBytes>()) {
        (Ok(text), _) => Some(text.to_string_lossy().into_owned()),
        (_, Ok(bytes)) => Some(String::from_utf8_lossy(bytes.as_bytes()).into_owned()),
        _ => None,
    }
}

fn pair_of(value: &Bound<'_, PyAny>) -> Option<(i64, Vec<u8>)> {
    let (number, secret) = value.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>().ok()?;
    if !number.is_instance_of::<PyInt>() || number.is_instance_of::<PyBool>() {
        return None;
    }
    let number = saturating_int(&number, "number").ok()?;
    match (secret.cast::<PyBytes>(), secret.cast::<PyByteArray>()) {
        (Ok(bytes), _) => Some((number, bytes.as_bytes().to_vec())),
        (_, Ok(array)) => Some((number, array.to_vec())),
        _ => None,
    }
}

/// Names only the type, because the value may be a secret.
fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string())
}

fn refuse(py: Python<'_>, message: String) -> PyErr {
    errors::raise_as(py, InvalidConfig, message)
}
