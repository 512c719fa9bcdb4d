//! Waits for ids and background work: in slices, detached from the interpreter, with a check for signals in between.

use crate::arguments::Timeout;
use crate::{at_exit, errors};
use leafmint::binding::{Pending, SnowflakeWait, Wait, Want};
use leafmint::{BizTag, Result, SnowflakeGenerator};
use pyo3::prelude::*;
use std::ops::Range;
use std::time::Duration;

/// Longest time that Ctrl-C takes to end a wait.
const SLICE: Duration = Duration::from_millis(20);

/// Takes ids of a tag, waiting for at most `timeout`.
pub(crate) fn take(py: Python<'_>, tag: &BizTag, want: Want, timeout: Option<Timeout>) -> PyResult<Vec<Range<i64>>> {
    let wait = || tag.begin(want, timeout.map(|Timeout(timeout)| timeout));
    poll_and_park(py, wait, Wait::park, Wait::poll)
}

/// Takes one id with a gene, waiting for at most `timeout`.
pub(crate) fn take_with_gene(py: Python<'_>, tag: &BizTag, gene: i64, timeout: Option<Timeout>) -> PyResult<i64> {
    let wait = || tag.begin_with_gene(gene, timeout.map(|Timeout(timeout)| timeout));
    Ok(poll_and_park(py, wait, Wait::park, Wait::poll)?[0].start)
}

/// Takes ids of a snowflake generator, waiting for at most `timeout`.
pub(crate) fn take_snowflakes(
    py: Python<'_>,
    generator: &SnowflakeGenerator,
    want: Want,
    gene: Option<i64>,
    timeout: Option<Timeout>,
) -> PyResult<Vec<i64>> {
    let wait = || generator.begin(want, gene, timeout.map(|Timeout(timeout)| timeout));
    poll_and_park(py, wait, SnowflakeWait::park, SnowflakeWait::poll)
}

/// Begins a call, then polls it, parked in between, until it has its result.
fn poll_and_park<W: Send, T: Send>(
    py: Python<'_>,
    begin: impl FnOnce() -> Result<W>,
    park: fn(&W, Duration),
    poll: fn(&mut W) -> Result<Option<T>>,
) -> PyResult<T> {
    let mut wait = errors::call(py, begin)?;
    in_slices(py, move |slice| {
        if !slice.is_zero() {
            park(&wait, slice);
        }
        poll(&mut wait)
    })
}

/// Begins background work and waits until it has ended.
pub(crate) fn wait_for<T: Send + 'static>(py: Python<'_>, begin: impl FnOnce() -> Result<Pending<T>>) -> PyResult<T> {
    let pending = errors::call(py, begin)?;
    in_slices(py, move |slice| pending.wait_for(slice).transpose())
}

/// Calls `step` until it has a result: first attached and without a wait, then detached, one slice each time.
fn in_slices<T: Send>(py: Python<'_>, mut step: impl FnMut(Duration) -> Result<Option<T>> + Send) -> PyResult<T> {
    let answer = errors::call(py, || step(Duration::ZERO));
    at_exit::register_in_child(py)?;
    let mut answer = answer?;
    loop {
        if let Some(done) = answer {
            return Ok(done);
        }
        py.check_signals()?;
        answer = errors::call_detached(py, || step(SLICE))?;
    }
}
