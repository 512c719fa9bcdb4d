//! How a snowflake is taken: at once if one is in hand, else by a call that waits.

use crate::arguments::Timeout;
use crate::at_exit::Open;
use crate::fastcall::{MintsFast, SlowPath};
use crate::snowflake::SnowflakeGenerator;
use crate::{awaiting, errors, waiting};
use leafmint::Want;
use pyo3::prelude::*;

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
    #[inline]
    fn get_fast(this: &Bound<'_, Self>) -> leafmint::Result<Option<i64>> {
        this.get().generator.try_next_id()
    }

    fn slow_path() -> &'static SlowPath {
        static SLOW_PATH: SlowPath = SlowPath::unset();
        &SLOW_PATH
    }
}
