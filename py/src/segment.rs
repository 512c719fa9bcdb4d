//! The class `SegmentGenerator`.

use crate::arguments::{self, saturating_int, saturating_int_or, string, text};
use crate::at_exit::Open;
use crate::format::Format;
use crate::logs::LoggedClose;
use crate::series::Series;
use crate::tag::Tag;
use crate::zone::Zone;
use crate::{awaiting, borrowed, errors, list, logs, options, pickling, records, waiting};
use leafmint::ErrorKind::InvalidArgument;
use leafmint::Pending;
use leafmint::clock::{Clock, SystemClock};
use leafmint::segment::{Order, SeriesOptions, TagOptions};
use leafmint::store::{MemoryStore, NewTagOptions};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::Arc;

/// Mints the ids of many tags, from segments that it leases from one store.
///
/// It connects to the store at the first id, unless the option `eager` is set. Thread-safe. Close it, best with a
/// `with` block, to give unused ids back.
///
/// Args:
///     url: The store: `sqlite:///file.db`, `mysql://user:password@host/database` (or `postgresql://`), `memory:` (one
///         store for the process) or `memory://name` (one store for each name); or an engine of SQLAlchemy, synchronous
///         or not, whose pool is copied for connections of its own.
///     **options: The options: `leafmint.SEGMENT_OPTIONS` has the default and the meaning of each. A duration is a
///         number of seconds, text such as "500ms", or a timedelta. None means the default. `credentials`, instead of
///         `username` and `password`, is a callable that returns a tuple of both for each new connection; it may block.
///
/// Raises:
///     InvalidConfigError: The URL or an option is invalid; the message names every problem.
///     LeafmintError: With `eager`, what the first id would raise.
///
/// Example:
///     >>> import leafmint
///     >>> with leafmint.SegmentGenerator("memory://segments", default_start=100) as ids:
///     ...     ids.tag("order").next_id()
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
        let generator = match borrowed::lender(url)? {
            Some(lender) => {
                let options = options::read(options)?;
                errors::call(py, || leafmint::open::segment_through_unready(lender, options))?
            }
            None => {
                let (url, options) = (arguments::url(url)?, options::read(options)?);
                errors::call(py, || leafmint::open::segment_unready(&url, options))?
            }
        };
        waiting::wait_for(py, || generator.make_ready())?;
        Ok(Self { generator: Open::new(generator), clock })
    }

    /// Takes a generator that the core has opened.
    pub(crate) fn over(generator: leafmint::SegmentGenerator) -> Self {
        Self { generator: Open::new(generator), clock: Arc::new(SystemClock) }
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
        let tag = text(string(tag, "tag")?, InvalidArgument, "the tag")?;
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

    /// Reads the arguments of `set_tag`.
    fn set(
        &self,
        tag: &Bound<'_, PyAny>,
        step: Option<&Bound<'_, PyAny>>,
        description: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<impl FnOnce() -> leafmint::Result<Pending<()>>> {
        let tag = text(string(tag, "tag")?, InvalidArgument, "the tag")?;
        let step = step.map(|step| saturating_int(step, "step")).transpose()?;
        let description = match description {
            Some(value) => Some(text(string(value, "description")?, InvalidArgument, "the description")?),
            None => None,
        };
        let generator = self.generator.clone();
        Ok(move || generator.set_tag(&tag, step, description.as_deref()))
    }

    /// Reads the arguments of `raise_tag_above`.
    fn raise_above(
        &self,
        tag: &Bound<'_, PyAny>,
        id: &Bound<'_, PyAny>,
    ) -> PyResult<impl FnOnce() -> leafmint::Result<Pending<i64>>> {
        let tag = text(string(tag, "tag")?, InvalidArgument, "the tag")?;
        let (id, generator) = (saturating_int(id, "id")?, self.generator.clone());
        Ok(move || generator.raise_tag_above(&tag, id))
    }
}

#[pymethods]
impl SegmentGenerator {
    #[new]
    #[pyo3(signature = (url, **options),
           text_signature = "(url, *, timeout=None, connect_timeout=None, username=None, password=None, \
                             ssl_mode=None, ssl_ca=None, eager=None, eager_tags=None, max_step=None, max_unused=None, \
                             segment_duration=None, outage_budget=None, auto_create=None, default_step=None, \
                             default_start=None, max_keys=None, table=None, sequence=None, sequence_optimizer=None, \
                             close_at_exit=None, credentials=None)")]
    fn open(url: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self::open_on(Arc::new(SystemClock), url, options)
    }

    /// The store, without credentials, and the processes among which its ids are unique.
    #[getter]
    fn scope(&self) -> String {
        self.generator.scope()
    }

    /// Whether ids come from sequences, and not from a table.
    #[getter]
    #[pyo3(name = "_draws_from_sequences")]
    fn draws_from_sequences(&self) -> bool {
        self.generator.draws_from_sequences()
    }

    /// Returns the tag of a name, without I/O. Look a tag up once and keep it.
    ///
    /// Args:
    ///     name: 1 to 128 code points, without NUL, and without spaces at the start and the end.
    ///     gene_bits: The number of low bits of each id that carry a gene, 1 to 12; 0 for none. Pass the gene to
    ///         `next_id(gene=...)`, and read it with `gene_of_id`. The store keeps the number when the tag is created;
    ///         with another number the first id raises InvalidConfigError.
    ///     order: "strict": ids increase over all threads. "relaxed": ids increase per thread. Each thread then takes
    ///         ids from a block of up to 256, so that threads do not slow each other down without a GIL; a close does
    ///         not give blocks back.
    ///
    /// Raises:
    ///     InvalidArgumentError: An argument is out of range.
    ///     ClosedError: The generator is closed.
    #[pyo3(signature = (name, *, gene_bits = None, order = None),
           text_signature = "($self, name, *, gene_bits=0, order='strict')")]
    fn tag(
        &self,
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        gene_bits: Option<&Bound<'_, PyAny>>,
        order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Tag>> {
        let name = text(string(name, "name")?, InvalidArgument, "the tag")?;
        let order = match order {
            Some(order) => text(string(order, "order")?, InvalidArgument, "the order")?.parse(),
            None => Ok(Order::Strict),
        };
        let gene_bits = saturating_int_or(0, gene_bits, "gene_bits")?;
        let tag = errors::call(py, || {
            self.generator.biz_tag_with(&name, TagOptions::new().gene_bits(gene_bits).order(order?))
        })?;
        Py::new(py, Tag::new(tag, self.generator.clone()))
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
    ///     tag: The name, as in `tag`.
    ///     step: The number of ids of a segment, 1 to 2**30.
    ///     start: The first id, 0 to 2**61 - 2**30; with gene bits the first number above the gene.
    ///     description: At most 256 code points.
    ///     gene_bits: As in `tag`.
    ///
    /// Raises:
    ///     InvalidArgumentError: An argument is out of range.
    ///     InvalidConfigError: The table cannot be used, or the tag has other gene bits.
    ///     StoreUnavailableError: The store cannot be reached.
    ///     ClosedError: The generator is closed.
    #[pyo3(signature = (tag, *, step = None, start = None, description = None, gene_bits = None),
           text_signature = "($self, tag, *, step=1000, start=1, description='', gene_bits=0)")]
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

    /// Lists the sequences without gaps of the database: one for each key and period, sorted by the names of the rows.
    ///
    /// A row that no number can be taken of is listed with its problem.
    ///
    /// Raises:
    ///     InvalidConfigError: The table `leafmint_gapless` is missing or cannot count without gaps, the account may
    ///         not read it, or the store keeps none.
    ///     StoreUnavailableError: The store does not answer.
    ///     ClosedError: The generator is closed.
    fn list_gapless<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = waiting::wait_for(py, || self.generator.list_gapless())?;
        records::gapless(py, rows)
    }

    /// Changes the step or the description of a tag. Generators read the new step within about a minute.
    ///
    /// Args:
    ///     tag: The name, as in `tag`.
    ///     step: The number of ids of a segment, 1 to 2**30; None leaves it as it is.
    ///     description: At most 256 code points; None leaves it as it is.
    ///
    /// Raises:
    ///     UnknownTagError: The store has no row for the tag.
    ///     InvalidArgumentError: An argument is out of range, or there is nothing to change.
    ///     InvalidConfigError: The account may not change the column, or the table does not have it.
    ///     StoreUnavailableError: The store cannot be reached.
    ///     ClosedError: The generator is closed.
    #[pyo3(signature = (tag, *, step = None, description = None))]
    fn set_tag(
        &self,
        py: Python<'_>,
        tag: &Bound<'_, PyAny>,
        step: Option<&Bound<'_, PyAny>>,
        description: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        waiting::wait_for(py, self.set(tag, step, description)?)
    }

    /// Returns the number that the next lease begins at, from where leases change it: a replica that only reads raises
    /// StoreUnavailableError.
    #[pyo3(name = "_next_number")]
    fn next_number(&self, py: Python<'_>, tag: &Bound<'_, PyAny>) -> PyResult<i64> {
        let tag = text(string(tag, "tag")?, InvalidArgument, "the tag")?;
        waiting::wait_for(py, || self.generator.raise_tag(&tag, 0))
    }

    /// Raises a tag above an id, and returns the `max_id` that is stored now. Never lowers it.
    ///
    /// For restores and migrations: ids that are leased afterwards are above it, also those with gene bits.
    ///
    /// Args:
    ///     tag: The name, as in `tag`.
    ///     id: The highest id in use, or 0.
    ///
    /// Raises:
    ///     UnknownTagError: The store has no row for the tag.
    ///     InvalidArgumentError: An argument is out of range.
    ///     InvalidConfigError: The row or the table cannot be used, or the account may not read the gene bits.
    ///     StoreUnavailableError: The store cannot be reached.
    ///     ClosedError: The generator is closed.
    fn raise_tag_above(&self, py: Python<'_>, tag: &Bound<'_, PyAny>, id: &Bound<'_, PyAny>) -> PyResult<i64> {
        waiting::wait_for(py, self.raise_above(tag, id)?)
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

    /// Creates the tables that are missing in the store: those of tags and series, and on a database those of worker
    /// ids and of numbers without gaps.
    ///
    /// Raises:
    ///     InvalidConfigError: The account may not create tables.
    ///     StoreUnavailableError: The store cannot be reached.
    ///     ClosedError: The generator is closed.
    fn init_schema(&self, py: Python<'_>) -> PyResult<()> {
        waiting::wait_for(py, || self.generator.init_schema())
    }

    /// Returns the statistics, with those of the tags used so far.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        records::segment_stats(py, errors::call(py, || Ok(self.generator.stats()))?)
    }

    /// Closes the generator: gives unused ids back to the store and closes connections, within the option `timeout`.
    ///
    /// Later calls that need the store raise ClosedError. A second close does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let closed = waiting::wait_for(py, || self.generator.begin_close());
        logs::settle(py);
        closed
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
        awaiting::begin(py, create, awaiting::truth)
    }

    /// Begins `list_tags_async`.
    #[pyo3(name = "_begin_list_tags")]
    fn begin_list_tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.generator.list_tags(), |py, tags| Ok(records::tags(py, tags)?.into_any()))
    }

    /// Begins `list_series_async`.
    #[pyo3(name = "_begin_list_series")]
    fn begin_list_series<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.generator.list_series(), |py, series| Ok(records::series(py, series)?.into_any()))
    }

    /// Begins `list_gapless_async`.
    #[pyo3(name = "_begin_list_gapless")]
    fn begin_list_gapless<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.generator.list_gapless(), |py, rows| Ok(records::gapless(py, rows)?.into_any()))
    }

    /// Begins `set_tag_async`.
    #[pyo3(name = "_begin_set_tag")]
    fn begin_set_tag<'py>(
        &self,
        py: Python<'py>,
        tag: &Bound<'py, PyAny>,
        step: Option<&Bound<'py, PyAny>>,
        description: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, self.set(tag, step, description)?, awaiting::none)
    }

    /// Begins `raise_tag_above_async`.
    #[pyo3(name = "_begin_raise_tag_above")]
    fn begin_raise_tag_above<'py>(
        &self,
        py: Python<'py>,
        tag: &Bound<'py, PyAny>,
        id: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, self.raise_above(tag, id)?, list::int)
    }

    /// Begins `check_async`.
    #[pyo3(name = "_begin_check")]
    fn begin_check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.generator.check(), records::segment_check)
    }

    /// Begins `init_schema_async`.
    #[pyo3(name = "_begin_init_schema")]
    fn begin_init_schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.generator.init_schema(), awaiting::none)
    }

    /// Begins `aclose`.
    #[pyo3(name = "_begin_close")]
    fn begin_close<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.generator.begin_close().map(LoggedClose::new), awaiting::none)
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

/// Returns the hosts of a fail-over list, each with the URL of that host alone; none for any other URL.
#[pyfunction]
#[pyo3(name = "_hosts_of")]
pub(crate) fn hosts_of(url: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    Ok(leafmint::config::hosts_of(&arguments::url(url)?))
}

/// Forgets a store in memory whose name no generator uses again.
#[pyfunction]
#[pyo3(name = "_forget_memory_store")]
pub(crate) fn forget_memory_store(name: &str) {
    MemoryStore::forget(name);
}
