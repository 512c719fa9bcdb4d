//! Makes the records of `leafmint.records`.

use crate::{datetime, once};
use leafmint::store::TagInfo;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Returns the class of a record.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    let missing = || PyImportError::new_err(format!("leafmint.records.{name} is missing: import leafmint"));
    once::class(py, name)?.ok_or_else(missing)
}

/// Makes a list of `TagInfo`.
pub(crate) fn tags<'py>(py: Python<'py>, tags: Vec<TagInfo>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let class = class(py, "TagInfo")?;
    let record = |tag: TagInfo| {
        let TagInfo { biz_tag, max_id, step, description, update_time, gene_bits, problem } = tag;
        class.call1((biz_tag, max_id, step, description, time(py, update_time)?, gene_bits, problem))
    };
    tags.into_iter().map(record).collect()
}

/// Returns Unix milliseconds as an aware datetime.
fn time(py: Python<'_>, unix_millis: Option<i64>) -> PyResult<Option<Bound<'_, PyAny>>> {
    unix_millis.map(|time| datetime::from_unix_millis(py, time)).transpose()
}
