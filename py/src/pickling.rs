//! Pickles what takes keyword arguments, and refuses to pickle or copy generators, tags and keys.

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

/// Returns a callable that makes an object of `class` with these keyword arguments: `__reduce__` only passes others.
pub(crate) fn by_keywords<'py>(
    class: &Bound<'py, PyType>,
    keywords: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    py.import("functools")?.call_method(intern!(py, "partial"), (class,), Some(keywords))
}

/// Makes the TypeError that says why an object of `class` cannot be pickled or copied.
pub(crate) fn refuse(class: &Bound<'_, PyType>, generator: &str) -> PyErr {
    let py = class.py();
    match class.getattr(intern!(py, "__name__")) {
        Ok(name) => PyTypeError::new_err(format!(
            "a {name} cannot be pickled or copied, because two copies would mint the same ids: open a {generator} in each \
             process, and share it between threads as it is"
        )),
        Err(error) => error,
    }
}

/// Makes the TypeError that says why an object of `class`, which has secret keys, cannot be pickled or copied.
pub(crate) fn refuse_keys(class: &Bound<'_, PyType>) -> PyErr {
    match class.getattr(intern!(class.py(), "__name__")) {
        Ok(name) => PyTypeError::new_err(format!(
            "{name} cannot be pickled or copied, because the pickle would contain its keys: make one in each process, and \
             share it between threads as it is"
        )),
        Err(error) => error,
    }
}
