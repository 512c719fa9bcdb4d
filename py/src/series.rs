//! The classes `Series` and `SeriesNumber`.

use crate::arguments::Timeout;
use crate::at_exit::Open;
use crate::zone::Zone;
use crate::{awaiting, batch, datetime, errors, list, pickling, waiting};
use leafmint::Want;
use leafmint::format::CalendarDate;
use leafmint::gapless::{Sequence, SequenceGroup};
use leafmint::segment::SeriesGroup;
use pyo3::prelude::*;
use pyo3::types::{PyDate, PyList};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// Mints numbers that start again each day, month or year. Made by `SegmentGenerator.series`.
///
/// The pair of period and number is unique among all processes that share the store, and numbers of one period strictly
/// increase within a generator. There are gaps: a process that ends without a close loses the numbers that it leased
/// ahead. Thread-safe. A series is also a callable that returns the next number.
///
/// Example:
///     >>> from datetime import date
///     >>> import leafmint
///     >>> ids = leafmint.SegmentGenerator("memory://series")
///     >>> invoices = ids.series("invoice", period="year", zone="Europe/Madrid", format="INV-{year}-{number:5}")
///     >>> number = invoices.next(on=date(2026, 11, 25))
///     >>> number.number, number.group, number.text
///     (1, '2026', 'INV-2026-00001')
#[pyclass(frozen, weakref, module = "leafmint")]
pub(crate) struct Series {
    series: Arc<leafmint::segment::Series>,
    /// `None` if the numbers never start again.
    zone: Option<Zone>,
    /// Keeps the generator open, so that the exit of the interpreter finds and closes it.
    _generator: Arc<Open<leafmint::SegmentGenerator>>,
}

impl Series {
    pub(crate) fn new(
        series: leafmint::segment::Series,
        zone: Option<Zone>,
        generator: Arc<Open<leafmint::SegmentGenerator>>,
    ) -> Self {
        Self { series: Arc::new(series), zone, _generator: generator }
    }

    /// Returns the group of a date, by default of the present moment.
    fn group(&self, py: Python<'_>, on: Option<&Bound<'_, PyAny>>) -> PyResult<Arc<SeriesGroup>> {
        if let Some(on) = on {
            let date = datetime::to_date(on, "on")?;
            return errors::call(py, || self.series.on(date));
        }
        let wall = self.series.wall();
        match self.series.in_force(wall) {
            Some(group) => Ok(group),
            None => self.enter(py, wall),
        }
    }

    #[cold]
    fn enter(&self, py: Python<'_>, wall: i64) -> PyResult<Arc<SeriesGroup>> {
        let time = self.series.time();
        let calendar = self.zone.as_ref().map(|zone| zone.calendar(py, &self.series, time)).transpose()?;
        errors::call(py, || self.series.enter(wall, time, calendar))
    }

    fn one(&self, py: Python<'_>, on: Option<&Bound<'_, PyAny>>, timeout: Option<Timeout>) -> PyResult<SeriesNumber> {
        let group = self.group(py, on)?;
        let number = match errors::call(py, || group.next_in_hand())? {
            Some(number) => number,
            None => waiting::take_numbers(py, &self.series, &group, Want::One, timeout)?[0].start,
        };
        errors::call(py, || self.series.check(&(number..number + 1)))?;
        Ok(SeriesNumber { number, of: Numbers::Series(self.series.clone(), group) })
    }
}

/// Bytes that the interpreter needs for a number in a list.
pub(crate) const NUMBER: usize = list::INT + size_of::<SeriesNumber>();

/// Makes a list of numbers.
fn numbers<'py>(
    py: Python<'py>,
    series: &Arc<leafmint::segment::Series>,
    group: &Arc<SeriesGroup>,
    ranges: Vec<Range<i64>>,
) -> PyResult<Bound<'py, PyList>> {
    for range in ranges.iter().filter(|range| !range.is_empty()) {
        errors::call(py, || series.check(range))?;
    }
    let count = ranges.iter().map(|range| range.end - range.start).sum::<i64>();
    list_of(py, count as usize, ranges.into_iter().flatten(), || Numbers::Series(series.clone(), group.clone()))
}

/// Makes a list of numbers that nothing refuses.
pub(crate) fn list_of(
    py: Python<'_>,
    count: usize,
    numbers: impl Iterator<Item = i64>,
    of: impl Fn() -> Numbers,
) -> PyResult<Bound<'_, PyList>> {
    list::of(py, count, numbers, |number| Ok(Bound::new(py, SeriesNumber { number, of: of() })?.into_any()))
}

#[pymethods]
impl Series {
    /// The name, without the key.
    #[getter]
    fn name(&self) -> &str {
        self.series.name()
    }

    /// The period after which the numbers start again: "day", "month", "year" or "forever".
    #[getter]
    fn period(&self) -> String {
        self.series.period().to_string()
    }

    /// The name of the time zone; None if the numbers never start again.
    #[getter]
    fn zone(&self) -> Option<&str> {
        self.zone.as_ref().map(|zone| zone.name.as_str())
    }

    /// The key; None for none.
    #[getter]
    fn key(&self) -> Option<&str> {
        self.series.key()
    }

    /// Returns the next number, and waits for one if the supply has run out.
    ///
    /// Args:
    ///     on: The date of the document, whatever today is; by default the present date in the zone. A datetime is
    ///         refused: its date depends on a time zone.
    ///     timeout: Longest wait: seconds, text such as "500ms", or a timedelta; by default the option `timeout`.
    ///
    /// Raises:
    ///     SegmentUnavailableError: The store has not answered within the timeout.
    ///     InvalidConfigError: The store has the series with another period or zone, its tables cannot be used, or this
    ///         machine's clock has reached a period that has not begun by the database's.
    ///     IdSpaceExhaustedError: The number does not fit the format.
    ///     StoreRegressedError: The store leased a range below an earlier one.
    ///     InvalidArgumentError: An argument is out of range, or `on` is given although the numbers never start again.
    ///     ClosedError: The generator is closed.
    #[pyo3(signature = (*, on = None, timeout = None))]
    fn next(&self, py: Python<'_>, on: Option<&Bound<'_, PyAny>>, timeout: Option<Timeout>) -> PyResult<SeriesNumber> {
        self.one(py, on, timeout)
    }

    /// Returns numbers of one period in ascending order.
    ///
    /// Args:
    ///     count: How many, 0 to 2**26.
    ///     on: As in `next`.
    ///     timeout: As in `next`.
    ///
    /// Raises:
    ///     LeafmintError: As in `next`.
    #[pyo3(signature = (count, *, on = None, timeout = None))]
    fn next_many<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        on: Option<&Bound<'py, PyAny>>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyList>> {
        let want = batch::many(count, NUMBER)?;
        let group = self.group(py, on)?;
        let ranges = waiting::take_numbers(py, &self.series, &group, want, timeout)?;
        numbers(py, &self.series, &group, ranges)
    }

    /// Begins `next_async`.
    #[pyo3(name = "_begin_next")]
    fn begin_next<'py>(
        &self,
        py: Python<'py>,
        on: Option<&Bound<'py, PyAny>>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let group = self.group(py, on)?;
        let (series, of) = (self.series.clone(), group.clone());
        awaiting::begin(
            py,
            || self.series.begin(&group, Want::One, awaiting::duration(timeout)),
            move |py, ranges| {
                errors::call(py, || series.check(&ranges[0]))?;
                let of = Numbers::Series(series.clone(), of.clone());
                let number = SeriesNumber { number: ranges[0].start, of };
                Ok(Bound::new(py, number)?.into_any())
            },
        )
    }

    /// Begins `next_many_async`.
    #[pyo3(name = "_begin_many")]
    fn begin_many<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        on: Option<&Bound<'py, PyAny>>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let want = batch::many(count, NUMBER)?;
        let group = self.group(py, on)?;
        let (series, of) = (self.series.clone(), group.clone());
        awaiting::begin(
            py,
            || self.series.begin(&group, want, awaiting::duration(timeout)),
            move |py, ranges| Ok(numbers(py, &series, &of, ranges)?.into_any()),
        )
    }

    /// Returns the next number, as `next()` does.
    fn __call__(&self, py: Python<'_>) -> PyResult<SeriesNumber> {
        self.one(py, None, None)
    }

    fn __repr__(&self) -> String {
        format!("<leafmint.{:?}>", self.series)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(pickling::refuse(&slf.get_type(), "SegmentGenerator"))
    }
}

/// What a number is one of: a period of a series, or of a sequence without gaps.
pub(crate) enum Numbers {
    Series(Arc<leafmint::segment::Series>, Arc<SeriesGroup>),
    Sequence(Arc<Sequence>, Arc<SequenceGroup>),
}

impl Numbers {
    /// Returns the period as text.
    fn group(&self) -> &str {
        match self {
            Self::Series(_, group) => group.text(),
            Self::Sequence(_, group) => group.text(),
        }
    }

    fn date(&self) -> Option<CalendarDate> {
        match self {
            Self::Series(_, group) => group.date(),
            Self::Sequence(_, group) => group.date(),
        }
    }

    /// Returns the name of the row that counts the period.
    fn row(&self) -> &str {
        match self {
            Self::Series(_, group) => group.tag_name(),
            Self::Sequence(_, group) => group.row(),
        }
    }

    fn text(&self, number: i64) -> leafmint::Result<String> {
        match self {
            Self::Series(series, group) => series.text(group, number),
            Self::Sequence(sequence, group) => sequence.text(group, number),
        }
    }
}

/// A number of a series. Returned by `Series.next`, and by the `next` of a sequence without gaps.
///
/// Immutable; compares by series, period and number. `str(number)` is its text.
///
/// Example:
///     >>> import leafmint
///     >>> ids = leafmint.SegmentGenerator("memory://series_number")
///     >>> str(ids.series("customer", period="forever", format="C{number:6}-{check:damm}").next())
///     'C000001-3'
#[pyclass(frozen, eq, hash, module = "leafmint")]
pub(crate) struct SeriesNumber {
    pub(crate) number: i64,
    pub(crate) of: Numbers,
}

impl SeriesNumber {
    fn key(&self) -> (bool, &str, i64) {
        (matches!(self.of, Numbers::Series(..)), self.of.row(), self.number)
    }
}

impl PartialEq for SeriesNumber {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Hash for SeriesNumber {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

#[pymethods]
impl SeriesNumber {
    /// The number, 1 or more.
    #[getter]
    fn number(&self) -> i64 {
        self.number
    }

    /// The period as text: "2026-11-25", "2026-11" or "2026"; empty if the numbers never start again.
    #[getter]
    fn group(&self) -> &str {
        self.of.group()
    }

    /// The first day of the period; None if the numbers never start again.
    #[getter]
    fn date<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDate>>> {
        self.of.date().map(|date| datetime::from_date(py, date)).transpose()
    }

    /// The number in the format of the series.
    ///
    /// Raises:
    ///     InvalidConfigError: The series has no format.
    ///     IdSpaceExhaustedError: The number does not fit the format.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        errors::call(py, || self.of.text(self.number))
    }

    /// Returns the number in the format of the series.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }

    fn __repr__(&self) -> String {
        format!("<leafmint.SeriesNumber {} of {:?}>", self.number, self.of.row())
    }
}
