//! Turns errors of the core into the exceptions of `leafmint.errors`.

use crate::once;
use leafmint::binding::{panics, printable};
use leafmint::{Error, ErrorKind, Reason};
use pyo3::PyTypeInfo;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyImportError, PyMemoryError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use std::error::Error as _;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The class name of each kind. A new kind does not compile until it has a row.
const CLASS_NAMES: [(ErrorKind, &str); ErrorKind::ALL.len()] = [
    (ErrorKind::InvalidConfig, "InvalidConfigError"),
    (ErrorKind::InvalidArgument, "InvalidArgumentError"),
    (ErrorKind::UnknownTag, "UnknownTagError"),
    (ErrorKind::SegmentUnavailable, "SegmentUnavailableError"),
    (ErrorKind::StoreUnavailable, "StoreUnavailableError"),
    (ErrorKind::StoreRegressed, "StoreRegressedError"),
    (ErrorKind::WorkerIdUnavailable, "WorkerIdUnavailableError"),
    (ErrorKind::LeaseLost, "LeaseLostError"),
    (ErrorKind::ClockMovedBackwards, "ClockMovedBackwardsError"),
    (ErrorKind::IdSpaceExhausted, "IdSpaceExhaustedError"),
    (ErrorKind::RateExceeded, "RateExceededError"),
    (ErrorKind::InvalidId, "InvalidIdError"),
    (ErrorKind::Closed, "ClosedError"),
];

fn class_name(kind: ErrorKind) -> &'static str {
    CLASS_NAMES.iter().find(|(known, _)| *known == kind).map_or("LeafmintError", |(_, name)| name)
}

fn class(py: Python<'_>, kind: ErrorKind) -> PyResult<Bound<'_, PyType>> {
    let name = class_name(kind);
    once::class(py, name)?
        .ok_or_else(|| PyImportError::new_err(format!("leafmint.errors.{name} is missing: install leafmint again")))
}

/// Calls the core and raises its error. A panic becomes a RuntimeError with its message: the class that PyO3 would
/// raise is not an Exception, so that `except Exception` would not catch it.
#[inline]
pub(crate) fn call<T>(py: Python<'_>, work: impl FnOnce() -> leafmint::Result<T>) -> PyResult<T> {
    into_result(py, catch_unwind(AssertUnwindSafe(work)))
}

/// Does the same, detached from the interpreter.
pub(crate) fn call_detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> leafmint::Result<T> + Send) -> PyResult<T> {
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    into_result(py, outcome)
}

#[inline]
fn into_result<T>(py: Python<'_>, outcome: std::thread::Result<leafmint::Result<T>>) -> PyResult<T> {
    match outcome {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(raise(py, &error)),
        Err(panic) => Err(PyRuntimeError::new_err(panics::message_of(panic))),
    }
}

/// Adds `_panic(message)`, which panics within a call.
#[cfg(feature = "test-hooks")]
pub(crate) fn add_panic(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.as_any().setattr("_panic", pyo3::wrap_pyfunction!(panic_with, module)?)
}

#[cfg(feature = "test-hooks")]
#[pyo3::pyfunction]
#[pyo3(name = "_panic")]
fn panic_with(py: Python<'_>, message: String) -> PyResult<()> {
    call(py, || panic!("{message}"))
}

/// Makes the exception of a core error.
#[cold]
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    if error.reason() == Some(Reason::OutOfMemory) {
        return made(PyMemoryError::type_object(py), (error.message(),));
    }
    let raised = raise_as(py, error.kind(), error.message().to_owned());
    explain(py, &raised, error).err().unwrap_or(raised)
}

/// Adds what is known of an error besides its kind and message.
fn explain(py: Python<'_>, raised: &PyErr, error: &Error) -> PyResult<()> {
    let exception = raised.value(py);
    if let Some(reason) = error.reason() {
        exception.setattr("reason", reason.code())?;
    }
    match error.server().map(|server| (server.number(), server.state())) {
        Some((Some(number), _)) => exception.setattr("server_code", number)?,
        Some((None, state)) => exception.setattr("server_code", state)?,
        None => {}
    }
    if !error.options().is_empty() {
        exception.setattr("options", PyTuple::new(py, error.options())?)?;
    }
    if let Some(cause) = cause_of(py, error) {
        raised.set_cause(py, Some(cause));
    }
    Ok(())
}

/// Returns the exception of the error behind another. What a server answered has none: the number is an attribute.
fn cause_of(py: Python<'_>, error: &Error) -> Option<PyErr> {
    let source = error.source()?;
    if let Some(inner) = source.downcast_ref() {
        return Some(raise(py, inner));
    }
    let of_system = source.downcast_ref::<io::Error>()?;
    let text = of_system.to_string();
    let class = PyOSError::type_object(py);
    Some(match of_system.raw_os_error() {
        // From the number, Python chooses the subclass.
        Some(number) => made(class, (number, text.split(" (os error").next().unwrap_or_default())),
        None => made(class, (text,)),
    })
}

/// Makes the exception of a kind, for input that cannot be passed to the core.
#[cold]
pub(crate) fn raise_as(py: Python<'_>, kind: ErrorKind, message: String) -> PyErr {
    class(py, kind).map_or_else(|error| error, |class| made(class, (printable(message),)))
}

/// Makes an exception now. PyO3 would make it at its first use, for which it detaches and attaches the thread again; if
/// the interpreter ends meanwhile, that crashes the process.
fn made<'py>(class: Bound<'py, PyType>, arguments: impl PyCallArgs<'py>) -> PyErr {
    class.call1(arguments).map_or_else(|error| error, PyErr::from_value)
}

/// Adds `_check_errors()`, which `leafmint.errors` calls last.
pub(crate) fn add_check(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.as_any().setattr("_check_errors", wrap_pyfunction!(check_classes, module)?)
}

/// Refuses to load if the classes do not agree with the core.
#[pyfunction]
#[pyo3(name = "_check_errors")]
fn check_classes(py: Python<'_>) -> PyResult<()> {
    for kind in ErrorKind::ALL {
        let class = class(py, kind)?;
        let code: String = class.getattr("code")?.extract()?;
        let retryable: bool = class.getattr("retryable")?.extract()?;
        if (code.as_str(), retryable) != (kind.code(), kind.retryable()) {
            let name = class_name(kind);
            return Err(PyImportError::new_err(format!(
                "leafmint.errors.{name} and leafmint._core are of different versions: install leafmint again"
            )));
        }
    }
    Ok(())
}
