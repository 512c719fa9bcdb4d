//! Waits for ids and background work: in slices, detached from the interpreter, with a check for signals in between.

use crate::arguments::Timeout;
use crate::column::DETACHED;
use crate::native_thread::call_or_hang;
use crate::{at_exit, errors};
use leafmint::segment::{Series, SeriesGroup, Wait};
use leafmint::snowflake::SnowflakeWait;
use leafmint::{BizTag, Pending, Result, SnowflakeGenerator, Want};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::ops::Range;
use std::time::Duration;

/// Longest time that Ctrl-C takes to end a wait.
const SLICE: Duration = Duration::from_millis(20);

/// The same on threads that run no signal handlers: a thread is woken by what it waits for, not by a slice.
const LONG_SLICE: Duration = Duration::from_millis(500);

/// Takes ids of a tag, waiting for at most `timeout`.
pub(crate) fn take(py: Python<'_>, tag: &BizTag, want: Want, timeout: Option<Timeout>) -> PyResult<Vec<Range<i64>>> {
    let wait = || tag.begin(want, timeout.map(|Timeout(timeout)| timeout));
    poll_and_park(py, wait, Wait::park, Wait::poll)
}

/// Takes numbers of a period, waiting for at most `timeout`.
pub(crate) fn take_numbers(
    py: Python<'_>,
    series: &Series,
    group: &SeriesGroup,
    want: Want,
    timeout: Option<Timeout>,
) -> PyResult<Vec<Range<i64>>> {
    let wait = || series.begin(group, want, timeout.map(|Timeout(timeout)| timeout));
    poll_and_park(py, wait, Wait::park, Wait::poll)
}

/// Takes one id by a draw, or by the call for it that waits.
pub(crate) fn take_one(py: Python<'_>, draw: impl FnOnce() -> Result<std::result::Result<i64, Wait>>) -> PyResult<i64> {
    match errors::call(py, draw)? {
        Ok(id) => Ok(id),
        Err(wait) => Ok(poll_and_park(py, || Ok(wait), Wait::park, Wait::poll)?[0].start),
    }
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

/// Takes ids of past moments.
pub(crate) fn take_backfill(
    py: Python<'_>,
    generator: &SnowflakeGenerator,
    moments: &[i64],
    gene: Option<i64>,
    timeout: Option<Timeout>,
) -> PyResult<Vec<i64>> {
    let timeout = timeout.map(|Timeout(timeout)| timeout);
    if moments.len() >= DETACHED {
        let mut call = errors::call_detached(py, || generator.begin_backfill(moments, gene, timeout))?;
        return in_detached_slices(py, move |slice| call.wait_for(slice));
    }
    let mut call = errors::call(py, || generator.begin_backfill(moments, gene, timeout))?;
    let answer = errors::call(py, || call.at_once());
    at_exit::register_in_child(py)?;
    match answer? {
        Some(ids) => Ok(ids),
        None => in_detached_slices(py, move |slice| call.wait_for(slice)),
    }
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
    match answer? {
        Some(done) => Ok(done),
        None => in_detached_slices(py, step),
    }
}

/// Calls `step` until it has a result: detached, one slice each time.
fn in_detached_slices<T: Send>(
    py: Python<'_>,
    mut step: impl FnMut(Duration) -> Result<Option<T>> + Send,
) -> PyResult<T> {
    at_exit::register_in_child(py)?;
    let slice = if runs_signal_handlers(py).unwrap_or(true) { SLICE } else { LONG_SLICE };
    loop {
        py.check_signals()?;
        if let Some(done) = errors::call_detached(py, || step(slice))? {
            return Ok(done);
        }
    }
}

/// Returns whether this is the thread on which Python runs the handlers of signals.
fn runs_signal_handlers(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    // The one call here that runs Python code, in which a daemon thread may find the interpreter ended.
    let main = call_or_hang(&threading.getattr("main_thread")?, &PyTuple::empty(py))?.getattr("ident")?;
    // Under gevent each greenlet has an ident of its own.
    let native: u64 = threading.call_method0("get_native_id")?.extract()?;
    Ok(native == u64::from(std::process::id()) || main.eq(threading.call_method0("get_ident")?)?)
}
