//! The functions of tables that are split by time.

use crate::arguments::{self, string};
use crate::zone::Zone;
use crate::{datetime, errors, list};
use leafmint::ErrorKind::InvalidConfig;
use leafmint::layout;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Returns the names of the tables that hold a span of time: a table a day, a month or a year.
///
/// Args:
///     pattern: A name with {year} or {yy}, for a table a month also {month}, and for a table a day also {day}.
///         {{ and }} are braces.
///     start: An aware datetime, or an int of Unix milliseconds.
///     end: The end of the span, which is excluded.
///     zone: The time zone in which days, months and years begin: a name such as "Europe/Madrid", or a ZoneInfo.
///
/// Returns:
///     The names in the order of time; none for an empty span.
///
/// Raises:
///     InvalidConfigError: The pattern is invalid; the message names every problem.
///     InvalidArgumentError: A time has no time zone or is not within 1970 to 9999, the span ends before it starts, or
///         the zone is unknown.
///
/// Example:
///     >>> from datetime import datetime, timezone
///     >>> import leafmint
///     >>> start, end = (datetime(2026, month, 1, tzinfo=timezone.utc) for month in (10, 12))
///     >>> leafmint.period_tables("orders_{year}{month}", start, end)
///     ['orders_202610', 'orders_202611']
#[pyfunction]
#[pyo3(signature = (pattern, start, end, *, zone = None), text_signature = "(pattern, start, end, *, zone='UTC')")]
pub(crate) fn period_tables<'py>(
    pattern: &Bound<'py, PyAny>,
    start: &Bound<'py, PyAny>,
    end: &Bound<'py, PyAny>,
    zone: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = pattern.py();
    let pattern = text_of(pattern)?;
    let zone = read_zone(py, zone)?;
    let (start, end) = (datetime::to_unix_millis(start, "start")?, datetime::to_unix_millis(end, "end")?);
    let days = match errors::call(py, || layout::moments_of_span(start, end))? {
        Some([first, last]) => Some([zone.date_at(py, first)?, zone.date_at(py, last)?]),
        None => None,
    };
    let names = errors::call(py, || layout::period_tables(pattern, days))?;
    list::check(py, names.len(), list::TEXT + pattern.len())?;
    list::of(py, names.len(), names.iter(), |name| list::text(py, name.as_bytes()))
}

/// Returns the name of the table that holds a moment, such as that of an id: `layout.decode(id).timestamp`.
///
/// Args:
///     pattern: As in `period_tables`.
///     at: An aware datetime, or an int of Unix milliseconds.
///     zone: As in `period_tables`.
///
/// Raises:
///     InvalidConfigError: The pattern is invalid; the message names every problem.
///     InvalidArgumentError: The time has no time zone or is not within 1970 to 9999, or the zone is unknown.
#[pyfunction]
#[pyo3(signature = (pattern, at, *, zone = None), text_signature = "(pattern, at, *, zone='UTC')")]
pub(crate) fn period_table(
    pattern: &Bound<'_, PyAny>,
    at: &Bound<'_, PyAny>,
    zone: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let py = pattern.py();
    let pattern = text_of(pattern)?;
    let zone = read_zone(py, zone)?;
    let at = datetime::to_unix_millis(at, "at")?;
    errors::call(py, || layout::moments_of_span(at, at))?;
    let day = zone.date_at(py, at)?;
    let mut names = errors::call(py, || layout::period_tables(pattern, Some([day, day])))?;
    Ok(names.pop().expect("a day is in one table"))
}

fn text_of<'a>(pattern: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    arguments::borrowed_text(string(pattern, "pattern")?, InvalidConfig, "the pattern")
}

fn read_zone(py: Python<'_>, zone: Option<&Bound<'_, PyAny>>) -> PyResult<Zone> {
    match zone {
        Some(zone) => Zone::read(zone),
        None => Zone::utc(py),
    }
}
