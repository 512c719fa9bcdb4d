//! The class `Layout`.

use crate::arguments::{self, whole, whole_or};
use crate::decoded_id::DecodedId;
use crate::{errors, moment};
use leafmint::ErrorKind::InvalidConfig;
use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::time::Duration;

/// Which bits of an id mean what: sign 0, timestamp, datacenter, worker id, sequence, gene, from the highest to the lowest.
///
/// `text` is "leaf", "datacenter", "wide", "javascript", or bits like "timestamp:41,worker:10,sequence:12", to which
/// "datacenter:", "gene:" and "unit:" (as in "unit:10ms") may be added. `epoch` is when tick 0 starts, in Unix milliseconds;
/// without it it is Leaf's, 1288834974657. A layout needs no generator, compares by its meaning, and can be pickled.
///
/// Raises InvalidConfigError with every problem found.
#[pyclass(frozen, eq, hash, module = "leafmint")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Layout(pub(crate) leafmint::Layout);

#[pymethods]
impl Layout {
    #[new]
    #[pyo3(signature = (text = None, epoch = None), text_signature = "(text='leaf', epoch=None)")]
    fn parse(py: Python<'_>, text: Option<&Bound<'_, PyAny>>, epoch: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let text = match text {
            Some(given) => arguments::borrowed(arguments::string(given, "text")?, InvalidConfig, "the layout")?,
            None => "leaf",
        };
        let epoch = epoch.map(|epoch| whole(epoch, "epoch")).transpose()?;
        errors::call(py, || leafmint::Layout::parse(text, epoch)).map(Self)
    }

    /// The bits of the timestamp.
    #[getter]
    fn timestamp_bits(&self) -> u32 {
        self.0.bits().timestamp
    }

    /// The bits of the datacenter, 0 for none.
    #[getter]
    fn datacenter_bits(&self) -> u32 {
        self.0.bits().datacenter
    }

    /// The bits of the worker id.
    #[getter]
    fn worker_bits(&self) -> u32 {
        self.0.bits().worker
    }

    /// The bits of the sequence.
    #[getter]
    fn sequence_bits(&self) -> u32 {
        self.0.bits().sequence
    }

    /// The bits of the gene, 0 for none.
    #[getter]
    fn gene_bits(&self) -> u32 {
        self.0.bits().gene
    }

    /// The length of a tick, as a timedelta.
    #[getter]
    fn unit(&self) -> Duration {
        self.0.unit()
    }

    /// When tick 0 starts, in Unix milliseconds.
    #[getter]
    fn epoch(&self) -> i64 {
        self.0.epoch()
    }

    /// When the time bits run out, as an aware datetime in UTC.
    #[getter]
    fn runs_out<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        moment::to_datetime(py, self.0.runs_out())
    }

    /// The highest id: all its bits are 1.
    #[getter]
    fn last_id(&self) -> i64 {
        self.0.last_id()
    }

    /// All bits, the unit and the epoch as one text: equal layouts, and no others, have the same.
    #[getter]
    fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }

    /// Takes an id apart. Raises InvalidIdError where it is negative, or has more bits than the layout.
    fn decode(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<DecodedId> {
        DecodedId::of(py, self.0, arguments::id(id)?)
    }

    /// Puts an id together out of a time and the other parts.
    ///
    /// `timestamp` is an aware datetime, or an int of Unix milliseconds. Raises IdSpaceExhaustedError where the time bits have
    /// run out by then, and InvalidArgumentError before the epoch, for a datetime without a time zone, and where another part
    /// does not fit its bits.
    #[pyo3(signature = (timestamp, worker_id, sequence, *, datacenter_id = None, gene = None),
           text_signature = "($self, timestamp, worker_id, sequence, *, datacenter_id=0, gene=0)")]
    fn compose(
        &self,
        timestamp: &Bound<'_, PyAny>,
        worker_id: &Bound<'_, PyAny>,
        sequence: &Bound<'_, PyAny>,
        datacenter_id: Option<&Bound<'_, PyAny>>,
        gene: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<i64> {
        let tick = self.0.tick_at(moment::read(timestamp, "timestamp")?);
        let (worker_id, sequence) = (whole(worker_id, "worker_id")?, whole(sequence, "sequence")?);
        let (datacenter_id, gene) = (whole_or(0, datacenter_id, "datacenter_id")?, whole_or(0, gene, "gene")?);
        errors::call(timestamp.py(), || self.0.compose(tick, datacenter_id, worker_id, sequence, gene))
    }

    /// Returns the lowest id of the tick that holds the time `at`: every id stamped then or later is not below it.
    ///
    /// `at` is an aware datetime, or an int of Unix milliseconds. The ids made from `a` up to but without `b`, both at the start
    /// of a tick, are those with min_id(a) <= id < min_id(b). Raises InvalidArgumentError for a datetime without a time zone,
    /// before the epoch, and once the time bits have run out.
    fn min_id(&self, at: &Bound<'_, PyAny>) -> PyResult<i64> {
        let millis = moment::read(at, "at")?;
        errors::call(at.py(), || self.0.min_id(millis))
    }

    /// Returns the highest id of the tick that holds the time `at`: every id stamped then or earlier is not above it.
    ///
    /// Takes and raises what `min_id` does.
    fn max_id(&self, at: &Bound<'_, PyAny>) -> PyResult<i64> {
        let millis = moment::read(at, "at")?;
        errors::call(at.py(), || self.0.max_id(millis))
    }

    /// Returns the bits and the unit, in the form that `Layout` reads; the epoch is not part of it.
    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("leafmint.Layout('{}', epoch={})", self.0, self.0.epoch())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, i64)) {
        (Self::type_object(py), (self.0.to_string(), self.0.epoch()))
    }
}
