//! Converts the statistics of the core to dicts.

use leafmint::StatValue;
use leafmint::segment::TAG_STATS;
use leafmint::segment::{SegmentStats, TagStats};
use leafmint::snowflake::SNOWFLAKE_STATS;
use leafmint::snowflake::SnowflakeStats;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns `{"scope": str, "tags": {tag: {figure: value}}}`.
pub(crate) fn of_segments<'py>(py: Python<'py>, stats: &SegmentStats) -> PyResult<Bound<'py, PyDict>> {
    let tags = PyDict::new(py);
    for (name, figures) in &stats.tags {
        tags.set_item(name, of_tag(py, figures)?)?;
    }
    let all = PyDict::new(py);
    all.set_item("scope", &stats.scope)?;
    all.set_item("tags", tags)?;
    Ok(all)
}

/// Returns `{figure: value}`.
pub(crate) fn of_tag<'py>(py: Python<'py>, stats: &TagStats) -> PyResult<Bound<'py, PyDict>> {
    figures_by_name(py, &TAG_STATS, &stats.fields())
}

/// Returns `{figure: value}`.
pub(crate) fn of_snowflakes<'py>(py: Python<'py>, stats: &SnowflakeStats) -> PyResult<Bound<'py, PyDict>> {
    figures_by_name(py, &SNOWFLAKE_STATS, &stats.fields())
}

fn figures_by_name<'py>(py: Python<'py>, names: &[&str], figures: &[StatValue]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in names.iter().zip(figures) {
        match value {
            StatValue::Count(count) => dict.set_item(name, count)?,
            StatValue::Measure(measure) => dict.set_item(name, measure)?,
            StatValue::Text(text) => dict.set_item(name, text)?,
        }
    }
    Ok(dict)
}
