//! Times: aware datetimes in Python, Unix milliseconds in the core.

use crate::arguments::{whole, wrong_type};
use crate::errors;
use leafmint::ErrorKind::InvalidArgument;
use pyo3::PyTypeInfo;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDateTime, PyDelta, PyDeltaAccess, PyTzInfo};

const DAY: i64 = 86_400_000;

/// Reads an aware datetime, or an int of Unix milliseconds. An int beyond 64 bits becomes the nearest one: no layout reaches it.
pub(crate) fn read(given: &Bound<'_, PyAny>, what: &str) -> PyResult<i64> {
    if let Ok(at) = given.cast::<PyDateTime>() {
        return of_datetime(at, what);
    }
    if given.is_instance_of::<PyBool>() {
        return Err(wrong_type(given, what, DUE));
    }
    whole(given, what).map_err(|_| wrong_type(given, what, DUE))
}

const DUE: &str = "an aware datetime, or an int of Unix milliseconds";

fn of_datetime(at: &Bound<'_, PyDateTime>, what: &str) -> PyResult<i64> {
    let py = at.py();
    if at.call_method0(intern!(py, "utcoffset"))?.is_none() {
        let message = format!("{what}={at} has no time zone: give it one, as in datetime(2026, 11, 1, tzinfo=timezone.utc)");
        return Err(errors::raise_as(py, InvalidArgument, message));
    }
    let since = at.sub(unix_epoch(py)?)?.cast_into::<PyDelta>()?;
    // Days alone are negative before 1970: what is cut off is cut off towards the past.
    let millis = i64::from(since.get_seconds()) * 1000 + i64::from(since.get_microseconds()) / 1000;
    Ok(i64::from(since.get_days()) * DAY + millis)
}

/// Returns the aware datetime, in UTC, of Unix milliseconds up to the year 9999.
pub(crate) fn to_datetime(py: Python<'_>, unix_millis: i64) -> PyResult<Bound<'_, PyAny>> {
    let (days, rest) = (unix_millis.div_euclid(DAY), unix_millis.rem_euclid(DAY));
    let since = PyDelta::new(py, days as i32, (rest / 1000) as i32, (rest % 1000 * 1000) as i32, false)?;
    // By whole numbers: a float of seconds is off by microseconds.
    unix_epoch(py)?.add(since)
}

/// Looks the classes of `datetime` up.
///
/// PyO3 does so at the first use of each, and panics if it fails, as it does while no file can be opened.
pub(crate) fn look_up_classes(py: Python<'_>) -> PyResult<()> {
    py.import("datetime")?;
    let _ = (PyDateTime::type_object(py), PyDelta::type_object(py), PyTzInfo::type_object(py), PyTzInfo::utc(py)?);
    Ok(())
}

fn unix_epoch(py: Python<'_>) -> PyResult<&Bound<'_, PyDateTime>> {
    static UNIX_EPOCH: PyOnceLock<Py<PyDateTime>> = PyOnceLock::new();
    let make = || Ok::<_, PyErr>(PyDateTime::new(py, 1970, 1, 1, 0, 0, 0, 0, Some(&*PyTzInfo::utc(py)?))?.unbind());
    UNIX_EPOCH.get_or_try_init(py, make).map(|epoch| epoch.bind(py))
}
