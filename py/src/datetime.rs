//! Converts times: aware datetimes in Python, Unix milliseconds in the core. And dates.

use crate::arguments::{self, saturating_int, wrong_type};
use crate::errors;
use leafmint::ErrorKind::{self, InvalidArgument, InvalidConfig};
use leafmint::binding::epoch_from_text;
use leafmint::format::CalendarDate;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDate, PyDateAccess, PyDateTime, PyDelta, PyDeltaAccess, PyString, PyTzInfo};
use pyo3::{PyTypeInfo, intern};

const DAY_MILLIS: i64 = 86_400_000;

const EPOCH: &str = "epoch";

const EXPECTED: &str = "an aware datetime, or an int of Unix milliseconds";

/// Reads an aware datetime, or an int of Unix milliseconds. An int is clamped to 64 bits, which is beyond every layout.
pub(crate) fn to_unix_millis(value: &Bound<'_, PyAny>, name: &str) -> PyResult<i64> {
    if let Ok(at) = value.cast::<PyDateTime>() {
        return millis_of(at, name, InvalidArgument);
    }
    if value.is_instance_of::<PyBool>() {
        return Err(wrong_type(value, name, EXPECTED));
    }
    saturating_int(value, name).map_err(|_| wrong_type(value, name, EXPECTED))
}

/// Reads the epoch of a layout: an aware datetime, its text in UTC, or an int of Unix milliseconds.
pub(crate) fn epoch(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    if let Ok(text) = value.cast::<PyString>() {
        let text = arguments::text(text, InvalidConfig, EPOCH)?;
        return errors::call(value.py(), || epoch_from_text(&text));
    }
    match value.cast::<PyDateTime>() {
        Ok(at) => millis_of(at, EPOCH, InvalidConfig),
        Err(_) => saturating_int(value, EPOCH),
    }
}

/// Returns the Unix milliseconds of an aware datetime. Another one is an error of this kind.
pub(crate) fn millis_of(at: &Bound<'_, PyDateTime>, name: &str, kind: ErrorKind) -> PyResult<i64> {
    let py = at.py();
    let offset = at.call_method0(intern!(py, "utcoffset")).map_err(|error| match at.ne(at) {
        // The NaT of pandas is a datetime.
        Ok(true) => errors::raise_as(py, kind, format!("{name} is missing (NaT)")),
        _ => error,
    })?;
    if offset.is_none() {
        let message =
            format!("{name}={at} has no time zone: give it one, as in datetime(2026, 11, 1, tzinfo=timezone.utc)");
        return Err(errors::raise_as(py, kind, message));
    }
    let since = at.sub(unix_epoch(py)?)?.cast_into::<PyDelta>()?;
    // Before 1970 only the days are negative, so cutting the microseconds off rounds towards the past.
    let millis = i64::from(since.get_seconds()) * 1000 + i64::from(since.get_microseconds()) / 1000;
    Ok(i64::from(since.get_days()) * DAY_MILLIS + millis)
}

/// Returns Unix milliseconds, up to the year 9999, as an aware datetime in UTC.
pub(crate) fn from_unix_millis(py: Python<'_>, unix_millis: i64) -> PyResult<Bound<'_, PyAny>> {
    let (days, rest) = (unix_millis.div_euclid(DAY_MILLIS), unix_millis.rem_euclid(DAY_MILLIS));
    // Integers, because a float of seconds would be off by microseconds.
    let since = PyDelta::new(py, days as i32, (rest / 1000) as i32, (rest % 1000 * 1000) as i32, false)?;
    unix_epoch(py)?.add(since)
}

/// Reads a date. A datetime is refused: which date it is depends on a time zone.
pub(crate) fn to_date(value: &Bound<'_, PyAny>, name: &str) -> PyResult<CalendarDate> {
    let refuse = || wrong_type(value, name, "a date without a time");
    let date = value.cast::<PyDate>().map_err(|_| refuse())?;
    if value.is_instance_of::<PyDateTime>() {
        return Err(refuse());
    }
    date_of(date)
}

/// Returns the date of a date, or of a datetime in its own zone.
pub(crate) fn date_of(date: &Bound<'_, PyDate>) -> PyResult<CalendarDate> {
    let (year, month, day) = (date.get_year(), date.get_month(), date.get_day());
    errors::call(date.py(), || CalendarDate::new(year.into(), month.into(), day.into()))
}

/// Returns a date of Python.
pub(crate) fn from_date(py: Python<'_>, date: CalendarDate) -> PyResult<Bound<'_, PyDate>> {
    PyDate::new(py, date.year() as i32, date.month() as u8, date.day() as u8)
}

/// Loads the classes of the module `datetime`.
///
/// PyO3 would load each at its first use, and panic on a failure, for example if the process cannot open another file
/// then.
pub(crate) fn load_classes(py: Python<'_>) -> PyResult<()> {
    py.import("datetime")?;
    let _ = (
        PyDate::type_object(py),
        PyDateTime::type_object(py),
        PyDelta::type_object(py),
        PyTzInfo::type_object(py),
        PyTzInfo::utc(py)?,
    );
    Ok(())
}

fn unix_epoch(py: Python<'_>) -> PyResult<&Bound<'_, PyDateTime>> {
    static UNIX_EPOCH: PyOnceLock<Py<PyDateTime>> = PyOnceLock::new();
    let make = || Ok::<_, PyErr>(PyDateTime::new(py, 1970, 1, 1, 0, 0, 0, 0, Some(&*PyTzInfo::utc(py)?))?.unbind());
    UNIX_EPOCH.get_or_try_init(py, make).map(|epoch| epoch.bind(py))
}
