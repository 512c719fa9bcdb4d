//! Imports modules of Python when they are needed: a short process would pay for each at `import leafmint`.

use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDate, PyDateTime, PyDelta, PyTzInfo};

/// Loads the classes of `datetime`. Called before each use of them.
///
/// PyO3 would load each at its first use, and panic on a failure, for example if the process cannot open another file
/// then.
pub(crate) fn datetime_classes(py: Python<'_>) -> PyResult<()> {
    static LOADED: PyOnceLock<()> = PyOnceLock::new();
    let load = || {
        py.import("datetime")?;
        let _ = (
            PyDate::type_object(py),
            PyDateTime::type_object(py),
            PyDelta::type_object(py),
            PyTzInfo::type_object(py),
            PyTzInfo::utc(py)?,
        );
        Ok(())
    };
    LOADED.get_or_try_init(py, load).copied()
}

/// Returns a value that is a timedelta.
pub(crate) fn delta<'a, 'py>(value: &'a Bound<'py, PyAny>) -> PyResult<Option<&'a Bound<'py, PyDelta>>> {
    datetime_classes(value.py())?;
    Ok(value.cast::<PyDelta>().ok())
}

/// Imports `threading` before a thread of leafmint calls code of the application: Python before 3.13 takes the thread
/// that imports it first for the main one.
pub(crate) fn threading(py: Python<'_>) -> PyResult<()> {
    py.import("threading").map(drop)
}
