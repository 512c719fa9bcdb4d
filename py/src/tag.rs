//! The class `Tag`.

use crate::arguments::{Timeout, saturating_int};
use crate::at_exit::Open;
use crate::awaiting::duration;
use crate::fastcall::{MintsFast, SlowPath};
use crate::{awaiting, batch, errors, list, pickling, records, waiting};
use leafmint::Want;
use leafmint::segment::Dry;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::hash::{Hash, Hasher};
use std::iter::once;
use std::ops::Range;
use std::sync::Arc;

/// Mints the ids of one tag. Made by `SegmentGenerator.tag`.
///
/// Ids are unique among all processes that share the store, and strictly increase; with relaxed order they increase per
/// thread. Thread-safe. A tag is also a callable that returns the next id; it is not iterable. A tag with gene bits has
/// only `next_id(gene=...)`: every other call raises InvalidArgumentError. Tags are equal if generator, name, gene bits
/// and order are the same.
///
/// Example:
///     >>> import leafmint
///     >>> order = leafmint.SegmentGenerator("memory://tag").tag("order")
///     >>> order.next_id(), order(), order.next_ids(3), order.next_range(2)
///     (1, 2, [3, 4, 5], range(6, 8))
#[pyclass(frozen, eq, hash, weakref, module = "leafmint")]
pub(crate) struct Tag {
    tag: leafmint::BizTag,
    /// Keeps the generator open, so that the exit of the interpreter finds and closes it.
    _generator: Arc<Open<leafmint::SegmentGenerator>>,
}

impl Tag {
    pub(crate) fn new(tag: leafmint::BizTag, generator: Arc<Open<leafmint::SegmentGenerator>>) -> Self {
        Self { tag, _generator: generator }
    }

    /// Returns the next id. Does not detach from the interpreter if an id is in hand: that would cost more than the id.
    #[inline]
    fn one(&self, py: Python<'_>, timeout: Option<Timeout>) -> PyResult<i64> {
        waiting::take_one(py, || self.tag.next_id_or_wait(duration(timeout)))
    }

    /// Returns ids as a first range and, if that is not enough, more ranges.
    #[inline]
    fn many(&self, py: Python<'_>, want: Want, timeout: Option<Timeout>) -> PyResult<(Range<i64>, Vec<Range<i64>>)> {
        if let Want::Many(count) | Want::Run(count) = want
            && let Some(ids) = errors::call(py, || Ok(self.tag.run_in_hand(count)))?
        {
            return Ok((ids, Vec::new()));
        }
        let mut ranges = waiting::take(py, &self.tag, want, timeout)?;
        let first = ranges.remove(0);
        Ok((first, ranges))
    }

    /// Begins to take ids: returns the answer, or the call to wait for.
    fn begin<'py>(
        &self,
        py: Python<'py>,
        want: Want,
        timeout: Option<Timeout>,
        convert: fn(Python<'_>, Vec<Range<i64>>) -> PyResult<Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.tag.begin(want, duration(timeout)), convert)
    }

    fn one_with_gene(&self, py: Python<'_>, gene: i64, timeout: Option<Timeout>) -> PyResult<i64> {
        waiting::take_one(py, || self.tag.after_dry(Dry::default(), Some(gene), duration(timeout)))
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        self.tag == other.tag
    }
}

impl Hash for Tag {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.tag.hash(state);
    }
}

impl MintsFast for Tag {
    type Dry = Dry;

    #[inline]
    fn draw(this: &Bound<'_, Self>) -> Result<i64, Dry> {
        this.get().tag.draw()
    }

    fn after_dry(this: &Bound<'_, Self>, dry: Dry) -> PyResult<i64> {
        waiting::take_one(this.py(), || this.get().tag.after_dry(dry, None, None))
    }

    fn slow_path() -> &'static SlowPath {
        static SLOW_PATH: SlowPath = SlowPath::unset();
        &SLOW_PATH
    }
}

#[pymethods]
impl Tag {
    /// The number of low bits of an id that carry a gene; 0 for none.
    #[getter]
    fn gene_bits(&self) -> i64 {
        self.tag.gene_bits()
    }

    /// The order of the ids: "strict", or "relaxed" if they increase per thread only.
    #[getter]
    fn order(&self) -> String {
        self.tag.order().to_string()
    }

    /// The name of the tag.
    #[getter]
    fn name(&self) -> &str {
        self.tag.name()
    }

    /// Returns the statistics of the tag.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        records::tag_stats(py, errors::call(py, || Ok(self.tag.stats()))?)
    }

    /// Returns the next id, and waits for one if the supply has run out.
    ///
    /// Args:
    ///     timeout: Longest wait: seconds, text such as "500ms", or a timedelta; by default the option `timeout`.
    ///     gene: 0 to 2**gene_bits - 1; required if the tag has gene bits, else not allowed.
    ///
    /// Raises:
    ///     SegmentUnavailableError: The store has not answered within the timeout.
    ///     UnknownTagError: The store has no row for the tag, and `auto_create` is off.
    ///     StoreRegressedError: The store leased a range below an earlier one.
    ///     IdSpaceExhaustedError: The numbers of the tag are used up.
    ///     InvalidConfigError: The account, the table, its row or the gene bits do not fit.
    ///     InvalidArgumentError: An argument is out of range.
    ///     ClosedError: The generator is closed.
    #[pyo3(signature = (*, timeout = None, gene = None))]
    fn next_id(&self, py: Python<'_>, timeout: Option<Timeout>, gene: Option<&Bound<'_, PyAny>>) -> PyResult<i64> {
        match gene {
            None => self.one(py, timeout),
            Some(gene) => self.one_with_gene(py, saturating_int(gene, "gene")?, timeout),
        }
    }

    /// Returns the next id, or None if none is in hand. Never waits; after None a refill is in progress.
    ///
    /// Raises:
    ///     StoreRegressedError: The store leased a range below an earlier one.
    ///     ClosedError: The generator is closed.
    fn try_next_id(&self, py: Python<'_>) -> PyResult<Option<i64>> {
        errors::call(py, || self.tag.try_next_id())
    }

    /// Returns ids in ascending order. There may be a gap between two segments.
    ///
    /// Args:
    ///     count: The number of ids, 0 to 2**26.
    ///     timeout: As in `next_id`.
    ///
    /// Raises:
    ///     LeafmintError: As in `next_id`.
    #[pyo3(signature = (count, *, timeout = None))]
    fn next_ids<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (first, rest) = self.many(py, batch::many_in_list(count)?, timeout)?;
        batch::list(py, &first, &rest)
    }

    /// Returns ids in ascending order, as a NumPy array of int64, or as an array('q') if NumPy is not installed.
    ///
    /// Faster than `next_ids` for large batches, because no int is made.
    ///
    /// Args:
    ///     count: The number of ids, 0 to 2**26.
    ///     timeout: As in `next_id`.
    ///
    /// Raises:
    ///     LeafmintError: As in `next_id`.
    #[pyo3(signature = (count, *, timeout = None))]
    fn next_array<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (first, rest) = self.many(py, batch::many_in_array(count)?, timeout)?;
        let count = once(&first).chain(&rest).map(|ids| ids.end - ids.start).sum::<i64>();
        batch::array(py, count as usize, once(first).chain(rest))
    }

    /// Returns consecutive ids as a range.
    ///
    /// If the rest of a segment is too short, it is skipped and counts as unused.
    ///
    /// Args:
    ///     count: The number of ids, 0 to 2**30, the most that one lease holds.
    ///     timeout: As in `next_id`.
    ///
    /// Raises:
    ///     LeafmintError: As in `next_id`.
    #[pyo3(signature = (count, *, timeout = None))]
    fn next_range<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        batch::range(py, &self.many(py, Want::Run(saturating_int(count, "count")?), timeout)?.0)
    }

    /// Begins `next_id_async`.
    #[pyo3(name = "_begin_id")]
    fn begin_id<'py>(
        &self,
        py: Python<'py>,
        timeout: Option<Timeout>,
        gene: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let gene = gene.map(|gene| saturating_int(gene, "gene")).transpose()?;
        let drawn = errors::call(py, || match gene {
            None => self.tag.next_id_or_wait(duration(timeout)),
            Some(_) => self.tag.after_dry(Dry::default(), gene, duration(timeout)),
        });
        match drawn? {
            Ok(id) => list::int(py, id),
            Err(wait) => awaiting::begin(py, || Ok(wait), batch::first),
        }
    }

    /// Begins `next_ids_async`.
    #[pyo3(name = "_begin_ids")]
    fn begin_ids<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let want = batch::many_in_list(count)?;
        self.begin(py, want, timeout, |py, ids| Ok(batch::list(py, &ids[0], &ids[1..])?.into_any()))
    }

    /// Begins `next_array_async`.
    #[pyo3(name = "_begin_array")]
    fn begin_array<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let want = batch::many_in_array(count)?;
        self.begin(py, want, timeout, |py, ids| {
            let count = ids.iter().map(|ids| ids.end - ids.start).sum::<i64>();
            batch::array(py, count as usize, ids.into_iter())
        })
    }

    /// Begins `next_range_async`.
    #[pyo3(name = "_begin_range")]
    fn begin_range<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let want = Want::Run(saturating_int(count, "count")?);
        self.begin(py, want, timeout, |py, ids| batch::range(py, &ids[0]))
    }

    /// Returns the next id, as `next_id()` does.
    fn __call__(&self, py: Python<'_>) -> PyResult<i64> {
        self.one(py, None)
    }

    fn __repr__(&self) -> String {
        format!("<leafmint.{:?}>", self.tag)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(pickling::refuse(&slf.get_type(), "SegmentGenerator"))
    }
}
