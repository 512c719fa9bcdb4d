//! Checks what generators would be opened with, without an event.

use crate::borrowed::Given;
use crate::segment::SegmentGenerator;
use crate::{errors, options};
use leafmint::config::SnowflakeConfig;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns a generator that checks names and options, and that no event reports. Connects to nothing.
#[pyfunction]
#[pyo3(name = "_segments_for_checks")]
pub(crate) fn segments_for_checks(
    py: Python<'_>,
    url: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<SegmentGenerator> {
    let (given, options) = (Given::read(url)?, options::read(options)?);
    let generator = errors::call(py, || leafmint::open::segment_for_checks(given.database(), options))?;
    Ok(SegmentGenerator::over(generator))
}

/// Raises what opening a generator of snowflakes would raise for its URL and options. Connects to nothing.
#[pyfunction]
#[pyo3(name = "_check_snowflakes")]
pub(crate) fn check_snowflakes(
    py: Python<'_>,
    url: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<()> {
    let (given, options) = (Given::read(url)?, options::read(options)?);
    errors::call(py, || SnowflakeConfig::of(given.database(), options).map(drop))
}
