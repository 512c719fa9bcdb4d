//! The class `SnowflakeGenerator`.

use crate::arguments::{self, Timeout, whole};
use crate::at_exit::Open;
use crate::biz_tag::not_copied;
use crate::decoded_id::DecodedId;
use crate::fastcall::{MintsFast, SlowPath};
use crate::layout::Layout;
use crate::{batch, errors, options, stats, waiting};
use leafmint::ErrorKind::InvalidConfig;
use leafmint::SNOWFLAKE_OPTIONS;
use leafmint::Want;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::Arc;

/// Mints snowflakes: time, worker id and sequence in one number.
///
/// `url` is local:///directory (one host: every process gets a worker id of its own) or fixed:7 (this worker id). Options are
/// those of `leafmint.SNOWFLAKE_OPTIONS`; durations are numbers of seconds, text as in "500ms", or timedelta. An option that is
/// None counts as not given. No worker id is taken before the first id, unless `eager` is true.
///
/// Ids are positive, strictly increase, are unique among everyone who shares the worker ids, and may be taken from any thread.
/// The generator is also a callable that returns the next id; it is not iterable.
///
/// Raises InvalidConfigError with every problem found; with `eager`, what the first id would raise.
#[pyclass(frozen, weakref, module = "leafmint")]
pub(crate) struct SnowflakeGenerator {
    flakes: Arc<Open<leafmint::SnowflakeGenerator>>,
}

impl SnowflakeGenerator {
    /// Stays attached to the interpreter while an id is in hand: detaching costs more than the id.
    #[inline]
    fn one(&self, py: Python<'_>, timeout: Option<Timeout>) -> PyResult<i64> {
        match errors::call(py, || self.flakes.try_next_id())? {
            Some(id) => Ok(id),
            None => Ok(waiting::take_flakes(py, &self.flakes, Want::One, None, timeout)?[0]),
        }
    }
}

impl MintsFast for SnowflakeGenerator {
    #[inline]
    fn in_hand(this: &Bound<'_, Self>) -> leafmint::Result<Option<i64>> {
        this.get().flakes.try_next_id()
    }

    fn slow_path() -> &'static SlowPath {
        static SLOW_PATH: SlowPath = SlowPath::unset();
        &SLOW_PATH
    }
}

#[pymethods]
impl SnowflakeGenerator {
    #[new]
    #[pyo3(signature = (url, **options))]
    fn open(py: Python<'_>, url: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let url = arguments::text(arguments::string(url, "url")?, InvalidConfig, "the URL")?;
        let options = options::read(options, SNOWFLAKE_OPTIONS)?;
        let flakes = errors::call(py, || leafmint::SnowflakeGenerator::open_unready(&url, options))?;
        waiting::until_done(py, || flakes.make_ready())?;
        Ok(Self { flakes: Open::new(flakes) })
    }

    /// The holder of the worker ids, without credentials, and who shares them.
    #[getter]
    fn scope(&self) -> String {
        self.flakes.scope()
    }

    /// The layout of the ids.
    #[getter]
    fn layout(&self) -> Layout {
        Layout(*self.flakes.layout())
    }

    /// The present worker id; None before the first id, and while a lost lease is replaced.
    #[getter]
    fn worker_id(&self) -> Option<i64> {
        self.flakes.worker_id()
    }

    /// Returns the next id, waiting for a worker id, for the id's tick, or for time to be reserved.
    ///
    /// `timeout` is given as the option is: seconds, text as in "500ms", or timedelta; without it the option holds. `gene` goes into the gene bits of the layout.
    /// Raises WorkerIdUnavailableError, LeaseLostError, ClockMovedBackwardsError, RateExceededError and StoreUnavailableError
    /// once the timeout is over, IdSpaceExhaustedError, InvalidConfigError, InvalidArgumentError and ClosedError.
    #[pyo3(signature = (timeout = None, gene = None))]
    fn next_id(&self, py: Python<'_>, timeout: Option<Timeout>, gene: Option<&Bound<'_, PyAny>>) -> PyResult<i64> {
        match gene {
            None => self.one(py, timeout),
            Some(gene) => Ok(waiting::take_flakes(py, &self.flakes, Want::One, Some(whole(gene, "gene")?), timeout)?[0]),
        }
    }

    /// Returns the next id if one can be had in the present tick, else None; a worker id is then being taken.
    ///
    /// Raises what `next_id` raises, but for timeouts.
    fn try_next_id(&self, py: Python<'_>) -> PyResult<Option<i64>> {
        errors::call(py, || self.flakes.try_next_id())
    }

    /// Returns `count` ids in ascending order.
    ///
    /// `count` is 0 to 2**20, `timeout` as in `next_id`. No more come in one tick than the sequence bits hold. Raises what
    /// `next_id` raises.
    #[pyo3(signature = (count, timeout = None))]
    fn next_ids<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, waiting::take_flakes(py, &self.flakes, Want::Many(whole(count, "count")?), None, timeout)?)
    }

    /// Returns `count` ids in ascending order, as a NumPy array of int64, or as array('q') where NumPy is not installed.
    ///
    /// `count`, `timeout` and what is raised are as in `next_ids`.
    #[pyo3(signature = (count, timeout = None))]
    fn next_array<'py>(
        &self,
        py: Python<'py>,
        count: &Bound<'py, PyAny>,
        timeout: Option<Timeout>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ids = waiting::take_flakes(py, &self.flakes, Want::Many(whole(count, "count")?), None, timeout)?;
        batch::array(py, ids.len(), ids.into_iter().map(|id| id..id + 1))
    }

    /// Takes an id of this generator's layout apart. Raises InvalidIdError.
    fn decode(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<DecodedId> {
        DecodedId::of(py, *self.flakes.layout(), arguments::id(id)?)
    }

    /// Returns {figure: value}: the worker id, how far ahead time is reserved, and how the clock and the leases do.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        stats::of_flakes(py, &errors::call(py, || Ok(self.flakes.stats()))?)
    }

    /// Ends the generator: writes the last time used, so that the next owner of the worker id need not wait.
    ///
    /// Afterwards every call that needs the worker id raises ClosedError; a second close does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        waiting::until_done(py, || self.flakes.begin_close())
    }

    /// Returns the next id, as `next_id()`.
    fn __call__(&self, py: Python<'_>) -> PyResult<i64> {
        self.one(py, None)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("<leafmint.{:?}>", **self.flakes)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<()> {
        Err(not_copied(&slf.get_type(), "SnowflakeGenerator"))
    }
}
