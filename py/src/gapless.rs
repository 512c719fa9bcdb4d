//! Numbers without gaps: the core's statements, which Python runs in the caller's transaction.

use crate::arguments::{borrowed_text, exact_int, string};
use crate::errors;
use leafmint::ErrorKind::InvalidArgument;
use leafmint::gapless::{Dialect, Refusal, check_series};
use pyo3::prelude::*;

/// The statement that describes the table, the one that takes a number, and the one that reads it.
type Texts = (Option<&'static str>, String, Option<&'static str>);

/// Checks the arguments of a call, and returns the statements.
#[pyfunction]
#[pyo3(name = "_gapless_statements")]
pub(crate) fn gapless_statements(
    py: Python<'_>,
    dialect: &str,
    series: &Bound<'_, PyAny>,
    start: &Bound<'_, PyAny>,
) -> PyResult<Texts> {
    let series = borrowed_text(string(series, "series")?, InvalidArgument, "the series")?;
    let start = exact_int(start, InvalidArgument, "start")?;
    errors::call(py, || {
        check_series(series, start)?;
        let statements = Dialect::named(dialect)?.statements();
        Ok((statements.look, statements.take, statements.read))
    })
}

/// Judges the row of the statement that describes the table.
#[pyfunction]
#[pyo3(name = "_gapless_table")]
pub(crate) fn gapless_table(py: Python<'_>, dialect: &str, row: Option<Vec<Option<String>>>) -> PyResult<()> {
    errors::call(py, || Dialect::named(dialect)?.check_table(row.as_deref()))
}

/// Judges the row of a number that was taken, and returns the number.
#[pyfunction]
#[pyo3(name = "_gapless_number")]
pub(crate) fn gapless_number(
    py: Python<'_>,
    dialect: &str,
    series: &str,
    start: i64,
    row: Option<Vec<Option<String>>>,
) -> PyResult<i64> {
    errors::call(py, || Dialect::named(dialect)?.number(series, start, row.as_deref()))
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
