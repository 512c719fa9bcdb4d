//! The clock of `leafmint.testing`.

use crate::arguments::saturating_int;
use crate::segment::SegmentGenerator;
use crate::snowflake::SnowflakeGenerator;
use crate::{datetime, errors, options};
use leafmint::VirtualClock as CoreClock;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use std::time::Duration;

/// A clock that only a test moves. `leafmint.testing.Clock` has one.
#[pyclass(frozen, module = "leafmint", name = "_VirtualClock")]
pub(crate) struct VirtualClock(Arc<CoreClock>);

#[pymethods]
impl VirtualClock {
    #[new]
    fn at(time: &Bound<'_, PyAny>) -> PyResult<Self> {
        let wall = datetime::to_unix_millis(time, "start")?;
        Ok(Self(Arc::new(CoreClock::at(wall))))
    }

    /// Returns the time that the clock shows, in Unix milliseconds.
    fn millis(&self) -> i64 {
        self.0.wall()
    }

    /// Lets milliseconds pass.
    fn pass_millis(&self, millis: u64) {
        self.0.pass(Duration::from_millis(millis));
    }

    /// Sets the clock.
    fn move_to(&self, time: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.move_to(datetime::to_unix_millis(time, "time")?);
        Ok(())
    }

    /// Opens a segment generator whose series go by this clock.
    #[pyo3(signature = (url, **options))]
    fn open_segments(&self, url: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<SegmentGenerator> {
        SegmentGenerator::open_on(self.0.clone(), url, options)
    }

    /// Opens a generator on this clock.
    #[pyo3(signature = (worker_id, **options))]
    fn open(
        &self,
        py: Python<'_>,
        worker_id: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<SnowflakeGenerator> {
        let worker_id = saturating_int(worker_id, "worker_id")?;
        let options = options::read(options)?;
        let open = || leafmint::open::snowflake_in_virtual_time(&self.0, worker_id, options);
        errors::call(py, open).map(SnowflakeGenerator::new)
    }
}
