//! The class `BizTag`.

use crate::arguments::{Timeout, whole};
use crate::at_exit::Open;
use crate::fastcall::{MintsFast, SlowPath};
use crate::{batch, errors, waiting};
use leafmint::Want;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyType};
use std::iter::once;
use std::ops::Range;
use std::sync::Arc;

/// Mints the ids of one tag; comes from `SegmentGenerator.biz_tag`.
///
/// Ids strictly increase (with relaxed order: for each thread), are unique among everyone who shares the store, and may be taken
/// from any thread. The tag is also a callable that returns the next id; it is not iterable. A tag with gene bits has only
/// `next_id(gene=...)`: every other call raises InvalidArgumentError.
#[pyclass(frozen, weakref, module = "leafmint")]
pub(crate) struct BizTag {
    tag: leafmint::BizTag,
    /// Held so that the generator is still found, and closed, at the interpreter's exit.
    _generator: Arc<Open<leafmint::SegmentGenerator>>,
}

impl BizTag {
    pub(crate) fn new(tag: leafmint::BizTag, generator: Arc<Open<leafmint::SegmentGenerator>>) -> Self {
        Self { tag, _generator: generator }
    }

    /// Stays attached to the interpreter while an id is in hand: detaching costs more than the id.
    #[inline]
    fn one(&self, py: Python<'_>, timeout: Option<Timeout>) -> PyResult<i64> {
        match errors::call(py, || self.tag.try_next_id())? {
            Some(id) => Ok(id),
            None => Ok(waiting::take(py, &self.tag, Want::One, timeout)?[0].start),
        }
    }

    /// Returns many ids: mostly of one range, else with those of more.
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

    fn one_with_gene(&self, py: Python<'_>, gene: i64, timeout: Option<Timeout>) -> PyResult<i64> {
        match errors::call(py, || self.tag.try_next_id_with_gene(gene))? {
            Some(id) => Ok(id),
            None => waiting::take_with_gene(py, &self.tag, gene, timeout),
        }
    }
}

impl MintsFast for BizTag {
    #[inline]
    fn in_hand(this: &Bound<'_, Self>) -> leafmint::Result<Option<i64>> {
        this.get().tag.try_next_id()
    }

    fn slow_path() -> &'static SlowPath {
        static SLOW_PATH: SlowPath = SlowPath::unset();
        &SLOW_PATH
    }
}

#[pymethods]
impl BizTag {
    /// How many lowest bits of an id carry a gene; 0 for none.
    #[getter]
    fn gene_bits(&self) -> i64 {
        self.tag.gene_bits()
    }

    /// How its ids follow on one another: "strict", or "relaxed" for each thread only.
    #[getter]
    fn order(&self) -> String {
        self.tag.order().to_string()
    }

    /// The tag's name.
    #[getter]
    fn name(&self) -> &str {
        self.tag.name()
    }

    /// Returns the next id, waiting where supply has run out.
    ///
    /// `timeout` is given as the option is: seconds, text as in "500ms", or timedelta; without it the option holds. `gene` goes into the tag's gene bits, which
    /// need one. Raises SegmentUnavailableError once the timeout is over, UnknownTagError, StoreRegressedError, IdSpaceExhaustedError, InvalidConfigError, InvalidArgumentError and ClosedError.
    #[pyo3(signature = (timeout = None, gene = None))]
    fn next_id(&self, py: Python<'_>, timeout: Option<Timeout>, gene: Option<&Bound<'_, PyAny>>) -> PyResult<i64> {
        match gene {
            None => self.one(py, timeout),
            Some(gene) => self.one_with_gene(py, whole(gene, "gene")?, timeout),
        }
    }

    /// Returns the next id if one is in hand, else None. Never waits; a refill is then under way.
    ///
    /// Raises StoreRegressedError and ClosedError.
    fn try_next_id(&self, py: Python<'_>) -> PyResult<Option<i64>> {
        errors::call(py, || self.tag.poll_next_id())
    }

    /// Returns `count` ids in ascending order, with a gap where a segment ends.
    ///
    /// `count` is 0 to 2**20, `timeout` as in `next_id`. Raises what `next_id` raises.
    #[pyo3(signature = (count, timeout = None))]
    fn next_ids<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (first, rest) = self.many(py, Want::Many(whole(count, "count")?), timeout)?;
        batch::list(py, &first, &rest)
    }

    /// Returns `count` ids in ascending order, as a NumPy array of int64, or as array('q') where NumPy is not installed.
    ///
    /// It costs per call, hardly per id. `count`, `timeout` and what is raised are as in `next_ids`.
    #[pyo3(signature = (count, timeout = None))]
    fn next_array<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = whole(count, "count")?;
        let (first, rest) = self.many(py, Want::Many(count), timeout)?;
        batch::array(py, count as usize, once(first).chain(rest))
    }

    /// Returns `count` ids in one piece, as a range.
    ///
    /// What is left of a segment that is too short is passed over, and counted as unused. `count` is 0 to 2**20, `timeout` as in
    /// `next_id`. Raises what `next_id` raises.
    #[pyo3(signature = (count, timeout = None))]
    fn next_range<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        batch::range(py, &self.many(py, Want::Run(whole(count, "count")?), timeout)?.0)
    }

    /// Returns the next id, as `next_id()`.
    fn __call__(&self, py: Python<'_>) -> PyResult<i64> {
        self.one(py, None)
    }

    fn __repr__(&self) -> String {
        format!("<leafmint.{:?}>", self.tag)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(not_copied(&slf.get_type(), "SegmentGenerator"))
    }
}

/// Says why a handle is neither pickled nor copied.
pub(crate) fn not_copied(class: &Bound<'_, PyType>, generator: &str) -> PyErr {
    let py = class.py();
    match class.getattr(intern!(py, "__name__")) {
        Ok(name) => PyTypeError::new_err(format!(
            "a {name} cannot be pickled or copied, because two copies would mint the same ids: open a {generator} in each \
             process, and share it between threads as it is"
        )),
        Err(error) => error,
    }
}
