//! The class `DecodedId`.

use crate::layout::Layout;
use crate::{errors, moment};
use pyo3::intern;
use pyo3::prelude::*;

/// The parts of an id; comes from `decode` of a layout or of a generator.
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

    /// When the id's tick started, as an aware datetime in UTC.
    #[getter]
    fn timestamp<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        moment::to_datetime(py, self.parts.timestamp)
    }

    /// When the id's tick started, in Unix milliseconds.
    #[getter]
    fn timestamp_millis(&self) -> i64 {
        self.parts.timestamp
    }

    /// The datacenter; 0 where the layout has no bits for it.
    #[getter]
    fn datacenter_id(&self) -> i64 {
        self.parts.datacenter
    }

    /// The worker id.
    #[getter]
    fn worker_id(&self) -> i64 {
        self.parts.worker_id
    }

    /// The sequence within the tick.
    #[getter]
    fn sequence(&self) -> i64 {
        self.parts.sequence
    }

    /// The gene; 0 where the layout has no bits for it.
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (i64,))> {
        let layout = Layout(self.layout).into_pyobject(py)?;
        Ok((layout.getattr(intern!(py, "decode"))?, (self.parts.id,)))
    }
}
