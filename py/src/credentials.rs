//! Credentials that a callable of the application supplies.
//!
//! The core asks on a native thread of its own, which attaches to the interpreter for the call.

use crate::native_thread::{self, call_or_hang};
use leafmint::{Credentials, CredentialsSource};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};

/// The function of `leafmint._internal.credentials` that calls a supplier. It returns user and password, or what is
/// wrong.
static ASK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Sets the function that calls a supplier.
#[pyfunction]
#[pyo3(name = "_ask_with")]
pub(crate) fn ask_with(py: Python<'_>, ask: Py<PyAny>) {
    let _ = ASK.set(py, ask);
}

/// Returns a source that calls `supplier` for each new connection.
pub(crate) fn source(supplier: Py<PyAny>) -> CredentialsSource {
    CredentialsSource::new(move || {
        let answer = native_thread::call(|py| ask(py, &supplier));
        answer.unwrap_or_else(|| Err("the interpreter is exiting".to_owned()))
    })
}

fn ask(py: Python<'_>, supplier: &Py<PyAny>) -> Result<Credentials, String> {
    let asking = || {
        let ask = ASK.get(py).expect("leafmint/__init__.py sets it").bind(py);
        call_or_hang(ask, &PyTuple::new(py, [supplier])?)
    };
    let answer = asking().map_err(|error| error.get_type(py).to_string())?;
    let text = |text: &Bound<'_, PyString>, name: &str| match text.to_str() {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Err(format!("the {name} holds a lone surrogate, which is not a character")),
    };
    if let Ok(problem) = answer.cast::<PyString>() {
        return Err(problem.to_string_lossy().into_owned());
    }
    match answer.extract::<(Bound<'_, PyString>, Bound<'_, PyString>)>() {
        Ok((user, password)) => Ok(Credentials::new(text(&user, "username")?, text(&password, "password")?)),
        Err(_) => Err("it returned no pair of texts".to_owned()),
    }
}
