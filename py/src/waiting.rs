//! The one place that waits: detached from the interpreter, in slices, with a look at signals in between.

use crate::arguments::Timeout;
use crate::{at_exit, errors};
use leafmint::segment::Wait;
use leafmint::snowflake::SnowflakeWait;
use leafmint::{BizTag, Pending, Result, SnowflakeGenerator, Want};
use pyo3::prelude::*;
use std::ops::Range;
use std::time::Duration;

/// Ctrl-C ends a wait within this.
const SLICE: Duration = Duration::from_millis(20);

/// Takes what is wanted of a tag, waiting for at most `timeout`.
pub(crate) fn take(py: Python<'_>, tag: &BizTag, want: Want, timeout: Option<Timeout>) -> PyResult<Vec<Range<i64>>> {
    let wait = || tag.begin(want, timeout.map(|Timeout(timeout)| timeout));
    parked(py, wait, Wait::park, Wait::poll)
}

/// Takes one id with a gene, waiting for at most `timeout`.
pub(crate) fn take_with_gene(py: Python<'_>, tag: &BizTag, gene: i64, timeout: Option<Timeout>) -> PyResult<i64> {
    let wait = || tag.begin_with_gene(gene, timeout.map(|Timeout(timeout)| timeout));
    Ok(parked(py, wait, Wait::park, Wait::poll)?[0].start)
}

/// Takes what is wanted of a snowflake generator, waiting for at most `timeout`.
pub(crate) fn take_flakes(
    py: Python<'_>,
    flakes: &SnowflakeGenerator,
    want: Want,
    gene: Option<i64>,
    timeout: Option<Timeout>,
) -> PyResult<Vec<i64>> {
    let wait = || flakes.begin(want, gene, timeout.map(|Timeout(timeout)| timeout));
    parked(py, wait, SnowflakeWait::park, SnowflakeWait::poll)
}

/// Polls a call, parking in between.
fn parked<W: Send, T: Send>(
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

/// Waits for background work to end.
pub(crate) fn until_done<T: Send + 'static>(py: Python<'_>, begin: impl FnOnce() -> Result<Pending<T>>) -> PyResult<T> {
    let pending = errors::call(py, begin)?;
    in_slices(py, move |slice| pending.wait_for(slice).transpose())
}

/// Calls `step` until it has an answer: first with no time at all and attached, then with a slice at a time and detached.
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
