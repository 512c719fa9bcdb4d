//! The class `SnowflakeGenerator`.

use crate::arguments::{self, Timeout, saturating_int};
use crate::at_exit::Open;
use crate::fastcall::{MintsFast, SlowPath};
use crate::layout::{DecodedId, Layout};
use crate::logs::LoggedClose;
use crate::{
    awaiting, batch, borrowed, column, datetime, errors, list, logs, moments, options, pickling, records, waiting,
};
use leafmint::{Result, Want};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::Arc;

/// Mints snowflakes: 63-bit ids built from a timestamp, a worker id and a sequence number.
///
/// Ids are positive, strictly increase, and are unique among all processes that share the worker ids. The generator
/// takes a worker id at the first id, unless the option `eager` is set. Thread-safe. It is also a callable that returns
/// the next id; it is not iterable.
///
/// Args:
///     url: The holder of the worker ids: `local:/directory` (each process of the host gets its own), `fixed:7` (this
///         worker id) or `mysql://user:password@host/database` (leased from a pool); or an engine of SQLAlchemy,
///         synchronous or not, whose pool is copied for connections of its own.
///     **options: The options: `leafmint.SNOWFLAKE_OPTIONS` has the default and the meaning of each. A duration is a
///         number of seconds, text such as "500ms", or a timedelta. None means the default. `credentials`, instead of
///         `username` and `password`, is a callable that returns a tuple of both for each new connection; it may block.
///
/// Raises:
///     InvalidConfigError: The URL or an option is invalid; the message names every problem.
///     LeafmintError: With `eager`, what the first id would raise.
///
/// Example:
///     >>> import tempfile
///     >>> import leafmint
///     >>> with leafmint.SnowflakeGenerator(f"local:{tempfile.mkdtemp()}") as ids:
///     ...     first, second = ids.next_ids(2)
///     ...     first < second, ids.decode(first).worker_id
///     (True, 0)
#[pyclass(frozen, weakref, module = "leafmint")]
pub(crate) struct SnowflakeGenerator {
    pub(crate) generator: Arc<Open<leafmint::SnowflakeGenerator>>,
}

/// Bytes of an id while a batch is drawn.
const WORD: usize = size_of::<i64>();

/// Makes a list of ids.
fn ints(py: Python<'_>, ids: Vec<i64>) -> PyResult<Bound<'_, PyList>> {
    list::of(py, ids.len(), ids.into_iter(), |id| list::int(py, id))
}

fn read_gene(gene: Option<&Bound<'_, PyAny>>) -> PyResult<Option<i64>> {
    gene.map(|gene| saturating_int(gene, "gene")).transpose()
}

#[pymethods]
impl SnowflakeGenerator {
    #[new]
    #[pyo3(signature = (url, **options),
           text_signature = "(url, *, timeout=None, connect_timeout=None, username=None, password=None, \
                             ssl_mode=None, ssl_ca=None, eager=None, auto_create=None, namespace=None, layout=None, \
                             epoch=None, worker_mode=None, workers=None, datacenter_id=None, worker_map=None, \
                             ordinal_env=None, ordinal_offset=None, endpoint=None, lease_duration=None, heartbeat=None, \
                             state_dir=None, state_files=None, clock=None, clock_rollback=None, max_clock_lead=None, \
                             max_clock_skew=None, sequence_jitter=None, close_at_exit=None, credentials=None)")]
    fn open(py: Python<'_>, url: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let generator = match borrowed::lender(url)? {
            Some(lender) => {
                let options = options::read(options)?;
                errors::call(py, || leafmint::open::snowflake_through_unready(lender, options))?
            }
            None => {
                let (url, options) = (arguments::url(url)?, options::read(options)?);
                errors::call(py, || leafmint::open::snowflake_unready(&url, options))?
            }
        };
        waiting::wait_for(py, || generator.make_ready())?;
        Ok(Self::new(generator))
    }

    /// The holder of the worker ids, without credentials, and the processes among which the ids are unique.
    #[getter]
    fn scope(&self) -> String {
        self.generator.scope()
    }

    /// Creates the tables that are missing. Returns whether the holder needs any.
    #[pyo3(name = "_init_schema")]
    fn init_schema(&self, py: Python<'_>) -> PyResult<bool> {
        waiting::wait_for(py, || self.generator.init_schema())
    }

    /// The layout of the ids.
    #[getter]
    fn layout(&self) -> Layout {
        Layout(*self.generator.layout())
    }

    /// The current worker id; None before the first id, and while a lost lease is being replaced.
    #[getter]
    fn worker_id(&self) -> Option<i64> {
        self.generator.worker_id()
    }

    /// Returns the next id, and waits if there is no worker id, no reserved time, or no id left in this tick.
    ///
    /// Args:
    ///     timeout: Longest wait: seconds, text such as "500ms", or a timedelta; by default the option `timeout`.
    ///     gene: 0 to 2**gene_bits - 1 of the layout, which must have gene bits then.
    ///
    /// Raises:
    ///     WorkerIdUnavailableError: No worker id became free within the timeout.
    ///     LeaseLostError: The lease of the worker id was lost, and not replaced within the timeout.
    ///     ClockMovedBackwardsError: The clock is behind the ids, or off the database's at the start, by more than the
    ///         options allow.
    ///     RateExceededError: The ids of this tick are used up, and the timeout ends before the next tick.
    ///     StoreUnavailableError: The holder cannot be reached.
    ///     IdSpaceExhaustedError: The timestamp bits have run out.
    ///     InvalidConfigError: The holder does not accept the configuration.
    ///     InvalidArgumentError: An argument is out of range.
    ///     ClosedError: The generator is closed.
    #[pyo3(signature = (*, timeout = None, gene = None))]
    fn next_id(&self, py: Python<'_>, timeout: Option<Timeout>, gene: Option<&Bound<'_, PyAny>>) -> PyResult<i64> {
        match gene {
            None => self.one(py, timeout),
            Some(gene) => Ok(waiting::take_snowflakes(
                py,
                &self.generator,
                Want::One,
                Some(saturating_int(gene, "gene")?),
                timeout,
            )?[0]),
        }
    }

    /// Returns the next id, or None if `next_id` would have to wait. Never waits.
    ///
    /// Raises:
    ///     LeafmintError: As in `next_id`, except after a timeout.
    fn try_next_id(&self, py: Python<'_>) -> PyResult<Option<i64>> {
        errors::call(py, || self.generator.try_next_id())
    }

    /// Returns ids in ascending order. A batch takes more than one tick if it exceeds the ids of a tick.
    ///
    /// If the timeout ends before, the ids that the call drew are dropped: no call gets them.
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
        let want = batch::many(count, WORD + list::INT)?;
        ints(py, waiting::take_snowflakes(py, &self.generator, want, None, timeout)?)
    }

    /// Returns ids in ascending order, as a NumPy array of int64, or as an array('q') if NumPy is not installed.
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
        let want = batch::many(count, WORD + column::bytes_of_an_int(py)?)?;
        let ids = waiting::take_snowflakes(py, &self.generator, want, None, timeout)?;
        batch::array(py, ids.len(), ids.into_iter().map(|id| id..id + 1))
    }

    /// Returns an id for a moment that has passed: its timestamp is that of the moment.
    ///
    /// It is unique as every id of the generator is. It carries a worker id that no process has ever held: the highest
    /// ones are taken for past moments, for good.
    ///
    /// Args:
    ///     at: The moment: an aware datetime, or an int of Unix milliseconds.
    ///     timeout: Longest wait for the holder: seconds, text such as "500ms", or a timedelta; by default the option
    ///         `timeout`.
    ///     gene: As in `next_id`.
    ///
    /// Raises:
    ///     InvalidArgumentError: The moment is before the layout's epoch, to come, or has no time zone.
    ///     WorkerIdUnavailableError: No worker id is left that no process has ever held.
    ///     InvalidConfigError: The holder keeps no worker ids for past moments, as `fixed:`.
    ///     StoreUnavailableError: The holder cannot be reached.
    ///     ClosedError: The generator is closed.
    #[pyo3(signature = (at, *, timeout = None, gene = None))]
    fn backfill(
        &self,
        py: Python<'_>,
        at: &Bound<'_, PyAny>,
        timeout: Option<Timeout>,
        gene: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<i64> {
        let at = datetime::to_unix_millis(at, "at")?;
        Ok(waiting::take_backfill(py, &self.generator, &[at], read_gene(gene)?, timeout)?[0])
    }

    /// Returns ids for many past moments, in their order, as a NumPy array of int64.
    ///
    /// If NumPy is not installed, it is of the type array('q'). The moments need not be in the order of time. The
    /// holder is asked once for each span of 2**27 ticks, 37 hours of milliseconds.
    ///
    /// Args:
    ///     at: Up to 2**26 moments: a NumPy array of datetime64 (in UTC) or of Unix milliseconds, a column of pandas or
    ///         polars, or another iterable of what `backfill` takes.
    ///     timeout: As in `backfill`, for each time that the holder is asked.
    ///     gene: As in `next_id`, the same for all.
    ///
    /// Raises:
    ///     LeafmintError: As in `backfill`; no call gets the ids then.
    #[pyo3(signature = (at, *, timeout = None, gene = None))]
    fn backfill_array<'py>(
        &self,
        py: Python<'py>,
        at: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
        gene: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moments = moments::read_for_array(at)?;
        let ids = waiting::take_backfill(py, &self.generator, &moments, read_gene(gene)?, timeout)?;
        batch::array(py, ids.len(), ids.into_iter().map(|id| id..id + 1))
    }

    /// Returns the parts of an id of this generator's layout.
    ///
    /// Raises:
    ///     InvalidIdError: The id is negative, or has more bits than the layout.
    fn decode(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<DecodedId> {
        DecodedId::of(py, *self.generator.layout(), arguments::id(id)?)
    }

    /// Returns the statistics of the generator.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        records::snowflake_stats(py, errors::call(py, || Ok(self.generator.stats()))?)
    }

    /// Lists the worker ids that were taken at least once, in ascending order. It takes none.
    ///
    /// Raises:
    ///     InvalidConfigError: The worker ids belong to another layout, or the account or the directory does not fit.
    ///     StoreUnavailableError: The database cannot be reached, or has not answered within the option `timeout`.
    ///     ClosedError: The generator is closed.
    fn list_workers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let workers = waiting::wait_for(py, || self.generator.list_workers())?;
        records::workers(py, workers)
    }

    /// Frees a worker id whose owner is gone. Returns False if it is free already.
    ///
    /// An owner that crashed counts as holding it until its horizon has passed (`WorkerInfo.horizon`, up to the option
    /// `lease_duration`); `force=True` frees it before that.
    ///
    /// No id can repeat: the next owner begins behind the time that is reserved. If the owner lives, it loses the lease
    /// and takes another worker id. In a directory the worker id of a living process cannot be freed.
    ///
    /// Args:
    ///     worker_id: The worker id.
    ///     force: Free it although its horizon has not passed.
    ///
    /// Raises:
    ///     WorkerIdUnavailableError: It is still held; the message names the owner.
    ///     InvalidArgumentError: The generator may not take that worker id.
    ///     InvalidConfigError: As in `list_workers`.
    ///     StoreUnavailableError: The database cannot be reached.
    ///     ClosedError: The generator is closed.
    #[pyo3(signature = (worker_id, *, force = false))]
    fn release_worker(&self, py: Python<'_>, worker_id: &Bound<'_, PyAny>, force: bool) -> PyResult<bool> {
        let worker_id = saturating_int(worker_id, "worker_id")?;
        waiting::wait_for(py, || self.generator.release_worker(worker_id, force))
    }

    /// Checks the holder: connects, and checks the layout, the clocks and the account. It takes no worker id.
    ///
    /// Raises:
    ///     InvalidConfigError: As in `list_workers`.
    ///     ClockMovedBackwardsError: This host's clock is ahead of the database's, or behind it.
    ///     StoreUnavailableError: The database cannot be reached, or has not answered within the option `timeout`.
    ///     ClosedError: The generator is closed.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let check = waiting::wait_for(py, || self.generator.check())?;
        records::snowflake_check(py, check)
    }

    /// Closes the generator: records the last time it used, so that the next owner of the worker id need not wait.
    ///
    /// Later calls that need the worker id raise ClosedError. A second close does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let closed = waiting::wait_for(py, || self.generator.begin_close());
        logs::settle(py);
        closed
    }

    /// Begins `next_id_async`.
    #[pyo3(name = "_begin_id")]
    fn begin_id<'py>(
        &self,
        py: Python<'py>,
        timeout: Option<Timeout>,
        gene: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let gene = match gene {
            Some(gene) => Some(saturating_int(gene, "gene")?),
            None => match errors::call(py, || self.generator.try_next_id())? {
                Some(id) => return list::int(py, id),
                None => None,
            },
        };
        self.begin(py, Want::One, gene, timeout, |py, ids| list::int(py, ids[0]))
    }

    /// Begins `next_ids_async`.
    #[pyo3(name = "_begin_ids")]
    fn begin_ids<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let want = batch::many(count, WORD + list::INT)?;
        self.begin(py, want, None, timeout, |py, ids| Ok(ints(py, ids)?.into_any()))
    }

    /// Begins `next_array_async`.
    #[pyo3(name = "_begin_array")]
    fn begin_array<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let want = batch::many(count, WORD + column::bytes_of_an_int(py)?)?;
        self.begin(py, want, None, timeout, |py, ids| batch::array(py, ids.len(), ids.into_iter().map(|id| id..id + 1)))
    }

    /// Begins `backfill_async`.
    #[pyo3(name = "_begin_backfill")]
    fn begin_backfill<'py>(
        &self,
        py: Python<'py>,
        at: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
        gene: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (at, gene) = (datetime::to_unix_millis(at, "at")?, read_gene(gene)?);
        let begin = || {
            let call = self.generator.begin_backfill(&[at], gene, awaiting::duration(timeout))?;
            Ok(call.in_background())
        };
        awaiting::begin(py, begin, |py, ids| list::int(py, ids[0]))
    }

    /// Begins `backfill_array_async`.
    #[pyo3(name = "_begin_backfill_array")]
    fn begin_backfill_array<'py>(
        &self,
        py: Python<'py>,
        at: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
        gene: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (at, gene) = (moments::read_for_array(at)?, read_gene(gene)?);
        let begin = || {
            let call = self.generator.begin_backfill(&at, gene, awaiting::duration(timeout))?;
            Ok(call.in_background())
        };
        awaiting::begin(py, begin, |py, ids| batch::array(py, ids.len(), ids.into_iter().map(|id| id..id + 1)))
    }

    /// Returns why a moment can have no past id: it is before the epoch, to come, or behind the last one of the layout.
    #[pyo3(name = "_why_not_past")]
    fn why_not_past(&self, py: Python<'_>, at: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let at = datetime::to_unix_millis(at, "at")?;
        errors::call(py, || self.generator.why_not_past(at))
    }

    /// Begins `list_workers_async`.
    #[pyo3(name = "_begin_list_workers")]
    fn begin_list_workers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(
            py,
            || self.generator.list_workers(),
            |py, workers| Ok(records::workers(py, workers)?.into_any()),
        )
    }

    /// Begins `release_worker_async`.
    #[pyo3(name = "_begin_release_worker")]
    fn begin_release_worker<'py>(
        &self,
        py: Python<'py>,
        worker_id: &Bound<'py, PyAny>,
        force: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let worker_id = saturating_int(worker_id, "worker_id")?;
        awaiting::begin(py, || self.generator.release_worker(worker_id, force), awaiting::truth)
    }

    /// Begins `check_async`.
    #[pyo3(name = "_begin_check")]
    fn begin_check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.generator.check(), records::snowflake_check)
    }

    /// Begins `aclose`.
    #[pyo3(name = "_begin_close")]
    fn begin_close<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.generator.begin_close().map(LoggedClose::new), awaiting::none)
    }

    /// Returns the next id, as `next_id()` does.
    fn __call__(&self, py: Python<'_>) -> PyResult<i64> {
        self.one(py, None)
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
        Err(pickling::refuse(&slf.get_type(), "SnowflakeGenerator"))
    }
}

impl SnowflakeGenerator {
    pub(crate) fn new(generator: leafmint::SnowflakeGenerator) -> Self {
        Self { generator: Open::new(generator) }
    }

    /// Returns the next id. Does not detach from the interpreter if an id is in hand: that would cost more than the id.
    #[inline]
    pub(crate) fn one(&self, py: Python<'_>, timeout: Option<Timeout>) -> PyResult<i64> {
        match errors::call(py, || self.generator.try_next_id())? {
            Some(id) => Ok(id),
            None => Ok(waiting::take_snowflakes(py, &self.generator, Want::One, None, timeout)?[0]),
        }
    }

    /// Begins to take ids: returns the answer, or the call to wait for.
    pub(crate) fn begin<'py>(
        &self,
        py: Python<'py>,
        want: Want,
        gene: Option<i64>,
        timeout: Option<Timeout>,
        convert: fn(Python<'_>, Vec<i64>) -> PyResult<Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        awaiting::begin(py, || self.generator.begin(want, gene, awaiting::duration(timeout)), convert)
    }
}

impl MintsFast for SnowflakeGenerator {
    /// Why there is none, unless a wait will tell.
    type Dry = Result<()>;

    #[inline]
    fn draw(this: &Bound<'_, Self>) -> std::result::Result<i64, Result<()>> {
        match this.get().generator.try_next_id() {
            Ok(Some(id)) => Ok(id),
            Ok(None) => Err(Ok(())),
            Err(error) => Err(Err(error)),
        }
    }

    fn after_dry(this: &Bound<'_, Self>, dry: Result<()>) -> PyResult<i64> {
        errors::call(this.py(), || dry)?;
        Ok(waiting::take_snowflakes(this.py(), &this.get().generator, Want::One, None, None)?[0])
    }

    fn slow_path() -> &'static SlowPath {
        static SLOW_PATH: SlowPath = SlowPath::unset();
        &SLOW_PATH
    }
}
