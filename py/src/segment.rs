//! The class `SegmentGenerator`.

use crate::arguments::{string, text, whole_or};
use crate::at_exit::Open;
use crate::biz_tag::{BizTag, not_copied};
use crate::{errors, options, stats, waiting};
use leafmint::ErrorKind::{InvalidArgument, InvalidConfig};
use leafmint::segment::Order;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// Mints ids of many tags out of segments that one store leases.
///
/// `url` is sqlite:///file.db, mysql://user:password@host/database, memory: (one store for the whole process) or memory://name (a
/// store of its own for each name). Options are those of `leafmint.OPTIONS`;
/// durations are numbers of seconds, text as in "500ms", or timedelta. An option that is None counts as not given. Nothing is
/// connected before the first id, unless `eager` is true.
///
/// Raises InvalidConfigError with every problem found; with `eager`, what the first id would raise.
#[pyclass(frozen, weakref, module = "leafmint")]
pub(crate) struct SegmentGenerator {
    ids: Arc<Open<leafmint::SegmentGenerator>>,
}

#[pymethods]
impl SegmentGenerator {
    #[new]
    #[pyo3(signature = (url, **options))]
    fn open(py: Python<'_>, url: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let url = text(string(url, "url")?, InvalidConfig, "the URL")?;
        let options = options::read(options, leafmint::OPTIONS)?;
        let ids = errors::call(py, || leafmint::SegmentGenerator::open_unready(&url, options))?;
        waiting::until_done(py, || ids.make_ready())?;
        Ok(Self { ids: Open::new(ids) })
    }

    /// The store, without credentials, and who shares its ids.
    #[getter]
    fn scope(&self) -> String {
        self.ids.scope()
    }

    /// Returns the tag of that name, without I/O: resolve it once, use it for ever.
    ///
    /// A name has 1 to 128 code points and no NUL. With `gene_bits`, 1 to 12, every id carries a gene in so many lowest bits:
    /// `next_id(gene=...)` takes it, `shard_of` reads it back. The bits are stored when the tag is created, by `auto_create` or
    /// `create_tag`, and belong to it from then on: its first id raises InvalidConfigError for any others, and where the tag is
    /// already used without.
    ///
    /// With `order="relaxed"` ids increase for each thread only: each mints from a block of its own, of at most 256 ids, so that
    /// threads do not slow one another down where there is no GIL. What is left of blocks at a close counts as unused.
    ///
    /// Raises InvalidArgumentError and ClosedError.
    #[pyo3(signature = (name, gene_bits = None, order = None), text_signature = "($self, name, gene_bits=0, order='strict')")]
    fn biz_tag(
        &self,
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        gene_bits: Option<&Bound<'_, PyAny>>,
        order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<BizTag>> {
        let name = text(string(name, "name")?, InvalidArgument, "the biz_tag")?;
        let order = match order {
            Some(order) => text(string(order, "order")?, InvalidArgument, "the order")?.parse(),
            None => Ok(Order::Strict),
        };
        let gene_bits = whole_or(0, gene_bits, "gene_bits")?;
        let tag = errors::call(py, || self.ids.biz_tag_with(&name, gene_bits, order?))?;
        Py::new(py, BizTag::new(tag, self.ids.clone()))
    }

    /// Inserts a tag that is not there yet, and returns whether it was inserted.
    ///
    /// `step` is 1 to 2**30, `start` the first id, `description` at most 256 code points, `gene_bits` as in `biz_tag`.
    /// Raises InvalidArgumentError, StoreUnavailableError, InvalidConfigError and ClosedError.
    #[pyo3(signature = (tag, step = None, start = None, description = None, gene_bits = None),
           text_signature = "($self, tag, step=1000, start=1, description='', gene_bits=0)")]
    fn create_tag(
        &self,
        py: Python<'_>,
        tag: &Bound<'_, PyAny>,
        step: Option<&Bound<'_, PyAny>>,
        start: Option<&Bound<'_, PyAny>>,
        description: Option<&Bound<'_, PyAny>>,
        gene_bits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let tag = text(string(tag, "tag")?, InvalidArgument, "the biz_tag")?;
        let description = match description {
            Some(given) => text(string(given, "description")?, InvalidArgument, "the description")?,
            None => String::new(),
        };
        let (step, start) = (whole_or(1000, step, "step")?, whole_or(1, start, "start")?);
        let gene_bits = whole_or(0, gene_bits, "gene_bits")?;
        waiting::until_done(py, || self.ids.create_tag_with_genes(&tag, gene_bits, step, start, &description))
    }

    /// Creates the tables that are not there yet. Raises StoreUnavailableError, InvalidConfigError and ClosedError.
    fn init_schema(&self, py: Python<'_>) -> PyResult<()> {
        waiting::until_done(py, || self.ids.init_schema())
    }

    /// Returns {"scope": ..., "tags": {tag: {figure: value}}}: what became of the ids of each tag used so far.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        stats::to_dict(py, &errors::call(py, || Ok(self.ids.stats()))?)
    }

    /// Ends the generator: gives unused ids back to the store and lets go of connections, within the option `timeout`.
    ///
    /// Afterwards every call that needs the store raises ClosedError; a second close does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        waiting::until_done(py, || self.ids.begin_close())
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("<leafmint.{:?}>", **self.ids)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(not_copied(&slf.get_type(), "SegmentGenerator"))
    }
}
