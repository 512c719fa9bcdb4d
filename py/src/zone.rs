//! Time zones: `zoneinfo` computes what their calendars show.

use crate::arguments::{string, text, wrong_type};
use crate::{datetime, errors};
use leafmint::ErrorKind::InvalidArgument;
use leafmint::format::CalendarDate;
use leafmint::segment::{Calendar, Series};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDate, PyDateTime, PyString, PyTzInfo};

/// A time zone of Python, and its name.
pub(crate) struct Zone {
    pub(crate) name: String,
    zone: Py<PyTzInfo>,
}

impl Zone {
    /// Reads a time zone: its name, or a `ZoneInfo`.
    pub(crate) fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = value.py();
        let named = match value.getattr_opt(intern!(py, "key"))? {
            Some(key) if value.is_instance_of::<PyTzInfo>() && key.is_instance_of::<PyString>() => key,
            _ => value.clone(),
        };
        let name = string(&named, "zone").map_err(|_| wrong_type(value, "zone", "a str or a ZoneInfo"))?;
        let name = text(name, InvalidArgument, "the zone")?;
        let zone = if name == "UTC" { Ok(PyTzInfo::utc(py)?.to_owned().into_any()) } else { find(py, &name) };
        match zone {
            Ok(zone) => Ok(Self { name, zone: zone.cast_into::<PyTzInfo>()?.unbind() }),
            Err(error) => {
                let message = format!(
                    "zone={name:?} is not a time zone that Python's zoneinfo knows: write a name such as \
                     'Europe/Madrid'; if that is unknown too, install the package tzdata"
                );
                let refusal = errors::raise_as(py, InvalidArgument, message);
                refusal.set_cause(py, Some(error));
                Err(refusal)
            }
        }
    }

    /// Returns UTC, which needs no database of zones.
    pub(crate) fn utc(py: Python<'_>) -> PyResult<Self> {
        Ok(Self { name: "UTC".to_owned(), zone: PyTzInfo::utc(py)?.to_owned().unbind() })
    }

    /// Returns the date at a time, in Unix milliseconds.
    pub(crate) fn date_at(&self, py: Python<'_>, time: i64) -> PyResult<CalendarDate> {
        let at = datetime::from_unix_millis(py, time)?;
        datetime::date_of(at.call_method1(intern!(py, "astimezone"), (&self.zone,))?.cast::<PyDate>()?)
    }

    /// Returns what the calendar shows at a time, in Unix milliseconds.
    pub(crate) fn calendar(&self, py: Python<'_>, series: &Series, time: i64) -> PyResult<Calendar> {
        let date = self.date_at(py, time)?;
        let [first, next] = errors::call(py, || series.bounds(date))?;
        Ok(Calendar { date, begins: self.begin_of(py, first)?, ends: self.begin_of(py, next)? })
    }

    /// Returns the moment at which a day begins, in Unix milliseconds.
    fn begin_of(&self, py: Python<'_>, date: CalendarDate) -> PyResult<i64> {
        // A midnight that comes twice is the first; one that is skipped is the moment at which the clocks are set.
        let (year, month, day) = (date.year() as i32, date.month() as u8, date.day() as u8);
        let midnight = PyDateTime::new(py, year, month, day, 0, 0, 0, 0, Some(self.zone.bind(py)))?;
        datetime::to_unix_millis(&midnight, "midnight")
    }
}

fn find<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("zoneinfo")?.getattr("ZoneInfo")?.call1((name,))
}
