//! Calls that an event loop waits for: `leafmint/_internal/asyncio_waits.py` polls them, and a descriptor wakes it. No
//! thread attaches to the interpreter.

use crate::arguments::Timeout;
use crate::{at_exit, errors};
use leafmint::binding::{Pollable, WakeQueue};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A call whose answer becomes an object of Python.
struct Converted<C, F> {
    call: C,
    convert: F,
}

trait Poll: Send {
    fn poll<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>>;
    fn due(&self) -> Option<Duration>;
    fn wake(&mut self, queue: &WakeQueue, number: u64);
}

impl<C, F> Poll for Converted<C, F>
where
    C: Pollable,
    F: Fn(Python<'_>, C::Answer) -> PyResult<Bound<'_, PyAny>> + Send,
{
    fn poll<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        errors::call(py, || self.call.poll())?.map(|answer| (self.convert)(py, answer)).transpose()
    }

    fn due(&self) -> Option<Duration> {
        self.call.due()
    }

    fn wake(&mut self, queue: &WakeQueue, number: u64) {
        self.call.wake(queue.waker(number));
    }
}

/// A call in progress. Dropping it cancels the call.
#[pyclass(frozen, name = "_Call", module = "leafmint")]
pub(crate) struct Call {
    /// `None` after the end.
    call: Mutex<Option<Box<dyn Poll>>>,
}

impl Call {
    fn lock(&self) -> MutexGuard<'_, Option<Box<dyn Poll>>> {
        self.call.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Call {
    /// Returns the answer, or the call itself while there is something to wait for.
    fn poll<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let answer = match &mut *slf.get().lock() {
            Some(call) => call.poll(slf.py())?,
            None => None,
        };
        Ok(answer.unwrap_or_else(|| slf.clone().into_any()))
    }

    /// Returns the seconds after which to poll again although nothing woke the call; None for never.
    fn due(&self) -> Option<f64> {
        self.lock().as_ref()?.due().map(|due| due.as_secs_f64())
    }

    /// Queues the number whenever the call may have progressed. Poll once more after this.
    fn wake(&self, queue: &Queue, number: u64) {
        if let Some(call) = &mut *self.lock() {
            call.wake(&queue.0, number);
        }
    }

    /// Ends the call, with or without an answer.
    fn end(&self) {
        let ended = self.lock().take();
        drop(ended);
    }
}

/// The numbers of the calls of one loop that may have progressed.
#[pyclass(frozen, weakref, name = "_WakeQueue", module = "leafmint")]
pub(crate) struct Queue(WakeQueue);

#[pymethods]
impl Queue {
    #[new]
    fn new(py: Python<'_>) -> PyResult<Self> {
        errors::call(py, WakeQueue::new).map(Self)
    }

    /// Returns the descriptor, which is readable while calls are queued.
    fn fileno(&self) -> i32 {
        self.0.descriptor()
    }

    /// Takes the numbers of the calls that were woken.
    fn take(&self) -> Vec<u64> {
        self.0.take()
    }
}

/// Begins a call. Returns its answer if it need not wait, else a [`Call`].
pub(crate) fn begin<'py, C: Pollable + 'static>(
    py: Python<'py>,
    begin: impl FnOnce() -> leafmint::Result<C>,
    convert: impl Fn(Python<'_>, C::Answer) -> PyResult<Bound<'_, PyAny>> + Send + 'static,
) -> PyResult<Bound<'py, PyAny>> {
    let mut call = Converted { call: errors::call(py, begin)?, convert };
    let answer = call.poll(py);
    at_exit::register_in_child(py)?;
    match answer? {
        Some(answer) => Ok(answer),
        None => Ok(Bound::new(py, Call { call: Mutex::new(Some(Box::new(call))) })?.into_any()),
    }
}

/// Returns the duration of a timeout argument.
pub(crate) fn duration(timeout: Option<Timeout>) -> Option<Duration> {
    timeout.map(|Timeout(timeout)| timeout)
}

/// Makes the answer of work that returns whether it did something.
pub(crate) fn truth(py: Python<'_>, did: bool) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyBool::new(py, did).to_owned().into_any())
}

/// Makes the answer of work that returns nothing.
pub(crate) fn none(py: Python<'_>, (): ()) -> PyResult<Bound<'_, PyAny>> {
    Ok(py.None().into_bound(py))
}
