//! The one place that waits: detached from the interpreter, in slices, with a look at signals in between.

use crate::errors;
use leafmint::Pending;
use leafmint::Result;
use leafmint::segment::Want;
use pyo3::prelude::*;
use std::ops::Range;
use std::time::Duration;

/// Ctrl-C ends a wait within this.
const SLICE: Duration = Duration::from_millis(20);

/// Takes what is wanted of a tag, waiting for at most `timeout`.
pub(crate) fn take(py: Python<'_>, tag: &leafmint::BizTag, want: Want, timeout: Option<Duration>) -> PyResult<Vec<Range<i64>>> {
    let mut wait = tag.begin(want, timeout).map_err(|error| errors::raise(py, error))?;
    in_slices(py, move |slice| {
        if !slice.is_zero() {
            wait.park(slice);
        }
        wait.poll()
    })
}

/// Waits for background work to end.
pub(crate) fn until_done<T: Send + 'static>(py: Python<'_>, work: Result<Pending<T>>) -> PyResult<T> {
    let pending = work.map_err(|error| errors::raise(py, error))?;
    in_slices(py, move |slice| pending.wait_for(slice).transpose())
}

/// Calls `step` until it has an answer: first with no time at all and attached, then with a slice at a time and detached.
fn in_slices<T: Send>(py: Python<'_>, mut step: impl FnMut(Duration) -> Result<Option<T>> + Send) -> PyResult<T> {
    let mut answer = step(Duration::ZERO);
    loop {
        match answer {
            Ok(Some(done)) => return Ok(done),
            Ok(None) => py.check_signals()?,
            Err(error) => return Err(errors::raise(py, error)),
        }
        answer = py.detach(|| step(SLICE));
    }
}
