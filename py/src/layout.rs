//! The classes `Layout` and `DecodedId`.

use crate::arguments::{self, saturating_int, saturating_int_or};
use crate::decode_array::decode_array;
use crate::{datetime, errors, pickling};
use leafmint::ErrorKind::InvalidConfig;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyRange, PyType};
use pyo3::{PyTypeInfo, intern};
use std::time::Duration;

/// The layout of a 63-bit id: timestamp, datacenter, worker id, sequence and gene, from the high bits to the low.
///
/// A layout decodes and composes ids without a generator. Immutable; compares by its meaning, and can be pickled.
///
/// Args:
///     text: A preset ("leaf", "datacenter", "wide" or "javascript"), or bits such as
///         "timestamp:41,worker:10,sequence:12". "datacenter:", "gene:" and "unit:" (the length of a tick, as in
///         "unit:10ms") may be added.
///     epoch: The start of tick 0: an aware datetime, its text in UTC such as "2020-01-01T00:00:00Z", or an int of Unix
///         milliseconds; by default Leaf's epoch, 2010-11-04T01:42:54.657Z.
///
/// Raises:
///     InvalidConfigError: An argument is invalid; the message names every problem.
///
/// Example:
///     >>> from datetime import datetime, timezone
///     >>> import leafmint
///     >>> leaf = leafmint.Layout("leaf")
///     >>> november = datetime(2026, 11, 1, tzinfo=timezone.utc)
///     >>> leaf.compose(november, worker_id=7, sequence=42)
///     2116681624581074986
///     >>> leaf.min_id(november) <= 2116681624581074986 <= leaf.max_id(november)
///     True
#[pyclass(frozen, eq, hash, module = "leafmint")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Layout(pub(crate) leafmint::Layout);

#[pymethods]
impl Layout {
    #[new]
    #[pyo3(signature = (text = None, *, epoch = None), text_signature = "(text='leaf', *, epoch=None)")]
    fn parse(py: Python<'_>, text: Option<&Bound<'_, PyAny>>, epoch: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let text = match text {
            Some(value) => arguments::borrowed_text(arguments::string(value, "text")?, InvalidConfig, "the layout")?,
            None => "leaf",
        };
        let epoch = epoch.map(datetime::epoch).transpose()?;
        errors::call(py, || leafmint::Layout::parse(text, epoch)).map(Self)
    }

    /// The number of timestamp bits.
    #[getter]
    fn timestamp_bits(&self) -> u32 {
        self.0.bits().timestamp
    }

    /// The number of datacenter bits; 0 for none.
    #[getter]
    fn datacenter_bits(&self) -> u32 {
        self.0.bits().datacenter
    }

    /// The number of worker id bits.
    #[getter]
    fn worker_bits(&self) -> u32 {
        self.0.bits().worker
    }

    /// The number of sequence bits.
    #[getter]
    fn sequence_bits(&self) -> u32 {
        self.0.bits().sequence
    }

    /// The number of gene bits; 0 for none.
    #[getter]
    fn gene_bits(&self) -> u32 {
        self.0.bits().gene
    }

    /// The length of a tick, as a timedelta.
    #[getter]
    fn unit(&self) -> Duration {
        self.0.unit()
    }

    /// The start of tick 0, as an aware datetime in UTC.
    #[getter]
    fn epoch<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime::from_unix_millis(py, self.0.epoch())
    }

    /// The time at which the timestamp bits run out, as an aware datetime in UTC.
    #[getter]
    fn runs_out<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime::from_unix_millis(py, self.0.runs_out())
    }

    /// The highest id, with all bits set.
    #[getter]
    fn last_id(&self) -> i64 {
        self.0.last_id()
    }

    /// The bits, the unit and the epoch as text. Two layouts are equal if and only if their fingerprints are.
    #[getter]
    fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }

    /// Returns the parts of an id.
    ///
    /// Raises:
    ///     InvalidIdError: The id is negative, or has more bits than the layout.
    fn decode(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<DecodedId> {
        DecodedId::of(py, self.0, arguments::id(id)?)
    }

    /// Returns the parts of many ids as columns: `DataFrame(layout.decode_array(ids))` works in pandas and polars.
    ///
    /// The columns are "timestamp", "datacenter_id", "worker_id", "sequence" and "gene": NumPy arrays of int64, the
    /// timestamp as datetime64[ms] in UTC. If NumPy is not installed, they are of the type array('q'), the timestamp in
    /// Unix milliseconds.
    ///
    /// Args:
    ///     ids: A NumPy array, a column of pandas or polars, or another iterable of ints.
    ///
    /// Raises:
    ///     InvalidIdError: An id is negative, or has more bits than the layout; the message has its index.
    fn decode_array<'py>(&self, ids: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        decode_array(&self.0, ids)
    }

    /// Returns the id that consists of a time and the other parts.
    ///
    /// Args:
    ///     timestamp: An aware datetime, or an int of Unix milliseconds.
    ///     worker_id: 0 to 2**worker_bits - 1.
    ///     sequence: 0 to 2**sequence_bits - 1.
    ///     datacenter_id: 0 to 2**datacenter_bits - 1.
    ///     gene: 0 to 2**gene_bits - 1.
    ///
    /// Raises:
    ///     InvalidArgumentError: The time is before the epoch or has no time zone, or a part does not fit its bits.
    ///     IdSpaceExhaustedError: The time is past the last tick of the layout.
    #[pyo3(signature = (timestamp, *, worker_id, sequence, datacenter_id = None, gene = None),
           text_signature = "($self, timestamp, *, worker_id, sequence, datacenter_id=0, gene=0)")]
    fn compose(
        &self,
        timestamp: &Bound<'_, PyAny>,
        worker_id: &Bound<'_, PyAny>,
        sequence: &Bound<'_, PyAny>,
        datacenter_id: Option<&Bound<'_, PyAny>>,
        gene: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<i64> {
        let tick = self.0.tick_at(datetime::to_unix_millis(timestamp, "timestamp")?);
        let (worker_id, sequence) = (saturating_int(worker_id, "worker_id")?, saturating_int(sequence, "sequence")?);
        let (datacenter_id, gene) =
            (saturating_int_or(0, datacenter_id, "datacenter_id")?, saturating_int_or(0, gene, "gene")?);
        errors::call(timestamp.py(), || self.0.compose(tick, datacenter_id, worker_id, sequence, gene))
    }

    /// Returns the lowest id of the tick that contains a time: the lower bound of a range query.
    ///
    /// The ids stamped from `a` until before `b`, both at the start of a tick, are those with
    /// `min_id(a) <= id < min_id(b)`.
    ///
    /// Args:
    ///     at: An aware datetime, or an int of Unix milliseconds.
    ///
    /// Raises:
    ///     InvalidArgumentError: The time has no time zone, is before the epoch, or is past the last tick of the
    ///         layout.
    fn min_id(&self, at: &Bound<'_, PyAny>) -> PyResult<i64> {
        let millis = datetime::to_unix_millis(at, "at")?;
        errors::call(at.py(), || self.0.min_id(millis))
    }

    /// Returns the highest id of the tick that contains a time: the upper bound of a range query. For a span such as a
    /// day, use `id_range`.
    ///
    /// Args:
    ///     at: An aware datetime, or an int of Unix milliseconds.
    ///
    /// Raises:
    ///     InvalidArgumentError: The time has no time zone, is before the epoch, or is past the last tick of the
    ///         layout.
    fn max_id(&self, at: &Bound<'_, PyAny>) -> PyResult<i64> {
        let millis = datetime::to_unix_millis(at, "at")?;
        errors::call(at.py(), || self.0.max_id(millis))
    }

    /// Returns the range of the ids that were stamped in a span of time, for `WHERE id >= r.start AND id < r.stop`.
    ///
    /// A tick that the span only touches counts whole.
    ///
    /// Args:
    ///     start: An aware datetime, or an int of Unix milliseconds.
    ///     end: The end of the span, which is excluded.
    ///
    /// Raises:
    ///     InvalidArgumentError: A time has no time zone, is before the epoch, or is past the last tick of the
    ///         layout, or the span ends before it starts.
    fn id_range<'py>(&self, start: &Bound<'py, PyAny>, end: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyRange>> {
        let py = start.py();
        let (start, end) = (datetime::to_unix_millis(start, "start")?, datetime::to_unix_millis(end, "end")?);
        let range = errors::call(py, || self.0.id_range(start, end))?;
        PyRange::new(py, range.start as isize, range.end as isize)
    }

    /// Returns the bits and the unit as text that `Layout` accepts, without the epoch.
    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("leafmint.Layout('{}', epoch='{}')", self.0, leafmint::layout::date(self.0.epoch()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let made = pickling::by_keywords(&Self::type_object(py), &[("epoch", self.0.epoch())].into_py_dict(py)?)?;
        Ok((made, (self.0.to_string(),)))
    }
}

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
