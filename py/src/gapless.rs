//! Numbers without gaps: the core's statements, which Python runs in the caller's transaction.

use crate::arguments::{borrowed_text, exact_int, string};
use crate::errors;
use leafmint::ErrorKind::InvalidArgument;
use leafmint::gapless::{Dialect, Refusal, check_number, check_series};
use pyo3::prelude::*;

/// Checks the arguments of a call. Returns the statement that takes a number, and the one that reads it if there is
/// one.
#[pyfunction]
#[pyo3(name = "_gapless_statements")]
pub(crate) fn gapless_statements(
    py: Python<'_>,
    dialect: &str,
    series: &Bound<'_, PyAny>,
    start: &Bound<'_, PyAny>,
) -> PyResult<(&'static str, Option<&'static str>)> {
    let series = borrowed_text(string(series, "series")?, InvalidArgument, "the series")?;
    let start = exact_int(start, InvalidArgument, "start")?;
    errors::call(py, || {
        check_series(series, start)?;
        let statements = Dialect::named(dialect)?.statements();
        Ok((statements.take, statements.read))
    })
}

/// Checks the number that a statement returned.
#[pyfunction]
#[pyo3(name = "_gapless_number")]
pub(crate) fn gapless_number(py: Python<'_>, series: &str, number: Option<i64>) -> PyResult<i64> {
    errors::call(py, || check_number(series, number))
}

/// Returns the exception of a statement that failed, with the number, the SQLSTATE and the message of the driver.
#[pyfunction]
#[pyo3(name = "_gapless_failure")]
pub(crate) fn gapless_failure(
    py: Python<'_>,
    dialect: &str,
    series: &str,
    number: Option<i32>,
    state: Option<&str>,
    text: &str,
) -> PyResult<Py<PyAny>> {
    let dialect = errors::call(py, || Dialect::named(dialect))?;
    let failure = errors::raise(py, &dialect.failure(series, Refusal { number, state, text }));
    Ok(failure.into_value(py).into_any())
}
