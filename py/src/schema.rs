//! The tables of leafmint as SQL.

use crate::{arguments, errors};
use leafmint::ErrorKind::InvalidArgument;
use pyo3::prelude::*;

/// Returns the SQL statements that create leafmint's tables, for migration tools.
///
/// Args:
///     dialect: "mysql" (also for MariaDB), "postgresql", "sqlite" or "tickets".
///
/// Raises:
///     InvalidArgumentError: The dialect is unknown.
#[pyfunction]
#[pyo3(signature = (dialect = None), text_signature = "(dialect='mysql')")]
pub(crate) fn schema_sql(py: Python<'_>, dialect: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    let dialect = match dialect {
        Some(value) => arguments::text(arguments::string(value, "dialect")?, InvalidArgument, "dialect")?,
        None => "mysql".to_owned(),
    };
    errors::call(py, || leafmint::schema_sql(&dialect))
}
