//! The class `Format`.

use crate::arguments::{self, saturating_int, string};
use crate::{datetime, errors, records};
use leafmint::ErrorKind::{InvalidArgument, InvalidConfig, InvalidId};
use leafmint::NumberParts;
use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The format of a number that people read: literals, and fields in braces.
///
/// The fields are {number} (also {number:6}, {number:base32:8} and {number:base36:8}), {year}, {yy}, {month}, {day},
/// {key}, {shard:4}, and at the end {check:damm}, {check:mod37_36}, {check:luhn} or {check:mod97_10}. {{ and }} are
/// braces. A text depends on nothing but its parts, never on a clock.
///
/// Immutable; compares by its text, and can be pickled.
///
/// Args:
///     text: The literals and fields.
///
/// Raises:
///     InvalidConfigError: The format is invalid, or its texts could be read in two ways; the message names every
///         problem.
///
/// Example:
///     >>> from datetime import date
///     >>> import leafmint
///     >>> invoices = leafmint.Format("INV-{yy}{month}{day}-{number:6}-{check:damm}")
///     >>> invoices.format(42, on=date(2026, 11, 25))
///     'INV-261125-000042-6'
///     >>> invoices.parse("inv261125-OOO0426", forgiving=True)
///     NumberParts(number=42, date=datetime.date(2026, 11, 25), key=None, shard=None)
#[pyclass(frozen, eq, hash, module = "leafmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Format(leafmint::Format);

impl Format {
    /// Reads a format: itself, or its text.
    pub(crate) fn read(value: &Bound<'_, PyAny>) -> PyResult<leafmint::Format> {
        match value.cast::<Self>() {
            Ok(format) => Ok(format.get().0.clone()),
            Err(_) => Ok(Self::of(value)?.0),
        }
    }

    /// Reads the text of a format: that of itself, or a str, which is not checked.
    pub(crate) fn read_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
        match value.cast::<Self>() {
            Ok(format) => Ok(format.get().0.text().to_owned()),
            Err(_) => arguments::text(string(value, "format")?, InvalidConfig, "the format"),
        }
    }
}

#[pymethods]
impl Format {
    #[new]
    fn of(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        let format = arguments::borrowed_text(string(text, "text")?, InvalidConfig, "the format")?;
        errors::call(text.py(), || leafmint::Format::new(format)).map(Self)
    }

    /// The format's own text.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    /// The largest number that fits; None if the number has no width.
    #[getter]
    fn largest(&self) -> Option<i64> {
        Some(self.0.largest()).filter(|largest| *largest < i64::MAX)
    }

    /// Returns a number as text.
    ///
    /// Args:
    ///     number: The number, not negative.
    ///     on: The date, if the format has a field of it. A datetime is refused: its date depends on a time zone.
    ///     key: The key, if the format has one: 1 to 64 visible ASCII characters, a hyphen neither first nor last.
    ///     shard: The shard, if the format has one.
    ///
    /// Raises:
    ///     IdSpaceExhaustedError: The number does not fit its width.
    ///     InvalidArgumentError: The number is negative, or another part does not fit, is missing, or is given although
    ///         the format has no field of it.
    #[pyo3(signature = (number, *, on = None, key = None, shard = None))]
    fn format(
        &self,
        number: &Bound<'_, PyAny>,
        on: Option<&Bound<'_, PyAny>>,
        key: Option<&Bound<'_, PyAny>>,
        shard: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let py = number.py();
        let number = arguments::exact_int(number, InvalidArgument, "number")?;
        let date = on.map(|on| datetime::to_date(on, "on")).transpose()?;
        let key = match key {
            Some(key) => Some(arguments::borrowed_text(string(key, "key")?, InvalidArgument, "the key")?),
            None => None,
        };
        let shard = shard.map(|shard| saturating_int(shard, "shard")).transpose()?;
        errors::call(py, || self.0.format(&NumberParts { number, date, key, shard }))
    }

    /// Parses a number. Accepts exactly the texts that `format` writes, unless `forgiving`.
    ///
    /// Args:
    ///     text: The number.
    ///     forgiving: Whether to accept what people write: small letters, hyphens left out or added between fields, O
    ///         for 0, and I and L for 1 in digits and in base 32. A key is taken as it is written.
    ///
    /// Returns:
    ///     The parts. What the format does not have is None, and of a date 1.
    ///
    /// Raises:
    ///     InvalidIdError: The text is not a number of this format; the message names the field, its text and what was
    ///         expected.
    #[pyo3(signature = (text, *, forgiving = false))]
    fn parse<'py>(&self, text: &Bound<'py, PyAny>, forgiving: bool) -> PyResult<Bound<'py, PyAny>> {
        let py = text.py();
        let number = arguments::borrowed_text(string(text, "text")?, InvalidId, "the number")?;
        let parse = || if forgiving { self.0.parse_forgiving(number) } else { self.0.parse(number) };
        records::number_parts(py, errors::call(py, parse)?)
    }

    /// Returns the format's own text.
    fn __str__(&self) -> &str {
        self.0.text()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let text = pyo3::types::PyString::new(slf.py(), slf.get().0.text());
        Ok(format!("leafmint.Format({})", text.repr()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&str,)) {
        (Self::type_object(py), (self.0.text(),))
    }
}
