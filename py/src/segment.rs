//! The class `SegmentGenerator`.

use crate::arguments::{self, saturating_int, saturating_int_or, string, text};
use crate::at_exit::Open;
use crate::biz_tag::BizTag;
use crate::format::Format;
use crate::series::Series;
use crate::zone::Zone;
use crate::{awaiting, errors, options, pickling, records, stats, waiting};
use leafmint::ErrorKind::InvalidArgument;
use leafmint::Pending;
use leafmint::clock::{Clock, SystemClock};
use leafmint::segment::{NewTagOptions, Order, SeriesOptions, TagOptions};
use leafmint::store::MemoryStore;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};
use std::sync::Arc;

/// Mints the ids of many tags, from segments that it leases from one store.
///
/// It connects to the store at the first id, unless the option `eager` is set. Thread-safe. Close it, best with a
/// `with` block, to give unused ids back.
///
/// Args:
///     url: The store: `sqlite:///file.db`, `mysql://user:password@host/database` (or `postgresql://`), `memory:` (one
///         store for the process) or `memory://name` (one store for each name).
///     **options: The options: `leafmint.OPTIONS` has the default and the meaning of each. A duration is a number of
///         seconds, text such as "500ms", or a timedelta. None means the default. `credentials`, instead of `user` and
///         `password`, is a callable that returns a tuple of both for each new connection; it may block.
///
/// Raises:
///     InvalidConfigError: The URL or an option is invalid; the message names every problem.
///     LeafmintError: With `eager`, what the first id would raise.
///
/// Example:
///     >>> import leafmint
///     >>> with leafmint.SegmentGenerator("memory://segments", default_start=100) as ids:
///     ...     ids.biz_tag("order").next_id()
///     100
#[pyclass(frozen, weakref, module = "leafmint")]
pub(crate) struct SegmentGenerator {
    generator: Arc<Open<leafmint::SegmentGenerator>>,
    /// The clock of its series.
    clock: Arc<dyn Clock>,
}

impl SegmentGenerator {
    /// Opens a generator whose series go by this clock.
    pub(crate) fn open_on(
        clock: Arc<dyn Clock>,
        url: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let py = url.py();
        let url = arguments::url(url)?;
        let options = options::read(options)?;
        let generator = errors::call(py, || leafmint::SegmentGenerator::open_unready(&url, options))?;
        waiting::wait_for(py, || generator.make_ready())?;
        Ok(Self { generator: Open::new(generator), clock })
    }

    pub(crate) fn core(&self) -> &leafmint::SegmentGenerator {
        &self.generator
    }

    /// Reads the arguments of `create_tag`, and returns what begins it.
    fn create(
        &self,
        tag: &Bound<'_, PyAny>,
        step: Option<&Bound<'_, PyAny>>,
        start: Option<&Bound<'_, PyAny>>,
        description: Option<&Bound<'_, PyAny>>,
        gene_bits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<impl FnOnce() -> leafmint::Result<Pending<bool>>> {
        let tag = text(string(tag, "tag")?, InvalidArgument, "the biz_tag")?;
        let description = match description {
            Some(value) => text(string(value, "description")?, InvalidArgument, "the description")?,
            None => String::new(),
        };
        let (step, start) = (saturating_int_or(1000, step, "step")?, saturating_int_or(1, start, "start")?);
        let gene_bits = saturating_int_or(0, gene_bits, "gene_bits")?;
        let generator = self.generator.clone();
        Ok(move || {
            let options = NewTagOptions::new().step(step).start(start).description(description).gene_bits(gene_bits);
            generator.create_tag_with(&tag, options)
        })
    }
}

#[pymethods]
impl SegmentGenerator {
    #[new]
    #[pyo3(signature = (url, **options),
           text_signature = "(url, *, timeout=None, connect_timeout=None, user=None, password=None, \
                             ssl_mode=None, ssl_ca=None, eager=None, tags=None, max_step=None, max_unused=None, \
                             segment_duration=None, outage_budget=None, auto_create=None, default_step=None, \
                             default_start=None, table=None, sequence=None, sequence_optimizer=None, close_at_exit=None, \
                             credentials=None)")]
    fn open(url: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self::open_on(Arc::new(SystemClock), url, options)
    }

    /// The store, without credentials, and the processes among which its ids are unique.
    #[getter]
    fn scope(&self) -> String {
        self.generator.scope()
    }

    /// Returns the tag of a name, without I/O. Look a tag up once and keep it.
    ///
    /// Args:
    ///     name: 1 to 128 code points, without NUL, and without spaces at the start and the end.
    ///     gene_bits: The number of low bits of each id that carry a gene, 1 to 12; 0 for none. Pass the gene to
    ///         `next_id(gene=...)`, and read it with `shard_of`. The store keeps the number when the tag is created;
    ///         with another number the first id raises InvalidConfigError.
    ///     order: "strict": ids increase over all threads. "relaxed": ids increase per thread. Each thread then takes
    ///         ids from a block of up to 256, so that threads do not slow each other down without a GIL; a close does
    ///         not give blocks back.
    ///
    /// Raises:
    ///     InvalidArgumentError: An argument is out of range.
    ///     ClosedError: The generator is closed.
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
        let gene_bits = saturating_int_or(0, gene_bits, "gene_bits")?;
        let tag = errors::call(py, || {
            self.generator.biz_tag_with(&name, TagOptions::new().gene_bits(gene_bits).order(order?))
        })?;
        Py::new(py, BizTag::new(tag, self.generator.clone()))
    }

    /// Returns the series of a name, whose numbers start again with each period. Without I/O.
    ///
    /// The store keeps period and zone with the first number; another process with others is refused. Keep the series:
    /// the next period's numbers are leased before it begins, for as long as it is used.
    ///
    /// Args:
    ///     name: 1 to 117 code points, less those of the key, without /, @ and NUL.
    ///     period: "day", "month" or "year", or "forever" for numbers that never start again.
    ///     zone: The time zone whose calendar counts: a name such as "Europe/Madrid", or a ZoneInfo; none if the period
    ///         is "forever".
    ///     key: Counts for this key alone, such as a shop: 1 to 64 visible ASCII characters without @.
    ///     step: The least that a lease takes, 1 to 2**30, and so the least that a crash loses.
    ///     format: The format of the texts, which must show the period, and the key if there is one.
    ///
    /// Raises:
    ///     InvalidArgumentError: An argument is out of range, the zone is unknown, or this generator knows the series
    ///         with another period or zone.
    ///     InvalidConfigError: The format is invalid, or does not show the period and the key.
    ///     ClosedError: The generator is closed.
    #[pyo3(signature = (name, *, period, zone = None, key = None, step = None, format = None),
           text_signature = "($self, name, *, period, zone=None, key=None, step=1, format=None)")]
    fn series(
        &self,
        name: &Bound<'_, PyAny>,
        period: &Bound<'_, PyAny>,
        zone: Option<&Bound<'_, PyAny>>,
        key: Option<&Bound<'_, PyAny>>,
        step: Option<&Bound<'_, PyAny>>,
        format: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Series>> {
        let py = name.py();
        let name = text(string(name, "name")?, InvalidArgument, "the series")?;
        let period = text(string(period, "period")?, InvalidArgument, "the period")?;
        let period = errors::call(py, || period.parse())?;
        let zone = zone.map(Zone::read).transpose()?;
        let step = saturating_int_or(1, step, "step")?;
        let mut options = SeriesOptions::new(period, zone.as_ref().map_or("", |zone| &zone.name)).step(step);
        if let Some(key) = key {
            options = options.key(&text(string(key, "key")?, InvalidArgument, "the key")?);
        }
        if let Some(format) = format {
            options = options.format(Format::read(format)?);
        }
        let series = errors::call(py, || self.generator.series_by(&name, options, self.clock.clone()))?;
        Py::new(py, Series::new(series, zone, self.generator.clone()))
    }

    /// Inserts a tag into the store. Returns False if the store has it already.
    ///
    /// Args:
    ///     tag: The name, as in `biz_tag`.
    ///     step: The number of ids of a segment, 1 to 2**30.
    ///     start: The first id, 0 to 2**61 - 2**30; with gene bits the first number above the gene.
    ///     description: At most 256 code points.
    ///     gene_bits: As in `biz_tag`.
    ///
    /// Raises:
    ///     InvalidArgumentError: An argument is out of range.
    ///     InvalidConfigError: The table cannot be used, or the tag has other gene bits.
    ///     StoreUnavailableError: The store cannot be reached.
    ///     ClosedError: The generator is closed.
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
        let create = self.create(tag, step, start, description, gene_bits)?;
        waiting::wait_for(py, create)
    }

    /// Lists the tags of the store, sorted by name. It leases nothing.
    ///
    /// A tag whose row cannot be leased from is listed with its `problem`.
    ///
    /// Raises:
    ///     InvalidConfigError: The table is missing, or the account may not read it.
    ///     StoreUnavailableError: The store cannot be reached, or has not answered within the option `timeout`.
    ///     ClosedError: The generator is closed.
    fn list_tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let tags = waiting::wait_for(py, || self.generator.list_tags())?;
        records::tags(py, tags)
    }

    /// Lists the series of the store, sorted by name. It leases nothing.
    ///
    /// A series is stored with its first number. Its tags are named invoice@2026, with a key invoice/shop-7@2026, and
    /// without periods invoice or invoice/shop-7.
    ///
    /// Raises:
    ///     InvalidConfigError: The account may not read the table of series.
    ///     StoreUnavailableError: The store cannot be reached, or has not answered within the option `timeout`.
    ///     ClosedError: The generator is closed.
    fn list_series<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let series = waiting::wait_for(py, || self.generator.list_series())?;
        records::series(py, series)
    }

    /// Changes the step or the description of a tag. Generators read the new step within about a minute.
    ///
    /// Args:
    ///     tag: The name, as in `biz_tag`.
    ///     step: The number of ids of a segment, 1 to 2**30; None leaves it as it is.
    ///     description: At most 256 code points; None leaves it as it is.
    ///
    /// Raises:
    ///     UnknownTagError: The store has no row for the tag.
    ///     InvalidArgumentError: An argument is out of range, or there is nothing to change.
    ///     InvalidConfigError: The account may not change the column, or the table does not have it.
    ///     StoreUnavailableError: The store cannot be reached.
    ///     ClosedError: The generator is closed.
    #[pyo3(signature = (tag, step = None, description = None))]
    fn set_tag(
        &self,
        py: Python<'_>,
        tag: &Bound<'_, PyAny>,
        step: Option<&Bound<'_, PyAny>>,
        description: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let tag = text(string(tag, "tag")?, InvalidArgument, "the biz_tag")?;
        let step = step.map(|step| saturating_int(step, "step")).transpose()?;
        let description = match description {
            Some(value) => Some(text(string(value, "description")?, InvalidArgument, "the description")?),
            None => None,
        };
        waiting::wait_for(py, || self.generator.set_tag(&tag, step, description.as_deref()))
    }

    /// Raises the `max_id` of a tag to at least a value, and returns the value that is stored now. Never lowers it.
    ///
    /// For restores and migrations: ids that are leased afterwards start there, or higher.
    ///
    /// Args:
    ///     tag: The name, as in `biz_tag`.
    ///     max_id: 0 to 2**61 - 2**30, above every id in use; with gene bits above every `id >> gene_bits`.
    ///
    /// Raises:
    ///     UnknownTagError: The store has no row for the tag.
    ///     InvalidArgumentError: An argument is out of range.
    ///     InvalidConfigError: The row or the table cannot be used.
    ///     StoreUnavailableError: The store cannot be reached.
    ///     ClosedError: The generator is closed.
    fn raise_tag(&self, py: Python<'_>, tag: &Bound<'_, PyAny>, max_id: &Bound<'_, PyAny>) -> PyResult<i64> {
        let tag = text(string(tag, "tag")?, InvalidArgument, "the biz_tag")?;
        let max_id = saturating_int(max_id, "max_id")?;
        waiting::wait_for(py, || self.generator.raise_tag(&tag, max_id))
    }

    /// Raises a tag above an id, and returns the `max_id` that is stored now. Never lowers it.
    ///
    /// For restores and migrations: ids that are leased afterwards are above it, also those with gene bits.
    ///
    /// Args:
    ///     tag: The name, as in `biz_tag`.
    ///     id: The highest id in use, or 0.
    ///
    /// Raises:
    ///     UnknownTagError: The store has no row for the tag.
    ///     InvalidArgumentError: An argument is out of range.
    ///     InvalidConfigError: The row or the table cannot be used, or the account may not read the gene bits.
    ///     StoreUnavailableError: The store cannot be reached.
    ///     ClosedError: The generator is closed.
    fn raise_tag_above(&self, py: Python<'_>, tag: &Bound<'_, PyAny>, id: &Bound<'_, PyAny>) -> PyResult<i64> {
        let tag = text(string(tag, "tag")?, InvalidArgument, "the biz_tag")?;
        let id = saturating_int(id, "id")?;
        waiting::wait_for(py, || self.generator.raise_tag_above(&tag, id))
    }

    /// Checks the store: connects, and checks the table, its columns and the account. It leases nothing.
    ///
    /// Raises:
    ///     InvalidConfigError: The account, the table or its columns do not fit.
    ///     StoreUnavailableError: The store cannot be reached, or has not answered within the option `timeout`.
    ///     ClosedError: The generator is closed.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let check = waiting::wait_for(py, || self.generator.check())?;
        records::segment_check(py, check)
    }

    /// Creates the tables that are missing in the store.
    ///
    /// Raises:
    ///     InvalidConfigError: The account may not create tables.
    ///     StoreUnavailableError: The store cannot be reached.
    ///     ClosedError: The generator is closed.
    fn init_schema(&self, py: Python<'_>) -> PyResult<()> {
        waiting::wait_for(py, || self.generator.init_schema())
    }

    /// Returns the statistics as `{"scope": ..., "tags": {name: {figure: value}}}`, with the tags used so far.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        stats::of_segments(py, &errors::call(py, || Ok(self.generator.stats()))?)
    }

    /// Closes the generator: gives unused ids back to the store and closes connections, within the option `timeout`.
    ///
    /// Later calls that need the store raise ClosedError. A second close does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        waiting::wait_for(py, || self.generator.begin_close())
    }

    /// Begins `create_tag_async`.
    #[pyo3(name = "_begin_create_tag")]
    fn begin_create_tag<'py>(
        &self,
        py: Python<'py>,
        tag: &Bound<'py, PyAny>,
        step: &Bound<'py, PyAny>,
        start: &Bound<'py, PyAny>,
        description: &Bound<'py, PyAny>,
        gene_bits: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let create = self.create(tag, Some(step), Some(start), Some(description), Some(gene_bits))?;
        awaiting::begin(py, create, |py, created| Ok(PyBool::new(py, created).to_owned().into_any()))
    }

    /// Begins `init_schema_async`.
    #[pyo3(name = "_begin_init_schema")]
    fn begin_init_schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.generator.init_schema(), awaiting::none)
    }

    /// Begins `aclose`.
    #[pyo3(name = "_begin_close")]
    fn begin_close<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.generator.begin_close(), awaiting::none)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception),
           text_signature = "($self, exception_type=None, exception=None, traceback=None, /)")]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("<leafmint.{:?}>", **self.generator)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(pickling::refuse(&slf.get_type(), "SegmentGenerator"))
    }
}

/// Forgets a store in memory whose name no generator uses again.
#[pyfunction]
#[pyo3(name = "_forget_memory_store")]
pub(crate) fn forget_memory_store(name: &str) {
    MemoryStore::forget(name);
}
