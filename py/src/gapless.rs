//! Sequences without gaps: what Python runs in the caller's transaction, and what the answers mean.

use crate::arguments::{exact_int, string, text};
use crate::format::Format;
use crate::series::{NUMBER, Numbers, SeriesNumber, list_of};
use crate::zone::Zone;
use crate::{batch, datetime, errors};
use leafmint::ErrorKind::InvalidArgument;
use leafmint::Want;
use leafmint::clock::{Clock, SystemClock};
use leafmint::gapless::{Dialect, Draw, Refusal, Sequence, SequenceGroup};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::Arc;

/// A row of an answer, as text.
type Row = Option<Vec<Option<String>>>;

/// A sequence as an application declares it. The classes `GaplessSequence` extend it.
#[pyclass(frozen, subclass, weakref, module = "leafmint", name = "_GaplessSequence")]
pub(crate) struct GaplessSequence {
    sequence: Arc<Sequence>,
    zone: Option<Zone>,
}

#[pymethods]
impl GaplessSequence {
    #[new]
    #[pyo3(signature = (name, *, period, zone = None, key = None, format = None, start = None),
           text_signature = "(name, *, period, zone=None, key=None, format=None, start=1)")]
    fn new(
        name: &Bound<'_, PyAny>,
        period: &Bound<'_, PyAny>,
        zone: Option<&Bound<'_, PyAny>>,
        key: Option<&Bound<'_, PyAny>>,
        format: Option<&Bound<'_, PyAny>>,
        start: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = name.py();
        let name = text(string(name, "name")?, InvalidArgument, "the sequence")?;
        let period = text(string(period, "period")?, InvalidArgument, "the period")?;
        let zone = zone.map(Zone::read).transpose()?;
        let key = key.map(|key| text(string(key, "key")?, InvalidArgument, "the key")).transpose()?;
        let format = format.map(Format::read).transpose()?;
        let start = start.map_or(Ok(1), |start| exact_int(start, InvalidArgument, "start"))?;
        let zone_name = zone.as_ref().map_or("", |zone| &zone.name);
        let sequence =
            errors::call(py, || Sequence::new(&name, period.parse()?, zone_name, key.as_deref(), format, start))?;
        Ok(Self { sequence: Arc::new(sequence), zone })
    }

    /// The name, without the key.
    #[getter]
    fn name(&self) -> &str {
        self.sequence.name()
    }

    /// The period after which the numbers start again: "day", "month", "year" or "forever".
    #[getter]
    fn period(&self) -> String {
        self.sequence.period().to_string()
    }

    /// The name of the time zone; None if the numbers never start again.
    #[getter]
    fn zone(&self) -> Option<&str> {
        self.zone.as_ref().map(|zone| zone.name.as_str())
    }

    /// The key; None for none.
    #[getter]
    fn key(&self) -> Option<&str> {
        self.sequence.key()
    }

    /// The first number of a period.
    #[getter]
    fn start(&self) -> i64 {
        self.sequence.start()
    }

    /// Begins a call for numbers of a date, by default of today; None for no numbers.
    fn _draw(
        &self,
        py: Python<'_>,
        dialect: &str,
        count: &Bound<'_, PyAny>,
        on: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<GaplessDraw>> {
        let Want::Many(count @ 1..) = batch::many(count, NUMBER)? else { return Ok(None) };
        self.begin(py, dialect, on, |dialect, group| self.sequence.next(dialect, group, count)).map(Some)
    }

    /// Begins a call for the last number of a date, by default of today.
    fn _draw_last(&self, py: Python<'_>, dialect: &str, on: Option<&Bound<'_, PyAny>>) -> PyResult<GaplessDraw> {
        self.begin(py, dialect, on, |dialect, group| Ok(self.sequence.last(dialect, group)))
    }

    /// Returns what a copy, also one in another process, is declared with.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((&str,), Bound<'py, PyDict>)> {
        let options = PyDict::new(py);
        options.set_item("period", self.period())?;
        options.set_item("zone", self.zone())?;
        options.set_item("key", self.key())?;
        options.set_item("format", self.sequence.format().map(leafmint::Format::text))?;
        options.set_item("start", self.start())?;
        Ok(((self.name(),), options))
    }

    fn __repr__(&self) -> String {
        let key = self.sequence.key().map_or_else(String::new, |key| format!("/{key}"));
        format!("<leafmint.GaplessSequence {}{key} by {}>", self.sequence.name(), self.sequence.period())
    }
}

impl GaplessSequence {
    fn begin(
        &self,
        py: Python<'_>,
        dialect: &str,
        on: Option<&Bound<'_, PyAny>>,
        draw: impl FnOnce(Dialect, &SequenceGroup) -> leafmint::Result<Draw>,
    ) -> PyResult<GaplessDraw> {
        let date = match (on, &self.zone) {
            (Some(on), _) => Some(datetime::to_date(on, "on")?),
            (None, Some(zone)) => Some(zone.date_at(py, SystemClock.wall())?),
            (None, None) => None,
        };
        errors::call(py, || {
            let group = Arc::new(self.sequence.group(date)?);
            let draw = draw(Dialect::named(dialect)?, &group)?;
            Ok(GaplessDraw { draw, sequence: self.sequence.clone(), group })
        })
    }
}

/// A call for numbers of a sequence, or for the last one.
#[pyclass(frozen, module = "leafmint", name = "_GaplessDraw")]
pub(crate) struct GaplessDraw {
    draw: Draw,
    sequence: Arc<Sequence>,
    group: Arc<SequenceGroup>,
}

#[pymethods]
impl GaplessDraw {
    /// The name of the row that counts the period.
    #[getter]
    fn row(&self) -> &str {
        self.draw.row()
    }

    /// The statement that describes the table, the one that takes numbers, the numbers that it carries after the row's
    /// name, and the statement that reads the answer.
    #[getter]
    fn statements(&self) -> (Option<&'static str>, Option<String>, [i64; 3], Option<String>) {
        let statements = self.draw.statements();
        (statements.look, statements.take, statements.numbers, statements.read)
    }

    /// Judges the row of the statement that describes the table.
    fn check_table(&self, py: Python<'_>, row: Row) -> PyResult<()> {
        errors::call(py, || self.draw.check_table(row.as_deref()))
    }

    /// Judges the row of numbers that were taken, and returns them. `counted` is the number of rows that the driver
    /// says were affected, negative if it says nothing.
    fn numbers<'py>(&self, py: Python<'py>, row: Row, counted: i64) -> PyResult<Bound<'py, PyList>> {
        let draw = match u64::try_from(counted) {
            Ok(rows) => self.draw.clone().counted(rows),
            Err(_) => self.draw.clone(),
        };
        let numbers = errors::call(py, || draw.numbers(row.as_deref()))?;
        list_of(py, (numbers.end() - numbers.start() + 1) as usize, numbers, || self.of())
    }

    /// Judges the row of the last number, and returns it.
    fn last(&self, py: Python<'_>, row: Row) -> PyResult<Option<SeriesNumber>> {
        let last = errors::call(py, || self.draw.last(row.as_deref()))?;
        Ok(last.map(|number| SeriesNumber { number, of: self.of() }))
    }

    /// Returns the exception of a statement that failed, with the number, the SQLSTATE and the message of the driver.
    fn failure(&self, py: Python<'_>, number: Option<i32>, state: Option<&str>, text: &str) -> Py<PyAny> {
        let failure = errors::raise(py, &self.draw.failure(Refusal { number, state, text }));
        failure.into_value(py).into_any()
    }
}

impl GaplessDraw {
    fn of(&self) -> Numbers {
        Numbers::Sequence(self.sequence.clone(), self.group.clone())
    }
}
