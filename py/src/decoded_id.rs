//! The class `DecodedId`.

use crate::{arguments, datetime, errors};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The parts of an id. Made by `decode` of a layout or of a snowflake generator.
///
/// Immutable; compares by layout and id, and can be pickled.
///
/// Example:
///     >>> import leafmint
///     >>> decoded = leafmint.Layout("leaf").decode(2116681624581074986)
///     >>> decoded.timestamp.isoformat(), decoded.worker_id, decoded.sequence
///     ('2026-11-01T00:00:00+00:00', 7, 42)
#[pyclass(frozen, eq, hash, module = "leafmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct DecodedId {
    layout: leafmint::Layout,
    parts: leafmint::DecodedId,
}

impl DecodedId {
    pub(crate) fn of(py: Python<'_>, layout: leafmint::Layout, id: i64) -> PyResult<Self> {
        let parts = errors::call(py, || layout.decode(id))?;
        Ok(Self { layout, parts })
    }
}

#[pymethods]
impl DecodedId {
    /// The id itself.
    #[getter]
    fn id(&self) -> i64 {
        self.parts.id
    }

    /// The start of the id's tick, as an aware datetime in UTC.
    #[getter]
    fn timestamp<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime::from_unix_millis(py, self.parts.timestamp)
    }

    /// The start of the id's tick, in Unix milliseconds.
    #[getter]
    fn timestamp_millis(&self) -> i64 {
        self.parts.timestamp
    }

    /// The datacenter id; 0 if the layout has no bits for it.
    #[getter]
    fn datacenter_id(&self) -> i64 {
        self.parts.datacenter
    }

    /// The worker id.
    #[getter]
    fn worker_id(&self) -> i64 {
        self.parts.worker_id
    }

    /// The sequence number within the tick.
    #[getter]
    fn sequence(&self) -> i64 {
        self.parts.sequence
    }

    /// The gene; 0 if the layout has no bits for it.
    #[getter]
    fn gene(&self) -> i64 {
        self.parts.gene
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let leafmint::DecodedId { id, datacenter, worker_id, sequence, gene, .. } = self.parts;
        let at = self.timestamp(py)?.call_method0(intern!(py, "isoformat"))?;
        Ok(format!(
            "<leafmint.DecodedId id={id} timestamp={at} datacenter_id={datacenter} worker_id={worker_id} sequence={sequence} \
             gene={gene}>"
        ))
    }

    /// Decodes an id by the text and the epoch of a layout. Pickles name this method.
    #[classmethod]
    fn _decode(_class: &Bound<'_, PyType>, id: &Bound<'_, PyAny>, layout: &str, epoch: i64) -> PyResult<Self> {
        let py = id.py();
        let layout = errors::call(py, || leafmint::Layout::parse(layout, Some(epoch)))?;
        Self::of(py, layout, arguments::id(id)?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (i64, String, i64))> {
        let Self { layout, parts } = slf.get();
        let decode = slf.get_type().getattr(intern!(slf.py(), "_decode"))?;
        Ok((decode, (parts.id, layout.to_string(), layout.epoch())))
    }
}
