//! From the core's figures to plain dicts.

use leafmint::segment::{SegmentStats, StatValue, TAG_STATS, TagStats};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns `{"scope": str, "tags": {tag: {figure: value}}}`.
pub(crate) fn to_dict<'py>(py: Python<'py>, stats: &SegmentStats) -> PyResult<Bound<'py, PyDict>> {
    let tags = PyDict::new(py);
    for (name, figures) in &stats.tags {
        tags.set_item(name, of_tag(py, figures)?)?;
    }
    let all = PyDict::new(py);
    all.set_item("scope", &stats.scope)?;
    all.set_item("tags", tags)?;
    Ok(all)
}

fn of_tag<'py>(py: Python<'py>, figures: &TagStats) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in TAG_STATS.iter().zip(figures.fields()) {
        match value {
            StatValue::Count(count) => dict.set_item(name, count)?,
            StatValue::Measure(measure) => dict.set_item(name, measure)?,
            StatValue::Text(text) => dict.set_item(name, text)?,
        }
    }
    Ok(dict)
}
