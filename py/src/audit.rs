//! How far the keys of a database are used.

use crate::borrowed::Given;
use crate::layout::Layout;
use crate::{arguments, awaiting, errors, options, records, waiting};
use leafmint::ErrorKind::InvalidArgument;
use leafmint_advisor::audit::{AuditRequest, Earlier, Ignored, audit as begin};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An earlier report: its time in Unix milliseconds, and the table, the column and the highest number of each key.
type Since = (i64, Vec<(String, String, u64)>);

/// Patterns of tables, tables with their tags, and the findings to ignore.
type Selection<'py> = (Vec<Bound<'py, PyAny>>, Vec<[Bound<'py, PyAny>; 2]>, Vec<Bound<'py, PyAny>>);

/// Reads and judges the keys of a database, and returns an `AuditReport`, or with `begins` a call for it.
#[pyfunction]
#[pyo3(name = "_audit", signature = (url, options, selection, layout, since, *, begins))]
pub(crate) fn audit<'py>(
    py: Python<'py>,
    url: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
    selection: Selection<'py>,
    layout: Option<&Layout>,
    since: Option<Since>,
    begins: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (given, options) = (Given::read(url)?, options::read(options)?);
    let (tables, tags, ignored) = selection;
    let tables = tables.iter().map(|table| text(table, "tables")).collect::<PyResult<_>>()?;
    let tag = |[table, tag]: &[Bound<'py, PyAny>; 2]| Ok((text(table, "tags")?, text(tag, "tags")?));
    let tags = tags.iter().map(tag).collect::<PyResult<_>>()?;
    let ignored = ignored.iter().map(|rule| text(rule, "ignore")).collect::<PyResult<Vec<_>>>()?;
    let ignored = errors::call(py, || Ignored::parse(ignored))?;
    let since = since.map(|(read_at, used)| Earlier { read_at, used });
    let request = AuditRequest { tables, tags, layout: layout.map(|layout| layout.0), since };
    let begin = || begin(given.database(), options, request);
    if begins {
        return awaiting::begin(py, begin, move |py, report| records::audit_report(py, ignored.remove_from(report)));
    }
    let report = waiting::wait_for(py, begin)?;
    records::audit_report(py, ignored.remove_from(report))
}

/// The table and the column of a key, and the highest number of its rows.
type HighestRow = (String, String, Option<u64>);

/// Reads the highest number of the rows of each key, and writes nothing. Returns them, and the tables that were not
/// read.
#[pyfunction]
#[pyo3(name = "_highest_rows")]
pub(crate) fn highest_rows(
    py: Python<'_>,
    url: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Vec<HighestRow>, Vec<String>)> {
    let (given, options) = (Given::read(url)?, options::read(options)?);
    let report = waiting::wait_for(py, || begin(given.database(), options, AuditRequest::default()))?;
    Ok((report.keys.into_iter().map(|key| (key.table, key.column, key.highest)).collect(), report.unread))
}

fn text(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    arguments::text(arguments::string(value, name)?, InvalidArgument, name)
}
